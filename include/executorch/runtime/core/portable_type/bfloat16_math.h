// SPDX-License-Identifier: BSD-3-Clause
// The functions of <cmath> for Half and BFloat16: computed in float, rounded once.
// They let a kernel be one template over float, double, Half and BFloat16.
//
//     BFloat16 y = std::exp(BFloat16(1.0f));

#pragma once

#include <executorch/runtime/core/portable_type/bfloat16.h>
#include <executorch/runtime/core/portable_type/half.h>

#include <cmath>
#include <type_traits>

namespace c10 {

/// True for Half and BFloat16.
template <typename T>
struct is_reduced_floating_point
    : std::integral_constant<bool, std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>> {};
template <typename T>
constexpr bool is_reduced_floating_point_v = is_reduced_floating_point<T>::value;

}  // namespace c10

namespace std {

#define WICK_REDUCED_FLOAT_FUNCTION(name)                                               \
  template <typename T, std::enable_if_t<c10::is_reduced_floating_point_v<T>, int> = 0> \
  inline T name(T a) {                                                                  \
    return std::name(static_cast<float>(a));                                            \
  }
WICK_REDUCED_FLOAT_FUNCTION(abs)
WICK_REDUCED_FLOAT_FUNCTION(acos)
WICK_REDUCED_FLOAT_FUNCTION(asin)
WICK_REDUCED_FLOAT_FUNCTION(atan)
WICK_REDUCED_FLOAT_FUNCTION(atanh)
WICK_REDUCED_FLOAT_FUNCTION(ceil)
WICK_REDUCED_FLOAT_FUNCTION(cos)
WICK_REDUCED_FLOAT_FUNCTION(cosh)
WICK_REDUCED_FLOAT_FUNCTION(erf)
WICK_REDUCED_FLOAT_FUNCTION(erfc)
WICK_REDUCED_FLOAT_FUNCTION(exp)
WICK_REDUCED_FLOAT_FUNCTION(expm1)
WICK_REDUCED_FLOAT_FUNCTION(floor)
WICK_REDUCED_FLOAT_FUNCTION(lgamma)
WICK_REDUCED_FLOAT_FUNCTION(log)
WICK_REDUCED_FLOAT_FUNCTION(log10)
WICK_REDUCED_FLOAT_FUNCTION(log1p)
WICK_REDUCED_FLOAT_FUNCTION(log2)
WICK_REDUCED_FLOAT_FUNCTION(nearbyint)
WICK_REDUCED_FLOAT_FUNCTION(sin)
WICK_REDUCED_FLOAT_FUNCTION(sinh)
WICK_REDUCED_FLOAT_FUNCTION(sqrt)
WICK_REDUCED_FLOAT_FUNCTION(tan)
WICK_REDUCED_FLOAT_FUNCTION(tanh)
WICK_REDUCED_FLOAT_FUNCTION(trunc)
#undef WICK_REDUCED_FLOAT_FUNCTION

template <typename T, std::enable_if_t<c10::is_reduced_floating_point_v<T>, int> = 0>
inline bool isfinite(T a) {
  return std::isfinite(static_cast<float>(a));
}
template <typename T, std::enable_if_t<c10::is_reduced_floating_point_v<T>, int> = 0>
inline T fmod(T a, T b) {
  return std::fmod(static_cast<float>(a), static_cast<float>(b));
}
template <typename T, std::enable_if_t<c10::is_reduced_floating_point_v<T>, int> = 0>
inline T pow(T a, T b) {
  return std::pow(static_cast<float>(a), static_cast<float>(b));
}
template <typename T, std::enable_if_t<c10::is_reduced_floating_point_v<T>, int> = 0>
inline T pow(T a, double b) {
  return std::pow(static_cast<float>(a), static_cast<float>(b));
}

}  // namespace std
