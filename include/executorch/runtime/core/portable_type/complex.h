// SPDX-License-Identifier: BSD-3-Clause
// complex<T> of float, double, Half or BFloat16: two numbers side by side, as a complex tensor stores them.
// Arithmetic is done in float or double; only what kernels need is here.
//
//     complex<float> z(1.0f, 2.0f);
//     z *= complex<float>(0.0f, 1.0f);  // -2 + i

#pragma once

#include <executorch/runtime/core/portable_type/bfloat16.h>
#include <executorch/runtime/core/portable_type/half.h>

#include <cstddef>
#include <type_traits>

namespace executorch::runtime::etensor {

template <typename T>
struct alignas(sizeof(T) * 2) complex {
  using value_type = T;
  /// The type to compute in.
  using wide_type = std::conditional_t<std::is_same_v<T, double>, double, float>;

  T real_ = T();
  T imag_ = T();

  constexpr complex() = default;
  /* implicit */ constexpr complex(const T& real, const T& imag = T()) : real_(real), imag_(imag) {}
  template <typename U, std::enable_if_t<(sizeof(U) < sizeof(T)), int> = 0>
  /* implicit */ constexpr complex(const complex<U>& other)
      : real_(static_cast<T>(other.real_)), imag_(static_cast<T>(other.imag_)) {}
  template <typename U, std::enable_if_t<(sizeof(U) >= sizeof(T) && !std::is_same_v<T, U>), int> = 0>
  explicit constexpr complex(const complex<U>& other)
      : real_(static_cast<T>(other.real_)), imag_(static_cast<T>(other.imag_)) {}

  constexpr T real() const { return real_; }
  constexpr T imag() const { return imag_; }
  constexpr void real(T value) { real_ = value; }
  constexpr void imag(T value) { imag_ = value; }

  explicit constexpr operator bool() const { return wide(real_) != 0 || wide(imag_) != 0; }

  constexpr complex& operator+=(const complex& b) {
    return set(wide(real_) + wide(b.real_), wide(imag_) + wide(b.imag_));
  }
  constexpr complex& operator-=(const complex& b) {
    return set(wide(real_) - wide(b.real_), wide(imag_) - wide(b.imag_));
  }
  constexpr complex& operator*=(const complex& b) {
    return set(wide(real_) * wide(b.real_) - wide(imag_) * wide(b.imag_),
               wide(real_) * wide(b.imag_) + wide(imag_) * wide(b.real_));
  }
  /// Divides by the larger component first (Smith's method), so that squares do not overflow.
  constexpr complex& operator/=(const complex& other) {
    const wide_type a = wide(real_), b = wide(imag_), c = wide(other.real_), d = wide(other.imag_);
    const wide_type abs_c = c < 0 ? -c : c, abs_d = d < 0 ? -d : d;
    if (abs_c == 0 && abs_d == 0) {
      return set(a / abs_c, b / abs_d);
    }
    if (abs_c >= abs_d) {
      const wide_type ratio = d / c, scale = wide_type(1) / (c + d * ratio);
      return set((a + b * ratio) * scale, (b - a * ratio) * scale);
    }
    const wide_type ratio = c / d, scale = wide_type(1) / (d + c * ratio);
    return set((a * ratio + b) * scale, (b * ratio - a) * scale);
  }

  // Friends, so that a real operand converts.
  friend constexpr complex operator+(const complex& a) { return a; }
  friend constexpr complex operator-(const complex& a) { return complex(-a.real_, -a.imag_); }
  friend constexpr complex operator+(complex a, const complex& b) { return a += b; }
  friend constexpr complex operator-(complex a, const complex& b) { return a -= b; }
  friend constexpr complex operator*(complex a, const complex& b) { return a *= b; }
  friend constexpr complex operator/(complex a, const complex& b) { return a /= b; }
  friend constexpr bool operator==(const complex& a, const complex& b) {
    return wide(a.real_) == wide(b.real_) && wide(a.imag_) == wide(b.imag_);
  }
  friend constexpr bool operator!=(const complex& a, const complex& b) { return !(a == b); }

 private:
  static constexpr wide_type wide(T value) { return static_cast<wide_type>(value); }
  constexpr complex& set(wide_type real, wide_type imag) {
    real_ = static_cast<T>(real);
    imag_ = static_cast<T>(imag);
    return *this;
  }
};

}  // namespace executorch::runtime::etensor

namespace c10 {
using ::executorch::runtime::etensor::complex;
}  // namespace c10

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::etensor::complex;
}  // namespace torch::executor
