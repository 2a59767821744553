// SPDX-License-Identifier: BSD-3-Clause
//
// The rescaling of 32-bit sums to int8 that all cortex_m operators share, in scalar form: a doubling high
// multiplication by a Q31 multiplier, rounded half up, then a right shift, rounded half away from zero (CMSIS-NN's
// double rounding, which the exporter's Python models follow).
#pragma once

#include <cstdint>

namespace wick::simd {

/// round(a * b / 2^31), halves up. Not for a = b = -2^31.
inline int32_t multiply_high(int32_t a, int32_t b) {
  return static_cast<int32_t>((int64_t{a} * b + (int64_t{1} << 30)) >> 31);
}

/// round(value / 2^shift), halves away from zero; shift in [0, 31].
inline int32_t divide_by_power(int32_t value, int32_t shift) {
  const int32_t mask = static_cast<int32_t>((uint32_t{1} << shift) - 1);
  const int32_t threshold = (mask >> 1) + (value < 0 ? 1 : 0);
  return (value >> shift) + ((value & mask) > threshold ? 1 : 0);
}

/// value * 2^shift, saturated; shift in [0, 31].
inline int32_t shift_left(int32_t value, int32_t shift) {
  const int32_t shifted = static_cast<int32_t>(static_cast<uint32_t>(value) << shift);
  return value > INT32_MAX >> shift ? INT32_MAX : (value < INT32_MIN >> shift ? INT32_MIN : shifted);
}

/// value * multiplier * 2^(shift - 31) with both roundings. The left shift saturates, where CMSIS-NN's overflows: the
/// result then lies beyond int8 in any case. Shifts of -32 and below give 0.
inline int32_t requantize(int32_t value, int32_t multiplier, int32_t shift) {
  if (shift < -31) {
    return 0;
  }
  if (shift > 0) {
    return multiply_high(shift_left(value, shift > 31 ? 31 : shift), multiplier);
  }
  return divide_by_power(multiply_high(value, multiplier), -shift);
}

inline int8_t saturate8(int32_t v) { return static_cast<int8_t>(v < -128 ? -128 : (v > 127 ? 127 : v)); }

/// v + offset as int8; v may be any 32-bit value, offset is a zero point in [-128, 127].
inline int8_t offset_and_saturate8(int32_t v, int32_t offset) {
  return saturate8((v < -1024 ? -1024 : (v > 1023 ? 1023 : v)) + offset);
}

/// The usual case, when the shift is in [-31, -1] and |value| < 2^30: no step can overflow, and the zero point joins
/// the rounding constant. `last` is -shift - 1, `rounding` is 2 * zero point + 1.
inline int32_t requantize_plain(int32_t value, int32_t multiplier, int32_t last, int32_t rounding) {
  const int32_t x = multiply_high(value, multiplier);
  return (((x + (x >> 31)) >> last) + rounding) >> 1;
}

/// Number of zero bits above the highest one; 32 for 0.
inline int32_t leading_zeros(uint32_t v) {
#if defined(__GNUC__)
  return v == 0 ? 32 : __builtin_clz(v);
#else
  int32_t n = 0;
  for (; n < 32 && (v >> 31) == 0; ++n) {
    v <<= 1;
  }
  return n;
#endif
}

/// Output channels of a matrix product or convolution: what follows the sums.
struct Channels {
  const int8_t* weights;      ///< [count, k] (dot products) or [taps, stride] (depthwise)
  const int32_t* bias;        ///< [count]: what each sum starts with
  const int32_t* multiplier;  ///< [count] Q31, or one for all
  const int32_t* shift;       ///< [count] powers of two, or one for all
  int32_t step;               ///< 1: per channel; 0: one multiplier and shift for all
  int32_t count;
  int32_t k;              ///< length of a dot product
  int32_t output_offset;  ///< zero point of the output
  bool plain;             ///< requantize_plain() is exact for all of them
  const int32_t* scale;   ///< what split_scales() made of multipliers and shifts, where the instruction set has that
  bool pairs;             ///< sums of two products of a depthwise convolution fit 16 bits
  const int8_t* packed;   ///< the weights as pack_columns() left them (depthwise)
};

}  // namespace wick::simd
