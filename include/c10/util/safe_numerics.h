// SPDX-License-Identifier: BSD-3-Clause
// Integer arithmetic that says when it overflows; the wrapped result is stored either way.
// On 32-bit targets size_t products are 32 bits wide: always compute sizes from a file this way.
//
//     size_t bytes = 0;
//     if (c10::mul_overflows(count, sizeof(float), &bytes)) { return Error::InvalidArgument; }

#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace c10 {

/// *out = a + b; true when that does not fit.
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
constexpr bool add_overflows(T a, T b, T* out) {
#if defined(__GNUC__)
  return __builtin_add_overflow(a, b, out);
#else
  using U = std::make_unsigned_t<T>;
  *out = static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  if constexpr (std::is_signed_v<T>) {
    return b < 0 ? a < std::numeric_limits<T>::min() - b : a > std::numeric_limits<T>::max() - b;
  } else {
    return *out < a;
  }
#endif
}
constexpr bool add_overflows(uint64_t a, uint64_t b, uint64_t* out) { return add_overflows<uint64_t>(a, b, out); }

/// *out = a * b; true when that does not fit.
template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
constexpr bool mul_overflows(T a, T b, T* out) {
#if defined(__GNUC__)
  return __builtin_mul_overflow(a, b, out);
#else
  *out = static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  if (a == 0 || b == 0) {
    return false;
  }
  if constexpr (std::is_signed_v<T>) {
    constexpr T lowest = std::numeric_limits<T>::min();
    if ((a == -1 && b == lowest) || (b == -1 && a == lowest)) {
      return true;
    }
  }
  return *out / b != a;
#endif
}
constexpr bool mul_overflows(uint64_t a, uint64_t b, uint64_t* out) { return mul_overflows<uint64_t>(a, b, out); }

/// *out = the product of a range of numbers; true when it does not fit.
template <typename It>
constexpr bool safe_multiplies_u64(It first, It last, uint64_t* out) {
  uint64_t product = 1;
  bool overflow = false;
  for (; first != last; ++first) {
    overflow |= mul_overflows(product, static_cast<uint64_t>(*first), &product);
  }
  *out = product;
  return overflow;
}
template <typename Container>
constexpr bool safe_multiplies_u64(const Container& container, uint64_t* out) {
  return safe_multiplies_u64(container.begin(), container.end(), out);
}

}  // namespace c10
