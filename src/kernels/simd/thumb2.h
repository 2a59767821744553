// SPDX-License-Identifier: BSD-3-Clause
//
// The tiles of the int8 kernels for Thumb-2 cores without the DSP extension (Cortex-M3). Same results as generic.h,
// whose forms these are, with the inner loops written out: one load per value, one multiply-accumulate per product.
#pragma once

#include <arm_acle.h>

#include "src/kernels/simd/generic.h"

namespace wick::simd::thumb2 {

using namespace generic;

/// requantize_plain() and saturation.
inline int8_t rescale(int32_t value, int32_t multiplier, int32_t last, int32_t rounding) {
  const int32_t x = static_cast<int32_t>((int64_t{value * 2} * multiplier + (int64_t{1} << 31)) >> 32);
  return static_cast<int8_t>(__ssat((((x + (x >> 31)) >> last) + rounding) >> 1, 8));
}

/// Walks over the values that follow the sums of a chunk's channels.
struct Finish {
  const int32_t *bias, *multiplier, *shift;
  int32_t step, rounding;
  explicit Finish(const Channels& channels)
      : bias(channels.bias),
        multiplier(channels.multiplier),
        shift(channels.shift),
        step(channels.step),
        rounding(2 * channels.output_offset + 1) {}
  void next() {
    multiplier += step;
    shift += step;
  }
  void one(int32_t sum, int8_t* out) {
    *out = rescale(sum, *multiplier, ~*shift, rounding);
    next();
  }
  void two(int32_t sum0, int32_t sum1, int8_t* out0, int8_t* out1) {
    const int32_t m = *multiplier, last = ~*shift;
    *out0 = rescale(sum0, m, last, rounding);
    *out1 = rescale(sum1, m, last, rounding);
    next();
  }
};

#define WICK_TIMES_8(step) step step step step step step step step
#define WICK_LOOPS(step, at)                                                                                          \
  "b 2f\n1:\n\t" WICK_TIMES_8(step) "2:\n\tcmp %[" at "], %[rounds]\n\tbne 1b\n\tb 4f\n3:\n\t" step "4:\n\tcmp %[" at \
                                    "], %[end]\n\tbne 3b"
#define WICK_MAC(load, s, x) "ldrsb %[v], " load "\n\tmla %[" s "], %[" x "], %[v], %[" s "]\n\t"

/// Two rows by the first channels & ~1 of a chunk.
[[gnu::noinline]] inline void dot_two_rows(const Channels& channels, const int8_t* row, int32_t row_stride, int8_t* out,
                                           int32_t out_stride) {
  Finish finish(channels);
  const int8_t* w = channels.weights;
  const int32_t k = channels.k;
  for (int32_t c = channels.count >> 1; c > 0; --c, out += 2) {
    const int8_t *x0 = row, *x1 = row + row_stride, *w1 = w + k;
    const int8_t *rounds = x0 + (k & ~7), *end = x0 + k;
    int32_t s00 = finish.bias[0], s01 = finish.bias[1], s10 = finish.bias[0], s11 = finish.bias[1], a, b, v;
    __asm__ volatile(
        WICK_LOOPS("ldrsb %[a], [%[x0]], #1\n\tldrsb %[b], [%[x1]], #1\n\tldrsb %[v], [%[w0]], #1\n\t"
                   "mla %[s00], %[a], %[v], %[s00]\n\tmla %[s10], %[b], %[v], %[s10]\n\tldrsb %[v], [%[w1]], #1\n\t"
                   "mla %[s01], %[a], %[v], %[s01]\n\tmla %[s11], %[b], %[v], %[s11]\n\t",
                   "x0")
        : [x0] "+r"(x0), [x1] "+r"(x1), [w0] "+r"(w), [w1] "+r"(w1), [s00] "+r"(s00), [s01] "+r"(s01), [s10] "+r"(s10),
          [s11] "+r"(s11), [a] "=&r"(a), [b] "=&r"(b), [v] "=&r"(v)
        : [rounds] "r"(rounds), [end] "r"(end)
        : "cc", "memory");
    w = w1;
    finish.bias += 2;
    finish.two(s00, s10, out, out + out_stride);
    finish.two(s01, s11, out + 1, out + out_stride + 1);
  }
}

/// One row by the first channels & ~3 of a chunk.
[[gnu::noinline]] inline void dot_one_row(const Channels& channels, const int8_t* row, int8_t* out) {
  Finish finish(channels);
  const int8_t* w0 = channels.weights;
  const int32_t k = channels.k;
  for (int32_t c = channels.count >> 2; c > 0; --c, out += 4) {
    const int8_t *x = row, *w2 = w0 + 2 * k, *rounds = row + (k & ~7), *end = row + k;
    int32_t s0 = finish.bias[0], s1 = finish.bias[1], s2 = finish.bias[2], s3 = finish.bias[3], a, v;
    __asm__ volatile(
        WICK_LOOPS("ldrsb %[a], [%[x]], #1\n\t" WICK_MAC("[%[w0], %[k]]", "s1", "a") WICK_MAC("[%[w0]], #1", "s0", "a")
                       WICK_MAC("[%[w2], %[k]]", "s3", "a") WICK_MAC("[%[w2]], #1", "s2", "a"),
                   "x")
        : [x] "+r"(x), [w0] "+r"(w0), [w2] "+r"(w2), [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3),
          [a] "=&r"(a), [v] "=&r"(v)
        : [k] "r"(k), [rounds] "r"(rounds), [end] "r"(end)
        : "cc", "memory");
    w0 = w2 + k;
    finish.bias += 4;
    finish.one(s0, out);
    finish.one(s1, out + 1);
    finish.one(s2, out + 2);
    finish.one(s3, out + 3);
  }
}

inline void dot_direct(const Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n,
                       int32_t /*input_offset*/, void* /*workspace*/, size_t /*bytes*/, int8_t* out,
                       int32_t out_stride) {
  for (; n >= 2; n -= 2, rows += 2 * row_stride, out += 2 * out_stride) {
    int32_t c = 0;
    if (channels.plain) {
      dot_two_rows(channels, rows, row_stride, out, out_stride);
      c = channels.count & ~1;
    }
    for (; c < channels.count; ++c) {
      dot_1x1(channels, c, rows, out);
      dot_1x1(channels, c, rows + row_stride, out + out_stride);
    }
  }
  if (n != 0) {
    int32_t c = 0;
    if (channels.plain) {
      dot_one_row(channels, rows, out);
      c = channels.count & ~3;
    }
    for (; c < channels.count; ++c) {
      dot_1x1(channels, c, rows, out);
    }
  }
}

/// Weights of a depthwise chunk are copied to a buffer, block after block of four channels: [taps, 4].
constexpr int32_t kColumnBytes = 576;
inline const int8_t* pack_columns(int8_t* to, const int8_t* weights, int32_t stride, int32_t k, int32_t count) {
  int8_t* out = to;
  for (; count >= 4; count -= 4, weights += 4) {
    for (int32_t t = 0; t < k; ++t, out += 4) {
      std::memcpy(out, weights + t * stride, 4);
    }
  }
  return to;
}

/// The first channels & ~3 of a depthwise pixel.
[[gnu::noinline]] inline void depthwise_quads(const Channels& channels, const int8_t* const* taps, int8_t* out) {
  Finish finish(channels);
  const int8_t* w = channels.packed;
  for (int32_t c = 0; c + 4 <= channels.count; c += 4) {
    const int8_t* const* x = taps;
    const int8_t* const* rounds = taps + (channels.k & ~7);
    const int8_t* const* end = taps + channels.k;
    int32_t s0 = finish.bias[0], s1 = finish.bias[1], s2 = finish.bias[2], s3 = finish.bias[3], p, a, v;
    __asm__ volatile(
        // clang-format off
        WICK_LOOPS("ldr %[p], [%[x]], #4\n\tadd %[p], %[p], %[c]\n\t"
                   "ldrsb %[a], [%[p]]\n\t" WICK_MAC("[%[w]], #1", "s0", "a")
                   "ldrsb %[a], [%[p], #1]\n\t" WICK_MAC("[%[w]], #1", "s1", "a")
                   "ldrsb %[a], [%[p], #2]\n\t" WICK_MAC("[%[w]], #1", "s2", "a")
                   "ldrsb %[a], [%[p], #3]\n\t" WICK_MAC("[%[w]], #1", "s3", "a"), "x")
        // clang-format on
        : [x] "+r"(x), [w] "+r"(w), [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3), [p] "=&r"(p),
          [a] "=&r"(a), [v] "=&r"(v)
        : [c] "r"(c), [rounds] "r"(rounds), [end] "r"(end)
        : "cc", "memory");
    finish.bias += 4;
    finish.one(s0, out + c);
    finish.one(s1, out + c + 1);
    finish.one(s2, out + c + 2);
    finish.one(s3, out + c + 3);
  }
}
inline int32_t depthwise_pixel(const Channels& channels, int32_t weight_stride, const int8_t** x, int8_t* out) {
  int32_t c = 0;
  if (channels.plain) {
    depthwise_quads(channels, x, out);
    c = channels.count & ~3;
  }
  for (; c < channels.count; ++c) {
    depthwise_channel(channels, weight_stride, x, c, c, out + c);
  }
  return 0;
}

/// One input channel by the first channels & ~3 of a chunk.
[[gnu::noinline]] inline void outer_quads(const Channels& channels, int32_t weight_stride, const int8_t* values,
                                          int8_t* out) {
  Finish finish(channels);
  for (int32_t c = 0; c + 4 <= channels.count; c += 4) {
    const int8_t *w = channels.weights + c, *x = values;
    const int8_t *rounds = values + (channels.k & ~7), *end = values + channels.k;
    int32_t s0 = finish.bias[0], s1 = finish.bias[1], s2 = finish.bias[2], s3 = finish.bias[3], a, v;
    __asm__ volatile(WICK_LOOPS("ldrsb %[a], [%[x]], #1\n\t" WICK_MAC("[%[w]]", "s0", "a")
                                    WICK_MAC("[%[w], #1]", "s1", "a") WICK_MAC("[%[w], #2]", "s2", "a")
                                        WICK_MAC("[%[w], #3]", "s3", "a") "add %[w], %[w], %[stride]\n\t",
                                "x")
                     : [x] "+r"(x), [w] "+r"(w), [s0] "+r"(s0), [s1] "+r"(s1), [s2] "+r"(s2), [s3] "+r"(s3),
                       [a] "=&r"(a), [v] "=&r"(v)
                     : [stride] "r"(weight_stride), [rounds] "r"(rounds), [end] "r"(end)
                     : "cc", "memory");
    finish.bias += 4;
    finish.one(s0, out + c);
    finish.one(s1, out + c + 1);
    finish.one(s2, out + c + 2);
    finish.one(s3, out + c + 3);
  }
}
inline void outer_pixels(const Channels& channels, int32_t weight_stride, const int8_t* x, int32_t x_stride, int32_t n,
                         int8_t* out, int32_t out_stride) {
  for (; n > 0; --n, x += x_stride, out += out_stride) {
    int32_t c = 0;
    if (channels.plain) {
      outer_quads(channels, weight_stride, x, out);
      c = channels.count & ~3;
    }
    for (; c < channels.count; ++c) {
      outer_channel(channels, weight_stride, x, c, out);
    }
  }
}
#undef WICK_TIMES_8
#undef WICK_LOOPS
#undef WICK_MAC

/// See generic::add_halved().
inline void add_rescaled(const Binary& p, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  const int32_t offset_a = p.offset[0] * (1 << 21), multiplier = p.multiplier[0], shift = -p.shift[0];
  const int32_t half = p.multiplier[1] >> 11, offset_b = p.offset[1] * half;
  const int32_t rounding = shift > 0 ? 1 << (shift - 1) : 0, sign = shift > 0 ? -1 : 0;
  const int32_t last = ~p.output_shift, last_rounding = 2 * p.output_offset + 1, last_multiplier = p.output_multiplier;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t x =
        static_cast<int32_t>((int64_t{a[i] * (1 << 21) + offset_a} * multiplier + (int64_t{1} << 31)) >> 32);
    const int32_t total = ((x + ((x >> 31) & sign) + rounding) >> shift) + b[i] * half + offset_b;
    out[i] = rescale(total, last_multiplier, last, last_rounding);
  }
}
inline void add(const Binary& p, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  if (plain(p) && halves(p, 1)) {
    add_rescaled(p, a, b, out, n);
  } else if (plain(p) && halves(p, 0)) {
    add_rescaled(exchanged(p), b, a, out, n);
  } else {
    add_each(p, a, b, out, n);
  }
}

}  // namespace wick::simd::thumb2
