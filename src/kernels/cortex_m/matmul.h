// SPDX-License-Identifier: BSD-3-Clause
//
// Quantised matrix products: fully connected layers and batches of matrices.
#pragma once

#include <cstdint>

#include "src/kernels/cortex_m/chunk.h"

namespace wick::cortex_m {

/// output[r, c] = rescale(sum over k of (a[r, k] + a_offset) * (b[c, k] + b_offset)), all dense.
struct Product {
  int32_t rows, columns, k;
  const int8_t* a;
  const int8_t* b;
  int32_t a_offset, b_offset;  ///< minus the zero points
  bool folded;                 ///< the bias already holds a_offset * sum(b[c, :] + b_offset): a program made for Helium
  Rescale rescale;
  int8_t* output;
};

void multiply(const Product& product);

}  // namespace wick::cortex_m
