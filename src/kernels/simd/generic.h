// SPDX-License-Identifier: BSD-3-Clause
//
// The tiles of the int8 kernels in plain C++: what runs on cores without SIMD, on the host, and the definition of what
// dsp.h and mve.h must give bit for bit. A tile is a few rows by a few columns of dot products with their rescaling.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "src/kernels/simd/requantize.h"

namespace wick::simd::generic {

/// Rows of a matrix product keep their int8 form here; the input offset is folded into the bias (fold_offset).
using Packed = int8_t;
constexpr bool kFoldsOffset = true;
constexpr int32_t kGroup = 4;        ///< rows packed together
constexpr int32_t kLeastRows = 1;    ///< a group may hold so few
constexpr bool kPrefersDot = false;  ///< whether weights are worth transposing to [channels, taps]
constexpr bool kAnyScale =
    false;  ///< whether the tiles rescale by any multiplier and shift, or want `plain` to be told
constexpr int32_t kScaleWords = 0;  ///< before Channels::scale
inline void split_scales(int32_t*, const int32_t*, const int32_t*, int32_t, int32_t) {}
constexpr bool kReadsRows = true;  ///< whether dot_direct() on rows where they lie beats packing them
constexpr int32_t packed_row(int32_t k) { return k; }
constexpr size_t row_bytes(int32_t k) { return static_cast<size_t>(k); }  ///< of a workspace, for each packed row

/// Rescales the sum of channel c and stores it.
inline void store(const Channels& channels, int32_t c, int32_t sum, int8_t* out) {
  const int32_t shift = channels.shift[c * channels.step];
  const int32_t multiplier = channels.multiplier[c * channels.step];
  *out = channels.plain ? saturate8(requantize_plain(sum, multiplier, ~shift, 2 * channels.output_offset + 1))
                        : offset_and_saturate8(requantize(sum, multiplier, shift), channels.output_offset);
}
/// The same for the sums of two pixels.
inline void store_pair(const Channels& channels, int32_t c, int32_t sum0, int32_t sum1, int8_t* out0, int8_t* out1) {
  if (!channels.plain) {
    store(channels, c, sum0, out0);
    store(channels, c, sum1, out1);
    return;
  }
  const int32_t last = ~channels.shift[c * channels.step], multiplier = channels.multiplier[c * channels.step];
  const int32_t rounding = 2 * channels.output_offset + 1;
  *out0 = saturate8(requantize_plain(sum0, multiplier, last, rounding));
  *out1 = saturate8(requantize_plain(sum1, multiplier, last, rounding));
}

/// The same for four neighbouring channels of a pixel.
inline void store_4(const Channels& channels, int32_t c, int32_t s0, int32_t s1, int32_t s2, int32_t s3, int8_t* out) {
  store(channels, c, s0, out);
  store(channels, c + 1, s1, out + 1);
  store(channels, c + 2, s2, out + 2);
  store(channels, c + 3, s3, out + 3);
}

/// Two rows by two channels from c on.
inline void dot_2x2(const Channels& channels, int32_t c, const int8_t* x0, int32_t row_stride, int8_t* out,
                    int32_t out_stride) {
  const int32_t k = channels.k;
  const int8_t *x1 = x0 + row_stride, *w0 = channels.weights + c * k, *w1 = w0 + k;
  int32_t s00 = channels.bias[c], s01 = channels.bias[c + 1], s10 = s00, s11 = s01;
  const auto step = [&](int32_t i) {
    const int32_t a = x0[i], b = x1[i], v = w0[i], w = w1[i];
    s00 += a * v;
    s01 += a * w;
    s10 += b * v;
    s11 += b * w;
  };
  for (int32_t i = k >> 3; i > 0; --i, x0 += 8, x1 += 8, w0 += 8, w1 += 8) {
    step(0);
    step(1);
    step(2);
    step(3);
    step(4);
    step(5);
    step(6);
    step(7);
  }
  for (int32_t i = 0; i < (k & 7); ++i) {
    step(i);
  }
  store_pair(channels, c, s00, s10, out + c, out + out_stride + c);
  store_pair(channels, c + 1, s01, s11, out + c + 1, out + out_stride + c + 1);
}

/// One row by four channels from c on.
inline void dot_1x4(const Channels& channels, int32_t c, const int8_t* row, int8_t* out) {
  const int32_t k = channels.k;
  const int8_t *w0 = channels.weights + c * k, *w1 = w0 + k, *w2 = w1 + k, *w3 = w2 + k;
  int32_t s0 = channels.bias[c], s1 = channels.bias[c + 1], s2 = channels.bias[c + 2], s3 = channels.bias[c + 3];
  const auto step = [&](int32_t i) {
    const int32_t x = row[i];
    s0 += x * w0[i];
    s1 += x * w1[i];
    s2 += x * w2[i];
    s3 += x * w3[i];
  };
  for (int32_t i = k >> 2; i > 0; --i, row += 4, w0 += 4, w1 += 4, w2 += 4, w3 += 4) {
    step(0);
    step(1);
    step(2);
    step(3);
  }
  for (int32_t i = 0; i < (k & 3); ++i) {
    step(i);
  }
  store_4(channels, c, s0, s1, s2, s3, out + c);
}

/// One row by channel c.
inline void dot_1x1(const Channels& channels, int32_t c, const int8_t* row, int8_t* out) {
  const int8_t* w = channels.weights + c * channels.k;
  int32_t s = channels.bias[c];
  for (int32_t i = 0; i < channels.k; ++i) {
    s += row[i] * w[i];
  }
  store(channels, c, s, out + c);
}

/// All channels by n rows of k int8 values, row_stride apart.
inline void dot_rows(const Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n, int8_t* out,
                     int32_t out_stride) {
  for (; n >= 2; n -= 2, rows += 2 * row_stride, out += 2 * out_stride) {
    int32_t c = 0;
    for (; c + 2 <= channels.count; c += 2) {
      dot_2x2(channels, c, rows, row_stride, out, out_stride);
    }
    if (c < channels.count) {
      dot_1x1(channels, c, rows, out);
      dot_1x1(channels, c, rows + row_stride, out + out_stride);
    }
  }
  if (n != 0) {
    int32_t c = 0;
    for (; c + 4 <= channels.count; c += 4) {
      dot_1x4(channels, c, rows, out);
    }
    for (; c < channels.count; ++c) {
      dot_1x1(channels, c, rows, out);
    }
  }
}

/// Puts n values of row `row` of a group, from position `at` of the row on.
inline void pack(Packed* group, int32_t k, int32_t row, int32_t at, const int8_t* values, int32_t n,
                 int32_t /*input_offset*/) {
  std::memcpy(group + row * packed_row(k) + at, values, static_cast<size_t>(n));
}

/// Fills row `row` with n lines of `span` values, line_stride apart.
inline void pack_lines(Packed* group, int32_t k, int32_t row, const int8_t* lines, int32_t line_stride, int32_t n,
                       int32_t span, int32_t input_offset) {
  for (int32_t i = 0; i < n; ++i, lines += line_stride) {
    pack(group, k, row, i * span, lines, span, input_offset);
  }
}

/// Puts n values of padding there.
inline void pack_padding(Packed* group, int32_t k, int32_t row, int32_t at, int32_t n, int32_t zero_point,
                         int32_t /*input_offset*/) {
  std::memset(group + row * packed_row(k) + at, zero_point, static_cast<size_t>(n));
}

/// All channels by the n rows of a packed group, which here are rows: `direct` is dot_direct().
template <typename Direct>
inline void dot_group(Direct direct, const Channels& channels, const Packed* group, int32_t n, int8_t* out,
                      int32_t out_stride) {
  direct(channels, group, packed_row(channels.k), n, 0, nullptr, 0, out, out_stride);
}

/// All channels by n rows of int8 values, row_stride apart; packs them in the workspace where that is better and fits.
inline void dot_direct(const Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n,
                       int32_t /*input_offset*/, void* /*workspace*/, size_t /*bytes*/, int8_t* out,
                       int32_t out_stride) {
  dot_rows(channels, rows, row_stride, n, out, out_stride);
}

/// [rows, columns] with rows `stride` apart to [columns, rows].
inline void transpose(const int8_t* from, int32_t stride, int32_t rows, int32_t columns, int8_t* to) {
  for (int32_t c = 0; c < columns; ++c) {
    for (int32_t r = 0; r < rows; ++r) {
      *to++ = from[r * stride + c];
    }
  }
}

/// Sum of n weights side by side.
inline int32_t sum(const int8_t* weights, int32_t n) {
  int32_t total = 0;
  for (int32_t i = 0; i < n; ++i) {
    total += weights[i];
  }
  return total;
}

/// Adds factor * sum over k weights, weight_stride apart, to the bias of `count` channels; the result is for
/// Channels::pairs.
inline bool fold_columns(int32_t* bias, const int8_t* weights, int32_t weight_stride, int32_t k, int32_t count,
                         int32_t factor) {
  for (int32_t c = 0; c < count; ++c) {
    int32_t sums = 0;
    for (int32_t t = 0; t < k; ++t) {
      sums += weights[t * weight_stride + c];
    }
    bias[c] = static_cast<int32_t>(static_cast<uint32_t>(bias[c]) +
                                   static_cast<uint32_t>(factor) * static_cast<uint32_t>(sums));
  }
  return false;
}

/// Largest absolute value; 2^31 for -2^31.
inline uint32_t largest_magnitude(const int32_t* values, int32_t n) {
  uint32_t most = 0;
  for (int32_t i = 0; i < n; ++i) {
    const uint32_t v = values[i] < 0 ? 0 - static_cast<uint32_t>(values[i]) : static_cast<uint32_t>(values[i]);
    most = v > most ? v : most;
  }
  return most;
}
/// True if all values lie in [low, high].
inline bool all_within(const int32_t* values, int32_t n, int32_t low, int32_t high) {
  bool within = true;
  for (int32_t i = 0; i < n; ++i) {
    within = within && values[i] >= low && values[i] <= high;
  }
  return within;
}

inline void copy(int8_t* to, const int8_t* from, int32_t n) { std::memcpy(to, from, static_cast<size_t>(n)); }
inline void fill(int8_t* to, int8_t value, int32_t n) { std::memset(to, value, static_cast<size_t>(n)); }

/// Moves n pointers on; the table has room for a multiple of four.
inline void advance(const int8_t** pointers, int32_t n, int32_t distance) {
  for (int32_t i = 0; i < n; ++i) {
    pointers[i] += distance;
  }
}

/// A chunk's weights need no other form here.
constexpr int32_t kColumnBytes = 0;
constexpr int32_t kColumnWeight = 1;
inline const int8_t* pack_columns(int8_t*, const int8_t* weights, int32_t, int32_t, int32_t) { return weights; }

/// Channel c of a depthwise pixel; x[t] + at is tap t.
inline void depthwise_channel(const Channels& channels, int32_t weight_stride, const int8_t* const* x, int32_t c,
                              int32_t at, int8_t* out) {
  int32_t total = channels.bias[c];
  const int8_t* w = channels.weights + c;
  for (int32_t t = 0; t < channels.k; ++t, w += weight_stride) {
    total += x[t][at] * *w;
  }
  store(channels, c, total, out);
}

/// One pixel of a depthwise convolution. x[t] points to tap t of channel 0 (a pixel outside of the image is a row of
/// zero points); tap t of channel c multiplies weights[t * weight_stride + c]. The bias holds the folded offset.
/// Returns how far it moved the pointers on.
inline int32_t depthwise_pixel(const Channels& channels, int32_t weight_stride, const int8_t** x, int8_t* out) {
  int32_t c = 0;
  for (; c + 4 <= channels.count; c += 4) {
    int32_t s0 = channels.bias[c], s1 = channels.bias[c + 1], s2 = channels.bias[c + 2], s3 = channels.bias[c + 3];
    const int8_t* w = channels.weights + c;
    const int8_t* const* end = x + channels.k;
    for (const int8_t* const* tap = x; tap != end; ++tap, w += weight_stride) {
      const int8_t* at = *tap + c;
      s0 += at[0] * w[0];
      s1 += at[1] * w[1];
      s2 += at[2] * w[2];
      s3 += at[3] * w[3];
    }
    store_4(channels, c, s0, s1, s2, s3, out + c);
  }
  for (; c < channels.count; ++c) {
    depthwise_channel(channels, weight_stride, x, c, c, out + c);
  }
  return 0;
}

/// Channel c of a pixel whose k values of the one input channel are at x; weights[t * weight_stride + c].
inline void outer_channel(const Channels& channels, int32_t weight_stride, const int8_t* x, int32_t c, int8_t* out) {
  const int8_t* w = channels.weights + c;
  int32_t total = channels.bias[c];
  for (int32_t t = 0; t < channels.k; ++t, w += weight_stride) {
    total += x[t] * *w;
  }
  store(channels, c, total, out + c);
}

/// One input channel by all of `channels` for n <= 2 pixels: x holds k values each, x_stride apart, and
/// weights[t * weight_stride + c]. The bias is folded.
inline void outer_pixels(const Channels& channels, int32_t weight_stride, const int8_t* x, int32_t x_stride, int32_t n,
                         int8_t* out, int32_t out_stride) {
  for (; n > 0; --n, x += x_stride, out += out_stride) {
    int32_t c = 0;
    for (; c + 4 <= channels.count; c += 4) {
      const int8_t* w = channels.weights + c;
      int32_t s0 = channels.bias[c], s1 = channels.bias[c + 1], s2 = channels.bias[c + 2], s3 = channels.bias[c + 3];
      for (const int8_t *at = x, *end = x + channels.k; at != end; ++at, w += weight_stride) {
        const int32_t value = *at;
        s0 += value * w[0];
        s1 += value * w[1];
        s2 += value * w[2];
        s3 += value * w[3];
      }
      store_4(channels, c, s0, s1, s2, s3, out + c);
    }
    for (; c < channels.count; ++c) {
      outer_channel(channels, weight_stride, x, c, out);
    }
  }
}

/// What an elementwise sum or product needs; see cortex_m/elementwise.h.
struct Binary {
  int32_t offset[2];      ///< minus the zero points of the inputs
  int32_t multiplier[2];  ///< of the inputs (addition)
  int32_t shift[2];
  int32_t output_multiplier;
  int32_t output_shift;
  int32_t output_offset;
};

/// Input a of an addition, at the common scale: (value + offset) * 2^20 * multiplier * 2^(shift - 31).
inline int32_t rescale_addend(const Binary& p, int which, int32_t value) {
  return requantize((value + p.offset[which]) * (1 << 20), p.multiplier[which], p.shift[which]);
}
inline int8_t add_one(const Binary& p, int8_t a, int8_t b) {
  const int32_t total = static_cast<int32_t>(static_cast<uint32_t>(rescale_addend(p, 0, a)) +
                                             static_cast<uint32_t>(rescale_addend(p, 1, b)));
  return offset_and_saturate8(requantize(total, p.output_multiplier, p.output_shift), p.output_offset);
}
inline int8_t multiply_one(const Binary& p, int8_t a, int8_t b) {
  const int32_t product = (a + p.offset[0]) * (b + p.offset[1]);
  return offset_and_saturate8(requantize(product, p.output_multiplier, p.output_shift), p.output_offset);
}

/// The same with its operands exchanged.
inline Binary exchanged(const Binary& p) {
  return {{p.offset[1], p.offset[0]},
          {p.multiplier[1], p.multiplier[0]},
          {p.shift[1], p.shift[0]},
          p.output_multiplier,
          p.output_shift,
          p.output_offset};
}

/// True when add() may skip the overflow checks: shifts in [-31, 0] of the inputs and [-31, -1] of the output.
inline bool plain(const Binary& p) {
  return p.shift[0] <= 0 && p.shift[0] >= -31 && p.shift[1] <= 0 && p.shift[1] >= -31 && p.output_shift <= -1 &&
         p.output_shift >= -31;
}

/// The exporter halves the operand of the larger scale (multiplier +-2^30, shift 0), which is exact.
inline bool halves(const Binary& p, int which) {
  return p.shift[which] == 0 && (p.multiplier[which] == 1 << 30 || p.multiplier[which] == -(1 << 30));
}
inline void add_each(const Binary& p, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    out[i] = add_one(p, a[i], b[i]);
  }
}
/// Sums whose second operand is halved and whose other shifts are plain: no step can overflow.
inline void add_halved(const Binary& p, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  const int32_t offset_a = p.offset[0] * (1 << 20), multiplier = p.multiplier[0], shift = -p.shift[0];
  const int32_t half = p.multiplier[1] >> 11, offset_b = p.offset[1] * half;
  const int32_t rounding = shift > 0 ? 1 << (shift - 1) : 0, sign = shift > 0 ? -1 : 0;
  const int32_t last = ~p.output_shift, last_rounding = 2 * p.output_offset + 1, last_multiplier = p.output_multiplier;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t x = multiply_high(a[i] * (1 << 20) + offset_a, multiplier);
    const int32_t total = ((x + ((x >> 31) & sign) + rounding) >> shift) + b[i] * half + offset_b;
    out[i] = saturate8(requantize_plain(total, last_multiplier, last, last_rounding));
  }
}
inline void add(const Binary& p, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  if (plain(p) && halves(p, 1)) {
    add_halved(p, a, b, out, n);
  } else if (plain(p) && halves(p, 0)) {
    add_halved(exchanged(p), b, a, out, n);
  } else {
    add_each(p, a, b, out, n);
  }
}
inline void multiply(const Binary& p, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    out[i] = multiply_one(p, a[i], b[i]);
  }
}

/// sums[c] = sum over n pixels, `stride` apart, of channel c, for `count` channels.
inline void accumulate(int32_t* sums, const int8_t* pixels, int32_t stride, int32_t n, int32_t count) {
  for (int32_t c = 0; c < count; ++c) {
    int32_t total = sums[c];
    const int8_t* at = pixels + c;
    for (int32_t i = n; i > 0; --i, at += stride) {
      total += *at;
    }
    sums[c] = total;
  }
}

/// Whether quantize() and dequantize() are offered: see cortex_m/quantize.h.
constexpr bool kQuantizes = false;
inline void quantize(const float*, int8_t*, int32_t, float, int32_t) {}
inline void dequantize(const int8_t*, float*, int32_t, float, int32_t) {}

/// best[c] = max(best[c], row[c]).
inline void keep_largest(int8_t* best, const int8_t* row, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    best[i] = row[i] > best[i] ? row[i] : best[i];
  }
}
inline void clamp(int8_t* values, int32_t n, int32_t low, int32_t high) {
  for (int32_t i = 0; i < n; ++i) {
    const int32_t v = values[i];
    values[i] = static_cast<int8_t>(v < low ? low : (v > high ? high : v));
  }
}

}  // namespace wick::simd::generic
