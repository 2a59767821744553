// SPDX-License-Identifier: BSD-3-Clause
//
// The inner loop of depthwise float convolutions: runs of output pixels that read the same kernel taps, of kTapLanes
// channels at once (Helium: one channel per lane, gathered from their planes; other cores: one).
#pragma once

#include "src/kernels/simd/float_tile.h"

namespace wick::simd {

#ifdef WICK_FLOAT_MVE
inline constexpr size_t kTapLanes = 4;
#else
inline constexpr size_t kTapLanes = 1;
#endif

/// What a run of pixels reads. Distances are in elements; weights are packed, kTapLanes of them per tap.
struct TapRun {
  const float* in;                       ///< the first tap of the first pixel, in the first lane's channel
  ptrdiff_t in_row, in_column, in_step;  ///< between taps, and between pixels
  const float* weight;
  ptrdiff_t weight_row;
  int32_t rows, columns;               ///< taps inside of the input
  const float* start;                  ///< what is added to the sum, by lane
  const uint32_t *in_lane, *out_lane;  ///< places of the lanes' channels
  ptrdiff_t out_step;
};

#ifdef WICK_FLOAT_MVE

namespace internal {

// Written out: the compiler keeps the addresses on the stack. `next` leads from the last column to the next row.
#define WICK_FLOAT_TAP(place)                        \
  "vldrw.32 q6, [%[w], #" place                      \
  "]\n\tvldrw.u32 q7, [%[x], %q[lane], uxtw #2]\n\t" \
  "vfma.f32 %q[s0], q7, q6\n\tvldrw.u32 q7, [%[x], %q[second], uxtw #2]\n\tvfma.f32 %q[s1], q7, q6\n\t"
#define WICK_FLOAT_TAPS(taps)                                                                            \
  __asm__ volatile("wls lr, %[rows], 2f\n1:\n\t" taps                                                    \
                   "add %[x], %[x], %[next]\n\tadd %[w], %[w], %[weight_row]\n\tle lr, 1b\n2:\n\t"       \
                   : [s0] "+w"(s0), [s1] "+w"(s1), [x] "+r"(x), [w] "+r"(w)                              \
                   : [lane] "w"(lane), [second] "w"(second), [rows] "r"(run.rows), [column] "r"(column), \
                     [next] "r"(next), [weight_row] "r"(weight_row)                                      \
                   : "lr", "memory", "q6", "q7")

/// Adds all rows of up to three columns of taps.
inline void add_columns(const TapRun& run, const float* x, const float* w, int32_t columns, uint32x4_t lane,
                        uint32x4_t second, float32x4_t& s0, float32x4_t& s1) {
  const ptrdiff_t column = run.in_column * 4, weight_row = run.weight_row * 4;
  const ptrdiff_t next = run.in_row * 4 - (columns - 1) * column;
  if (columns == 3) {
    WICK_FLOAT_TAPS(WICK_FLOAT_TAP("0") "add %[x], %[x], %[column]\n\t" WICK_FLOAT_TAP(
        "16") "add %[x], %[x], %[column]\n\t" WICK_FLOAT_TAP("32"));
  } else if (columns == 2) {
    WICK_FLOAT_TAPS(WICK_FLOAT_TAP("0") "add %[x], %[x], %[column]\n\t" WICK_FLOAT_TAP("16"));
  } else {
    WICK_FLOAT_TAPS(WICK_FLOAT_TAP("0"));
  }
}
#undef WICK_FLOAT_TAP
#undef WICK_FLOAT_TAPS

}  // namespace internal

/// out[i * out_step] = start + sum of the taps of pixel i, for i < n and all lanes.
inline void sum_taps(const TapRun& run, const float* in, float* out, int32_t n) {
  const uint32x4_t out_lane = vld1q_u32(run.out_lane), lane = vld1q_u32(run.in_lane);
  const float32x4_t start = vld1q_f32(run.start);
  for (; n > 0; n -= 2, in += 2 * run.in_step, out += 2 * run.out_step) {
    const uint32x4_t second = vaddq_n_u32(lane, n > 1 ? static_cast<uint32_t>(run.in_step) : 0);
    float32x4_t s0 = start, s1 = start;
    for (int32_t c = 0; c < run.columns; c += 3) {
      internal::add_columns(run, in + c * run.in_column, run.weight + 4 * c, run.columns - c < 3 ? run.columns - c : 3,
                            lane, second, s0, s1);
    }
    if (n > 1) {
      vstrwq_scatter_shifted_offset_f32(out + run.out_step, out_lane, s1);
    }
    vstrwq_scatter_shifted_offset_f32(out, out_lane, s0);
  }
}

#else

namespace internal {

// A 3x3 kernel whose columns adjoin: its weights stay in registers.
inline void sum_nine_taps(const TapRun& run, const float* in, float* out, int32_t n) {
  const float* w = run.weight;
  const float w0 = w[0], w1 = w[1], w2 = w[2];
  w += run.weight_row;
  const float w3 = w[0], w4 = w[1], w5 = w[2];
  w += run.weight_row;
  const float w6 = w[0], w7 = w[1], w8 = w[2], start = run.start[0];
  const ptrdiff_t step = run.in_step, out_step = run.out_step;
  const float *a = in, *b = a + run.in_row, *c = b + run.in_row;
  for (; n > 0; --n, a += step, b += step, c += step, out += out_step) {
    float sum = start + w0 * a[0];
    sum += w1 * a[1];
    sum += w2 * a[2];
    sum += w3 * b[0];
    sum += w4 * b[1];
    sum += w5 * b[2];
    sum += w6 * c[0];
    sum += w7 * c[1];
    *out = sum + w8 * c[2];
  }
}

}  // namespace internal

/// out[i * out_step] = start + sum of the taps of pixel i, for i < n.
inline void sum_taps(const TapRun& run, const float* in, float* out, int32_t n) {
  if (run.rows == 3 && run.columns == 3 && run.in_column == 1) {
    internal::sum_nine_taps(run, in, out, n);
    return;
  }
  for (; n > 0; --n, in += run.in_step, out += run.out_step) {
    float sum = run.start[0];
    const float *row = in, *weight = run.weight;
    for (int32_t r = run.rows; r > 0; --r, row += run.in_row, weight += run.weight_row) {
      const float *x = row, *w = weight;
      int32_t c = run.columns;
      for (; c >= 3; c -= 3, x += 3 * run.in_column, w += 3) {
        sum += w[0] * x[0];
        sum += w[1] * x[run.in_column];
        sum += w[2] * x[2 * run.in_column];
      }
      for (; c > 0; --c, x += run.in_column, ++w) {
        sum += *w * *x;
      }
    }
    *out = sum;
  }
}

#endif

}  // namespace wick::simd
