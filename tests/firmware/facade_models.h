// SPDX-License-Identifier: BSD-3-Clause
// Stored models and their samples, in the image, for the tests of wick's facades. Where a sample's inputs and expected
// outputs lie in a .bin is what the case's .json says; the expected values are the official runtime's.
#ifndef TESTS_FIRMWARE_FACADE_MODELS_H
#define TESTS_FIRMWARE_FACADE_MODELS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const uint8_t kws_pte[], kws_pte_end[], kws_bin[];
extern const uint8_t mlp_pte[], mlp_pte_end[], mlp_bin[];
extern const uint8_t kvcache_pte[], kvcache_pte_end[], kvcache_bin[];
extern const uint8_t add_pte[], add_pte_end[], add_bin[];
extern const uint8_t ptdnet_pte[], ptdnet_pte_end[], ptdnet_bin[];
extern const uint8_t ptdnet_w0[], ptdnet_w0_end[], ptdnet_w1[], ptdnet_w1_end[];

#ifdef __cplusplus
}
#endif

#endif
