// SPDX-License-Identifier: BSD-3-Clause
//
// The exponential of a float in single precision only (libm's goes through double, which small FPUs emulate): within
// 2 ulp, with infinities, NaN and subnormal results as IEEE 754 has them.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace wick::simd {

/// 2^n for -126 <= n <= 127.
inline float power_of_two(int32_t n) {
  const uint32_t bits = static_cast<uint32_t>(n + 127) << 23;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

/// e^x. exp(x) = 2^n * exp(r) with |r| <= ln(2) / 2, where a Taylor polynomial of degree 7 is exact to 0.1 ulp.
inline float exponential(float x) {
  if (!(x > -104.0f)) {
    return x != x ? x : 0.0f;
  }
  if (x > 88.8f) {
    return HUGE_VALF;
  }
  const float scaled = x * 1.44269504f;
  const int32_t n = static_cast<int32_t>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  const float whole = static_cast<float>(n);
  const float r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;  // ln(2) in two parts, the first exact
  float sum = 1.0f / 5040;
  sum = sum * r + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r * r + r + 1.0f;
  const int32_t half = n / 2;  // in two steps: 2^n alone may be out of range where the result is not
  return sum * power_of_two(half) * power_of_two(n - half);
}

inline double exponential(double x) { return std::exp(x); }

}  // namespace wick::simd
