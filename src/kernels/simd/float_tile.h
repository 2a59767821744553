// SPDX-License-Identifier: BSD-3-Clause
//
// The blocked loops under float convolutions and matrix products: a tile of R rows by C columns of sums, sized so that
// it stays in registers (Helium: 2 rows by 3 vectors; scalar FPU: 4 by 4), and dot products of several rows at once.
// Templates over the number type, so that double and int64 run through the same callers; float has Helium forms.
#pragma once

#include <executorch/runtime/platform/compiler.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 2)
#include <arm_mve.h>
#define WICK_FLOAT_MVE 1
#elif defined(__GNUC__) && defined(__thumb2__) && defined(__ARM_FP) && defined(__ARM_FEATURE_FMA)
#define WICK_FLOAT_VFP 1
#endif

namespace wick::simd {

#ifdef WICK_FLOAT_MVE
inline constexpr size_t kTileRows = 2;
inline constexpr size_t kTileColumns = 12;
inline constexpr size_t kTileDepth = 72;  ///< steps of the common dimension per packed block (bounds stack use)
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

/// Tiles of kTileRows rows, below each other, of a matrix product: c[r][j] = start + sum over k < depth of
/// a[r * lda + k] * b[k * ldb + j] for j < kTileColumns; start is init[r], or c[r][j] without init.
template <typename T>
struct Tiles {
  const T* a;
  ptrdiff_t lda;
  const T* b;
  ptrdiff_t ldb;
  size_t depth;
  const T* init;        ///< kTileRows of them for each tile
  ptrdiff_t init_step;  ///< between tiles: kTileRows, or 0 if all have the same
  T* c;
  ptrdiff_t ldc;
  size_t count;  ///< of tiles, at least 1

  void next() {
    a += lda * static_cast<ptrdiff_t>(kTileRows);
    c += ldc * static_cast<ptrdiff_t>(kTileRows);
    init += init_step;
    --count;
  }
};

/// Leaves t past the last tile.
template <typename T>
ET_NOINLINE void multiply_tiles(Tiles<T>& t) {
  for (; t.count > 0; t.next()) {
    T sum[kTileRows][kTileColumns];
    for (size_t r = 0; r < kTileRows; ++r) {
      for (size_t j = 0; j < kTileColumns; ++j) {
        sum[r][j] = t.init != nullptr ? t.init[r] : t.c[static_cast<ptrdiff_t>(r) * t.ldc + static_cast<ptrdiff_t>(j)];
      }
    }
    const T* b = t.b;
    for (size_t k = 0; k < t.depth; ++k, b += t.ldb) {
      for (size_t r = 0; r < kTileRows; ++r) {
        const T weight = t.a[static_cast<ptrdiff_t>(r) * t.lda + static_cast<ptrdiff_t>(k)];
        for (size_t j = 0; j < kTileColumns; ++j) {
          sum[r][j] = multiply_add(sum[r][j], weight, b[j]);
        }
      }
    }
    for (size_t r = 0; r < kTileRows; ++r) {
      for (size_t j = 0; j < kTileColumns; ++j) {
        t.c[static_cast<ptrdiff_t>(r) * t.ldc + static_cast<ptrdiff_t>(j)] = sum[r][j];
      }
    }
  }
}

/// One tile; without init.
template <typename T>
void multiply_tile(const T* a, ptrdiff_t lda, const T* b, ptrdiff_t ldb, size_t depth, std::nullptr_t, T* c,
                   ptrdiff_t ldc) {
  Tiles<T> tile = {a, lda, b, ldb, depth, nullptr, 0, c, ldc, 1};
  multiply_tiles(tile);
}

/// Moves count <= kTileColumns numbers of a row of sums to out[place[j]], or back from there.
template <typename T>
void exchange_row(T* out, const int32_t* place, T* sums, size_t count, bool to_out) {
  for (size_t j = 0; j < count; ++j) {
    T& sum = sums[j];
    T& element = out[place[j]];
    to_out ? element = sum : sum = element;
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

#ifdef WICK_FLOAT_VFP

// The products of weights w0..w3 with the row in s16-s19.
#define WICK_FLOAT_STEP(w0, w1, w2, w3)                                                                               \
  "vldmia %[b], {s16-s19}\n\tadd %[b], %[b], %[ldb]\n\t"                                                              \
  "vfma.f32 s0, s16, " w0 "\n\tvfma.f32 s1, s17, " w0 "\n\tvfma.f32 s2, s18, " w0 "\n\tvfma.f32 s3, s19, " w0         \
  "\n\tvfma.f32 s4, s16, " w1 "\n\tvfma.f32 s5, s17, " w1 "\n\tvfma.f32 s6, s18, " w1 "\n\tvfma.f32 s7, s19, " w1     \
  "\n\tvfma.f32 s8, s16, " w2 "\n\tvfma.f32 s9, s17, " w2 "\n\tvfma.f32 s10, s18, " w2 "\n\tvfma.f32 s11, s19, " w2   \
  "\n\tvfma.f32 s12, s16, " w3 "\n\tvfma.f32 s13, s17, " w3 "\n\tvfma.f32 s14, s18, " w3 "\n\tvfma.f32 s15, s19, " w3 \
  "\n\t"

// Written out: the compiler loads one number at a time.
template <>
ET_NOINLINE inline void multiply_tiles<float>(Tiles<float>& t) {
  const ptrdiff_t ldb = t.ldb * static_cast<ptrdiff_t>(sizeof(float));
  const ptrdiff_t ldc = t.ldc * static_cast<ptrdiff_t>(sizeof(float));
  for (; t.count > 0; t.next()) {
    const float *a = t.a, *a1 = a + t.lda, *a2 = a1 + t.lda, *a3 = a2 + t.lda, *b = t.b;
    float *c = t.c, *to = c;
    for (size_t r = 0; r < kTileRows && t.init != nullptr; ++r, to += t.ldc) {
      to[0] = to[1] = to[2] = to[3] = t.init[r];
    }
    size_t pairs = t.depth / 2;
    __asm__ volatile(
      "vldmia %[c], {s0-s3}\n\tadd %[c], %[c], %[ldc]\n\tvldmia %[c], {s4-s7}\n\tadd %[c], %[c], %[ldc]\n\t"
      "vldmia %[c], {s8-s11}\n\tadd %[c], %[c], %[ldc]\n\tvldmia %[c], {s12-s15}\n\t"
      "cmp %[pairs], #0\n\tbeq 2f\n"
      "1:\n\t"
      "vldmia %[a]!, {s20-s21}\n\tvldmia %[a1]!, {s22-s23}\n\t"
      "vldmia %[a2]!, {s24-s25}\n\tvldmia %[a3]!, {s26-s27}\n\t" WICK_FLOAT_STEP("s20", "s22", "s24", "s26")
          WICK_FLOAT_STEP("s21", "s23", "s25", "s27")
      "subs %[pairs], %[pairs], #1\n\t"
      "bne 1b\n"
      "2:\n\t"
      "cmp %[odd], #0\n\tbeq 3f\n\t"
      "vldr s20, [%[a]]\n\tvldr s22, [%[a1]]\n\tvldr s24, [%[a2]]\n\tvldr s26, [%[a3]]\n\t" WICK_FLOAT_STEP(
          "s20", "s22", "s24", "s26")
      "3:\n\t"
      "vstmia %[c], {s12-s15}\n\tsub %[c], %[c], %[ldc]\n\tvstmia %[c], {s8-s11}\n\tsub %[c], %[c], %[ldc]\n\t"
      "vstmia %[c], {s4-s7}\n\tsub %[c], %[c], %[ldc]\n\tvstmia %[c], {s0-s3}\n\t"
      : [a] "+r"(a), [a1] "+r"(a1), [a2] "+r"(a2), [a3] "+r"(a3), [b] "+r"(b), [c] "+r"(c), [pairs] "+r"(pairs)
      : [ldb] "r"(ldb), [ldc] "r"(ldc), [odd] "r"(t.depth & 1)
      : "cc", "memory", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14",
        "s15", "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26", "s27");
  }
}
#undef WICK_FLOAT_STEP

#endif  // WICK_FLOAT_VFP

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

// Written out: the compiler has no low-overhead loops and spills the sums.
template <>
ET_NOINLINE inline void multiply_tiles<float>(Tiles<float>& t) {
  const ptrdiff_t ldb = t.ldb * static_cast<ptrdiff_t>(sizeof(float));
  const size_t depth = t.depth;
  for (; t.count > 0; t.next()) {
    const float *a = t.a, *a1 = a + t.lda, *b = t.b;
    float *c = t.c, *c1 = c + t.ldc;
    float32x4_t s00, s01, s02, s10, s11, s12;
    if (t.init != nullptr) {
      s00 = s01 = s02 = vdupq_n_f32(t.init[0]);
      s10 = s11 = s12 = vdupq_n_f32(t.init[1]);
    } else {
      s00 = vldrwq_f32(c), s01 = vldrwq_f32(c + 4), s02 = vldrwq_f32(c + 8);
      s10 = vldrwq_f32(c1), s11 = vldrwq_f32(c1 + 4), s12 = vldrwq_f32(c1 + 8);
    }
    float32x4_t x, y;
    uint32_t w0, w1, v0, v1;
    __asm__ volatile(
        "wls lr, %[pairs], 2f\n"
        "1:\n\t"
        "ldrd %[w0], %[w1], [%[a]], #8\n\t"
        "ldrd %[v0], %[v1], [%[a1]], #8\n\t" WICK_FLOAT_STEP("w0", "v0") WICK_FLOAT_STEP("w1", "v1")
        "le lr, 1b\n"
        "2:\n\t"
        "lsls lr, %[depth], #31\n\t"
        "beq 3f\n\t"
        "ldr %[w0], [%[a]]\n\t"
        "ldr %[v0], [%[a1]]\n\t" WICK_FLOAT_STEP("w0", "v0")
        "3:\n\t"
        "vstrw.32 %q[s00], [%[c]]\n\tvstrw.32 %q[s01], [%[c], #16]\n\tvstrw.32 %q[s02], [%[c], #32]\n\t"
        "vstrw.32 %q[s10], [%[c1]]\n\tvstrw.32 %q[s11], [%[c1], #16]\n\tvstrw.32 %q[s12], [%[c1], #32]\n\t"
        : [s00] "+w"(s00), [s01] "+w"(s01), [s02] "+w"(s02), [s10] "+w"(s10), [s11] "+w"(s11), [s12] "+w"(s12),
          [a] "+r"(a), [a1] "+r"(a1), [b] "+r"(b), [x] "=&w"(x), [y] "=&w"(y), [w0] "=&r"(w0), [w1] "=&r"(w1),
          [v0] "=&r"(v0), [v1] "=&r"(v1)
        : [ldb] "r"(ldb), [pairs] "r"(depth / 2), [depth] "r"(depth),
          [c] "r"(c), [c1] "r"(c1)
        : "lr", "cc", "memory");
  }
}
#undef WICK_FLOAT_STEP

template <>
inline void exchange_row<float>(float* out, const int32_t* place, float* sums, size_t count, bool to_out) {
  for (size_t j = 0; j < count; j += 4) {
    const mve_pred16_t some = vctp32q(static_cast<uint32_t>(count - j));
    const uint32x4_t at = vreinterpretq_u32_s32(vldrwq_s32(place + j));
    if (to_out) {
      vstrwq_scatter_shifted_offset_p_f32(out, at, vldrwq_f32(sums + j), some);
    } else {
      vstrwq_f32(sums + j, vldrwq_gather_shifted_offset_z_f32(out, at, some));
    }
  }
}

inline uint32_t address(const float* p) { return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(p)); }

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
  // Lanes outside stay at a zero while the others walk on.
  static const float zero = 0;
  uint32x4_t at[kTileColumns / 4], steps[kTileColumns / 4];
  for (size_t j = 0; j < kTileColumns / 4; ++j) {
    const int32x4_t places = vldrwq_s32(offset + 4 * j);
    const mve_pred16_t inside = vcmpgeq_n_s32(places, 0);
    const uint32x4_t real = vmlaq_n_u32(vdupq_n_u32(address(base)), vreinterpretq_u32_s32(places), 4);
    at[j] = vpselq_u32(real, vdupq_n_u32(address(&zero)), inside);
    steps[j] = vdupq_m_n_u32(vdupq_n_u32(0), static_cast<uint32_t>(step) * 4, inside);
  }
  for (; count > 0; --count, rows += ld) {
    vstrwq_f32(rows, vldrwq_gather_base_f32(at[0], 0));
    vstrwq_f32(rows + 4, vldrwq_gather_base_f32(at[1], 0));
    vstrwq_f32(rows + 8, vldrwq_gather_base_f32(at[2], 0));
    at[0] = vaddq_u32(at[0], steps[0]);
    at[1] = vaddq_u32(at[1], steps[1]);
    at[2] = vaddq_u32(at[2], steps[2]);
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
