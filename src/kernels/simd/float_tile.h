// SPDX-License-Identifier: BSD-3-Clause
//
// The blocked loops under float convolutions and matrix products: a tile of R rows by C columns of sums, sized so that
// it stays in registers (Helium: 2 rows by 3 vectors; scalar FPU: 4 by 4), and dot products of several rows at once.
// Templates over the number type, so that double and int64 run through the same callers; float has Helium forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
#include <arm_mve.h>
#define WICK_FLOAT_MVE 1
#endif

namespace wick::simd {

#ifdef WICK_FLOAT_MVE
inline constexpr size_t kTileRows = 2;
inline constexpr size_t kTileColumns = 12;
inline constexpr size_t kTileDepth = 48;  ///< steps of the common dimension per packed block (bounds stack use)
#else
inline constexpr size_t kTileRows = 4;
inline constexpr size_t kTileColumns = 4;
inline constexpr size_t kTileDepth = 64;
#endif
inline constexpr size_t kDotRows = 4;

/// sum + a * b; integers wrap around.
template <typename T>
T multiply_add(T sum, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return sum + a * b;
  }
}

/// c[r][j] = start + sum over k < depth of a[r * lda + k] * b[k * ldb + j]; start is init[r], or c[r][j] without init.
template <typename T>
void multiply_tile(const T* a, ptrdiff_t lda, const T* b, ptrdiff_t ldb, size_t depth, const T* init, T* c,
                   ptrdiff_t ldc) {
  T sum[kTileRows][kTileColumns];
  for (size_t r = 0; r < kTileRows; ++r) {
    for (size_t j = 0; j < kTileColumns; ++j) {
      sum[r][j] = init != nullptr ? init[r] : c[static_cast<ptrdiff_t>(r) * ldc + static_cast<ptrdiff_t>(j)];
    }
  }
  for (size_t k = 0; k < depth; ++k, b += ldb) {
    for (size_t r = 0; r < kTileRows; ++r) {
      const T weight = a[static_cast<ptrdiff_t>(r) * lda + static_cast<ptrdiff_t>(k)];
      for (size_t j = 0; j < kTileColumns; ++j) {
        sum[r][j] = multiply_add(sum[r][j], weight, b[j]);
      }
    }
  }
  for (size_t r = 0; r < kTileRows; ++r) {
    for (size_t j = 0; j < kTileColumns; ++j) {
      c[static_cast<ptrdiff_t>(r) * ldc + static_cast<ptrdiff_t>(j)] = sum[r][j];
    }
  }
}

/// Where the kColumns pixels of a tile lie in an input plane: rows, columns and element offsets for kernel tap (0, 0).
struct TilePlaces {
  int32_t y[kTileColumns], x[kTileColumns], base[kTileColumns];
};

/// offset[j] = base[j] + add if row y[j] + dy is below `height` and column x[j] + dx below `width` (all as unsigned
/// numbers), else -1. True if all are inside.
inline bool tap_offsets(const TilePlaces& places, int32_t dy, int32_t dx, int32_t height, int32_t width, int32_t add,
                        int32_t* offset) {
#ifdef WICK_FLOAT_MVE
  uint32_t outside = 0;
  for (size_t j = 0; j < kTileColumns; j += 4) {
    const uint32x4_t y = vreinterpretq_u32_s32(vaddq_n_s32(vldrwq_s32(places.y + j), dy));
    const uint32x4_t x = vreinterpretq_u32_s32(vaddq_n_s32(vldrwq_s32(places.x + j), dx));
    mve_pred16_t inside = vcmpcsq_n_u32(y, static_cast<uint32_t>(height));
    inside = static_cast<mve_pred16_t>(~(inside | vcmpcsq_n_u32(x, static_cast<uint32_t>(width))));
    const int32x4_t at = vaddq_n_s32(vldrwq_s32(places.base + j), add);
    vstrwq_s32(offset + j, vpselq_s32(at, vdupq_n_s32(-1), inside));
    outside |= static_cast<uint32_t>(static_cast<uint16_t>(~inside));
  }
  return outside == 0;
#else
  bool all = true;
  for (size_t j = 0; j < kTileColumns; ++j) {
    const bool inside = static_cast<uint32_t>(places.y[j] + dy) < static_cast<uint32_t>(height) &&
                        static_cast<uint32_t>(places.x[j] + dx) < static_cast<uint32_t>(width);
    offset[j] = inside ? places.base[j] + add : -1;
    all = all && inside;
  }
  return all;
#endif
}

/// rows[i * ld + j] = base[i * step + offset[j]] for i < count, j < kTileColumns; zero where offset[j] is negative.
template <typename T>
void gather_rows(T* rows, ptrdiff_t ld, const T* base, ptrdiff_t step, const int32_t* offset, size_t count, bool) {
  static const T zero{};
  for (size_t j = 0; j < kTileColumns; ++j) {
    const bool inside = offset[j] >= 0;
    const T* from = inside ? base + offset[j] : &zero;
    const ptrdiff_t stride = inside ? step : 0;
    T* to = rows + j;
    for (size_t i = 0; i < count; ++i, to += ld, from += stride) {
      *to = *from;
    }
  }
}

/// out[r] = sum over k < depth of a[r * lda + k] * x[k], for r < kDotRows.
template <typename T>
void dot_rows(const T* a, ptrdiff_t lda, const T* x, size_t depth, T (&out)[kDotRows]) {
  T sum[kDotRows] = {};
  for (size_t k = 0; k < depth; ++k) {
    const T value = x[k];
    for (size_t r = 0; r < kDotRows; ++r) {
      sum[r] = multiply_add(sum[r], a[static_cast<ptrdiff_t>(r) * lda + static_cast<ptrdiff_t>(k)], value);
    }
  }
  for (size_t r = 0; r < kDotRows; ++r) {
    out[r] = sum[r];
  }
}

#ifndef WICK_FLOAT_MVE

// By name instead of in arrays: only so does the compiler keep the sums in registers.
template <>
inline void multiply_tile<float>(const float* a, ptrdiff_t lda, const float* b, ptrdiff_t ldb, size_t depth,
                                 const float* init, float* c, ptrdiff_t ldc) {
  const float* a1 = a + lda;
  const float* a2 = a1 + lda;
  const float* a3 = a2 + lda;
  float* c1 = c + ldc;
  float* c2 = c1 + ldc;
  float* c3 = c2 + ldc;
  float s00, s01, s02, s03, s10, s11, s12, s13, s20, s21, s22, s23, s30, s31, s32, s33;
  if (init != nullptr) {
    s00 = s01 = s02 = s03 = init[0];
    s10 = s11 = s12 = s13 = init[1];
    s20 = s21 = s22 = s23 = init[2];
    s30 = s31 = s32 = s33 = init[3];
  } else {
    s00 = c[0], s01 = c[1], s02 = c[2], s03 = c[3];
    s10 = c1[0], s11 = c1[1], s12 = c1[2], s13 = c1[3];
    s20 = c2[0], s21 = c2[1], s22 = c2[2], s23 = c2[3];
    s30 = c3[0], s31 = c3[1], s32 = c3[2], s33 = c3[3];
  }
  for (; depth > 0; --depth, b += ldb) {
    const float b0 = b[0], b1 = b[1], b2 = b[2], b3 = b[3];
    const float w0 = *a++, w1 = *a1++, w2 = *a2++, w3 = *a3++;
    s00 += w0 * b0, s01 += w0 * b1, s02 += w0 * b2, s03 += w0 * b3;
    s10 += w1 * b0, s11 += w1 * b1, s12 += w1 * b2, s13 += w1 * b3;
    s20 += w2 * b0, s21 += w2 * b1, s22 += w2 * b2, s23 += w2 * b3;
    s30 += w3 * b0, s31 += w3 * b1, s32 += w3 * b2, s33 += w3 * b3;
  }
  c[0] = s00, c[1] = s01, c[2] = s02, c[3] = s03;
  c1[0] = s10, c1[1] = s11, c1[2] = s12, c1[3] = s13;
  c2[0] = s20, c2[1] = s21, c2[2] = s22, c2[3] = s23;
  c3[0] = s30, c3[1] = s31, c3[2] = s32, c3[3] = s33;
}

template <>
inline void gather_rows<float>(float* rows, ptrdiff_t ld, const float* base, ptrdiff_t step, const int32_t* offset,
                               size_t count, bool) {
  static const float zero = 0;
  const float* from[kTileColumns];
  ptrdiff_t stride[kTileColumns];
  for (size_t j = 0; j < kTileColumns; ++j) {
    from[j] = offset[j] < 0 ? &zero : base + offset[j];
    stride[j] = offset[j] < 0 ? 0 : step;
  }
  const float *f0 = from[0], *f1 = from[1], *f2 = from[2], *f3 = from[3];
  const ptrdiff_t d0 = stride[0], d1 = stride[1], d2 = stride[2], d3 = stride[3];
  for (; count > 0; --count, rows += ld, f0 += d0, f1 += d1, f2 += d2, f3 += d3) {
    rows[0] = *f0;
    rows[1] = *f1;
    rows[2] = *f2;
    rows[3] = *f3;
  }
}

template <>
inline void dot_rows<float>(const float* a, ptrdiff_t lda, const float* x, size_t depth, float (&out)[kDotRows]) {
  const float* a1 = a + lda;
  const float* a2 = a1 + lda;
  const float* a3 = a2 + lda;
  float s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (; depth >= 2; depth -= 2, a += 2, a1 += 2, a2 += 2, a3 += 2, x += 2) {
    const float x0 = x[0], x1 = x[1];
    s0 += a[0] * x0, s1 += a1[0] * x0, s2 += a2[0] * x0, s3 += a3[0] * x0;
    s0 += a[1] * x1, s1 += a1[1] * x1, s2 += a2[1] * x1, s3 += a3[1] * x1;
  }
  if (depth > 0) {
    s0 += a[0] * x[0], s1 += a1[0] * x[0], s2 += a2[0] * x[0], s3 += a3[0] * x[0];
  }
  out[0] = s0, out[1] = s1, out[2] = s2, out[3] = s3;
}

#endif

#ifdef WICK_FLOAT_MVE

// Two steps of the common dimension: w0, w1 and v0, v1 are the weights of both rows.
#define WICK_FLOAT_STEP(w, v)                                          \
  "vldrw.32 %q[x], [%[b]]\n\tvldrw.32 %q[y], [%[b], #16]\n\t"          \
  "vfma.f32 %q[s00], %q[x], %[" w "]\n\tvfma.f32 %q[s10], %q[x], %[" v \
  "]\n\t"                                                              \
  "vldrw.32 %q[x], [%[b], #32]\n\t"                                    \
  "vfma.f32 %q[s01], %q[y], %[" w "]\n\tvfma.f32 %q[s11], %q[y], %[" v \
  "]\n\t"                                                              \
  "vfma.f32 %q[s02], %q[x], %[" w "]\n\tvfma.f32 %q[s12], %q[x], %[" v \
  "]\n\t"                                                              \
  "add %[b], %[b], %[ldb]\n\t"

template <>
inline void multiply_tile<float>(const float* a, ptrdiff_t lda, const float* b, ptrdiff_t ldb, size_t depth,
                                 const float* init, float* c, ptrdiff_t ldc) {
  const float* a1 = a + lda;
  float* c1 = c + ldc;
  float32x4_t s00, s01, s02, s10, s11, s12;
  if (init != nullptr) {
    s00 = s01 = s02 = vdupq_n_f32(init[0]);
    s10 = s11 = s12 = vdupq_n_f32(init[1]);
  } else {
    s00 = vldrwq_f32(c);
    s01 = vldrwq_f32(c + 4);
    s02 = vldrwq_f32(c + 8);
    s10 = vldrwq_f32(c1);
    s11 = vldrwq_f32(c1 + 4);
    s12 = vldrwq_f32(c1 + 8);
  }
  // Written out: the compiler has no low-overhead loops and spills the sums.
  float32x4_t x, y;
  uint32_t w0, w1, v0, v1;
  __asm__ volatile(
      "wls lr, %[pairs], 2f\n"
      "1:\n\t"
      "ldrd %[w0], %[w1], [%[a]], #8\n\t"
      "ldrd %[v0], %[v1], [%[a1]], #8\n\t" WICK_FLOAT_STEP("w0", "v0") WICK_FLOAT_STEP("w1", "v1")
      "le lr, 1b\n"
      "2:\n\t"
      : [s00] "+w"(s00), [s01] "+w"(s01), [s02] "+w"(s02), [s10] "+w"(s10), [s11] "+w"(s11), [s12] "+w"(s12),
        [a] "+r"(a), [a1] "+r"(a1), [b] "+r"(b), [x] "=&w"(x), [y] "=&w"(y), [w0] "=&r"(w0), [w1] "=&r"(w1),
        [v0] "=&r"(v0), [v1] "=&r"(v1)
      : [ldb] "r"(ldb * static_cast<ptrdiff_t>(sizeof(float))), [pairs] "r"(depth / 2)
      : "lr", "memory");
  if (depth % 2 != 0) {
    x = vldrwq_f32(b);
    s00 = vfmaq_n_f32(s00, x, *a);
    s10 = vfmaq_n_f32(s10, x, *a1);
    x = vldrwq_f32(b + 4);
    s01 = vfmaq_n_f32(s01, x, *a);
    s11 = vfmaq_n_f32(s11, x, *a1);
    x = vldrwq_f32(b + 8);
    s02 = vfmaq_n_f32(s02, x, *a);
    s12 = vfmaq_n_f32(s12, x, *a1);
  }
  vstrwq_f32(c, s00);
  vstrwq_f32(c + 4, s01);
  vstrwq_f32(c + 8, s02);
  vstrwq_f32(c1, s10);
  vstrwq_f32(c1 + 4, s11);
  vstrwq_f32(c1 + 8, s12);
}
#undef WICK_FLOAT_STEP

template <>
inline void gather_rows<float>(float* rows, ptrdiff_t ld, const float* base, ptrdiff_t step, const int32_t* offset,
                               size_t count, bool all_inside) {
  if (all_inside) {
    const uint32x4_t at0 = vreinterpretq_u32_s32(vldrwq_s32(offset));
    const uint32x4_t at1 = vreinterpretq_u32_s32(vldrwq_s32(offset + 4));
    const uint32x4_t at2 = vreinterpretq_u32_s32(vldrwq_s32(offset + 8));
    for (; count > 0; --count, rows += ld, base += step) {
      vstrwq_f32(rows, vldrwq_gather_shifted_offset_f32(base, at0));
      vstrwq_f32(rows + 4, vldrwq_gather_shifted_offset_f32(base, at1));
      vstrwq_f32(rows + 8, vldrwq_gather_shifted_offset_f32(base, at2));
    }
    return;
  }
  for (size_t j = 0; j < kTileColumns; j += 4) {
    const int32x4_t at = vldrwq_s32(offset + j);
    const mve_pred16_t inside = vcmpgeq_n_s32(at, 0);
    const float* from = base;
    float* to = rows + j;
    for (size_t i = 0; i < count; ++i, to += ld, from += step) {
      vstrwq_f32(to, vldrwq_gather_shifted_offset_z_f32(from, vreinterpretq_u32_s32(at), inside));
    }
  }
}

template <>
inline void dot_rows<float>(const float* a, ptrdiff_t lda, const float* x, size_t depth, float (&out)[kDotRows]) {
  const float* a1 = a + lda;
  const float* a2 = a1 + lda;
  const float* a3 = a2 + lda;
  float32x4_t s0 = vdupq_n_f32(0), s1 = s0, s2 = s0, s3 = s0;
  size_t k = 0;
  for (; k + 4 <= depth; k += 4) {
    const float32x4_t value = vldrwq_f32(x + k);
    s0 = vfmaq_f32(s0, vldrwq_f32(a + k), value);
    s1 = vfmaq_f32(s1, vldrwq_f32(a1 + k), value);
    s2 = vfmaq_f32(s2, vldrwq_f32(a2 + k), value);
    s3 = vfmaq_f32(s3, vldrwq_f32(a3 + k), value);
  }
  if (k < depth) {
    const mve_pred16_t rest = vctp32q(static_cast<uint32_t>(depth - k));
    const float32x4_t value = vldrwq_z_f32(x + k, rest);
    s0 = vfmaq_f32(s0, vldrwq_z_f32(a + k, rest), value);
    s1 = vfmaq_f32(s1, vldrwq_z_f32(a1 + k, rest), value);
    s2 = vfmaq_f32(s2, vldrwq_z_f32(a2 + k, rest), value);
    s3 = vfmaq_f32(s3, vldrwq_z_f32(a3 + k, rest), value);
  }
  const float32x4_t sums[kDotRows] = {s0, s1, s2, s3};
  for (size_t r = 0; r < kDotRows; ++r) {
    out[r] = (vgetq_lane_f32(sums[r], 0) + vgetq_lane_f32(sums[r], 1)) +
             (vgetq_lane_f32(sums[r], 2) + vgetq_lane_f32(sums[r], 3));
  }
}

#endif  // WICK_FLOAT_MVE

}  // namespace wick::simd
