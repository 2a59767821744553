// SPDX-License-Identifier: BSD-3-Clause
// Half: the IEEE 754 16-bit float (1 sign, 5 exponent and 10 fraction bits), stored as its bits.
// Conversion from float rounds to nearest even and keeps subnormals; a NaN becomes the quiet NaN of its sign.
//
//     Half h = 1.5f;
//     float f = h * 2.0f;

#pragma once

#include <executorch/runtime/core/portable_type/reduced_float.h>

#include <cstring>

namespace executorch::runtime::etensor {

namespace internal {

#if defined(__ARM_FP) && (__ARM_FP & 2) && defined(__ARM_FP16_FORMAT_IEEE)
// The FPU converts: an instruction each. (__fp16 is ACLE's storage type.)
inline uint16_t fp16_ieee_from_fp32_value(float value) {
  if (value != value) {
    return static_cast<uint16_t>(fp32_to_bits(value) >> 16 & 0x8000) | 0x7e00;
  }
  const __fp16 half = static_cast<__fp16>(value);
  uint16_t bits = 0;
  std::memcpy(&bits, &half, sizeof(bits));
  return bits;
}

inline uint32_t fp16_ieee_to_fp32_bits(uint16_t half) {
  __fp16 number;
  std::memcpy(&number, &half, sizeof(number));
  return fp32_to_bits(static_cast<float>(number));
}
#else
/// The bits of the half nearest to a float.
inline uint16_t fp16_ieee_from_fp32_value(float value) {
  const uint32_t bits = fp32_to_bits(value);
  const uint32_t sign = (bits >> 16) & 0x8000;
  const uint32_t magnitude = bits & 0x7fffffff;
  if (magnitude >= 0x47800000) {  // 2^16 or more: infinity, or NaN
    return static_cast<uint16_t>(sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00));
  }
  // 2^13 times the value's power of two, at least that of the smallest normal half: the last place of a sum with it is
  // that of the half, so that the addition rounds.
  const uint32_t power = (magnitude < 0x38800000 ? 0x38800000 : magnitude & 0x7f800000) + (13u << 23);
  const uint32_t rounded = fp32_to_bits(fp32_from_bits(magnitude) + fp32_from_bits(power));
  return static_cast<uint16_t>(sign | (((power - (0x38800000 + (13u << 23))) >> 13) + (rounded - power)));
}

/// The bits of the float equal to a half. A signalling NaN comes out quiet.
inline uint32_t fp16_ieee_to_fp32_bits(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16;
  const uint32_t magnitude = (half & 0x7fffu) << 13;
  if (magnitude < 0x00800000) {  // subnormal, in units of 2^-24
    return sign | fp32_to_bits(static_cast<float>(static_cast<int32_t>(half & 0x3ffu)) * 0x1p-24f);
  }
  const uint32_t bits = magnitude + (magnitude < 0x0f800000 ? 0x38000000 : 0x70000000);
  return sign | (bits > 0x7f800000 ? bits | 0x400000 : bits);
}
#endif

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
