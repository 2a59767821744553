// SPDX-License-Identifier: BSD-3-Clause
//
// Fixed-point softmax. The exponential is a Taylor polynomial on (-1/4, 0] times exp(-2^i) for each bit of the rest,
// the reciprocal three Newton-Raphson steps (constants and steps from gemmlowp's fixedpoint.h, which TFLite and
// CMSIS-NN follow). Every element costs the same number of instructions.
#include "src/kernels/cortex_m/softmax.h"

#include "src/kernels/simd/requantize.h"

namespace wick::cortex_m {
namespace {

using simd::divide_by_power;
using simd::leading_zeros;
using simd::shift_left;

/// One copy: it is used all over and small values are few.
[[gnu::noinline]] int32_t multiply_high(int32_t a, int32_t b) { return simd::multiply_high(a, b); }

constexpr int32_t kSumBits = 12;  ///< integer bits of the sum of exponentials

/// exp(a) in Q0.31 for a <= 0 in Q5.26.
int32_t exp_of(int32_t a) {
  constexpr int32_t kQuarter = 1 << 24;
  const int32_t low = (a & (kQuarter - 1)) - kQuarter;  // in [-1/4, 0)
  const int32_t rest = low - a;                         // a multiple of 1/4
  const int32_t x = shift_left(low, 5) + (1 << 28);     // low + 1/8 in Q0.31
  const int32_t x2 = multiply_high(x, x);
  const int32_t x3 = multiply_high(x2, x);
  const int32_t x4 = multiply_high(x2, x2);
  constexpr int32_t kThird = 715827883, kExpMinusEighth = 1895147668;
  const int32_t tail = divide_by_power(multiply_high(divide_by_power(x4, 2) + x3, kThird) + x2, 1);
  int32_t result = kExpMinusEighth + multiply_high(kExpMinusEighth, x + tail);
  // exp(-1/4), exp(-1/2), exp(-1), … exp(-16)
  constexpr int32_t kFactors[] = {1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242};
  for (int32_t i = 0; i < 7; ++i) {
    const int32_t scaled = multiply_high(result, kFactors[i]);
    const int32_t mask = -((rest >> (24 + i)) & 1);
    result = (scaled & mask) | (result & ~mask);
  }
  return a == 0 ? INT32_MAX : result;
}

/// 1 / (1 + a) in Q0.31 for a in [0, 1) in Q0.31.
int32_t one_over_one_plus(int32_t a) {
  const int32_t half_denominator = static_cast<int32_t>((int64_t{a} + INT32_MAX + 1) >> 1);
  constexpr int32_t k48Over17 = 1515870810, kMinus32Over17 = -1010580540;  // Q2.29
  int32_t x = k48Over17 + multiply_high(half_denominator, kMinus32Over17);
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t error = (1 << 29) - multiply_high(half_denominator, x);
    x += shift_left(multiply_high(x, error), 2);
  }
  return shift_left(x, 1);
}

int32_t exp_of_difference(const Softmax& p, int32_t difference) {
  return exp_of(multiply_high(shift_left(difference, p.shift), p.multiplier));
}

}  // namespace

void softmax(const Softmax& p, const int8_t* input, int8_t* output, int32_t n, int32_t stride) {
  int32_t largest = -128;
  for (int32_t i = 0; i < n; ++i) {
    largest = input[i * stride] > largest ? input[i * stride] : largest;
  }
  uint32_t sum = 0;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t difference = input[i * stride] - largest;
    const int32_t value = divide_by_power(exp_of_difference(p, difference), kSumBits);
    sum += difference >= p.diff_min ? static_cast<uint32_t>(value) : 0;
  }
  const int32_t headroom = leading_zeros(sum);
  const int32_t fraction = static_cast<int32_t>((sum << headroom) - (uint32_t{1} << 31));
  const int32_t scale = one_over_one_plus(fraction);
  const int32_t shift = kSumBits - headroom + 31 - 8;  // above 31, no probability reaches half of 1/256
  for (int32_t i = 0; i < n; ++i) {
    const int32_t difference = input[i * stride] - largest;
    const int32_t value = divide_by_power(multiply_high(scale, exp_of_difference(p, difference)), shift & 31) - 128;
    output[i * stride] = difference >= p.diff_min && shift <= 31 ? simd::saturate8(value) : int8_t{-128};
  }
}

}  // namespace wick::cortex_m
