// SPDX-License-Identifier: BSD-3-Clause
// BFloat16: the upper half of a float (1 sign, 8 exponent and 7 fraction bits), stored as its bits.
// Conversion from float rounds to nearest even and keeps subnormals; every NaN becomes 0x7fc0.
//
//     BFloat16 b = 1.5f;
//     float f = b * 2.0f;

#pragma once

#include <executorch/runtime/core/portable_type/reduced_float.h>

namespace executorch::runtime::etensor {

namespace internal {

/// The float equal to a bfloat16.
inline float f32_from_bits(uint16_t bits) { return fp32_from_bits(static_cast<uint32_t>(bits) << 16); }

/// The bits of the bfloat16 nearest to a float.
inline uint16_t round_to_nearest_even(float value) {
  const uint32_t bits = fp32_to_bits(value);
  if ((bits & 0x7fffffff) > 0x7f800000) {
    return 0x7fc0;
  }
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

}  // namespace internal

struct alignas(2) BFloat16 {
  uint16_t x;

  struct from_bits_t {};
  static constexpr from_bits_t from_bits() { return from_bits_t(); }

  BFloat16() = default;
  /// The bfloat16 of these bits.
  constexpr BFloat16(unsigned short bits, from_bits_t) : x(bits) {}
  /* implicit */ BFloat16(float value) : x(internal::round_to_nearest_even(value)) {}
  template <typename T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
  /* implicit */ BFloat16(T value) : BFloat16(static_cast<float>(value)) {}

  operator float() const { return internal::f32_from_bits(x); }
};

WICK_REDUCED_FLOAT_ARITHMETIC(BFloat16)

}  // namespace executorch::runtime::etensor

namespace std {

template <>
class numeric_limits<::executorch::runtime::etensor::BFloat16> {
  using BFloat16 = ::executorch::runtime::etensor::BFloat16;

 public:
  WICK_REDUCED_FLOAT_LIMITS(BFloat16)
  static constexpr bool is_iec559 = false;
  static constexpr int digits = 8;
  static constexpr int digits10 = 2;
  static constexpr int max_digits10 = 4;
  static constexpr int min_exponent = -125;
  static constexpr int min_exponent10 = -37;
  static constexpr int max_exponent = 128;
  static constexpr int max_exponent10 = 38;
  static constexpr BFloat16 min() { return BFloat16(0x0080, BFloat16::from_bits()); }
  static constexpr BFloat16 lowest() { return BFloat16(0xff7f, BFloat16::from_bits()); }
  static constexpr BFloat16 max() { return BFloat16(0x7f7f, BFloat16::from_bits()); }
  static constexpr BFloat16 epsilon() { return BFloat16(0x3c00, BFloat16::from_bits()); }
  static constexpr BFloat16 round_error() { return BFloat16(0x3f00, BFloat16::from_bits()); }
  static constexpr BFloat16 infinity() { return BFloat16(0x7f80, BFloat16::from_bits()); }
  static constexpr BFloat16 quiet_NaN() { return BFloat16(0x7fc0, BFloat16::from_bits()); }
  static constexpr BFloat16 signaling_NaN() { return BFloat16(0x7fa0, BFloat16::from_bits()); }
};

}  // namespace std

namespace c10 {
using ::executorch::runtime::etensor::BFloat16;
}  // namespace c10

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::etensor::BFloat16;
}  // namespace torch::executor
