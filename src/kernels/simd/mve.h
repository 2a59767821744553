// SPDX-License-Identifier: BSD-3-Clause
//
// The tiles of the int8 kernels for Helium (M-profile vector extension, integer). Same results as generic.h.
// Dot products run 16 products per instruction into general registers, four channels at a time; what follows the sums
// runs in vectors of four channels.
#pragma once

#include <arm_mve.h>

#include "src/kernels/simd/generic.h"

namespace wick::simd::mve {

using generic::Binary;
using generic::multiply;
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

/// The values that follow the sums of four channels.
struct Quad {
  int32x4_t bias, multiplier, shift;
  int32_t offset;

  Quad(const Channels& channels, int32_t c) : bias(vld1q_s32(channels.bias + c)), offset(channels.output_offset) {
    if (channels.step != 0) {
      multiplier = vld1q_s32(channels.multiplier + c);
      shift = vld1q_s32(channels.shift + c);
    } else {
      multiplier = vdupq_n_s32(*channels.multiplier);
      shift = vdupq_n_s32(*channels.shift);
    }
  }

  void finish(int32x4_t sums, int8_t* out) const {
    vstrbq_s32(out, narrow(rescale(vaddq_s32(sums, bias), multiplier, shift, offset)));
  }
};

#if defined(__GNUC__) && !defined(__clang__)  // clang has no constraint for the predicate register
// The inner loops are written out: left to itself the compiler moves the loads ahead and runs out of registers.
// One step of two rows (q0, q1) by the four channels of a quad: 128 products.
#define WICK_MVE_CHANNEL(op, w, at, q, row0, row1) \
  "vldrb.8 " q ", [%[" w "], #" at "]\n\t" op " " row0 ", q0, " q "\n\t" op " " row1 ", q1, " q "\n\t"
#define WICK_MVE_STEP(op, at, a, a_at, b, b_at, c, c_at, d, d_at)                                                    \
  "vldrb.8 q0, [%[x0], #" at "]\n\tvldrb.8 q1, [%[x1], #" at "]\n\t" WICK_MVE_CHANNEL(op, a, a_at, "q2", "r0", "r8") \
      WICK_MVE_CHANNEL(op, b, b_at, "q3", "r2", "r10") WICK_MVE_CHANNEL(op, c, c_at, "q2", "r4", "r12")              \
          WICK_MVE_CHANNEL(op, d, d_at, "q3", "r6", "lr")
#define WICK_MVE_SUMS                                                          \
  "vmov %q[s0][2], %q[s0][0], r0, r4\n\tvmov %q[s0][3], %q[s0][1], r2, r6\n\t" \
  "vmov %q[s1][2], %q[s1][0], r8, r12\n\tvmov %q[s1][3], %q[s1][1], r10, lr"
#define WICK_MVE_REGISTERS "r0", "r2", "r4", "r6", "r8", "r10", "r12", "lr", "q0", "q1", "q2", "q3"

/// Sums of two rows by four channels of kSteps * 16 weights each, which lie one after the other at w.
template <int kSteps>
inline void dot_2x4(const int8_t* x0, const int8_t* x1, const int8_t* w, int32x4_t& s0,
                                           int32x4_t& s1) {
  if constexpr (kSteps == 1) {
    __asm__ volatile(WICK_MVE_STEP("vmladav.s8", "0", "w", "0", "w", "16", "w", "32", "w", "48") WICK_MVE_SUMS
                     : [s0] "=&w"(s0), [s1] "=&w"(s1)
                     : [x0] "r"(x0), [x1] "r"(x1), [w] "r"(w)
                     : WICK_MVE_REGISTERS);
  } else if constexpr (kSteps == 2) {
    __asm__ volatile(WICK_MVE_STEP("vmladav.s8", "0", "w", "0", "w", "32", "w", "64", "w", "96")
                         WICK_MVE_STEP("vmladava.s8", "16", "w", "16", "w", "48", "w", "80", "w", "112") WICK_MVE_SUMS
                     : [s0] "=&w"(s0), [s1] "=&w"(s1)
                     : [x0] "r"(x0), [x1] "r"(x1), [w] "r"(w)
                     : WICK_MVE_REGISTERS);
  } else {
    static_assert(kSteps == 4);
    __asm__ volatile(WICK_MVE_STEP("vmladav.s8", "0", "w", "0", "w", "64", "v", "0", "v", "64")
                         WICK_MVE_STEP("vmladava.s8", "16", "w", "16", "w", "80", "v", "16", "v", "80")
                             WICK_MVE_STEP("vmladava.s8", "32", "w", "32", "w", "96", "v", "32", "v", "96")
                                 WICK_MVE_STEP("vmladava.s8", "48", "w", "48", "w", "112", "v", "48", "v", "112")
                                     WICK_MVE_SUMS
                     : [s0] "=&w"(s0), [s1] "=&w"(s1)
                     : [x0] "r"(x0), [x1] "r"(x1), [w] "r"(w), [v] "r"(w + 128)
                     : WICK_MVE_REGISTERS);
  }
}
#undef WICK_MVE_CHANNEL
#undef WICK_MVE_STEP
#undef WICK_MVE_SUMS
#undef WICK_MVE_REGISTERS

#define WICK_MVE_STEP                                                                                      \
  "vldrb.8 q0, [r8], #16\n\tvldrb.8 q1, [r1], #16\n\tvmladava.s8 r0, q0, q1\n\tvldrb.8 q2, [r3], #16\n\t"  \
  "vmladava.s8 r2, q0, q2\n\tvldrb.8 q1, [r5], #16\n\tvmladava.s8 r4, q0, q1\n\tvldrb.8 q2, [r7], #16\n\t" \
  "vmladava.s8 r6, q0, q2\n\t"
/// Sums of one row by four channels of k weights each, which lie one after the other at w.
[[gnu::noinline]] inline int32x4_t dot_1x4(const int8_t* x, const int8_t* w, int32_t k) {
  int32x4_t sums;
  mve_pred16_t tail;  // names the predicate register, which changes
  __asm__ volatile(
      "mov r8, %[x]\n\tmov r1, %[w]\n\tadd r3, r1, %[k]\n\tadd r5, r3, %[k]\n\tadd r7, r5, %[k]\n\t"
      "movs r0, #0\n\tmovs r2, #0\n\tmovs r4, #0\n\tmovs r6, #0\n\tlsr lr, %[k], #6\n\twls lr, lr, "
      "2f\n1:\n\t" WICK_MVE_STEP WICK_MVE_STEP WICK_MVE_STEP WICK_MVE_STEP
      "le lr, 1b\n2:\n\tands lr, %[k], #63\n\tbeq 5f\n\tlsr lr, lr, #4\n\twls lr, lr, 4f\n3:\n\t" WICK_MVE_STEP
      "le lr, 3b\n4:\n\tands lr, %[k], #15\n\tbeq 5f\n\tvctp.8 lr\n\tvpstttt\n\tvldrbt.8 q0, [r8]\n\t"
      "vldrbt.8 q1, [r1]\n\tvldrbt.8 q2, [r3]\n\tvldrbt.8 q3, [r5]\n\tvmladava.s8 r0, q0, q1\n\tvpst\n\t"
      "vldrbt.8 q1, [r7]\n\tvmladava.s8 r2, q0, q2\n\tvmladava.s8 r4, q0, q3\n\tvmladava.s8 r6, q0, q1\n5:\n\t"
      "vmov %q[s][2], %q[s][0], r0, r4\n\tvmov %q[s][3], %q[s][1], r2, r6"
      : [s] "=&w"(sums), [p] "=&Up"(tail)
      : [x] "r"(x), [w] "r"(w), [k] "r"(k)
      : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "lr", "cc", "q0", "q1", "q2", "q3");
  return sums;
}
#undef WICK_MVE_STEP

#else
inline int32x4_t dot_1x4(const int8_t* x, const int8_t* w0, int32_t k) {
  int32_t a0 = 0, a1 = 0, a2 = 0, a3 = 0;
  const int8_t *w1 = w0 + k, *w2 = w1 + k, *w3 = w2 + k;
  for (; k > 0; k -= 16, x += 16, w0 += 16, w1 += 16, w2 += 16, w3 += 16) {
    const mve_pred16_t p = vctp8q(static_cast<uint32_t>(k));
    const int8x16_t v = vldrbq_z_s8(x, p);
    a0 = vmladavaq_s8(a0, v, vldrbq_z_s8(w0, p));
    a1 = vmladavaq_s8(a1, v, vldrbq_z_s8(w1, p));
    a2 = vmladavaq_s8(a2, v, vldrbq_z_s8(w2, p));
    a3 = vmladavaq_s8(a3, v, vldrbq_z_s8(w3, p));
  }
  return combine(a0, a1, a2, a3);
}
template <int kSteps>
inline void dot_2x4(const int8_t* x0, const int8_t* x1, const int8_t* w, int32x4_t& s0, int32x4_t& s1) {
  constexpr int32_t k = kSteps * 16;
  s0 = dot_1x4(x0, w, k);
  s1 = dot_1x4(x1, w, k);
}
#endif

/// Sums of two rows by four channels of 16, 32 or 64 weights each.
inline void dot_2x4(int32_t k, const int8_t* x0, const int8_t* x1, const int8_t* w, int32x4_t& s0, int32x4_t& s1) {
  if (k == 64) {
    dot_2x4<4>(x0, x1, w, s0, s1);
  } else if (k == 32) {
    dot_2x4<2>(x0, x1, w, s0, s1);
  } else {
    dot_2x4<1>(x0, x1, w, s0, s1);
  }
}

/// Four channels by n rows of 16, 32 or 64 products each.
inline void dot_quad(const Channels& channels, int32_t c, const int8_t* rows, int32_t row_stride, int32_t n,
                     int8_t* out, int32_t out_stride) {
  const Quad quad(channels, c);
  const int32_t k = channels.k;
  const int8_t* w = channels.weights + c * k;
  for (; n > 0; n -= 2, rows += 2 * row_stride, out += 2 * out_stride) {
    int32x4_t s0, s1;
    dot_2x4(k, rows, n > 1 ? rows + row_stride : rows, w, s0, s1);
    if (n > 1) {
      quad.finish(s1, out + out_stride);
    }
    quad.finish(s0, out);
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
    quad.finish(combine(vmladavq_s16(x, w0), vmladavq_s16(x, w1), vmladavq_s16(x, w2), vmladavq_s16(x, w3)), out);
  }
}

/// Four channels by n rows of any length.
inline void dot_quad_any(const Channels& channels, int32_t c, const int8_t* rows, int32_t row_stride, int32_t n,
                         int8_t* out, int32_t out_stride) {
  const Quad quad(channels, c);
  const int8_t* w = channels.weights + c * channels.k;
  const int32_t k = channels.k;
  for (; n > 0; --n, rows += row_stride, out += out_stride) {
    quad.finish(dot_1x4(rows, w, k), out);
  }
}

/// One channel by n rows: what is left of the channels, and those that need the careful rescaling.
inline void dot_single(const Channels& channels, int32_t c, const int8_t* rows, int32_t row_stride, int32_t n,
                       int8_t* out, int32_t out_stride) {
  for (; n > 0; --n, rows += row_stride, out += out_stride) {
    const int8_t *x = rows, *w = channels.weights + c * channels.k;
    int32_t total = channels.bias[c];
    for (int32_t k = channels.k; k > 0; k -= 16, x += 16, w += 16) {
      const mve_pred16_t p = vctp8q(static_cast<uint32_t>(k));
      total = vmladavaq_s8(total, vldrbq_z_s8(x, p), vldrbq_z_s8(w, p));
    }
    store(channels, c, total, out);
  }
}

inline void dot_direct(const Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n,
                       int32_t /*input_offset*/, void* /*workspace*/, size_t /*bytes*/, int8_t* out,
                       int32_t out_stride) {
  const int32_t k = channels.k;
  const int32_t quads = channels.plain ? channels.count & ~3 : 0;
  const auto for_each_quad = [&](auto tile) {
    for (int32_t c = 0; c < quads; c += 4) {
      tile(channels, c, rows, row_stride, n, out + c, out_stride);
    }
  };
  if (k == 64 || k == 32 || k == 16) {
    for_each_quad(dot_quad);
  } else if (k == 8) {
    for_each_quad(dot_quad_of_8);
  } else {
    for_each_quad(dot_quad_any);
  }
  for (int32_t c = quads; c < channels.count; ++c) {
    dot_single(channels, c, rows, row_stride, n, out + c, out_stride);
  }
}

[[gnu::always_inline]] inline void copy_here(int8_t* to, const int8_t* from, int32_t n) {
  for (int32_t i = n >> 4; i > 0; --i, from += 16, to += 16) {
    vst1q_s8(to, vld1q_s8(from));
  }
  if ((n & 15) != 0) {
    const mve_pred16_t p = vctp8q(static_cast<uint32_t>(n & 15));
    vstrbq_p_s8(to, vldrbq_z_s8(from, p), p);
  }
}
[[gnu::noinline]] inline void copy(int8_t* to, const int8_t* from, int32_t n) { copy_here(to, from, n); }
[[gnu::noinline]] inline void fill(int8_t* to, int8_t value, int32_t n) {
  const int8x16_t v = vdupq_n_s8(value);
  for (; n > 0; n -= 16, to += 16) {
    vstrbq_p_s8(to, v, vctp8q(static_cast<uint32_t>(n)));
  }
}

inline void pack(Packed* group, int32_t k, int32_t row, int32_t at, const int8_t* values, int32_t n,
                 int32_t /*input_offset*/) {
  copy(group + row * packed_row(k) + at, values, n);
}
inline void pack_lines(Packed* group, int32_t k, int32_t row, const int8_t* lines, int32_t line_stride, int32_t n,
                       int32_t span, int32_t /*input_offset*/) {
  int8_t* to = group + row * packed_row(k);
  if (span <= 16) {
    const mve_pred16_t p = vctp8q(static_cast<uint32_t>(span));
    for (; n > 0; --n, lines += line_stride, to += span) {
      vstrbq_p_s8(to, vldrbq_z_s8(lines, p), p);
    }
  } else {
    for (; n > 0; --n, lines += line_stride, to += span) {
      copy_here(to, lines, span);
    }
  }
}
inline void pack_padding(Packed* group, int32_t k, int32_t row, int32_t at, int32_t n, int32_t zero_point,
                         int32_t /*input_offset*/) {
  fill(group + row * packed_row(k) + at, static_cast<int8_t>(zero_point), n);
}

/// All channels by the n rows of a packed group, which here are rows: `direct` is dot_direct().
template <typename Direct>
inline void dot_group(Direct direct, const Channels& channels, const Packed* group, int32_t n, int8_t* out,
                      int32_t out_stride) {
  direct(channels, group, packed_row(channels.k), n, 0, nullptr, 0, out, out_stride);
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
#if defined(__GNUC__)
  static_assert(sizeof(void*) == 4, "pointers are lanes");
  uint32_t* p = reinterpret_cast<uint32_t*>(pointers);
  __asm__ volatile("" ::: "memory");  // the table is words here and pointers elsewhere: the compiler must not mix the two
  for (; n > 0; n -= 4, p += 4) {     // the table has room for a multiple of four
    vst1q_u32(p, vaddq_n_u32(vld1q_u32(p), static_cast<uint32_t>(distance)));
  }
  __asm__ volatile("" ::: "memory");
#else
  for (int32_t i = 0; i < n; ++i) {
    pointers[i] += distance;
  }
#endif
}

/// Weights of a depthwise chunk are copied to a buffer, block after block of 16 or 8 channels: [taps, channels] each.
constexpr int32_t kColumnBytes = 1024;
constexpr int32_t kColumnWeight = 1;  ///< bytes for each
inline const int8_t* pack_columns(int8_t* to, const int8_t* weights, int32_t stride, int32_t k, int32_t count) {
  int8_t* out = to;
  for (; count >= 8; weights += count >= 16 ? 16 : 8, count -= count >= 16 ? 16 : 8) {
    for (int32_t t = 0; t < k; ++t) {
      copy(out, weights + t * stride, count >= 16 ? 16 : 8);
      out += count >= 16 ? 16 : 8;
    }
  }
  return to;
}

/// Four channels of a depthwise pixel in 32-bit lanes; x[t] + at is tap t of channel c.
inline void depthwise_quad(const Channels& channels, int32_t weight_stride, const int8_t* const* x, int32_t c,
                           int32_t at, int8_t* out) {
  const Quad quad(channels, c);
  const int8_t* w = channels.weights + c;
  int32x4_t sums = vdupq_n_s32(0);
  for (int32_t t = 0; t < channels.k; ++t, w += weight_stride) {
    sums = vaddq_s32(sums, vmulq_s32(vldrbq_s32(x[t] + at), vldrbq_s32(w)));
  }
  quad.finish(sums, out);
}

#if defined(__GNUC__) && !defined(__clang__)
/// Sixteen channels of a depthwise pixel: products in 16 bits, added in pairs before they are widened: see
/// fold_columns(). Moves the pointers on by 16.
[[gnu::always_inline]] inline void depthwise_16(const int8_t** x, const int8_t* w, int32_t k, const int32_t* bias,
                                                const int32_t* multiplier, const int32_t* shift, int32_t offset,
                                                int8_t* out) {
#define WICK_MVE_WIDEN                                                                       \
  "vmovlb.s16 q5, q6\n\tvadd.i32 q0, q0, q5\n\tvmovlt.s16 q6, q6\n\tvadd.i32 q2, q2, q6\n\t" \
  "vmovlb.s16 q5, q4\n\tvadd.i32 q1, q1, q5\n\tvmovlt.s16 q4, q4\n\tvadd.i32 q3, q3, q4\n\t"
#define WICK_MVE_LOAD4(a, b, c, d, from)                                                                    \
  "vld40.32 {" a ", " b ", " c ", " d "}, [%[" from "]]\n\tvld41.32 {" a ", " b ", " c ", " d "}, [%[" from \
  "]]\n\t"                                                                                                  \
  "vld42.32 {" a ", " b ", " c ", " d "}, [%[" from "]]\n\tvld43.32 {" a ", " b ", " c ", " d "}, [%[" from "]]\n\t"
#define WICK_MVE_AWAY(v) "vshr.s32 q4, " v ", #31\n\tvadd.i32 " v ", " v ", q4\n\t"
  int32_t p0, p1;
  __asm__ volatile(
      WICK_MVE_LOAD4("q0", "q1", "q2", "q3", "bias")
      "lsr lr, %[k], #1\n\twls lr, lr, 2f\n1:\n\t"
      "ldrd %[p0], %[p1], [%[x]]\n\tvldrb.8 q4, [%[p0]], #16\n\tvldrb.8 q5, [%[w]], #32\n\t"
      "vmullb.s8 q6, q4, q5\n\tvmullt.s8 q4, q4, q5\n\tvldrb.8 q5, [%[p1]], #16\n\tvldrb.8 q7, [%[w], #-16]\n\t"
      "strd %[p0], %[p1], [%[x]], #8\n\tvmullb.s8 q7, q5, q7\n\tvadd.i16 q6, q6, q7\n\t"
      "vldrb.8 q7, [%[w], #-16]\n\tvmullt.s8 q7, q5, q7\n\tvadd.i16 q4, q4, q7\n\t" WICK_MVE_WIDEN
      "le lr, 1b\n2:\n\ttst %[k], #1\n\tbeq 3f\n\tldr %[p0], [%[x]]\n\tvldrb.8 q4, [%[p0]], #16\n\t"
      "vldrb.8 q5, [%[w]], #16\n\tstr %[p0], [%[x]]\n\tvmullb.s8 q6, q4, q5\n\tvmullt.s8 q4, q4, q5\n\t" WICK_MVE_WIDEN
      "3:\n\t" WICK_MVE_LOAD4("q4", "q5", "q6", "q7", "multiplier")
      "vqrdmulh.s32 q0, q0, q4\n\tvqrdmulh.s32 q1, q1, q5\n\tvqrdmulh.s32 q2, q2, q6\n\tvqrdmulh.s32 q3, q3, q7\n\t"
      WICK_MVE_AWAY("q0") WICK_MVE_AWAY("q1") WICK_MVE_AWAY("q2") WICK_MVE_AWAY("q3")
      WICK_MVE_LOAD4("q4", "q5", "q6", "q7", "shift")
      "vrshl.s32 q0, q0, q4\n\tvrshl.s32 q1, q1, q5\n\tvrshl.s32 q2, q2, q6\n\tvrshl.s32 q3, q3, q7\n\t"
      "vqmovnb.s32 q0, q0\n\tvqmovnb.s32 q1, q1\n\tvqmovnt.s32 q0, q2\n\tvqmovnt.s32 q1, q3\n\t"
      "vqadd.s16 q0, q0, %[offset]\n\tvqadd.s16 q1, q1, %[offset]\n\tvqmovnb.s16 q0, q0\n\tvqmovnt.s16 q0, q1\n\t"
      "vstrb.8 q0, [%[out]]"
      : [x] "+&r"(x), [w] "+&r"(w), [p0] "=&r"(p0), [p1] "=&r"(p1)
      : [k] "r"(k), [bias] "r"(bias), [multiplier] "r"(multiplier), [shift] "r"(shift), [offset] "r"(offset), [out] "r"(out)
      : "lr", "cc", "memory", "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7");
#undef WICK_MVE_LOAD4
#undef WICK_MVE_WIDEN
#undef WICK_MVE_AWAY
}
/// Eight channels, likewise, with products in 16-bit lanes. Moves the pointers on by 8.
[[gnu::always_inline]] inline void depthwise_8(const int8_t** x, const int8_t* w, int32_t k, const int32_t* bias,
                                               const int32_t* multiplier, const int32_t* shift, int32_t offset,
                                               int8_t* out) {
#define WICK_MVE_WIDEN "vmovlb.s16 q5, q4\n\tvadd.i32 q0, q0, q5\n\tvmovlt.s16 q4, q4\n\tvadd.i32 q1, q1, q4\n\t"
#define WICK_MVE_LOAD2(a, b, from) \
  "vld20.32 {" a ", " b "}, [%[" from "]]\n\tvld21.32 {" a ", " b "}, [%[" from "]]\n\t"
#define WICK_MVE_AWAY(v) "vshr.s32 q4, " v ", #31\n\tvadd.i32 " v ", " v ", q4\n\t"
  int32_t p0, p1;
  int16x8_t result;
  __asm__ volatile(
      WICK_MVE_LOAD2("q0", "q1", "bias")
      "lsr lr, %[k], #1\n\twls lr, lr, 2f\n1:\n\t"
      "ldrd %[p0], %[p1], [%[x]]\n\tvldrb.s16 q4, [%[p0]], #8\n\tvldrb.s16 q5, [%[w]], #8\n\tvmul.i16 q4, q4, q5\n\t"
      "vldrb.s16 q6, [%[p1]], #8\n\tvldrb.s16 q7, [%[w]], #8\n\tvmul.i16 q6, q6, q7\n\t"
      "strd %[p0], %[p1], [%[x]], #8\n\tvadd.i16 q4, q4, q6\n\t" WICK_MVE_WIDEN
      "le lr, 1b\n2:\n\ttst %[k], #1\n\tbeq 3f\n\tldr %[p0], [%[x]]\n\tvldrb.s16 q4, [%[p0]], #8\n\t"
      "vldrb.s16 q5, [%[w]], #8\n\tstr %[p0], [%[x]]\n\tvmul.i16 q4, q4, q5\n\t" WICK_MVE_WIDEN
      "3:\n\t" WICK_MVE_LOAD2("q4", "q5", "multiplier") "vqrdmulh.s32 q0, q0, q4\n\tvqrdmulh.s32 q1, q1, q5\n\t"
      WICK_MVE_AWAY("q0") WICK_MVE_AWAY("q1") WICK_MVE_LOAD2("q4", "q5", "shift")
      "vrshl.s32 q0, q0, q4\n\tvrshl.s32 q1, q1, q5\n\tvqmovnb.s32 q0, q0\n\tvqmovnt.s32 q0, q1\n\t"
      "vqadd.s16 q0, q0, %[offset]\n\tvqmovnb.s16 q0, q0\n\tvmov %q[result], q0"
      : [x] "+&r"(x), [w] "+&l"(w), [p0] "=&l"(p0), [p1] "=&l"(p1), [result] "=w"(result)
      : [k] "r"(k), [bias] "r"(bias), [multiplier] "r"(multiplier), [shift] "r"(shift), [offset] "r"(offset)
      : "lr", "cc", "memory", "q0", "q1", "q4", "q5", "q6", "q7");
  vstrbq_s16(out, result);
#undef WICK_MVE_LOAD2
#undef WICK_MVE_WIDEN
#undef WICK_MVE_AWAY
}
#endif

/// Returns how far it moved the pointers on.
inline int32_t depthwise_pixel(const Channels& channels, int32_t weight_stride, const int8_t** x, int8_t* out) {
  int32_t c = 0, moved = 0;
#if defined(__GNUC__) && !defined(__clang__)
  if (channels.pairs) {
    const int8_t* w = channels.packed;
    for (; c + 16 <= channels.count; c += 16, w += 16 * channels.k) {
      depthwise_16(x, w, channels.k, channels.bias + c, channels.multiplier + c, channels.shift + c,
                   channels.output_offset, out + c);
    }
    if (c + 8 <= channels.count) {
      depthwise_8(x, w, channels.k, channels.bias + c, channels.multiplier + c, channels.shift + c,
                  channels.output_offset, out + c);
      c += 8;
    }
    moved = c;
  }
#endif
  for (; c + 4 <= channels.count && channels.plain; c += 4) {
    depthwise_quad(channels, weight_stride, x, c, c - moved, out + c);
  }
  for (; c < channels.count; ++c) {
    generic::depthwise_channel(channels, weight_stride, x, c, c - moved, out + c);
  }
  return moved;
}

/// One input channel by all of `channels`: rare here, as its weights are transposed where there is room.
inline void outer_pixels(const Channels& channels, int32_t weight_stride, const int8_t* x, int32_t x_stride, int32_t n,
                         int8_t* out, int32_t out_stride) {
  for (; n > 0; --n, x += x_stride, out += out_stride) {
    for (int32_t c = 0; c < channels.count; ++c) {
      generic::outer_channel(channels, weight_stride, x, c, out);
    }
  }
}

/// Bias of `count` channels plus factor * sum over k weights, weight_stride apart; returns whether no pair of taps (0
/// and 1, 2 and 3, ...) of a channel is -128 twice, the only one whose products can add up to 2^15.
inline bool fold_columns(int32_t* bias, const int8_t* weights, int32_t weight_stride, int32_t k, int32_t count,
                         int32_t factor) {
  int32x4_t least = vdupq_n_s32(0);
  for (; count > 0; count -= 4, bias += 4, weights += 4) {
    const mve_pred16_t p = vctp32q(static_cast<uint32_t>(count));
    int32x4_t sums = vdupq_n_s32(0), before = sums;
    const int8_t* w = weights;
    for (int32_t t = 0; t < k; ++t, w += weight_stride) {
      const int32x4_t v = vldrbq_z_s32(w, p);
      sums = vaddq_s32(sums, v);
      least = vminq_s32(least, vaddq_s32(before, v));
      before = vmulq_n_s32(v, ~t & 1);
    }
    vst1q_s32(bias, vmlaq_n_s32(vld1q_s32(bias), sums, factor));
  }
  return vminvq_s32(0, least) > -256;
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
  if (!generic::halves(p, 1)) {
    p = generic::exchanged(given);
    const int8_t* other = a;
    a = b;
    b = other;
  }
  if (!generic::halves(p, 1) || !plain(p)) {
    generic::add_each(p, a, b, out, n);
    return;
  }
  const int32x4_t left = vdupq_n_s32(1 << 20), half = vdupq_n_s32(p.multiplier[1] >> 11);
  const int32_t offset_a = p.offset[0] * (1 << 20), offset_b = p.offset[1] * (p.multiplier[1] >> 11);
  const int32_t rounds = p.shift[0] < 0 ? 1 : 0;
  for (int32_t i = n >> 2; i > 0; --i, a += 4, b += 4, out += 4) {
    int32x4_t x = vqrdmulhq_n_s32(vmlasq_n_s32(vldrbq_s32(a), left, offset_a), p.multiplier[0]);
    x = vmlaq_n_s32(x, vshrq_n_s32(x, 31), rounds);
    x = vrshlq_n_s32(x, p.shift[0]);
    x = vaddq_s32(x, vmlasq_n_s32(vldrbq_s32(b), half, offset_b));
    vstrbq_s32(out, narrow(rescale_all(x, p.output_multiplier, p.output_shift, p.output_offset)));
  }
  generic::add_each(p, a, b, out, n & 3);
}

/// sums[c] = sum over n pixels, `stride` apart, of channel c, for `count` channels.
inline void accumulate(int32_t* sums, const int8_t* pixels, int32_t stride, int32_t n, int32_t count) {
  int32_t c = 0;
  for (; c + 8 <= count; c += 8) {
    int32x4_t low = vld1q_s32(sums + c), high = vld1q_s32(sums + c + 4);
    const int8_t* at = pixels + c;
    for (int32_t i = n; i > 0; --i, at += stride) {
      low = vaddq_s32(low, vldrbq_s32(at));
      high = vaddq_s32(high, vldrbq_s32(at + 4));
    }
    vst1q_s32(sums + c, low);
    vst1q_s32(sums + c + 4, high);
  }
  generic::accumulate(sums + c, pixels + c, stride, n, count - c);
}

#if (__ARM_FEATURE_MVE & 2)
/// round(in * factor) + zero_point, halves to even, saturated to int8, for the first n & ~3 values.
inline void quantize(const float* in, int8_t* out, int32_t n, float factor, int32_t zero_point) {
  for (int32_t i = n >> 2; i > 0; --i, in += 4, out += 4) {
    const int32x4_t v = vcvtnq_s32_f32(vmulq_n_f32(vld1q_f32(in), factor));
    vstrbq_s32(out, narrow(vqaddq_n_s32(v, zero_point)));
  }
}
/// (in - zero_point) * factor, for the first n & ~3 values.
inline void dequantize(const int8_t* in, float* out, int32_t n, float factor, int32_t zero_point) {
  for (int32_t i = n >> 2; i > 0; --i, in += 4, out += 4) {
    vst1q_f32(out, vmulq_n_f32(vcvtq_f32_s32(vsubq_n_s32(vldrbq_s32(in), zero_point)), factor));
  }
}
constexpr bool kQuantizes = true;
#else
using generic::dequantize;
using generic::kQuantizes;
using generic::quantize;
#endif

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
