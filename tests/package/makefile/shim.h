/* SPDX-License-Identifier: BSD-3-Clause
 * Between the project's C and the C++ API. */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
#endif
    /* Runs the program on two tensors [1, 8, 4, 4] and writes a third. 0, or ExecuTorch's error code. */
    int run_model(const uint8_t* model, size_t bytes, float* a, float* b, float* result);
