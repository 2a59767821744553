// SPDX-License-Identifier: BSD-3-Clause
//
// Quantisation and its inverse. With an FPU the compiler's float code (or Helium's); without one, products of
// significands in integers with the same two roundings: to float, then to an integer, both half to even.
#include "src/kernels/cortex_m/quantize.h"

#include "src/kernels/cortex_m/chunk.h"

#if defined(__arm__) && !(defined(__ARM_FP) && (__ARM_FP & 4))
#define WICK_HAS_FLOAT 0
#else
#define WICK_HAS_FLOAT 1
#endif
#if defined(__arm__) && !(defined(__ARM_FP) && (__ARM_FP & 8))
#define WICK_HAS_DOUBLE 0
#else
#define WICK_HAS_DOUBLE 1
#endif

namespace wick::cortex_m {
namespace {

constexpr uint32_t kHiddenBit = 0x800000;

/// v / 2^shift, rounded half to even; shift in [1, 31] and v + 2^(shift - 1) below 2^32.
uint32_t round_shift(uint32_t v, int32_t shift) {
  return (v + (uint32_t{1} << (shift - 1)) - 1 + ((v >> shift) & 1)) >> shift;
}

int32_t exponent_of(int32_t bits) { return (bits >> 23) & 0xFF; }
uint32_t significand_of(int32_t bits) { return (static_cast<uint32_t>(bits) & (kHiddenBit - 1)) | kHiddenBit; }

/// A product in [2^46, 2^48) as 24 bits, rounded half to even: a significand and the exponent it gained beyond 23.
struct Rounded {
  uint32_t significand;  ///< in [2^23, 2^24]
  int32_t carried;       ///< 0 or 1
};
Rounded round_product(uint64_t product) {
  // The low 16 bits only matter in being zero or not: they join the lowest bit kept.
  const uint32_t high = static_cast<uint32_t>(product >> 16) | ((product & 0xFFFF) != 0 ? 1u : 0u);
  const int32_t carried = static_cast<int32_t>(high >> 31);
  return {round_shift(high, 7 + carried), carried};
}

/// Assembles a float above zero from a significand in [2^23, 2^24] and its exponent field.
int32_t float_bits(uint32_t significand, int32_t exponent) {
  if (exponent <= 0) {
    return 0;
  }
  const uint32_t bits = (static_cast<uint32_t>(exponent) << 23) + (significand - kHiddenBit);  // 2^24 carries over
  return static_cast<int32_t>(bits < 0x7F800000 ? bits : 0x7F800000);
}

#if !WICK_HAS_DOUBLE
/// Significand of a double with its hidden bit (53 bits), and its exponent field.
uint64_t double_significand(double v, int32_t* exponent) {
  uint64_t bits;
  std::memcpy(&bits, &v, sizeof(bits));
  *exponent = static_cast<int32_t>((bits >> 52) & 0x7FF);
  return (bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
}
#endif

inline int32_t quantize_one(int32_t value, int32_t inverse, int32_t zero_point) {
  const Rounded r = round_product(uint64_t{significand_of(value)} * significand_of(inverse));
  // The product is significand * 2^-right.
  int32_t right = (150 - exponent_of(value)) + (150 - exponent_of(inverse)) - 23 - r.carried;  // 27 and more for zero
  right = right < 7 ? 7 : right;  // 2^16 and more: beyond any limit
  right = right > 31 ? 31 : right;
  const int32_t magnitude = static_cast<int32_t>(round_shift(r.significand, right));
  const int32_t sign = value >> 31;
  return ((magnitude ^ sign) - sign) + zero_point;
}
inline int32_t limited(int32_t v, int32_t min, int32_t max) { return v < min ? min : (v > max ? max : v); }

}  // namespace

int32_t quantize_bits(int32_t value, int32_t inverse, int32_t zero_point, int32_t min, int32_t max) {
  return limited(quantize_one(value, inverse, zero_point), min, max);
}

int32_t dequantize_bits(int32_t value, int32_t scale) {
  const int32_t sign = value >> 31;
  const uint32_t magnitude = static_cast<uint32_t>((value ^ sign) - sign);
  const int32_t zeros = simd::leading_zeros(magnitude | 1);
  // Both factors with their top bit at 23: what the magnitude loses is zero, as it has at most 17 bits.
  const uint32_t left = ((magnitude | (magnitude == 0 ? 1u : 0u)) << zeros) >> 8;
  const Rounded r = round_product(uint64_t{left} * significand_of(scale));
  const int32_t bits = float_bits(r.significand, exponent_of(scale) + 31 - zeros + r.carried);
  return magnitude == 0 ? 0 : static_cast<int32_t>(static_cast<uint32_t>(bits) | (static_cast<uint32_t>(sign) << 31));
}

float nearest_float(double v) {
#if WICK_HAS_DOUBLE
  return static_cast<float>(v);
#else
  int32_t exponent;
  const uint64_t significand = double_significand(v, &exponent);
  const uint32_t high = static_cast<uint32_t>(significand >> 22) | ((significand & 0x3FFFFF) != 0 ? 1u : 0u);
  return float_of(float_bits(round_shift(high, 7), exponent - 1023 + 127));
#endif
}

float nearest_inverse(double v) {
#if WICK_HAS_DOUBLE
  return static_cast<float>(1.0 / v);
#else
  int32_t exponent;
  const uint64_t divisor = double_significand(v, &exponent);
  // Long division of 1 by the significand in [1, 2): 31 bits and whether anything is left.
  uint64_t rest = uint64_t{1} << 52;
  uint32_t quotient = 0;
  for (int32_t i = 0; i < 32; ++i) {
    quotient <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= 1;
    }
    rest <<= 1;
  }
  quotient |= rest != 0 ? 1u : 0u;  // a quotient of exactly 1 fills the top bit; others start one lower
  const int32_t lower = (quotient >> 31) != 0 ? 0 : 1;
  return float_of(float_bits(round_shift(quotient, 8 - lower), 127 + 1023 - exponent - lower));
#endif
}

template <typename T>
void quantize(const float* in, T* out, int32_t n, double scale, int32_t zero_point, int32_t min, int32_t max) {
  const float inverse = nearest_inverse(scale);
  if constexpr (sizeof(T) == 1 && simd::isa::kQuantizes) {
    simd::isa::quantize(in, out, n, inverse, zero_point);
    limit(out, n, min, max);
  } else {
#if WICK_HAS_FLOAT
    for (int32_t i = 0; i < n; ++i) {
      out[i] = static_cast<T>(round_to_even(in[i] * inverse, zero_point, min, max));
    }
#else
    const int32_t inverse_bits = bits_of(inverse);
    for (int32_t i = 0; i < n; ++i) {
      const int32_t v = quantize_one(bits_of(in[i]), inverse_bits, zero_point);
      out[i] = static_cast<T>(sizeof(T) == 1 ? simd::saturate8(v) : limited(v, min, max));
    }
    if constexpr (sizeof(T) == 1) {
      limit(out, n, min, max);
    }
#endif
  }
}
template void quantize(const float*, int8_t*, int32_t, double, int32_t, int32_t, int32_t);
template void quantize(const float*, int16_t*, int32_t, double, int32_t, int32_t, int32_t);

template <typename T>
void dequantize(const T* in, float* out, int32_t n, double scale, int32_t zero_point) {
  const float factor = nearest_float(scale);
  if constexpr (sizeof(T) == 1 && simd::isa::kQuantizes) {
    simd::isa::dequantize(in, out, n, factor, zero_point);
  } else {
    for (int32_t i = 0; i < n; ++i) {
#if WICK_HAS_FLOAT
      out[i] = static_cast<float>(in[i] - zero_point) * factor;
#else
      out[i] = float_of(dequantize_bits(in[i] - zero_point, bits_of(factor)));
#endif
    }
  }
}
template void dequantize(const int8_t*, float*, int32_t, double, int32_t);
template void dequantize(const int16_t*, float*, int32_t, double, int32_t);

}  // namespace wick::cortex_m
