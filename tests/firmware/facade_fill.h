// SPDX-License-Identifier: BSD-3-Clause
// The kernel of facade_fill.cpp, for C.
#ifndef TESTS_FIRMWARE_FACADE_FILL_H
#define TESTS_FIRMWARE_FACADE_FILL_H

#include <wick/wick.h>

#ifdef __cplusplus
extern "C" {
#endif

const wick_kernels_t* facade_fill_kernels(void);

#ifdef __cplusplus
}
#endif

#endif
