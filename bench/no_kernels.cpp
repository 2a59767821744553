// SPDX-License-Identifier: BSD-3-Clause
// The kernel table of an image without kernels.

#include <wick/kernel_table.h>

extern const wick::KernelTable wick_kernel_table;
const wick::KernelTable wick_kernel_table = {nullptr, 0};
