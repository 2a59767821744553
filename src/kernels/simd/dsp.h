// SPDX-License-Identifier: BSD-3-Clause
//
// The tiles of the int8 kernels for the DSP extension (Armv7E-M, Armv8-M with DSP). Same results as generic.h.
// Values are widened to 16-bit pairs, rows once for all channels and with the input offset added, so that SMLAD does
// two products at a time and no sums of weights are needed. Four values v0 v1 v2 v3 make the words (v0, v2) and (v1,
// v3).
#pragma once

#include <arm_acle.h>

#include "src/kernels/simd/generic.h"

namespace wick::simd::dsp {

using generic::accumulate;
using generic::Binary;
using generic::clamp;
using generic::copy;
using generic::fill;
using generic::fold_columns;
using generic::keep_largest;
using generic::multiply;
using generic::sum;
using generic::transpose;

using Packed = int16_t;
constexpr bool kFoldsOffset = false;
constexpr int32_t kGroup = 2;
constexpr int32_t kLeastRows = 2;
constexpr bool kPrefersDot = true;
constexpr bool kAnyScale = false;
constexpr bool kReadsRows = true;
using generic::kScaleWords;
using generic::split_scales;
constexpr int32_t rounded(int32_t k) { return (k + 3) & ~3; }
constexpr size_t row_bytes(int32_t k) { return 2 * static_cast<size_t>(rounded(k)); }

inline uint32_t load_word(const void* p) {
  uint32_t v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}

/// round(a * b / 2^32), halves up.
inline int32_t multiply_most(int32_t a, int32_t b) {
#if defined(__GNUC__)
  int32_t v;
  __asm__("smmulr %0, %1, %2" : "=r"(v) : "r"(a), "r"(b));
  return v;
#else
  return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 31)) >> 32);
#endif
}
/// Bytes 0 and 2 (or 1 and 3) of v, sign-extended to halfwords, plus the halfwords of `base`.
inline uint32_t even_bytes(uint32_t base, uint32_t v) {
  return static_cast<uint32_t>(__sxtab16(static_cast<int16x2_t>(base), static_cast<int8x4_t>(v)));
}
inline uint32_t odd_bytes(uint32_t base, uint32_t v) {
#if defined(__GNUC__)
  uint32_t r;
  __asm__("sxtab16 %0, %1, %2, ror #8" : "=r"(r) : "r"(base), "r"(v));
  return r;
#else
  return even_bytes(base, v >> 8 | v << 24);
#endif
}

inline uint32_t even_bytes(uint32_t v) { return static_cast<uint32_t>(__sxtb16(static_cast<int8x4_t>(v))); }
inline uint32_t odd_bytes(uint32_t v) {
#if defined(__GNUC__)
  uint32_t r;
  __asm__("sxtb16 %0, %1, ror #8" : "=r"(r) : "r"(v));
  return r;
#else
  return even_bytes(v >> 8 | v << 24);
#endif
}

/// requantize_plain() and saturation, for |value| < 2^30.
inline int8_t rescale(int32_t value, int32_t multiplier, int32_t last, int32_t rounding) {
  const int32_t x = multiply_most(value * 2, multiplier);
  return static_cast<int8_t>(__ssat((((x + (x >> 31)) >> last) + rounding) >> 1, 8));
}

/// Rescales and stores four neighbouring channels.
inline void store_4(int32_t s0, int32_t s1, int32_t s2, int32_t s3, const int32_t* multiplier, const int32_t* shift,
                    int32_t step, int32_t rounding, int8_t* out) {
  out[0] = rescale(s0, multiplier[0], ~shift[0], rounding);
  multiplier += step;
  shift += step;
  out[1] = rescale(s1, multiplier[0], ~shift[0], rounding);
  multiplier += step;
  shift += step;
  out[2] = rescale(s2, multiplier[0], ~shift[0], rounding);
  out[3] = rescale(s3, multiplier[step], ~shift[step], rounding);
}

/// What follows the sums of one channel.
struct Finish {
  int32_t multiplier, last, rounding;
  Finish(const Channels& channels, int32_t c)
      : multiplier(channels.multiplier[c * channels.step]),
        last(~channels.shift[c * channels.step]),
        rounding(2 * channels.output_offset + 1) {}
  void store(int32_t sum, int8_t* out) const { *out = rescale(sum, multiplier, last, rounding); }
};

/// A word of offsets: one in each half.
inline uint32_t both(int32_t v) { return (static_cast<uint32_t>(v) & 0xFFFF) * 0x10001u; }

/// Widens a word of four values of a packed row; rows of a group alternate every four values.
inline void widen(uint32_t* to, uint32_t values, uint32_t offset) {
  to[0] = even_bytes(offset, values);
  to[1] = odd_bytes(offset, values);
}
/// Up to three values as a word, the rest 0 once the offset is added.
inline uint32_t load_some(const int8_t* values, int32_t n, int32_t offset) {
  uint32_t v = (static_cast<uint32_t>(-offset) & 0xFF) * 0x01010100u;
  v = (v & ~0xFFu) | static_cast<uint8_t>(values[0]);
  v = n > 1 ? (v & ~0xFF00u) | static_cast<uint32_t>(static_cast<uint8_t>(values[1])) << 8 : v;
  v = n > 2 ? (v & ~0xFF0000u) | static_cast<uint32_t>(static_cast<uint8_t>(values[2])) << 16 : v;
  return v;
}

/// Widens n values to `to`, each group of four `step` words after the one before.
inline void widen_all(uint32_t* to, const int8_t* values, int32_t n, int32_t offset, int32_t step) {
  const uint32_t add = both(offset);
  for (int32_t i = n >> 2; i > 0; --i, values += 4, to += step) {
    widen(to, load_word(values), add);
  }
  if ((n & 3) != 0) {
    widen(to, load_some(values, n & 3, offset), add);
  }
}

inline void put(Packed* group, int32_t row, int32_t at, int32_t value) {
  group[(at >> 2) * 8 + row * 4 + (at & 1) * 2 + ((at >> 1) & 1)] = static_cast<Packed>(value);
}
inline void pack(Packed* group, int32_t k, int32_t row, int32_t at, const int8_t* values, int32_t n,
                 int32_t input_offset) {
  if ((at & 3) == 0 && ((n & 3) == 0 || at + n == k)) {
    widen_all(reinterpret_cast<uint32_t*>(group) + at + row * 2, values, n, input_offset, 4);
    return;
  }
  for (int32_t i = 0; i < n; ++i) {
    put(group, row, at + i, values[i] + input_offset);
  }
  for (int32_t i = at + n; at + n == k && i < rounded(k); ++i) {
    put(group, row, i, 0);
  }
}
inline void pack_padding(Packed* group, int32_t k, int32_t row, int32_t at, int32_t n, int32_t /*zero_point*/,
                         int32_t /*input_offset*/) {
  const int32_t end = at + n == k ? rounded(k) : at + n;
  for (int32_t i = at; i < end; ++i) {
    put(group, row, i, 0);
  }
}
inline void pack_lines(Packed* group, int32_t k, int32_t row, const int8_t* lines, int32_t line_stride, int32_t n,
                       int32_t span, int32_t input_offset) {
  constexpr int32_t kStage = 64;
  if ((span & 3) == 0 || k > kStage) {
    for (int32_t i = 0; i < n; ++i, lines += line_stride) {
      pack(group, k, row, i * span, lines, span, input_offset);
    }
    return;
  }
  int8_t stage[kStage];  // lines of a few bytes: gathered first, then widened four at a time
  int8_t* to = stage;
  for (; n > 0; --n, lines += line_stride) {
    int32_t i = 0;
    for (; i + 4 <= span; i += 4, to += 4) {
      std::memcpy(to, lines + i, 4);
    }
    for (; i < span; ++i) {
      *to++ = lines[i];
    }
  }
  widen_all(reinterpret_cast<uint32_t*>(group) + row * 2, stage, k, input_offset, 4);
}

/// The last k % 4 weights of a row as a word, the others 0; k >= 4.
inline uint32_t last_weights(const int8_t* end, int32_t rest) { return load_word(end - 4) >> (8 * (4 - rest)); }

/// Sums of two packed rows by two channels, row by row in `s`: k & ~3 products of each.
struct Sums {
  int32_t s00, s01, s10, s11;  ///< row, channel
};
inline void multiply_word(uint32_t weights, const uint32_t* x, int32_t& a, int32_t& b) {
  const uint32_t even = even_bytes(weights), odd = odd_bytes(weights);
  a = __smlad(static_cast<int16x2_t>(x[0]), static_cast<int16x2_t>(even), a);
  a = __smlad(static_cast<int16x2_t>(x[1]), static_cast<int16x2_t>(odd), a);
  b = __smlad(static_cast<int16x2_t>(x[2]), static_cast<int16x2_t>(even), b);
  b = __smlad(static_cast<int16x2_t>(x[3]), static_cast<int16x2_t>(odd), b);
}

#if defined(__GNUC__)
#define WICK_DSP_CHANNEL(w, row0, row1)                                              \
  "ldr %[v], [%[" w                                                                  \
  "]], #4\n\tsxtb16 %[t], %[v]\n\tsxtb16 %[v], %[v], ror #8\n\t"                     \
  "smlad %[" row0 "], r4, %[t], %[" row0 "]\n\tsmlad %[" row1 "], r6, %[t], %[" row1 \
  "]\n\t"                                                                            \
  "smlad %[" row0 "], r5, %[v], %[" row0 "]\n\tsmlad %[" row1 "], r7, %[v], %[" row1 "]\n\t"
#define WICK_DSP_STEP \
  "ldmia %[x]!, {r4, r5, r6, r7}\n\t" WICK_DSP_CHANNEL("w0", "a", "c") WICK_DSP_CHANNEL("w1", "b", "d")
#endif
/// Two packed rows by the channels whose weights are at w0 and w1.
[[gnu::always_inline]] inline void dot_2x2(const uint32_t* x, const int8_t* w0, const int8_t* w1, int32_t k, Sums& s) {
#if defined(__GNUC__)
  // Four words of weights per round, then one at a time. The ends go to the stack: there is no register left for them.
  const int8_t *v = w0 + (k & ~15), *t = w0 + (k & ~3);
  __asm__ volatile("str %[v], [sp, #-8]!\n\tstr %[t], [sp, #4]\n\tb 2f\n1:\n\t" WICK_DSP_STEP WICK_DSP_STEP
                       WICK_DSP_STEP WICK_DSP_STEP
                   "2:\n\tldr %[v], [sp]\n\tcmp %[w0], %[v]\n\tbne 1b\n\tb 4f\n3:\n\t" WICK_DSP_STEP
                   "4:\n\tldr %[v], [sp, #4]\n\tcmp %[w0], %[v]\n\tbne 3b\n\tadd sp, sp, #8"
                   : [x] "+r"(x), [w0] "+r"(w0), [w1] "+r"(w1), [a] "+r"(s.s00), [b] "+r"(s.s01), [c] "+r"(s.s10),
                     [d] "+r"(s.s11), [v] "+r"(v), [t] "+r"(t)
                   :
                   : "r4", "r5", "r6", "r7", "cc", "memory");
#else
  for (int32_t words = k >> 2; words > 0; --words, x += 4, w0 += 4, w1 += 4) {
    multiply_word(load_word(w0), x, s.s00, s.s10);
    multiply_word(load_word(w1), x, s.s01, s.s11);
  }
#endif
  if ((k & 3) != 0) {
    const int32_t rest = k & 3;
    multiply_word(last_weights(w0 + rest, rest), x, s.s00, s.s10);
    multiply_word(last_weights(w1 + rest, rest), x, s.s01, s.s11);
  }
}
#undef WICK_DSP_CHANNEL
#undef WICK_DSP_STEP

/// One row of a packed group by any channels, slowly: what needs the careful rescaling, or has fewer than four weights.
inline void dot_carefully(const Channels& channels, const Packed* group, int32_t row, int8_t* out) {
  for (int32_t c = 0; c < channels.count; ++c) {
    const int8_t* w = channels.weights + c * channels.k;
    uint32_t total = static_cast<uint32_t>(channels.bias[c]);
    for (int32_t i = 0; i < channels.k; ++i) {
      total += static_cast<uint32_t>(group[(i >> 2) * 8 + row * 4 + (i & 1) * 2 + ((i >> 1) & 1)] * w[i]);
    }
    generic::store(channels, c, static_cast<int32_t>(total), out + c);
  }
}

/// All channels by the one or two rows of a packed group, at least four weights each. Not inlined, lest registers run
/// out.
[[gnu::noinline]] inline void dot_pairs(const Channels& channels, const uint32_t* group, int32_t n, int8_t* out,
                                        int32_t out_stride) {
  const int32_t k = channels.k, step = channels.step, rounding = 2 * channels.output_offset + 1;
  const int8_t* w = channels.weights;
  const int32_t *bias = channels.bias, *multiplier = channels.multiplier, *shift = channels.shift;
  int8_t* const second = n == 2 ? out + out_stride : out;
  int8_t* const end = out + channels.count;
  for (int32_t gap = static_cast<int32_t>(second - out); out < end; out += 2) {
    const bool two = out + 1 < end;  // an odd last channel is done twice
    Sums s = {bias[0], bias[two ? 1 : 0], bias[0], bias[two ? 1 : 0]};
    dot_2x2(group, w, two ? w + k : w, k, s);
    const int32_t m0 = *multiplier, last0 = ~*shift;
    out[gap] = rescale(s.s10, m0, last0, rounding);
    out[0] = rescale(s.s00, m0, last0, rounding);
    if (two) {
      const int32_t m1 = multiplier[step], last1 = ~shift[step];
      out[gap + 1] = rescale(s.s11, m1, last1, rounding);
      out[1] = rescale(s.s01, m1, last1, rounding);
    }
    w += 2 * k;
    bias += 2;
    multiplier += 2 * step;
    shift += 2 * step;
  }
}

/// All channels by the one or two rows of a packed group.
template <typename Direct>
inline void dot_group(Direct, const Channels& channels, const Packed* group, int32_t n, int8_t* out,
                      int32_t out_stride) {
  if (channels.plain && channels.k >= 4) {
    dot_pairs(channels, reinterpret_cast<const uint32_t*>(group), n, out, out_stride);
    return;
  }
  for (int32_t row = 0; row < n; ++row) {
    dot_carefully(channels, group, row, out + row * out_stride);
  }
}

/// A row widened without another between times the first `quads` * 4 channels.
[[gnu::noinline]] inline void dot_line(const Channels& channels, const uint32_t* row, int32_t quads, int8_t* out) {
  const int32_t k = channels.k, step = channels.step, rounding = 2 * channels.output_offset + 1;
  const int32_t *bias = channels.bias, *multiplier = channels.multiplier, *shift = channels.shift;
  const int8_t* w0 = channels.weights;
  for (; quads > 0; --quads, bias += 4, multiplier += 4 * step, shift += 4 * step, out += 4) {
    int32_t s0 = bias[0], s1 = bias[1], s2 = bias[2], s3 = bias[3];
    const int8_t* w2 = w0 + 2 * k;
    const uint32_t* x = row;
    int32_t rest = k;
#if defined(__GNUC__)
#define WICK_DSP_CHANNEL(load, s)                                                           \
  load "sxtb16 %[t], %[v]\n\tsxtb16 %[v], %[v], ror #8\n\tsmlad %[" s "], %[p], %[t], %[" s \
       "]\n\t"                                                                              \
       "smlad %[" s "], %[q], %[v], %[" s "]\n\t"
#define WICK_DSP_STEP                                                                                           \
  "ldrd %[p], %[q], [%[x]], #8\n\t" WICK_DSP_CHANNEL("ldr %[v], [%[w0], %[k]]\n\t", "s1")                       \
      WICK_DSP_CHANNEL("ldr %[v], [%[w0]], #4\n\t", "s0") WICK_DSP_CHANNEL("ldr %[v], [%[w2], %[k]]\n\t", "s3") \
          WICK_DSP_CHANNEL("ldr %[v], [%[w2]], #4\n\t", "s2")
    const int8_t *v = w0 + (k & ~7), *t = w0 + (k & ~3);
    uint32_t p, q;
    __asm__ volatile("str %[v], [sp, #-8]!\n\tstr %[t], [sp, #4]\n\tb 2f\n1:\n\t" WICK_DSP_STEP WICK_DSP_STEP
                     "2:\n\tldr %[v], [sp]\n\tcmp %[w0], %[v]\n\tbne 1b\n\tb 4f\n3:\n\t" WICK_DSP_STEP
                     "4:\n\tldr %[v], [sp, #4]\n\tcmp %[w0], %[v]\n\tbne 3b\n\tadd sp, sp, #8"
                     : [x] "+r"(x), [w0] "+r"(w0), [w2] "+r"(w2), [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2),
                       [s3] "+r"(s3), [v] "+r"(v), [t] "+r"(t), [p] "=&r"(p), [q] "=&r"(q)
                     : [k] "r"(k)
                     : "cc", "memory");
#undef WICK_DSP_CHANNEL
#undef WICK_DSP_STEP
    rest = k & 3;
#endif
    const int16_t* values = reinterpret_cast<const int16_t*>(x);
    for (int32_t i = 0; i < rest; ++i, ++w0, ++w2) {
      const int32_t value = values[(i >> 2) * 4 + (i & 1) * 2 + ((i >> 1) & 1)];
      s0 += value * w0[0];
      s1 += value * w0[k];
      s2 += value * w2[0];
      s3 += value * w2[k];
    }
    w0 = w2 + k;
    store_4(s0, s1, s2, s3, multiplier, shift, step, rounding, out);
  }
}

/// One row by channels c and on, unpacked and slowly.
inline void dot_rest(const Channels& channels, int32_t c, const int8_t* row, int32_t input_offset, int8_t* out) {
  for (; c < channels.count; ++c) {
    const int8_t* w = channels.weights + c * channels.k;
    uint32_t total = static_cast<uint32_t>(channels.bias[c]);
    for (int32_t i = 0; i < channels.k; ++i) {
      total += static_cast<uint32_t>((row[i] + input_offset) * w[i]);
    }
    generic::store(channels, c, static_cast<int32_t>(total), out + c);
  }
}

/// Two rows at a time are packed, in the workspace or on the stack, or one where they are too long for that.
inline void dot_direct(const Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n,
                       int32_t input_offset, void* workspace, size_t bytes, int8_t* out, int32_t out_stride) {
  constexpr size_t kLocal = 1280;
  alignas(8) uint32_t local[kLocal / sizeof(uint32_t)];
  const int32_t k = channels.k;
  const bool planned = bytes > kLocal;
  uint32_t* const packed = planned ? static_cast<uint32_t*>(workspace) : local;
  const size_t room = planned ? bytes : kLocal;
  const bool plain = channels.plain && k >= 4;
  for (; n >= 2 && plain && 2 * row_bytes(k) <= room; n -= 2, rows += 2 * row_stride, out += 2 * out_stride) {
    widen_all(packed, rows, k, input_offset, 4);
    widen_all(packed + 2, rows + row_stride, k, input_offset, 4);
    dot_pairs(channels, packed, 2, out, out_stride);
  }
  for (; n > 0; --n, rows += row_stride, out += out_stride) {
    int32_t c = 0;
    if (plain && row_bytes(k) <= room) {
      widen_all(packed, rows, k, input_offset, 2);
      c = channels.count & ~3;
      dot_line(channels, packed, c >> 2, out);
    }
    dot_rest(channels, c, rows, input_offset, out);
  }
}

inline void advance(const int8_t** pointers, int32_t n, int32_t distance) {
  for (; n > 0; n -= 4, pointers += 4) {
    pointers[0] += distance;
    pointers[1] += distance;
    pointers[2] += distance;
    pointers[3] += distance;
  }
}

/// Weights of a depthwise chunk are widened to a buffer, block after block of four channels: [taps, 4].
constexpr int32_t kColumnBytes = 1152;
constexpr int32_t kColumnWeight = 2;  ///< bytes for each
inline const int8_t* pack_columns(int8_t* to, const int8_t* weights, int32_t stride, int32_t k, int32_t count) {
  uint32_t* out = reinterpret_cast<uint32_t*>(to);
  for (; count >= 4; count -= 4, weights += 4) {
    for (int32_t t = 0; t < k; ++t, out += 2) {
      widen(out, load_word(weights + t * stride), 0);
    }
  }
  return to;
}

/// The first `quads` * 4 channels of a depthwise pixel, with their widened weights at w.
[[gnu::noinline]] inline void depthwise_quads(const Channels& channels, const uint32_t* w, const int8_t* const* taps,
                                              int32_t quads, int8_t* out) {
  const int32_t k = channels.k, step = channels.step, rounding = 2 * channels.output_offset + 1;
  const int32_t *bias = channels.bias, *multiplier = channels.multiplier, *shift = channels.shift;
  for (int32_t c = 0; quads > 0; --quads, c += 4, bias += 4, multiplier += 4 * step, shift += 4 * step) {
    int32_t s0 = bias[0], s1 = bias[1], s2 = bias[2], s3 = bias[3];
    const int8_t* const* x = taps;
#if defined(__GNUC__)
#define WICK_DSP_TAP                                                                                       \
  "ldr %[v], [%[x]], #4\n\tldrd %[a], %[b], [%[w]], #8\n\tldr %[v], [%[v], %[c]]\n\tsxtb16 %[u], %[v]\n\t" \
  "sxtb16 %[v], %[v], ror #8\n\tsmlabb %[s0], %[u], %[a], %[s0]\n\tsmlatt %[s2], %[u], %[a], %[s2]\n\t"    \
  "smlabb %[s1], %[v], %[b], %[s1]\n\tsmlatt %[s3], %[v], %[b], %[s3]\n\t"
    const int8_t* const* rounds = taps + k / 3 * 3;
    const int8_t* const* end = taps + k;
    uint32_t v, u, a, b;
    __asm__ volatile("b 2f\n1:\n\t" WICK_DSP_TAP WICK_DSP_TAP WICK_DSP_TAP
                     "2:\n\tcmp %[x], %[rounds]\n\tbne 1b\n\tb 4f\n3:\n\t" WICK_DSP_TAP
                     "4:\n\tldr %[v], %[end]\n\tcmp %[x], %[v]\n\tbne 3b"
                     : [x] "+r"(x), [w] "+r"(w), [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3),
                       [v] "=&r"(v), [u] "=&r"(u), [a] "=&r"(a), [b] "=&r"(b)
                     : [c] "r"(c), [rounds] "r"(rounds), [end] "m"(end)
                     : "cc", "memory");
#undef WICK_DSP_TAP
#else
    for (const int8_t* const* end = x + k; x != end; ++x, w += 2) {
      const uint32_t values = load_word(*x + c);
      const int32_t even = static_cast<int32_t>(even_bytes(values)), odd = static_cast<int32_t>(odd_bytes(values));
      s0 = __smlabb(even, static_cast<int32_t>(w[0]), s0);
      s2 = __smlatt(even, static_cast<int32_t>(w[0]), s2);
      s1 = __smlabb(odd, static_cast<int32_t>(w[1]), s1);
      s3 = __smlatt(odd, static_cast<int32_t>(w[1]), s3);
    }
#endif
    store_4(s0, s1, s2, s3, multiplier, shift, step, rounding, out + c);
  }
}

inline int32_t depthwise_pixel(const Channels& channels, int32_t weight_stride, const int8_t** x, int8_t* out) {
  int32_t c = channels.plain ? channels.count & ~3 : 0;
  depthwise_quads(channels, reinterpret_cast<const uint32_t*>(channels.packed), x, c >> 2, out);
  for (; c < channels.count; ++c) {
    generic::depthwise_channel(channels, weight_stride, x, c, c, out + c);
  }
  return 0;
}

/// One input channel of one or two pixels by four output channels: x[t] holds tap t of both pixels.
inline void outer_2x4(const Channels& channels, int32_t weight_stride, const uint32_t* x, int32_t c, int8_t* out0,
                      int8_t* out1) {
  int32_t s0 = channels.bias[c], s1 = channels.bias[c + 1], s2 = channels.bias[c + 2], s3 = channels.bias[c + 3];
  int32_t r0 = s0, r1 = s1, r2 = s2, r3 = s3;
  const int8_t* w = channels.weights + c;
  for (const uint32_t* end = x + channels.k; x != end; ++x, w += weight_stride) {
    const uint32_t weights = load_word(w);
    const int32_t values = static_cast<int32_t>(*x);
    const int32_t even = static_cast<int32_t>(even_bytes(weights)), odd = static_cast<int32_t>(odd_bytes(weights));
    s0 = __smlabb(values, even, s0);
    s1 = __smlabb(values, odd, s1);
    s2 = __smlabt(values, even, s2);
    s3 = __smlabt(values, odd, s3);
    r0 = __smlatb(values, even, r0);
    r1 = __smlatb(values, odd, r1);
    r2 = __smlatt(values, even, r2);
    r3 = __smlatt(values, odd, r3);
  }
  const int32_t sums[] = {s0, s1, s2, s3}, others[] = {r0, r1, r2, r3};
  for (int32_t i = 0; i < 4; ++i) {
    const Finish finish(channels, c + i);
    finish.store(sums[i], out0 + c + i);
    finish.store(others[i], out1 + c + i);
  }
}
inline void outer_pixels(const Channels& channels, int32_t weight_stride, const int8_t* x, int32_t x_stride, int32_t n,
                         int8_t* out, int32_t out_stride) {
  constexpr int32_t kMostTaps = 64;
  uint32_t pairs[kMostTaps];
  int32_t c = 0;
  if (channels.plain) {
    const int8_t* y = n == 2 ? x + x_stride : x;
    for (int32_t t = 0; t < channels.k; ++t) {
      pairs[t] = (static_cast<uint32_t>(x[t]) & 0xFFFF) | static_cast<uint32_t>(y[t]) << 16;
    }
    for (; c + 4 <= channels.count; c += 4) {
      outer_2x4(channels, weight_stride, pairs, c, out, n == 2 ? out + out_stride : out);
    }
  }
  for (; c < channels.count; ++c) {
    for (int32_t i = 0; i < n; ++i) {
      generic::outer_channel(channels, weight_stride, x + i * x_stride, c, out + i * out_stride);
    }
  }
}

/// The exporter halves the operand of the larger scale, which is exact, so that only the other one is rounded.
template <bool kRounds>
inline void add_halved(const Binary& p, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  const int32_t offset_a = p.offset[0] * (1 << 21), multiplier = p.multiplier[0], shift = -p.shift[0];
  const int32_t half = p.multiplier[1] >> 11, offset_b = p.offset[1] * half;
  const int32_t rounding = kRounds ? 1 << (shift - 1) : 0;
  const int32_t last = ~p.output_shift, last_rounding = 2 * p.output_offset + 1, last_multiplier = p.output_multiplier;
  for (int32_t i = 0; i < n; ++i) {
    int32_t x = multiply_most(a[i] * (1 << 21) + offset_a, multiplier);
    x = kRounds ? (x + (x >> 31) + rounding) >> shift : x;
    out[i] = rescale(x + b[i] * half + offset_b, last_multiplier, last, last_rounding);
  }
}
inline void add(const Binary& given, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  const bool swap = !generic::halves(given, 1);
  const Binary p = swap ? generic::exchanged(given) : given;
  if (!generic::halves(p, 1) || !generic::plain(p)) {
    generic::add_each(given, a, b, out, n);
  } else if (p.shift[0] < 0) {
    add_halved<true>(p, swap ? b : a, swap ? a : b, out, n);
  } else {
    add_halved<false>(p, swap ? b : a, swap ? a : b, out, n);
  }
}

#if defined(__ARM_FP) && (__ARM_FP & 4)
constexpr bool kQuantizes = true;
/// round(in * factor) + zero_point, halves to even, saturated to int8: see round_to_even()
/// of cortex_m/quantize.h.
inline void quantize(const float* in, int8_t* out, int32_t n, float factor, int32_t zero_point) {
  const int32_t base = 0x4B400000 - zero_point;
  for (; n > 0; --n) {
    const float v = *in++ * factor + 12582912.0f;
    int32_t bits;
    std::memcpy(&bits, &v, sizeof(bits));
    *out++ = static_cast<int8_t>(__ssat(__qsub(bits, base), 8));
  }
}
inline void dequantize(const int8_t* in, float* out, int32_t n, float factor, int32_t zero_point) {
  for (; n > 0; --n) {
    *out++ = static_cast<float>(*in++ - zero_point) * factor;
  }
}
#else
using generic::dequantize;
using generic::kQuantizes;
using generic::quantize;
#endif

}  // namespace wick::simd::dsp
