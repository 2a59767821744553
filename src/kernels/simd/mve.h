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
using generic::kColumnBytes;
using generic::kColumnWeight;
using generic::multiply;
using generic::outer_pixels;
using generic::pack_columns;

/// Two rows lie side by side, 16 values of each in turn.
using Packed = int8_t;
constexpr bool kFoldsOffset = true;
constexpr int32_t kGroup = 2;
constexpr int32_t kLeastRows = 2;
constexpr bool kPrefersDot = true;
constexpr bool kAnyScale = true;
constexpr bool kReadsRows = false;
constexpr size_t row_bytes(int32_t k) { return static_cast<size_t>((k + 15) & ~15); }

// Loops and predicates are written out: left to itself gcc 12 carries predicates through general registers, and moves
// loads ahead until it runs out of registers. Clang cannot name the predicate register; functions that change it are
// not inlined for that reason, too.
#if defined(__clang__)
#define WICK_MVE_PREDICATE
#define WICK_MVE_KEEP_R7 "vmov s25, r7\n\t"  // its frame pointer
#define WICK_MVE_R7_BACK "\n\tvmov r7, s25"
#define WICK_MVE_R7 "q6"
#else
#define WICK_MVE_PREDICATE , "p0"
#define WICK_MVE_KEEP_R7
#define WICK_MVE_R7_BACK
#define WICK_MVE_R7 "q6", "r7"
#endif

/// Channels::scale: multipliers lie kScaleWords before it, shifts to the right so far behind it, shifts to the left
/// there.
constexpr int32_t kScaleWords = 64;

/// Writes the scales of n channels.
[[gnu::noinline]] inline void split_scales(int32_t* scale, const int32_t* multiplier, const int32_t* shift,
                                           int32_t step, int32_t n) {
  const uint32x4_t places = vmulq_n_u32(vidupq_n_u32(0, 1), static_cast<uint32_t>(step));
  __asm__ volatile(
      "vmov.i32 q1, #0\n\tvmov.i32 q2, #31\n\tvmvn.i32 q3, #31\n\tdlstp.32 lr, %[n]\n"
      "1:\tvldrw.u32 q4, [%[multiplier], %q[places], uxtw #2]\n\tvstrw.32 q4, [%[scale], #-256]\n\t"
      "vldrw.u32 q4, [%[shift], %q[places], uxtw #2]\n\tadd %[multiplier], %[quad]\n\tadd %[shift], %[quad]\n\t"
      "vmax.s32 q5, q4, q1\n\tvmin.s32 q5, q5, q2\n\tvmin.s32 q4, q4, q1\n\tvmax.s32 q4, q4, q3\n\t"
      "vstrw.32 q4, [%[scale], #256]\n\tvstrw.32 q5, [%[scale]], #16\n\tletp lr, 1b"
      : [scale] "+r"(scale), [multiplier] "+r"(multiplier), [shift] "+r"(shift)
      : [places] "w"(places), [quad] "r"(16 * step), [n] "r"(n)
      : "lr", "cc", "memory", "q1", "q2", "q3", "q4", "q5");
}

// Begins sums of a quad in r0, r2, r4 and r6. Of four channels, w1 is the distance of their weights and w3 points to
// what the sums begin with; afterwards, w0 to w3 point to their weights.
#define WICK_MVE_BEGIN(w0, w1, w2, w3)                                                                          \
  "ldrd r0, r2, [" w3 "]\n\tldrd r4, r6, [" w3 ", #8]\n\tadd " w2 ", " w0 ", " w1 ", lsl #1\n\tadd " w3 ", " w2 \
  ", " w1 "\n\tadd " w1 ", " w0 "\n\t"
// requantize() for any multiplier and shift, of which q2 to q4 hold multipliers, shifts to the left and to the right:
// with a shift to the right, halves are rounded away from zero. q5 is lost.
#define WICK_MVE_RESCALE(v)                                                    \
  "vqshl.s32 " v ", " v ", q3\n\tvqrdmulh.s32 " v ", " v ", q2\n\tvand q5, " v \
  ", q4\n\tvshr.s32 q5, q5, #31\n\t"                                           \
  "vqadd.s32 " v ", " v ", q5\n\tvrshl.s32 " v ", " v ", q4\n\t"
// Reads what follows the sums, moves all pointers on, and stores them.
#define WICK_MVE_FINISH                                                                                 \
  "ldm %[p], {r2, r3, r4, r5, r6, r7, r8, r9, r10, r11}\n\tvctp.32 r11\n\tvldrw.32 q2, [r9, #-256]\n\t" \
  "vldrw.32 q4, [r9, #256]\n\tvldrw.32 q3, [r9]\n\t"
#define WICK_MVE_MOVE                                                                                           \
  "add r5, r11\n\tadd r6, r11\n\tmla r7, r11, r3, r7\n\tadd r8, r8, r11, lsl #2\n\tadd r9, r9, r11, lsl #2\n\t" \
  "add %[p], #12\n\tstm %[p], {r5, r6, r7, r8, r9}"
#define WICK_MVE_NARROW(v, offset) \
  "vqadd.s32 " v ", " v ", " offset "\n\tvqmovnb.s32 " v ", " v "\n\tvqmovnb.s16 " v ", " v "\n\t"

/// Where a walk over the channels of a chunk is: by fours, or one by one (as a quad whose channels are the same) in a
/// chunk of fewer.
struct Quads {
  int32_t stride, k;  ///< of the weights
  const int8_t* x;
  int8_t *out, *out1;  ///< for the first and the second row
  const int8_t* w;
  const int32_t *bias, *scale;
  int32_t offset, width;

  Quads(const Channels& channels, const int8_t* row, int8_t* to, int32_t to_stride)
      : stride(channels.k),
        k(channels.k),
        x(row),
        out(to),
        out1(to + to_stride),
        w(channels.weights),
        bias(channels.bias),
        scale(channels.scale),
        offset(channels.output_offset),
        width(4) {
    if (channels.count < width) {
      stride = 0;
      width = 1;
    }
  }
};

/// All channels by the one or two rows of a packed group.
template <typename Direct>
inline void dot_group(Direct, const Channels& channels, const Packed* group, int32_t n, int8_t* out,
                      int32_t out_stride) {
  // Without a second row the first one's results overwrite its own. The loop takes all registers: what it needs comes
  // from memory.
  Quads quads(channels, group, out, n == 2 ? out_stride : 0);
  for (int32_t left = channels.count; left > 0; left -= quads.width) {
    const void* p = &quads;
    __asm__ volatile(
        WICK_MVE_KEEP_R7 "vmov s24, %[p]\n\tldm %[p], {r5, r9, r11}\n\tldrd r3, r7, [%[p], #20]\n\t"
        WICK_MVE_BEGIN("r3", "r5", "%[p]", "r7")
        "mov r8, r0\n\tmov r10, r2\n\tmov r12, r4\n\tmov lr, r6\n"
        "1:\tvctp.8 r9\n\tsubs r9, #16\n"  // all weights of 16, until fewer are left
        "2:\tvpstttt\n\tvldrbt.8 q1, [r3], #16\n\tvldrbt.8 q2, [r5], #16\n\tvldrbt.8 q3, [%[p]], #16\n\t"
        "vldrbt.8 q4, [r7], #16\n\tvldrb.8 q0, [r11], #16\n\tvmladava.s8 r0, q0, q1\n\t"
        "vldrb.8 q5, [r11], #16\n\tvmladava.s8 r2, q0, q2\n\tvmladava.s8 r8, q5, q1\n\t"
        "vmladava.s8 r4, q0, q3\n\tvmladava.s8 r10, q5, q2\n\tvmladava.s8 r6, q0, q4\n\t"
        "vmladava.s8 r12, q5, q3\n\tvmladava.s8 lr, q5, q4\n\tsubs r9, #16\n\tbge 2b\n\t"
        "adds r9, #16\n\tbgt 1b\n\tvmov q0[2], q0[0], r0, r4\n\tvmov q0[3], q0[1], r2, r6\n\t"
        "vmov q1[2], q1[0], r8, r12\n\tvmov q1[3], q1[1], r10, lr\n\t"
        "vmov %[p], s24\n\t" WICK_MVE_FINISH
        WICK_MVE_RESCALE("q0") WICK_MVE_RESCALE("q1") WICK_MVE_NARROW("q0", "r10") WICK_MVE_NARROW("q1", "r10")
        "vpstt\n\tvstrbt.32 q1, [r6]\n\tvstrbt.32 q0, [r5]\n\t"
        WICK_MVE_MOVE WICK_MVE_R7_BACK
        : [p] "+r"(p)
        :
        : "r0", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "r12", "lr", "cc", "memory", "q0", "q1",
          "q2", "q3", "q4", "q5", WICK_MVE_R7 WICK_MVE_PREDICATE);
  }
}

/// All channels by n rows where they lie.
inline void dot_direct(const Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n,
                       int32_t /*input_offset*/, void* /*workspace*/, size_t /*bytes*/, int8_t* out,
                       int32_t out_stride) {
  for (; n > 0; --n, rows += row_stride, out += out_stride) {
    Quads quads(channels, rows, out, 0);
    for (int32_t left = channels.count; left > 0; left -= quads.width) {
      const void* p = &quads;
      __asm__ volatile(
          WICK_MVE_KEEP_R7 "ldm %[p], {r5, r9, r11}\n\tldrd r3, r7, [%[p], #20]\n\t" WICK_MVE_BEGIN("r3", "r5", "r8", "r7")
          "dlstp.8 lr, r9\n1:\tvldrb.8 q0, [r11], #16\n\tvldrb.8 q1, [r3], #16\n\tvmladava.s8 r0, q0, q1\n\t"
          "vldrb.8 q2, [r5], #16\n\tvmladava.s8 r2, q0, q2\n\tvldrb.8 q1, [r8], #16\n\tvmladava.s8 r4, q0, q1\n\t"
          "vldrb.8 q2, [r7], #16\n\tvmladava.s8 r6, q0, q2\n\tletp lr, 1b\n\t"
          "vmov q0[2], q0[0], r0, r4\n\tvmov q0[3], q0[1], r2, r6\n\t" WICK_MVE_FINISH WICK_MVE_RESCALE("q0")
          WICK_MVE_NARROW("q0", "r10") "vpst\n\tvstrbt.32 q0, [r5]\n\t" WICK_MVE_MOVE WICK_MVE_R7_BACK
          : [p] "+r"(p)
          :
          : "r0", "r2", "r3", "r4", "r5", "r6", "r8", "r9", "r10", "r11", "lr", "cc", "memory", "q0", "q1", "q2",
            "q3", "q4", "q5", WICK_MVE_R7 WICK_MVE_PREDICATE);
    }
  }
}
#undef WICK_MVE_BEGIN
#undef WICK_MVE_FINISH
#undef WICK_MVE_MOVE

[[gnu::noinline]] inline void copy(int8_t* to, const int8_t* from, int32_t n) {
  __asm__ volatile("wlstp.8 lr, %[n], 2f\n1:\tvldrb.8 q0, [%[from]], #16\n\tvstrb.8 q0, [%[to]], #16\n\tletp lr, 1b\n2:"
                   : [to] "+r"(to), [from] "+r"(from)
                   : [n] "r"(n)
                   : "lr", "memory", "q0");
}
[[gnu::noinline]] inline void fill(int8_t* to, int8_t value, int32_t n) {
  __asm__ volatile("vdup.8 q0, %[value]\n\twlstp.8 lr, %[n], 2f\n1:\tvstrb.8 q0, [%[to]], #16\n\tletp lr, 1b\n2:"
                   : [to] "+r"(to)
                   : [value] "r"(value), [n] "r"(n)
                   : "lr", "memory", "q0");
}

/// Writes n values to a packed row from position `at` on: those at `values`, or the same 16 again and again (step 0).
[[gnu::noinline]] inline void spread(Packed* row, int32_t at, const int8_t* values, int32_t step, int32_t n) {
  row += (at & ~15) * 2;
  if ((at & 15) == 0) {
    __asm__ volatile(
        "dlstp.8 lr, %[n]\n1:\tvldrb.8 q0, [%[from]]\n\tvstrb.8 q0, [%[to]], #32\n\tadd %[from], %[step]\n\t"
        "letp lr, 1b"
        : [to] "+r"(row), [from] "+r"(values)
        : [step] "r"(step), [n] "r"(n)
        : "lr", "cc", "memory", "q0");
    return;
  }
  uint8x16_t places = vidupq_n_u8(static_cast<uint32_t>(at & 15), 1);
  places = vaddq_u8(places, vandq_u8(places, vdupq_n_u8(16)));
  __asm__ volatile(
      "dlstp.8 lr, %[n]\n1:\tvldrb.8 q0, [%[from]]\n\tvstrb.8 q0, [%[to], %q[places]]\n\tadd %[to], #32\n\t"
      "add %[from], %[step]\n\tletp lr, 1b"
      : [to] "+r"(row), [from] "+r"(values)
      : [places] "w"(places), [step] "r"(step), [n] "r"(n)
      : "lr", "cc", "memory", "q0");
}
inline void pack(Packed* group, int32_t /*k*/, int32_t row, int32_t at, const int8_t* values, int32_t n,
                 int32_t /*input_offset*/) {
  spread(group + row * 16, at, values, 16, n);
}
inline void pack_lines(Packed* group, int32_t k, int32_t row, const int8_t* lines, int32_t line_stride, int32_t /*n*/,
                       int32_t span, int32_t /*input_offset*/) {
  for (int32_t at = 0; at < k; at += span, lines += line_stride) {
    spread(group + row * 16, at, lines, 16, span);
  }
}
inline void pack_padding(Packed* group, int32_t /*k*/, int32_t row, int32_t at, int32_t n, int32_t zero_point,
                         int32_t /*input_offset*/) {
  int8_t same[16];
  vst1q_s8(same, vdupq_n_s8(static_cast<int8_t>(zero_point)));
  spread(group + row * 16, at, same, 0, n);
}

/// [rows, columns] with rows `stride` apart to [columns, rows].
inline void transpose(const int8_t* from, int32_t stride, int32_t rows, int32_t columns, int8_t* to) {
  const uint16x8_t places = vmulq_n_u16(vidupq_n_u16(0, 1), static_cast<uint16_t>(rows));
  for (int32_t r = 0; r < rows; ++r, from += stride) {
    for (int32_t c = 0; c < columns; c += 8) {
      const mve_pred16_t p = vctp16q(static_cast<uint32_t>(columns - c));
      vstrbq_scatter_offset_p_s16(to + c * rows + r, places, vldrbq_z_s16(from + c, p), p);
    }
  }
}

/// Sum of n > 0 weights side by side.
inline int32_t sum(const int8_t* weights, int32_t n) {
  int32_t total = 0;
  __asm__ volatile(
      "movs r0, #0\n\tdlstp.8 lr, %[n]\n1:\tvldrb.8 q0, [%[w]], #16\n\tvaddva.s8 r0, q0\n\tletp lr, 1b\n\t"
      "mov %[total], r0"
      : [w] "+r"(weights), [total] "=r"(total)
      : [n] "r"(n)
      : "r0", "lr", "cc", "memory", "q0");
  return total;
}

inline void advance(const int8_t** pointers, int32_t n, int32_t distance) {
#if defined(__GNUC__)
  static_assert(sizeof(void*) == 4, "pointers are lanes");
  uint32_t* p = reinterpret_cast<uint32_t*>(pointers);
  __asm__ volatile(
      "" ::
          : "memory");             // the table is words here and pointers elsewhere: the compiler must not mix the two
  for (; n > 0; n -= 4, p += 4) {  // the table has room for a multiple of four
    vst1q_u32(p, vaddq_n_u32(vld1q_u32(p), static_cast<uint32_t>(distance)));
  }
  __asm__ volatile("" ::: "memory");
#else
  for (int32_t i = 0; i < n; ++i) {
    pointers[i] += distance;
  }
#endif
}

/// Sixteen channels (n, if those are fewer) of a depthwise pixel; x[t] + c is tap t. Products of two taps are added in
/// 16 bits before they are widened, for `pairs` of taps.
[[gnu::always_inline]] inline void depthwise_16(const int8_t* const* x, int32_t c, const int8_t* w, int32_t stride,
                                                int32_t pairs, int32_t singles, const int32_t* bias,
                                                const int32_t* scale, int32_t offset, int8_t* out, int32_t n) {
#define WICK_MVE_WIDEN                                                                       \
  "vmovlb.s16 q5, q6\n\tvadd.i32 q0, q0, q5\n\tvmovlt.s16 q6, q6\n\tvadd.i32 q2, q2, q6\n\t" \
  "vmovlb.s16 q5, q4\n\tvadd.i32 q1, q1, q5\n\tvmovlt.s16 q4, q4\n\tvadd.i32 q3, q3, q4\n\t"
#define WICK_MVE_LOAD4(a, b, c, d, from)                                                               \
  "vld40.32 {" a ", " b ", " c ", " d "}, [" from "]\n\tvld41.32 {" a ", " b ", " c ", " d "}, [" from \
  "]\n\t"                                                                                              \
  "vld42.32 {" a ", " b ", " c ", " d "}, [" from "]\n\tvld43.32 {" a ", " b ", " c ", " d "}, [" from "]\n\t"
#define WICK_MVE_SHIFT(v, right, spare)                                                                      \
  "vand " spare ", " v ", " right "\n\tvshr.s32 " spare ", " spare ", #31\n\tvqadd.s32 " v ", " v ", " spare \
  "\n\t"                                                                                                     \
  "vrshl.s32 " v ", " v ", " right "\n\t"
  int32x4_t spare;
  __asm__ volatile(
      WICK_MVE_LOAD4("q0", "q1", "q2", "q3", "%[q]") "vctp.8 %[p]\n\twls lr, %[pairs], 2f\n"
      "1:\tldrd %[p], %[q], [%[x]], #8\n\tadd %[p], %[c]\n\tadd %[q], %[c]\n\t"
      "vpstt\n\tvldrbt.8 q4, [%[p]]\n\tvldrbt.8 q5, [%[w]]\n\tadd %[w], %[stride]\n\t"
      "vmullb.s8 q6, q4, q5\n\tvmullt.s8 q4, q4, q5\n\tvpstt\n\tvldrbt.8 q5, [%[q]]\n\tvldrbt.8 q7, [%[w]]\n\t"
      "vmullb.s8 q7, q5, q7\n\tvadd.i16 q6, q6, q7\n\tvpst\n\tvldrbt.8 q7, [%[w]]\n\tadd %[w], %[stride]\n\t"
      "vmullt.s8 q7, q5, q7\n\tvadd.i16 q4, q4, q7\n\t" WICK_MVE_WIDEN "le lr, 1b\n"
      "2:\twls lr, %[singles], 4f\n3:\tldr %[p], [%[x]], #4\n\tadd %[p], %[c]\n\t"
      "vpstt\n\tvldrbt.8 q4, [%[p]]\n\tvldrbt.8 q5, [%[w]]\n\tadd %[w], %[stride]\n\t"
      "vmullb.s8 q6, q4, q5\n\tvmullt.s8 q4, q4, q5\n\t" WICK_MVE_WIDEN "le lr, 3b\n"
      // See requantize(), for any multiplier and shift.
      "4:\t" WICK_MVE_LOAD4("q4", "q5", "q6", "q7", "%[scale]")
      "vqshl.s32 q0, q0, q4\n\tvqshl.s32 q1, q1, q5\n\tvqshl.s32 q2, q2, q6\n\tvqshl.s32 q3, q3, q7\n\t"
      "sub %[p], %[scale], #256\n\t" WICK_MVE_LOAD4("q4", "q5", "q6", "q7", "%[p]")
      "vqrdmulh.s32 q0, q0, q4\n\tvqrdmulh.s32 q1, q1, q5\n\tvqrdmulh.s32 q2, q2, q6\n\tvqrdmulh.s32 q3, q3, q7\n\t"
      "add %[p], %[scale], #256\n\t" WICK_MVE_LOAD4("q4", "q5", "q6", "q7", "%[p]")
      "vstrw.32 q3, [%[spare]]\n\t" WICK_MVE_SHIFT("q0", "q4", "q3") WICK_MVE_SHIFT("q1", "q5", "q3")
      WICK_MVE_SHIFT("q2", "q6", "q3") "vldrw.32 q3, [%[spare]]\n\t" WICK_MVE_SHIFT("q3", "q7", "q4")
      "vqmovnb.s32 q0, q0\n\tvqmovnb.s32 q1, q1\n\tvqmovnt.s32 q0, q2\n\tvqmovnt.s32 q1, q3\n\t"
      "vqadd.s16 q0, q0, %[offset]\n\tvqadd.s16 q1, q1, %[offset]\n\tvqmovnb.s16 q0, q0\n\tvqmovnt.s16 q0, q1\n\t"
      "vpst\n\tvstrbt.8 q0, [%[out]]"
      : [x] "+r"(x), [w] "+r"(w), [p] "+r"(n), [q] "+r"(bias)
      : [c] "r"(c), [stride] "r"(stride), [pairs] "r"(pairs), [singles] "r"(singles), [scale] "r"(scale),
        [offset] "r"(offset), [out] "r"(out), [spare] "r"(&spare)
      : "lr", "cc", "memory", "q0", "q1", "q2", "q3", "q4", "q5", "q6", "q7" WICK_MVE_PREDICATE);
#undef WICK_MVE_WIDEN
#undef WICK_MVE_LOAD4
#undef WICK_MVE_SHIFT
}

/// One pixel of a depthwise convolution.
[[gnu::noinline]] inline int32_t depthwise_pixel(const Channels& channels, int32_t weight_stride, const int8_t** x,
                                                 int8_t* out) {
  const int32_t pairs = channels.pairs ? channels.k >> 1 : 0, singles = channels.k - 2 * pairs;
  for (int32_t c = 0; c < channels.count; c += 16) {
    depthwise_16(x, c, channels.weights + c, weight_stride, pairs, singles, channels.bias + c, channels.scale + c,
                 channels.output_offset, out + c, channels.count - c);
  }
  return 0;
}

/// Adds factor * sum over k weights, weight_stride apart, to the bias of `count` channels (rounded up to fours);
/// returns whether no weight is -128: the only one by which the products of two taps can add up to 2^15.
[[gnu::noinline]] inline bool fold_columns(int32_t* bias, const int8_t* weights, int32_t weight_stride, int32_t k,
                                           int32_t count, int32_t factor) {
  int32x4_t least = vdupq_n_s32(0);
  for (; count > 0; count -= 4, bias += 4, weights += 4) {
    int32x4_t sums = vdupq_n_s32(0);
    const int8_t* w = weights;
    __asm__ volatile(
        "vctp.32 %[n]\n\tdls lr, %[k]\n1:\tvpst\n\tvldrbt.s32 q0, [%[w]]\n\tadd %[w], %[stride]\n\t"
        "vmin.s32 %q[least], %q[least], q0\n\tvadd.i32 %q[sums], %q[sums], q0\n\tle lr, 1b"
        : [w] "+r"(w), [least] "+w"(least), [sums] "+w"(sums)
        : [n] "r"(count), [k] "r"(k), [stride] "r"(weight_stride)
        : "lr", "cc", "memory", "q0" WICK_MVE_PREDICATE);
    vst1q_s32(bias, vmlaq_n_s32(vld1q_s32(bias), sums, factor));
  }
  return vminvq_s32(0, least) > -128;
}

#undef WICK_MVE_KEEP_R7
#undef WICK_MVE_R7_BACK
#undef WICK_MVE_R7
/// See generic::add_one(), for any scales.
inline void add(const Binary& p, const int8_t* a, const int8_t* b, int8_t* out, int32_t n) {
  int32_t scales[3 * kScaleWords];
  int32_t* const scale = scales + kScaleWords;
  split_scales(scale, &p.multiplier[0], &p.shift[0], 0, 4);
  split_scales(scale + 4, &p.multiplier[1], &p.shift[1], 0, 4);
  split_scales(scale + 8, &p.output_multiplier, &p.output_shift, 0, 4);
  __asm__ volatile(
      "wlstp.32 lr, %[n], 2f\n1:\tvldrb.s32 q0, [%[a]], #4\n\tvadd.i32 q0, q0, %[offset_a]\n\tvshl.i32 q0, q0, #20\n\t"
      "vldrw.32 q2, [%[scale], #-256]\n\tvldrw.32 q4, [%[scale], #256]\n\tvldrw.32 q3, [%[scale]]\n\t"
      WICK_MVE_RESCALE("q0")
      "vldrb.s32 q1, [%[b]], #4\n\tvadd.i32 q1, q1, %[offset_b]\n\tvshl.i32 q1, q1, #20\n\t"
      "vldrw.32 q2, [%[scale], #-240]\n\tvldrw.32 q4, [%[scale], #272]\n\tvldrw.32 q3, [%[scale], #16]\n\t"
      WICK_MVE_RESCALE("q1") "vadd.i32 q0, q0, q1\n\t"
      "vldrw.32 q2, [%[scale], #-224]\n\tvldrw.32 q4, [%[scale], #288]\n\tvldrw.32 q3, [%[scale], #32]\n\t"
      WICK_MVE_RESCALE("q0") WICK_MVE_NARROW("q0", "%[offset]") "vstrb.32 q0, [%[out]], #4\n\tletp lr, 1b\n2:"
      : [a] "+l"(a), [b] "+l"(b), [out] "+l"(out)
      : [scale] "r"(scale), [offset_a] "r"(p.offset[0]), [offset_b] "r"(p.offset[1]), [offset] "r"(p.output_offset),
        [n] "r"(n)
      : "lr", "memory", "q0", "q1", "q2", "q3", "q4", "q5");
}

/// sums[c] = sum over n pixels, `stride` apart, of channel c, for `count` channels (rounded up to fours).
[[gnu::noinline]] inline void accumulate(int32_t* sums, const int8_t* pixels, int32_t stride, int32_t n,
                                         int32_t count) {
  for (; count > 0; count -= 4, sums += 4, pixels += 4) {
    const int8_t* at = pixels;
    __asm__ volatile(
        "vctp.32 %[count]\n\tvldrw.32 q0, [%[sums]]\n\twls lr, %[n], 2f\n1:\tvpst\n\tvldrbt.s32 q1, [%[at]]\n\t"
        "add %[at], %[stride]\n\tvadd.i32 q0, q0, q1\n\tle lr, 1b\n2:\tvstrw.32 q0, [%[sums]]"
        : [at] "+l"(at)
        : [count] "r"(count), [sums] "r"(sums), [n] "r"(n), [stride] "r"(stride)
        : "lr", "cc", "memory", "q0", "q1" WICK_MVE_PREDICATE);
  }
}

#if (__ARM_FEATURE_MVE & 2)
/// round(in * factor) + zero_point, halves to even, saturated to int8.
inline void quantize(const float* in, int8_t* out, int32_t n, float factor, int32_t zero_point) {
  uint32_t bits;
  std::memcpy(&bits, &factor, sizeof(bits));
  __asm__ volatile("wlstp.32 lr, %[n], 2f\n1:\tvldrw.32 q0, [%[in]], #16\n\tvmul.f32 q0, q0, %[factor]\n\t"
                   "vcvtn.s32.f32 q0, q0\n\t" WICK_MVE_NARROW("q0", "%[zero_point]") "vstrb.32 q0, [%[out]], #4\n\t"
                   "letp lr, 1b\n2:"
                   : [in] "+r"(in), [out] "+l"(out)
                   : [n] "r"(n), [factor] "r"(bits), [zero_point] "r"(zero_point)
                   : "lr", "memory", "q0");
}
/// (in - zero_point) * factor.
inline void dequantize(const int8_t* in, float* out, int32_t n, float factor, int32_t zero_point) {
  uint32_t bits;
  std::memcpy(&bits, &factor, sizeof(bits));
  __asm__ volatile(
      "wlstp.32 lr, %[n], 2f\n1:\tvldrb.s32 q0, [%[in]], #4\n\tvsub.i32 q0, q0, %[zero_point]\n\t"
      "vcvt.f32.s32 q0, q0\n\tvmul.f32 q0, q0, %[factor]\n\tvstrw.32 q0, [%[out]], #16\n\tletp lr, 1b\n2:"
      : [in] "+l"(in), [out] "+r"(out)
      : [n] "r"(n), [factor] "r"(bits), [zero_point] "r"(zero_point)
      : "lr", "memory", "q0");
}
constexpr bool kQuantizes = true;
#else
using generic::dequantize;
using generic::kQuantizes;
using generic::quantize;
#endif

inline void keep_largest(int8_t* best, const int8_t* row, int32_t n) {
  __asm__ volatile(
      "wlstp.8 lr, %[n], 2f\n1:\tvldrb.8 q0, [%[best]]\n\tvldrb.8 q1, [%[row]], #16\n\t"
      "vmax.s8 q0, q0, q1\n\tvstrb.8 q0, [%[best]], #16\n\tletp lr, 1b\n2:"
      : [best] "+r"(best), [row] "+r"(row)
      : [n] "r"(n)
      : "lr", "memory", "q0", "q1");
}
inline void clamp(int8_t* values, int32_t n, int32_t low, int32_t high) {
  __asm__ volatile(
      "vdup.8 q1, %[low]\n\tvdup.8 q2, %[high]\n\twlstp.8 lr, %[n], 2f\n1:\tvldrb.8 q0, [%[values]]\n\t"
      "vmax.s8 q0, q0, q1\n\tvmin.s8 q0, q0, q2\n\tvstrb.8 q0, [%[values]], #16\n\tletp lr, 1b\n2:"
      : [values] "+r"(values)
      : [low] "r"(low), [high] "r"(high), [n] "r"(n)
      : "lr", "memory", "q0", "q1", "q2");
}
#undef WICK_MVE_PREDICATE
#undef WICK_MVE_RESCALE
#undef WICK_MVE_NARROW

}  // namespace wick::simd::mve
