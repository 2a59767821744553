// SPDX-License-Identifier: BSD-3-Clause
// Dot products, the model's innermost loops. Plain loops that gcc and clang turn into multiply-add instructions of the
// host (pmaddwd); MVE has its own body, because gcc 12 does not find VMLADAV by itself.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

namespace wick::npu {

// Two positions by four channels: out[p * pitch + o] = sum over n of a_p[i] * w_o[i]. The sums must fit 32 bits.
#if defined(__ARM_FEATURE_MVE)

inline void dot_2x4(const std::int16_t* a0, const std::int16_t* a1, const std::int16_t* w, std::ptrdiff_t row,
                    std::int32_t n, std::int32_t* out, std::ptrdiff_t pitch) {
  for (int half = 0; half < 4; half += 2) {  // 2x2: four accumulators stay in registers
    const std::int16_t *w0 = w + half * row, *w1 = w0 + row, *x0 = a0, *x1 = a1;
    std::int32_t s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    std::int32_t left = n;
    for (; left >= 8; left -= 8, x0 += 8, x1 += 8, w0 += 8, w1 += 8) {
      const int16x8_t va0 = vldrhq_s16(x0), va1 = vldrhq_s16(x1);
      const int16x8_t vw0 = vldrhq_s16(w0), vw1 = vldrhq_s16(w1);
      s00 = vmladavaq_s16(s00, va0, vw0);
      s01 = vmladavaq_s16(s01, va0, vw1);
      s10 = vmladavaq_s16(s10, va1, vw0);
      s11 = vmladavaq_s16(s11, va1, vw1);
    }
    if (left > 0) {
      const mve_pred16_t p = vctp16q(static_cast<std::uint32_t>(left));
      const int16x8_t va0 = vldrhq_z_s16(x0, p), va1 = vldrhq_z_s16(x1, p);
      const int16x8_t vw0 = vldrhq_z_s16(w0, p), vw1 = vldrhq_z_s16(w1, p);
      s00 = vmladavaq_s16(s00, va0, vw0);
      s01 = vmladavaq_s16(s01, va0, vw1);
      s10 = vmladavaq_s16(s10, va1, vw0);
      s11 = vmladavaq_s16(s11, va1, vw1);
    }
    out[half] = s00;
    out[half + 1] = s01;
    out[pitch + half] = s10;
    out[pitch + half + 1] = s11;
  }
}

#else

inline void dot_2x4(const std::int16_t* a0, const std::int16_t* a1, const std::int16_t* w, std::ptrdiff_t row,
                    std::int32_t n, std::int32_t* out, std::ptrdiff_t pitch) {
  const std::int16_t *w0 = w, *w1 = w + row, *w2 = w + 2 * row, *w3 = w + 3 * row;
  std::int32_t s00 = 0, s01 = 0, s02 = 0, s03 = 0, s10 = 0, s11 = 0, s12 = 0, s13 = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    s00 += a0[i] * w0[i];
    s01 += a0[i] * w1[i];
    s02 += a0[i] * w2[i];
    s03 += a0[i] * w3[i];
    s10 += a1[i] * w0[i];
    s11 += a1[i] * w1[i];
    s12 += a1[i] * w2[i];
    s13 += a1[i] * w3[i];
  }
  out[0] = s00;
  out[1] = s01;
  out[2] = s02;
  out[3] = s03;
  out[pitch] = s10;
  out[pitch + 1] = s11;
  out[pitch + 2] = s12;
  out[pitch + 3] = s13;
}

#endif

// Depthwise: kChannels neighbouring channels, summed over taps. Input t's channel c lies at inputs[t][c], its weight at
// weights[t * row + (c - first)].
#if defined(__ARM_FEATURE_MVE)

constexpr std::int32_t kChannels = 8;

inline void multiply_channels(const std::int16_t* const* inputs, const std::int16_t* weights, std::int32_t taps,
                              std::int32_t row, std::int32_t first, std::int32_t* sums) {
  int32x4x2_t sum = {{vdupq_n_s32(0), vdupq_n_s32(0)}};  // even and odd channels
  for (std::int32_t t = 0; t < taps; ++t, weights += row) {
    const int16x8_t a = vldrhq_s16(inputs[t] + first), w = vldrhq_s16(weights);
    sum.val[0] = vaddq_s32(sum.val[0], vmullbq_int_s16(a, w));
    sum.val[1] = vaddq_s32(sum.val[1], vmulltq_int_s16(a, w));
  }
  vst2q_s32(sums, sum);
}

#else

constexpr std::int32_t kChannels = 16;

inline void multiply_channels(const std::int16_t* const* inputs, const std::int16_t* weights, std::int32_t taps,
                              std::int32_t row, std::int32_t first, std::int32_t* sums) {
  std::int32_t sum[kChannels] = {};
  for (std::int32_t t = 0; t < taps; ++t, weights += row) {
    const std::int16_t* a = inputs[t] + first;
    for (std::int32_t c = 0; c < kChannels; ++c) sum[c] += a[c] * weights[c];
  }
  for (std::int32_t c = 0; c < kChannels; ++c) sums[c] = sum[c];
}

#endif

inline std::int32_t dot(const std::int16_t* a, const std::int16_t* w, std::int32_t n) {
  std::int32_t sum = 0;
  for (std::int32_t i = 0; i < n; ++i) sum += a[i] * w[i];
  return sum;
}

// Bias, scale and shift per channel, in place: ((sum + bias) * scale >> 32, then shifted right with rounding half up.
inline void scale_channels(std::int32_t* sums, const std::int32_t* bias, const std::int32_t* scale,
                           const std::int32_t* shift, std::int32_t n) {
  std::int32_t c = 0;
#if defined(__ARM_FEATURE_MVE)
  for (; c < n; c += 4) {
    const mve_pred16_t p = vctp32q(static_cast<std::uint32_t>(n - c));
    const int32x4_t value = vaddq_s32(vldrwq_z_s32(sums + c, p), vldrwq_z_s32(bias + c, p));
    const int32x4_t upper = vmulhq_s32(value, vldrwq_z_s32(scale + c, p));
    vstrwq_p_s32(sums + c, vrshlq_s32(upper, vnegq_s32(vldrwq_z_s32(shift + c, p))), p);
  }
#endif
  for (; c < n; ++c) {
    const std::int64_t product = static_cast<std::int64_t>(sums[c] + bias[c]) * scale[c];
    sums[c] = (static_cast<std::int32_t>(product >> 32) + (1 << (shift[c] - 1))) >> shift[c];
  }
}

// Any values: 64-bit, wrapping.
inline std::int64_t dot(const std::int64_t* a, const std::int16_t* w, std::int32_t n) {
  std::uint64_t sum = 0;
  for (std::int32_t i = 0; i < n; ++i) sum += static_cast<std::uint64_t>(a[i]) * static_cast<std::uint64_t>(w[i]);
  return static_cast<std::int64_t>(sum);
}

}  // namespace wick::npu
