// SPDX-License-Identifier: BSD-3-Clause
// These tests load no program, so their image has no kernels.

#include <wick/kernel_table.h>

extern const wick::KernelTable wick_kernel_table = {nullptr, 0};
