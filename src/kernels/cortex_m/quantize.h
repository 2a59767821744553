// SPDX-License-Identifier: BSD-3-Clause
//
// Between float and int8 or int16. Without an FPU the float arithmetic is done on the bits, so that no soft-float
// library is linked.
#pragma once

#include <cstdint>
#include <cstring>

namespace wick::cortex_m {

inline int32_t bits_of(float v) {
  int32_t bits;
  std::memcpy(&bits, &v, sizeof(bits));
  return bits;
}
inline float float_of(int32_t bits) {
  float v;
  std::memcpy(&v, &bits, sizeof(v));
  return v;
}

/// v rounded half to even, plus offset, within [low, high], all within 16 bits. Not-a-number gives low or high.
inline int32_t round_to_even(float v, int32_t offset, int32_t low, int32_t high) {
  // Adding 1.5 * 2^23 leaves the rounded value in the low bits; as bits of floats order like integers above zero, the
  // limits can be applied to the bits. Sums below zero have the sign bit and count as below `low`.
  constexpr int32_t kMagic = 0x4B400000;
  const int32_t bits = bits_of(v + 12582912.0f);
  const int32_t least = kMagic + low - offset, most = kMagic + high - offset;
  return (bits < least ? least : (bits > most ? most : bits)) - kMagic + offset;
}

/// out = clamp(round(in * (1 / scale)) + zero_point, min, max), the product rounded to float first, as in PyTorch.
template <typename T>
void quantize(const float* in, T* out, int32_t n, double scale, int32_t zero_point, int32_t min, int32_t max);

/// out = (in - zero_point) * scale.
template <typename T>
void dequantize(const T* in, float* out, int32_t n, double scale, int32_t zero_point);

/// The same for one value in integer arithmetic, for cores without an FPU: bits of floats in and out, no branch depends
/// on the value. `inverse` and `scale` are finite, normal and above zero; a subnormal value counts as zero.
int32_t quantize_bits(int32_t value, int32_t inverse, int32_t zero_point, int32_t min, int32_t max);
int32_t dequantize_bits(int32_t value, int32_t scale);

/// Nearest float to v and to 1 / v, halves to even, for finite v whose result is a normal number.
float nearest_float(double v);
float nearest_inverse(double v);

}  // namespace wick::cortex_m
