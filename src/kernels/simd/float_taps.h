// SPDX-License-Identifier: BSD-3-Clause
//
// The inner loops of depthwise float convolutions: lines of numbers into a block of the input and out of one of sums,
// and the sums themselves, of kTapPixels neighbours at once.
#pragma once

#include "src/kernels/simd/float_tile.h"

namespace wick::simd {

#if defined(WICK_FLOAT_MVE)
inline constexpr int32_t kTapPixels = 16;
#elif defined(WICK_FLOAT_VFP)
inline constexpr int32_t kTapPixels = 8;
#else
inline constexpr int32_t kTapPixels = 1;
#endif

/// A tap of a kernel: its weight, and its distance from the pixel in bytes.
struct Tap {
  float weight;
  int32_t distance;
};

/// Numbers in rows and columns, at distances in elements.
template <typename T>
struct Plane {
  T* data;
  ptrdiff_t row, column;
};

#ifdef WICK_FLOAT_MVE

/// Copies `rows` rows of n numbers, both above 0.
ET_NOINLINE inline void copy_plane(const Plane<float>& to, const Plane<const float>& from, int32_t rows, int32_t n) {
  const uint32x4_t lanes = vidupq_n_u32(0, 1);
  const uint32x4_t to_lanes = vmulq_n_u32(lanes, static_cast<uint32_t>(to.column));
  const uint32x4_t from_lanes = vmulq_n_u32(lanes, static_cast<uint32_t>(from.column));
  float *to_row = to.data, *t;
  const float *from_row = from.data, *f;
  float32x4_t x;
  __asm__ volatile(
      "1:\n\tmov %[t], %[to]\n\tmov %[f], %[from]\n\tdlstp.32 lr, %[n]\n2:\n\t"
      "vldrw.u32 %q[x], [%[f], %q[from_lanes], uxtw #2]\n\tadd %[f], %[f], %[from_step]\n\t"
      "vstrw.32 %q[x], [%[t], %q[to_lanes], uxtw #2]\n\tadd %[t], %[t], %[to_step]\n\t"
      "letp lr, 2b\n\t"
      "add %[to], %[to], %[to_next]\n\tadd %[from], %[from], %[from_next]\n\t"
      "subs %[rows], %[rows], #1\n\tbne 1b\n\t"
      : [to] "+r"(to_row), [from] "+r"(from_row), [t] "=&r"(t), [f] "=&r"(f), [rows] "+r"(rows), [x] "=&w"(x)
      : [n] "r"(n), [to_lanes] "w"(to_lanes), [from_lanes] "w"(from_lanes), [to_step] "r"(to.column * 16),
        [from_step] "r"(from.column * 16), [to_next] "r"(to.row * 4), [from_next] "r"(from.row * 4)
      : "lr", "cc", "memory");
}

/// out[i] = start + sum of the taps of pixel i, for i < n; up to kTapPixels - 1 pixels more are read and written.
inline void sum_taps(const Tap* taps, int32_t count, float start, const float* in, float* out, int32_t n) {
  for (; n > 0; n -= kTapPixels, in += kTapPixels, out += kTapPixels) {
    const Tap* tap = taps;
    float32x4_t s0 = vdupq_n_f32(start), s1 = s0, s2 = s0, s3 = s0, x, y;
    uint32_t w, p;
    __asm__ volatile(
        "wls lr, %[count], 2f\n1:\n\t"
        "ldrd %[w], %[p], [%[tap]], #8\n\tadd %[p], %[p], %[in]\n\t"
        "vldrw.32 %q[x], [%[p]]\n\tvldrw.32 %q[y], [%[p], #16]\n\tvfma.f32 %q[s0], %q[x], %[w]\n\t"
        "vldrw.32 %q[x], [%[p], #32]\n\tvfma.f32 %q[s1], %q[y], %[w]\n\t"
        "vldrw.32 %q[y], [%[p], #48]\n\tvfma.f32 %q[s2], %q[x], %[w]\n\tvfma.f32 %q[s3], %q[y], %[w]\n\t"
        "le lr, 1b\n2:\n\t"
        "vstrw.32 %q[s0], [%[out]]\n\tvstrw.32 %q[s1], [%[out], #16]\n\t"
        "vstrw.32 %q[s2], [%[out], #32]\n\tvstrw.32 %q[s3], [%[out], #48]\n\t"
        : [s0] "+w"(s0), [s1] "+w"(s1), [s2] "+w"(s2), [s3] "+w"(s3), [x] "=&w"(x), [y] "=&w"(y), [w] "=&r"(w),
          [p] "=&r"(p), [tap] "+r"(tap)
        : [count] "r"(count), [in] "r"(in), [out] "r"(out)
        : "lr", "memory");
  }
}

#else

/// Copies `rows` rows of n numbers, both above 0.
inline void copy_plane(const Plane<float>& to, const Plane<const float>& from, int32_t rows, int32_t n) {
  float* to_row = to.data;
  const float* from_row = from.data;
  for (; rows > 0; --rows, to_row += to.row, from_row += from.row) {
    float* t = to_row;
    const float* f = from_row;
    for (int32_t i = n; i > 0; --i, t += to.column, f += from.column) {
      *t = *f;
    }
  }
}

/// out[i] = start + sum of the taps of pixel i, for i < n; up to kTapPixels - 1 pixels more are read and written.
inline void sum_taps(const Tap* taps, int32_t count, float start, const float* in, float* out, int32_t n) {
  for (; n > 0; n -= kTapPixels, in += kTapPixels, out += kTapPixels) {
#ifdef WICK_FLOAT_VFP
    const Tap *tap = taps, *end = taps + count;
    uint32_t p;
    out[0] = out[1] = out[2] = out[3] = out[4] = out[5] = out[6] = out[7] = start;
    __asm__ volatile(
        "vldmia %[out], {s0-s7}\n"
        "1:\n\t"
        "vldr s16, [%[tap]]\n\tldr %[p], [%[tap], #4]\n\tadd %[tap], %[tap], #8\n\tadd %[p], %[p], %[in]\n\t"
        "vldmia %[p], {s8-s15}\n\tcmp %[tap], %[end]\n\t"
        "vfma.f32 s0, s8, s16\n\tvfma.f32 s1, s9, s16\n\tvfma.f32 s2, s10, s16\n\tvfma.f32 s3, s11, s16\n\t"
        "vfma.f32 s4, s12, s16\n\tvfma.f32 s5, s13, s16\n\tvfma.f32 s6, s14, s16\n\tvfma.f32 s7, s15, s16\n\t"
        "bne 1b\n\t"
        "vstmia %[out], {s0-s7}\n\t"
        : [tap] "+r"(tap), [p] "=&r"(p)
        : [end] "r"(end), [in] "r"(in), [out] "r"(out)
        : "cc", "memory", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14",
          "s15", "s16");
#else
    float sum = start;
    for (int32_t t = 0; t < count; ++t) {
      sum += taps[t].weight * in[taps[t].distance / static_cast<int32_t>(sizeof(float))];
    }
    *out = sum;
#endif
  }
}

#endif

}  // namespace wick::simd
