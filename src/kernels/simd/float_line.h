// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over one line of floats: accumulation of one or three scaled lines. They serve vector-matrix products where a
// tile has more rows than the product.
#pragma once

#include "src/kernels/simd/float_tile.h"

namespace wick::simd {

/// sum[i] += weight * in[i] for i < n.
inline void accumulate_line(float* sum, const float* in, float weight, size_t n) {
  for (; n > 0; --n, ++sum, ++in) {
    *sum += weight * *in;
  }
}

/// Three lines and their weights.
struct ThreeLines {
  const float* in[3];
  float weight[3];
};

/// sum[i] += weight[0] * in[0][i] + weight[1] * in[1][i] + weight[2] * in[2][i] for i < n.
inline void accumulate_three(float* sum, const ThreeLines& lines, size_t n) {
  const float* in0 = lines.in[0];
  const float* in1 = lines.in[1];
  const float* in2 = lines.in[2];
  const float w0 = lines.weight[0];
  const float w1 = lines.weight[1];
  const float w2 = lines.weight[2];
  for (; n >= 2; n -= 2, sum += 2, in0 += 2, in1 += 2, in2 += 2) {
    const float s0 = sum[0] + w0 * in0[0] + w1 * in1[0] + w2 * in2[0];
    const float s1 = sum[1] + w0 * in0[1] + w1 * in1[1] + w2 * in2[1];
    sum[0] = s0;
    sum[1] = s1;
  }
  for (; n > 0; --n, ++sum, ++in0, ++in1, ++in2) {
    *sum += w0 * *in0 + w1 * *in1 + w2 * *in2;
  }
}

/// out[i] = value for i < n.
inline void fill_line(float* out, float value, size_t n) {
  for (; n > 0; --n, ++out) {
    *out = value;
  }
}

}  // namespace wick::simd
