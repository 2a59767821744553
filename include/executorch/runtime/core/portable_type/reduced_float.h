// SPDX-License-Identifier: BSD-3-Clause
// What Half and BFloat16 have in common: the bits of a float, and arithmetic by way of float.
// Included by half.h and bfloat16.h; include those instead.
//
//     uint32_t bits = executorch::runtime::etensor::internal::fp32_to_bits(1.0f);  // 0x3f800000

#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace executorch::runtime::etensor::internal {

inline float fp32_from_bits(uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline uint32_t fp32_to_bits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

}  // namespace executorch::runtime::etensor::internal

// One binary operator: with itself and with integers the result keeps the type (rounded once from float); with float
// and double it is that type.
#define WICK_REDUCED_FLOAT_OPERATOR(Type, op)                                                                      \
  inline Type operator op(const Type& a, const Type& b) { return static_cast<float>(a) op static_cast<float>(b); } \
  inline float operator op(Type a, float b) { return static_cast<float>(a) op b; }                                 \
  inline float operator op(float a, Type b) { return a op static_cast<float>(b); }                                 \
  inline double operator op(Type a, double b) { return static_cast<double>(static_cast<float>(a)) op b; }          \
  inline double operator op(double a, Type b) { return a op static_cast<double>(static_cast<float>(b)); }          \
  template <typename Int, std::enable_if_t<std::is_integral_v<Int>, int> = 0>                                      \
  Type operator op(Type a, Int b) {                                                                                \
    return a op Type(b);                                                                                           \
  }                                                                                                                \
  template <typename Int, std::enable_if_t<std::is_integral_v<Int>, int> = 0>                                      \
  Type operator op(Int a, Type b) {                                                                                \
    return Type(a) op b;                                                                                           \
  }                                                                                                                \
  inline Type& operator op##=(Type& a, const Type& b) { return a = a op b; }                                       \
  inline float& operator op##=(float& a, const Type& b) { return a op## = static_cast<float>(b); }

// The arithmetic of a type; comparisons go through its conversion to float.
#define WICK_REDUCED_FLOAT_ARITHMETIC(Type)                                                                           \
  inline Type operator-(const Type& a) { return Type(static_cast<unsigned short>(a.x ^ 0x8000), Type::from_bits()); } \
  WICK_REDUCED_FLOAT_OPERATOR(Type, +)                                                                                \
  WICK_REDUCED_FLOAT_OPERATOR(Type, -)                                                                                \
  WICK_REDUCED_FLOAT_OPERATOR(Type, *)                                                                                \
  WICK_REDUCED_FLOAT_OPERATOR(Type, /)

// The members of std::numeric_limits that do not depend on the type.
#define WICK_REDUCED_FLOAT_LIMITS(Type)                                           \
  static constexpr bool is_specialized = true;                                    \
  static constexpr bool is_signed = true;                                         \
  static constexpr bool is_integer = false;                                       \
  static constexpr bool is_exact = false;                                         \
  static constexpr bool has_infinity = true;                                      \
  static constexpr bool has_quiet_NaN = true;                                     \
  static constexpr bool has_signaling_NaN = true;                                 \
  static constexpr auto has_denorm = numeric_limits<float>::has_denorm;           \
  static constexpr auto has_denorm_loss = numeric_limits<float>::has_denorm_loss; \
  static constexpr auto round_style = numeric_limits<float>::round_style;         \
  static constexpr bool is_bounded = true;                                        \
  static constexpr bool is_modulo = false;                                        \
  static constexpr int radix = 2;                                                 \
  static constexpr auto traps = numeric_limits<float>::traps;                     \
  static constexpr auto tinyness_before = numeric_limits<float>::tinyness_before; \
  static constexpr Type denorm_min() { return Type(0x0001, Type::from_bits()); }
