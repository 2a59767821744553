// SPDX-License-Identifier: BSD-3-Clause
//
// Loops over one line of floats: scaled accumulation of a line, alone or three neighbouring taps at once, and strided
// copies. They serve depthwise convolutions; Helium takes four elements per step, other cores leave it to the compiler.
#pragma once

#include "src/kernels/simd/float_tile.h"

namespace wick::simd {

/// sum[i] += weight * in[i * step] for i < n.
inline void accumulate_line(float* sum, const float* in, ptrdiff_t step, float weight, size_t n) {
  for (size_t i = 0; i < n; ++i, in += step) {
    sum[i] += weight * *in;
  }
}

/// sum[i] += weight[0] * in[i * step] + weight[w] * in[i * step + d] + weight[2 * w] * in[i * step + 2 * d] for i < n,
/// with w the distance of the weights and d that of the taps.
inline void accumulate_three(float* sum, const float* in, ptrdiff_t step, ptrdiff_t d, const float* weight, ptrdiff_t w,
                             size_t n) {
  const float w0 = weight[0];
  const float w1 = weight[w];
  const float w2 = weight[2 * w];
  const float* in1 = in + d;
  const float* in2 = in1 + d;
#ifdef WICK_FLOAT_MVE
  if (step == 1) {
    for (size_t i = 0; i < n; i += 4) {
      const mve_pred16_t rest = vctp32q(static_cast<uint32_t>(n - i));
      float32x4_t s = vldrwq_z_f32(sum + i, rest);
      s = vfmaq_n_f32(s, vldrwq_z_f32(in + i, rest), w0);
      s = vfmaq_n_f32(s, vldrwq_z_f32(in1 + i, rest), w1);
      s = vfmaq_n_f32(s, vldrwq_z_f32(in2 + i, rest), w2);
      vstrwq_p_f32(sum + i, s, rest);
    }
    return;
  }
  const uint32x4_t at = vmulq_n_u32(vidupq_n_u32(0, 1), static_cast<uint32_t>(step));
  for (size_t i = 0; i < n; i += 4, in += 4 * step, in1 += 4 * step, in2 += 4 * step) {
    const mve_pred16_t rest = vctp32q(static_cast<uint32_t>(n - i));
    float32x4_t s = vldrwq_z_f32(sum + i, rest);
    s = vfmaq_n_f32(s, vldrwq_gather_shifted_offset_z_f32(in, at, rest), w0);
    s = vfmaq_n_f32(s, vldrwq_gather_shifted_offset_z_f32(in1, at, rest), w1);
    s = vfmaq_n_f32(s, vldrwq_gather_shifted_offset_z_f32(in2, at, rest), w2);
    vstrwq_p_f32(sum + i, s, rest);
  }
#else
  for (size_t i = 0; i < n; ++i, in += step, in1 += step, in2 += step) {
    sum[i] += w0 * *in + w1 * *in1 + w2 * *in2;
  }
#endif
}

/// out[i * out_step] = in[i * in_step] for i < n.
inline void copy_line(float* out, ptrdiff_t out_step, const float* in, ptrdiff_t in_step, size_t n) {
#ifdef WICK_FLOAT_MVE
  if (out_step == 1 && in_step == 1) {
    for (size_t i = 0; i < n; i += 4) {
      const mve_pred16_t rest = vctp32q(static_cast<uint32_t>(n - i));
      vstrwq_p_f32(out + i, vldrwq_z_f32(in + i, rest), rest);
    }
    return;
  }
#endif
  for (; n > 0; --n, out += out_step, in += in_step) {
    *out = *in;
  }
}

}  // namespace wick::simd
