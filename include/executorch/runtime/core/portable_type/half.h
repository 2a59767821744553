// SPDX-License-Identifier: BSD-3-Clause
// Half: the IEEE 754 16-bit float (1 sign, 5 exponent and 10 fraction bits), stored as its bits.
// Conversion from float rounds to nearest even and keeps subnormals; a NaN becomes the quiet NaN of its sign.
//
//     Half h = 1.5f;
//     float f = h * 2.0f;

#pragma once

#include <executorch/runtime/core/portable_type/reduced_float.h>

namespace executorch::runtime::etensor {

namespace internal {

/// The bits of the half nearest to a float.
inline uint16_t fp16_ieee_from_fp32_value(float value) {
  const uint32_t bits = fp32_to_bits(value);
  const uint32_t sign = (bits >> 16) & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  uint32_t half = 0;
  if (magnitude >= 0x47800000) {  // 2^16 or more: infinity, or NaN
    half = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
  } else if (magnitude >= 0x38800000) {  // 2^-14 or more: normal
    half = (magnitude - 0x38000000 + 0x0fff + ((magnitude >> 13) & 1)) >> 13;
  } else if (magnitude >= 0x33000000) {  // 2^-25 or more: subnormal, in units of 2^-24
    const uint32_t shift = 126 - (magnitude >> 23);
    const uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
    half = fraction >> shift;
    half = (fraction + (1u << (shift - 1)) - 1 + (half & 1)) >> shift;
  }
  return static_cast<uint16_t>(sign | half);
}

/// The bits of the float equal to a half. A signalling NaN comes out quiet.
inline uint32_t fp16_ieee_to_fp32_bits(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16;
  uint32_t exponent = (half >> 10) & 0x1f;
  uint32_t fraction = half & 0x3ffu;
  if (exponent == 0x1f) {
    return sign | 0x7f800000 | (fraction << 13) | (fraction != 0 ? 0x400000u : 0);
  }
  if (exponent == 0) {
    if (fraction == 0) {
      return sign;
    }
    exponent = 1;
    while ((fraction & 0x400) == 0) {
      fraction <<= 1;
      --exponent;
    }
    fraction &= 0x3ff;
  }
  return sign | ((exponent + 112) << 23) | (fraction << 13);
}

inline float fp16_ieee_to_fp32_value(uint16_t half) { return fp32_from_bits(fp16_ieee_to_fp32_bits(half)); }

}  // namespace internal

struct alignas(2) Half {
  uint16_t x;

  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return from_bits_t(); }

  Half() = default;
  /// The half of these bits.
  constexpr Half(unsigned short bits, from_bits_t) : x(bits) {}
  /* implicit */ Half(float value) : x(internal::fp16_ieee_from_fp32_value(value)) {}
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  /* implicit */ Half(T value) : Half(static_cast<float>(value)) {}

  operator float() const { return internal::fp16_ieee_to_fp32_value(x); }
};

WICK_REDUCED_FLOAT_ARITHMETIC(Half)

}  // namespace executorch::runtime::etensor

namespace std {

template <>
class numeric_limits<::executorch::runtime::etensor::Half> {
  using Half = ::executorch::runtime::etensor::Half;

 public:
  WICK_REDUCED_FLOAT_LIMITS(Half)
  static constexpr bool is_iec559 = true;
  static constexpr int digits = 11;
  static constexpr int digits10 = 3;
  static constexpr int max_digits10 = 5;
  static constexpr int min_exponent = -13;
  static constexpr int min_exponent10 = -4;
  static constexpr int max_exponent = 16;
  static constexpr int max_exponent10 = 4;
  static constexpr Half min() { return Half(0x0400, Half::from_bits()); }
  static constexpr Half lowest() { return Half(0xfbff, Half::from_bits()); }
  static constexpr Half max() { return Half(0x7bff, Half::from_bits()); }
  static constexpr Half epsilon() { return Half(0x1400, Half::from_bits()); }
  static constexpr Half round_error() { return Half(0x3800, Half::from_bits()); }
  static constexpr Half infinity() { return Half(0x7c00, Half::from_bits()); }
  static constexpr Half quiet_NaN() { return Half(0x7e00, Half::from_bits()); }
  static constexpr Half signaling_NaN() { return Half(0x7d00, Half::from_bits()); }
};

}  // namespace std

namespace c10 {
using ::executorch::runtime::etensor::Half;
}  // namespace c10

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::etensor::Half;
}  // namespace torch::executor
