// SPDX-License-Identifier: BSD-3-Clause
//
// The tiles of the int8 kernels for Helium (M-profile vector extension, integer). Same results as generic.h.
// Dot products run 16 products per instruction into general registers, four channels at a time; what follows the sums
// runs in vectors of four channels.
#pragma once

#include <arm_mve.h>

#include "src/kernels/simd/generic.h"

namespace wick::simd::mve {

using generic::accumulate;
using generic::dot_rows;
using generic::Binary;
using generic::multiply;
using generic::outer_pixel;
using generic::plain;
using generic::store;

using Packed = int8_t;
constexpr bool kFoldsOffset = true;
constexpr int32_t kGroup = 4;
constexpr int32_t kLeastRows = 1;
constexpr bool kPrefersDot = true;
constexpr int32_t packed_row(int32_t k) { return (k + 15) & ~15; }
constexpr size_t row_bytes(int32_t k) { return static_cast<size_t>(packed_row(k)); }

/// Vector (a, b, c, d).
inline int32x4_t combine(int32_t a, int32_t b, int32_t c, int32_t d) {
#if defined(__GNUC__)
  int32x4_t v;
  __asm__("vmov %q0[2], %q0[0], %1, %3\n\tvmov %q0[3], %q0[1], %2, %4" : "=&w"(v) : "r"(a), "r"(b), "r"(c), "r"(d));
  return v;
#else
  return vsetq_lane_s32(d, vsetq_lane_s32(c, vsetq_lane_s32(b, vdupq_n_s32(a), 1), 2), 3);
#endif
}

/// Each lane saturated to int8, in its low byte.
inline int32x4_t narrow(int32x4_t v) {
#if defined(__GNUC__)
  __asm__("vqmovnb.s32 %q0, %q0\n\tvqmovnb.s16 %q0, %q0" : "+w"(v));
  return v;
#else
  return vminq_s32(vmaxq_s32(v, vdupq_n_s32(-128)), vdupq_n_s32(127));
#endif
}

/// Rescaling of four channels whose shifts are below zero, see requantize_plain().
inline int32x4_t rescale(int32x4_t sums, int32x4_t multiplier, int32x4_t shift, int32_t offset) {
  int32x4_t v = vqrdmulhq_s32(sums, multiplier);
  v = vaddq_s32(v, vshrq_n_s32(v, 31));
  return vaddq_n_s32(vrshlq_s32(v, shift), offset);
}

/// The values that follow the sums of four channels; lanes beyond the last channel hold anything.
struct Quad {
  int32x4_t bias, multiplier, shift;
  int32_t offset;
  mve_pred16_t lanes;

  Quad(const Channels& channels, int32_t c) : offset(channels.output_offset) {
    lanes = vctp32q(static_cast<uint32_t>(channels.count - c));
    bias = vldrwq_z_s32(channels.bias + c, lanes);
    if (channels.step != 0) {
      multiplier = vldrwq_z_s32(channels.multiplier + c, lanes);
      shift = vldrwq_z_s32(channels.shift + c, lanes);
    } else {
      multiplier = vdupq_n_s32(*channels.multiplier);
      shift = vdupq_n_s32(*channels.shift);
    }
  }

  void finish(int32x4_t sums, int8_t* out) const {
    vstrbq_p_s32(out, narrow(rescale(vaddq_s32(sums, bias), multiplier, shift, offset)), lanes);
  }
  void finish_all(int32x4_t sums, int8_t* out) const {
    vstrbq_s32(out, narrow(rescale(vaddq_s32(sums, bias), multiplier, shift, offset)));
  }
};

/// What the tile of four channels multiplies: pointers to their weights, the last one repeated where there are fewer.
struct Weights {
  const int8_t* w[4];
  Weights(const Channels& channels, int32_t c) {
    for (int32_t j = 0; j < 4; ++j) {
      w[j] = channels.weights + (c + j < channels.count ? c + j : channels.count - 1) * channels.k;
    }
  }
};

/// Sums of four channels over kSteps * 16 products, addressed without moving the pointers.
template <int kSteps>
inline int32x4_t dot_unrolled(const int8_t* x, const int8_t* w0, const int8_t* w1, const int8_t* w2, const int8_t* w3) {
  int8x16_t v = vld1q_s8(x);
  int32_t a0 = vmladavq_s8(v, vld1q_s8(w0)), a1 = vmladavq_s8(v, vld1q_s8(w1));
  int32_t a2 = vmladavq_s8(v, vld1q_s8(w2)), a3 = vmladavq_s8(v, vld1q_s8(w3));
  if constexpr (kSteps > 1) {
    v = vld1q_s8(x + 16);
    a0 = vmladavaq_s8(a0, v, vld1q_s8(w0 + 16));
    a1 = vmladavaq_s8(a1, v, vld1q_s8(w1 + 16));
    a2 = vmladavaq_s8(a2, v, vld1q_s8(w2 + 16));
    a3 = vmladavaq_s8(a3, v, vld1q_s8(w3 + 16));
  }
  if constexpr (kSteps > 2) {
    v = vld1q_s8(x + 32);
    a0 = vmladavaq_s8(a0, v, vld1q_s8(w0 + 32));
    a1 = vmladavaq_s8(a1, v, vld1q_s8(w1 + 32));
    a2 = vmladavaq_s8(a2, v, vld1q_s8(w2 + 32));
    a3 = vmladavaq_s8(a3, v, vld1q_s8(w3 + 32));
    v = vld1q_s8(x + 48);
    a0 = vmladavaq_s8(a0, v, vld1q_s8(w0 + 48));
    a1 = vmladavaq_s8(a1, v, vld1q_s8(w1 + 48));
    a2 = vmladavaq_s8(a2, v, vld1q_s8(w2 + 48));
    a3 = vmladavaq_s8(a3, v, vld1q_s8(w3 + 48));
  }
  return combine(a0, a1, a2, a3);
}

/// Sums of four channels over any number of products.
inline int32x4_t dot_any(const int8_t* x, const int8_t* w0, const int8_t* w1, const int8_t* w2, const int8_t* w3,
                         int32_t k) {
  int32_t a0 = 0, a1 = 0, a2 = 0, a3 = 0;
  const auto step = [&] {
    const int8x16_t v = vld1q_s8(x);
    a0 = vmladavaq_s8(a0, v, vld1q_s8(w0));
    a1 = vmladavaq_s8(a1, v, vld1q_s8(w1));
    a2 = vmladavaq_s8(a2, v, vld1q_s8(w2));
    a3 = vmladavaq_s8(a3, v, vld1q_s8(w3));
    x += 16;
    w0 += 16;
    w1 += 16;
    w2 += 16;
    w3 += 16;
  };
  for (int32_t i = k >> 6; i > 0; --i) {
    step();
    step();
    step();
    step();
  }
  for (int32_t i = (k >> 4) & 3; i > 0; --i) {
    step();
  }
  if ((k & 15) != 0) {
    const mve_pred16_t p = vctp8q(static_cast<uint32_t>(k & 15));
    const int8x16_t v = vldrbq_z_s8(x, p);
    a0 = vmladavaq_s8(a0, v, vldrbq_z_s8(w0, p));
    a1 = vmladavaq_s8(a1, v, vldrbq_z_s8(w1, p));
    a2 = vmladavaq_s8(a2, v, vldrbq_z_s8(w2, p));
    a3 = vmladavaq_s8(a3, v, vldrbq_z_s8(w3, p));
  }
  return combine(a0, a1, a2, a3);
}

/// Four channels by n rows, kSteps * 16 products each.
template <int kSteps>
inline void dot_quad(const Channels& channels, int32_t c, const int8_t* rows, int32_t row_stride, int32_t n, int8_t* out,
                     int32_t out_stride) {
  const Quad quad(channels, c);
  const int8_t* w0 = channels.weights + c * channels.k;
  const int8_t *w1 = w0 + channels.k, *w2 = w1 + channels.k, *w3 = w2 + channels.k;
  for (; n > 0; --n, rows += row_stride, out += out_stride) {
    quad.finish_all(dot_unrolled<kSteps>(rows, w0, w1, w2, w3), out);
  }
}

/// Four channels by n rows of eight products: the weights stay in registers as 16-bit lanes.
inline void dot_quad_of_8(const Channels& channels, int32_t c, const int8_t* rows, int32_t row_stride, int32_t n,
                          int8_t* out, int32_t out_stride) {
  const Quad quad(channels, c);
  const int8_t* w = channels.weights + c * 8;
  const int16x8_t w0 = vldrbq_s16(w), w1 = vldrbq_s16(w + 8), w2 = vldrbq_s16(w + 16), w3 = vldrbq_s16(w + 24);
  for (; n > 0; --n, rows += row_stride, out += out_stride) {
    const int16x8_t x = vldrbq_s16(rows);
    quad.finish_all(
        combine(vmladavq_s16(x, w0), vmladavq_s16(x, w1), vmladavq_s16(x, w2), vmladavq_s16(x, w3)), out);
  }
}

/// At most four channels by n rows of any length.
inline void dot_quad_any(const Channels& channels, int32_t c, const int8_t* rows, int32_t row_stride, int32_t n,
                         int8_t* out, int32_t out_stride) {
  const Quad quad(channels, c);
  const Weights weights(channels, c);
  for (; n > 0; --n, rows += row_stride, out += out_stride) {
    quad.finish(dot_any(rows, weights.w[0], weights.w[1], weights.w[2], weights.w[3], channels.k), out);
  }
}

inline void dot_direct(const Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n,
                       int32_t /*input_offset*/, void* /*workspace*/, size_t /*bytes*/, int8_t* out,
                       int32_t out_stride) {
  if (!channels.plain) {
    dot_rows(channels, rows, row_stride, n, out, out_stride);
    return;
  }
  for (int32_t c = 0; c < channels.count; c += 4) {
    const int32_t k = c + 4 <= channels.count ? channels.k : 0;
    if (k == 64) {
      dot_quad<4>(channels, c, rows, row_stride, n, out + c, out_stride);
    } else if (k == 32) {
      dot_quad<2>(channels, c, rows, row_stride, n, out + c, out_stride);
    } else if (k == 16) {
      dot_quad<1>(channels, c, rows, row_stride, n, out + c, out_stride);
    } else if (k == 8) {
      dot_quad_of_8(channels, c, rows, row_stride, n, out + c, out_stride);
    } else {
      dot_quad_any(channels, c, rows, row_stride, n, out + c, out_stride);
    }
  }
}

inline void copy(int8_t* to, const int8_t* from, int32_t n) {
  for (; n >= 16; n -= 16, from += 16, to += 16) {
    vst1q_s8(to, vld1q_s8(from));
  }
  if (n > 0) {
    const mve_pred16_t p = vctp8q(static_cast<uint32_t>(n));
    vstrbq_p_s8(to, vldrbq_z_s8(from, p), p);
  }
}
inline void fill(int8_t* to, int8_t value, int32_t n) {
  const int8x16_t v = vdupq_n_s8(value);
  for (; n > 0; n -= 16, to += 16) {
    vstrbq_p_s8(to, v, vctp8q(static_cast<uint32_t>(n)));
  }
}

inline void pack(Packed* group, int32_t k, int32_t row, int32_t at, const int8_t* values, int32_t n,
                 int32_t /*input_offset*/) {
  copy(group + row * packed_row(k) + at, values, n);
}
inline void pack_padding(Packed* group, int32_t k, int32_t row, int32_t at, int32_t n, int32_t zero_point,
                         int32_t /*input_offset*/) {
  fill(group + row * packed_row(k) + at, static_cast<int8_t>(zero_point), n);
}
inline void dot_group(const Channels& channels, const Packed* group, int32_t n, int8_t* out, int32_t out_stride) {
  dot_direct(channels, group, packed_row(channels.k), n, 0, nullptr, 0, out, out_stride);
}

/// [rows, columns] to [columns, rows].
inline void transpose(const int8_t* from, int32_t rows, int32_t columns, int8_t* to) {
  const uint16x8_t places = vmulq_n_u16(vidupq_n_u16(0, 1), static_cast<uint16_t>(rows));
  for (int32_t r = 0; r < rows; ++r) {
    for (int32_t c = 0; c < columns; c += 8, from += 8) {
      const mve_pred16_t p = vctp16q(static_cast<uint32_t>(columns - c));
      vstrbq_scatter_offset_p_s16(to + c * rows + r, places, vldrbq_z_s16(from, p), p);
    }
    from -= (8 - columns % 8) % 8;
  }
}

inline int32_t sum(const int8_t* weights, int32_t n, int32_t stride) {
  if (stride != 1) {
    return generic::sum(weights, n, stride);
  }
  int32_t total = 0;
  for (; n >= 16; n -= 16, weights += 16) {
    total = vaddvaq_s8(total, vld1q_s8(weights));
  }
  if (n > 0) {
    total = vaddvaq_s8(total, vldrbq_z_s8(weights, vctp8q(static_cast<uint32_t>(n))));
  }
  return total;
}

inline void advance(const int8_t** pointers, int32_t n, int32_t distance) {
  static_assert(sizeof(void*) == 4, "pointers are lanes");
  uint32_t* p = reinterpret_cast<uint32_t*>(pointers);
  for (; n > 0; n -= 4, p += 4) {  // the table has room for a multiple of four
    vst1q_u32(p, vaddq_n_u32(vld1q_u32(p), static_cast<uint32_t>(distance)));
  }
}

/// Four channels of a depthwise pixel in 32-bit lanes.
inline void depthwise_quad(const Channels& channels, int32_t weight_stride, const int8_t* const* x, int32_t c,
                           int8_t* out) {
  const Quad quad(channels, c);
  const int8_t* w = channels.weights + c;
  int32x4_t sums = vdupq_n_s32(0);
  for (int32_t t = 0; t < channels.k; ++t, w += weight_stride) {
    sums = vaddq_s32(sums, vmulq_s32(vldrbq_z_s32(x[t] + c, quad.lanes), vldrbq_z_s32(w, quad.lanes)));
  }
  quad.finish(sums, out + c);
}

/// Sums of sixteen channels in four vectors: channels 0, 4, …; 2, 6, …; 1, 5, …; 3, 7, ….
struct Sixteen {
  int32x4_t s0, s2, s1, s3;
  void add(int16x8_t even, int16x8_t odd) {
    s0 = vaddq_s32(s0, vmovlbq_s16(even));
    s2 = vaddq_s32(s2, vmovltq_s16(even));
    s1 = vaddq_s32(s1, vmovlbq_s16(odd));
    s3 = vaddq_s32(s3, vmovltq_s16(odd));
  }
};

/// Sixteen channels of a depthwise pixel: products in 16 bits, added in pairs before they are widened. Weights must not
/// be -128, lest a pair overflow.
inline void depthwise_sixteen(const Channels& channels, int32_t weight_stride, const int8_t* const* x, int32_t c,
                              int8_t* out) {
  const int32x4x4_t bias = vld4q_s32(channels.bias + c);
  Sixteen sums = {bias.val[0], bias.val[2], bias.val[1], bias.val[3]};
  const int8_t* w = channels.weights + c;
  int32_t t = channels.k;
  for (; t >= 2; t -= 2, x += 2, w += 2 * weight_stride) {
    const int8x16_t x0 = vld1q_s8(x[0] + c), w0 = vld1q_s8(w);
    int16x8_t even = vmullbq_int_s8(x0, w0), odd = vmulltq_int_s8(x0, w0);
    const int8x16_t x1 = vld1q_s8(x[1] + c), w1 = vld1q_s8(w + weight_stride);
    even = vaddq_s16(even, vmullbq_int_s8(x1, w1));
    odd = vaddq_s16(odd, vmulltq_int_s8(x1, w1));
    sums.add(even, odd);
  }
  if (t != 0) {
    const int8x16_t x0 = vld1q_s8(x[0] + c), w0 = vld1q_s8(w);
    sums.add(vmullbq_int_s8(x0, w0), vmulltq_int_s8(x0, w0));
  }
  const int32x4x4_t multiplier = vld4q_s32(channels.multiplier + c);
  const int32x4x4_t shift = vld4q_s32(channels.shift + c);
  const int32_t offset = channels.output_offset;
  sums.s0 = rescale(sums.s0, multiplier.val[0], shift.val[0], offset);
  sums.s2 = rescale(sums.s2, multiplier.val[2], shift.val[2], offset);
  sums.s1 = rescale(sums.s1, multiplier.val[1], shift.val[1], offset);
  sums.s3 = rescale(sums.s3, multiplier.val[3], shift.val[3], offset);
  int16x8_t even = vqmovntq_s32(vqmovnbq_s32(vdupq_n_s16(0), sums.s0), sums.s2);
  int16x8_t odd = vqmovntq_s32(vqmovnbq_s32(vdupq_n_s16(0), sums.s1), sums.s3);
  vst1q_s8(out + c, vqmovntq_s16(vqmovnbq_s16(vdupq_n_s8(0), even), odd));
}

inline void depthwise_pixel(const Channels& channels, int32_t weight_stride, const int8_t* const* x, int8_t* out) {
  if (!channels.plain) {
    generic::depthwise_pixel(channels, weight_stride, x, out);
    return;
  }
  int32_t c = 0;
  if (channels.pairs) {
    for (; c + 16 <= channels.count; c += 16) {
      depthwise_sixteen(channels, weight_stride, x, c, out);
    }
  }
  for (; c < channels.count; c += 4) {
    depthwise_quad(channels, weight_stride, x, c, out);
  }
}

/// Bias of `count` channels plus factor * sum over k weights, weight_stride apart; returns whether no weight is -128.
inline bool fold_columns(int32_t* bias, const int8_t* weights, int32_t weight_stride, int32_t k, int32_t count,
                         int32_t factor) {
  int32x4_t least = vdupq_n_s32(0);
  for (; count > 0; count -= 4, bias += 4, weights += 4) {
    const mve_pred16_t p = vctp32q(static_cast<uint32_t>(count));
    int32x4_t sums = vdupq_n_s32(0);
    const int8_t* w = weights;
    for (int32_t t = 0; t < k; ++t, w += weight_stride) {
      const int32x4_t v = vldrbq_z_s32(w, p);
      sums = vaddq_s32(sums, v);
      least = vminq_s32(least, v);
    }
    vst1q_s32(bias, vmlaq_n_s32(vld1q_s32(bias), sums, factor));
  }
  return vminvq_s32(0, least) > -128;
}

/// Largest absolute value, saturated to INT32_MAX or above as unsigned.
inline uint32_t largest_magnitude(const int32_t* values, int32_t n) {
  uint32_t most = 0;
  for (; n > 0; n -= 4, values += 4) {
    most = vmaxavq_s32(most, vldrwq_z_s32(values, vctp32q(static_cast<uint32_t>(n))));
  }
  return most;
}
/// True if all values lie in [low, high].
inline bool all_within(const int32_t* values, int32_t n, int32_t low, int32_t high) {
  int32_t least = INT32_MAX, most = INT32_MIN;
  for (; n > 0; n -= 4, values += 4) {
    const mve_pred16_t p = vctp32q(static_cast<uint32_t>(n));
    const int32x4_t v = vldrwq_z_s32(values, p);
    least = vminvq_p_s32(least, v, p);
    most = vmaxvq_p_s32(most, v, p);
  }
  return least >= low && most <= high;
}

/// Four sums or products, rescaled by one multiplier and shift below zero.
inline int32x4_t rescale_all(int32x4_t v, int32_t multiplier, int32_t shift, int32_t offset) {
  v = vqrdmulhq_n_s32(v, multiplier);
  v = vaddq_s32(v, vshrq_n_s32(v, 31));
  return vaddq_n_s32(vrshlq_n_s32(v, shift), offset);
}

/// The exporter halves the operand of the larger scale, which is exact, so that only the other one is rounded.
inline void add(const Binary& given, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  Binary p = given;
  const auto halves = [&p](int i) { return p.shift[i] == 0 && (p.multiplier[i] == 1 << 30 || p.multiplier[i] == -(1 << 30)); };
  if (!halves(1)) {
    p.offset[0] = given.offset[1];
    p.multiplier[0] = given.multiplier[1];
    p.shift[0] = given.shift[1];
    p.offset[1] = given.offset[0];
    p.multiplier[1] = given.multiplier[0];
    p.shift[1] = given.shift[0];
    const int8_t* other = a;
    a = b;
    b = other;
  }
  if (!halves(1) || !plain(p)) {
    generic::add(p, a, b, out, n);
    return;
  }
  const int32x4_t left = vdupq_n_s32(1 << 20), half = vdupq_n_s32(p.multiplier[1] >> 11);
  const int32_t offset_a = p.offset[0] * (1 << 20), offset_b = p.offset[1] * (p.multiplier[1] >> 11);
  const int32_t rounds = p.shift[0] < 0 ? 1 : 0;
  for (; n > 0; n -= 4, a += 4, b += 4, out += 4) {
    const mve_pred16_t lanes = vctp32q(static_cast<uint32_t>(n));
    int32x4_t x = vqrdmulhq_n_s32(vmlasq_n_s32(vldrbq_z_s32(a, lanes), left, offset_a), p.multiplier[0]);
    x = vmlaq_n_s32(x, vshrq_n_s32(x, 31), rounds);
    x = vrshlq_n_s32(x, p.shift[0]);
    x = vaddq_s32(x, vmlasq_n_s32(vldrbq_z_s32(b, lanes), half, offset_b));
    vstrbq_p_s32(out, narrow(rescale_all(x, p.output_multiplier, p.output_shift, p.output_offset)), lanes);
  }
}

inline void keep_largest(int8_t* best, const int8_t* row, int32_t n) {
  for (; n > 0; n -= 16, best += 16, row += 16) {
    const mve_pred16_t p = vctp8q(static_cast<uint32_t>(n));
    vstrbq_p_s8(best, vmaxq_s8(vldrbq_z_s8(best, p), vldrbq_z_s8(row, p)), p);
  }
}
inline void clamp(int8_t* values, int32_t n, int32_t low, int32_t high) {
  const int8x16_t least = vdupq_n_s8(static_cast<int8_t>(low)), most = vdupq_n_s8(static_cast<int8_t>(high));
  for (; n > 0; n -= 16, values += 16) {
    const mve_pred16_t p = vctp8q(static_cast<uint32_t>(n));
    vstrbq_p_s8(values, vminq_s8(vmaxq_s8(vldrbq_z_s8(values, p), least), most), p);
  }
}

}  // namespace wick::simd::mve
