// SPDX-License-Identifier: BSD-3-Clause
//
// Softmax of int8 values in fixed point, as CMSIS-NN and TFLite define it.
#pragma once

#include <cstdint>

namespace wick::cortex_m {

/// exp((x - largest) * scale) in Q0.31 needs: multiplier and shift turn an integer difference into Q5.26.
struct Softmax {
  int32_t multiplier;
  int32_t shift;     ///< left shift of the difference, in [0, 31]
  int32_t diff_min;  ///< differences below give 0
};

constexpr int32_t kMostSoftmax = 8191;

/// n values (at most kMostSoftmax), `stride` elements apart in both tensors. The output has scale 1/256 and zero point
/// -128. (The Python model computes in float: results may differ by one or two.)
void softmax(const Softmax& p, const int8_t* input, int8_t* output, int32_t n, int32_t stride);

}  // namespace wick::cortex_m
