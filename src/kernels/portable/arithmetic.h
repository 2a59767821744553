// SPDX-License-Identifier: BSD-3-Clause
//
// The arithmetic of single elements in a compute type, with PyTorch's meaning: integers wrap around, divisions floor,
// NaN propagates. Used by the elementwise operators and the reductions.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace wick {
namespace portable {

template <typename T>
T add(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  } else {
    return a + b;
  }
}

template <typename T>
T subtract(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
  } else {
    return a - b;
  }
}

template <typename T>
T multiply(const T& a, const T& b) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  } else {
    return a * b;
  }
}

template <typename T>
bool is_nan(T a) {
  return a != a;
}

/// The larger one, or NaN if there is one.
template <typename T>
T larger(T a, T b) {
  return is_nan(a) || a > b ? a : b;
}
template <typename T>
T smaller(T a, T b) {
  return is_nan(a) || a < b ? a : b;
}

/// Rounds towards zero. Integer divisors are not zero; the smallest integer divided by -1 wraps around.
template <typename T>
T divide_trunc(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return b == -1 ? subtract<T>(0, a) : a / b;
  } else {
    return std::trunc(a / b);
  }
}

/// Python's a // b: rounds down; exact where a / b, rounded, would not be.
template <typename T>
T divide_floor(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T quotient = divide_trunc(a, b);
    return (a < 0) != (b < 0) && multiply(quotient, b) != a ? quotient - 1 : quotient;
  } else {
    if (b == 0) {
      return a / b;
    }
    const T rest = std::fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) {
      quotient -= 1;
    }
    if (quotient == 0) {
      return std::copysign(T(0), a / b);
    }
    const T floored = std::floor(quotient);
    return quotient - floored > T(0.5) ? floored + 1 : floored;
  }
}

/// C's remainder: the sign of a. Integer divisors are not zero.
template <typename T>
T remainder_trunc(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return b == -1 ? 0 : a % b;
  } else {
    return std::fmod(a, b);
  }
}

/// Python's a % b: the sign of b.
template <typename T>
T remainder_floor(T a, T b) {
  const T rest = remainder_trunc(a, b);
  return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
}

/// Integer powers wrap around; a negative exponent gives 0 unless the base is 1 or -1.
template <typename T>
T power(T base, T exponent) {
  if constexpr (std::is_integral_v<T>) {
    if (exponent < 0) {
      return base == 1 ? 1 : base == -1 ? ((exponent & 1) != 0 ? -1 : 1) : 0;
    }
    T result = 1;
    for (; exponent != 0; exponent >>= 1) {
      if ((exponent & 1) != 0) {
        result = multiply(result, base);
      }
      base = multiply(base, base);
    }
    return result;
  } else {
    return std::pow(base, exponent);
  }
}

}  // namespace portable
}  // namespace wick
