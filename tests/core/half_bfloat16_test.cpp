// SPDX-License-Identifier: BSD-3-Clause
// Half and BFloat16, bit by bit: against a reference in double arithmetic, and the compiler's own 16-bit float.

#include <executorch/runtime/core/portable_type/bfloat16_math.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace {

using executorch::runtime::etensor::BFloat16;
using executorch::runtime::etensor::Half;
using executorch::runtime::etensor::internal::fp32_from_bits;
using executorch::runtime::etensor::internal::fp32_to_bits;

/// A binary format of 16 bits.
struct Format {
  int exponent_bits;
  int fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
constexpr Format kHalf{5, 10};
constexpr Format kBFloat16{8, 7};

/// The number that bits stand for, by the definition of the format.
double value_of(Format f, uint32_t bits) {
  const int exponent = static_cast<int>((bits >> f.fraction_bits) & ((1u << f.exponent_bits) - 1));
  const int fraction = static_cast<int>(bits & ((1u << f.fraction_bits) - 1));
  const double sign = (bits & 0x8000u) != 0 ? -1.0 : 1.0;
  if (exponent == (1 << f.exponent_bits) - 1) {
    return fraction != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
  }
  if (exponent == 0) {
    return sign * std::ldexp(fraction, 1 - f.bias() - f.fraction_bits);
  }
  return sign * std::ldexp((1 << f.fraction_bits) + fraction, exponent - f.bias() - f.fraction_bits);
}

/// The bits nearest to a number, ties to even: it is counted in units of the last place of its binade.
uint16_t nearest_bits(Format f, double value) {
  const uint32_t sign = std::signbit(value) ? 0x8000u : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) {
    return static_cast<uint16_t>(sign);
  }
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  exponent = std::max(exponent - 1, 1 - f.bias());
  const double units = std::nearbyint(std::ldexp(magnitude, f.fraction_bits - exponent));
  const double largest = std::ldexp(2.0, f.bias()) - std::ldexp(1.0, f.bias() - f.fraction_bits);
  const double rounded = std::ldexp(units, exponent - f.fraction_bits);
  if (rounded > largest) {
    return static_cast<uint16_t>(sign | (((1u << f.exponent_bits) - 1) << f.fraction_bits));
  }
  // With the exponent field one too low, the hidden bit of a normal number makes up for it.
  const uint32_t field = static_cast<uint32_t>(exponent + f.bias() - 1);
  return static_cast<uint16_t>(sign | ((field << f.fraction_bits) + static_cast<uint32_t>(units)));
}

TEST(Half, EveryHalfHasItsValueAsFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = Half(static_cast<uint16_t>(bits), Half::from_bits());
    const double expected = value_of(kHalf, bits);
    if (std::isnan(expected)) {
      // The payload moves to the top of the float's, and the NaN is quiet.
      const uint32_t nan = ((bits & 0x8000u) << 16) | 0x7fc00000u | ((bits & 0x3ffu) << 13);
      ASSERT_EQ(fp32_to_bits(value), nan) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(value), expected) << bits;
      ASSERT_EQ(std::signbit(value), std::signbit(expected)) << bits;
    }
  }
}

TEST(BFloat16, EveryBFloat16HasItsValueAsFloat) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = BFloat16(static_cast<uint16_t>(bits), BFloat16::from_bits());
    ASSERT_EQ(fp32_to_bits(value), bits << 16);
  }
}

template <typename T>
void expect_nearest(Format format, uint32_t bits) {
  const float value = fp32_from_bits(bits);
  ASSERT_EQ(T(value).x, nearest_bits(format, static_cast<double>(value))) << std::hex << bits;
}

/// Every float next to a number of the format and to the middle between two of them, and a sample of all floats.
template <typename T>
void expect_nearest_everywhere(Format format) {
  for (uint32_t bits = 0; bits < 0x7f800000; bits += 4099) {  // A prime number.
    expect_nearest<T>(format, bits);
    expect_nearest<T>(format, bits | 0x80000000u);
  }
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const double value = value_of(format, bits);
    const double next = value_of(format, bits + 1);
    if (!std::isfinite(value) || !std::isfinite(next)) {
      continue;
    }
    for (const double center : {value, (value + next) / 2}) {
      const uint32_t float_bits = fp32_to_bits(static_cast<float>(center));
      for (uint32_t step = 0; step < 5; ++step) {
        if (((float_bits + step) & 0x7fffffffu) >= 2 && ((float_bits + step - 2) & 0x7f800000u) != 0x7f800000u) {
          expect_nearest<T>(format, float_bits + step - 2);
        }
      }
    }
  }
}

TEST(Half, AFloatBecomesTheNearestHalf) { expect_nearest_everywhere<Half>(kHalf); }
TEST(BFloat16, AFloatBecomesTheNearestBFloat16) { expect_nearest_everywhere<BFloat16>(kBFloat16); }

TEST(Half, LimitsAreWhereTheyShouldBe) {
  EXPECT_EQ(Half(65519.996f).x, 0x7bff);
  EXPECT_EQ(Half(65520.0f).x, 0x7c00);
  EXPECT_EQ(Half(-65520.0f).x, 0xfc00);
  EXPECT_EQ(Half(std::ldexp(1.0f, -25)).x, 0x0000);
  EXPECT_EQ(Half(std::nextafter(std::ldexp(1.0f, -25), 1.0f)).x, 0x0001);
  EXPECT_EQ(Half(-0.0f).x, 0x8000);
  EXPECT_EQ(static_cast<float>(std::numeric_limits<Half>::max()), 65504.0f);
  EXPECT_EQ(static_cast<float>(std::numeric_limits<Half>::min()), std::ldexp(1.0f, -14));
  EXPECT_EQ(static_cast<float>(std::numeric_limits<Half>::denorm_min()), std::ldexp(1.0f, -24));
  EXPECT_EQ(static_cast<float>(std::numeric_limits<Half>::epsilon()), std::ldexp(1.0f, -10));
}

// As PyTorch: a half keeps the sign of a NaN, a bfloat16 has one NaN.
TEST(Half, ANanBecomesTheQuietNan) {
  EXPECT_EQ(Half(fp32_from_bits(0x7f800001)).x, 0x7e00);
  EXPECT_EQ(Half(fp32_from_bits(0xffc12345)).x, 0xfe00);
  EXPECT_EQ(BFloat16(fp32_from_bits(0x7f800001)).x, 0x7fc0);
  EXPECT_EQ(BFloat16(fp32_from_bits(0xffffffff)).x, 0x7fc0);
  EXPECT_EQ(BFloat16(fp32_from_bits(0x7f7fffff)).x, 0x7f80);
}

#if defined(__FLT16_MANT_DIG__) && !defined(__clang__)
TEST(Half, AgreesWithTheCompilersFloat16) {
  for (uint32_t bits = 0; bits < 0x7f800000; bits += 1021) {
    const float value = fp32_from_bits(bits);
    const _Float16 half = static_cast<_Float16>(value);
    uint16_t expected = 0;
    static_assert(sizeof(half) == sizeof(expected));
    std::memcpy(&expected, &half, sizeof(expected));
    ASSERT_EQ(Half(value).x, expected) << std::hex << bits;
    ASSERT_EQ(static_cast<float>(Half(value)), static_cast<float>(half));
  }
}
#endif

template <typename T>
class ReducedFloat : public testing::Test {};
using ReducedFloats = testing::Types<Half, BFloat16>;
TYPED_TEST_SUITE(ReducedFloat, ReducedFloats);

TYPED_TEST(ReducedFloat, ArithmeticIsRoundedOnceFromFloat) {
  using T = TypeParam;
  const T third = 1.0f / 3.0f;
  EXPECT_EQ((third + third).x, T(static_cast<float>(third) * 2).x);
  EXPECT_EQ((third * third).x, T(static_cast<float>(third) * static_cast<float>(third)).x);
  EXPECT_EQ((third - 1).x, T(static_cast<float>(third) - 1).x);
  EXPECT_EQ((int64_t{1} / third).x, T(1 / static_cast<float>(third)).x);
  EXPECT_EQ((-third).x, T(-static_cast<float>(third)).x);
  T sum = third;
  sum += third;
  EXPECT_EQ(sum.x, (third + third).x);
  static_assert(std::is_same_v<decltype(third + third), T>);
  static_assert(std::is_same_v<decltype(third + 1.0f), float>);
  static_assert(std::is_same_v<decltype(third + 1.0), double>);
  static_assert(std::is_same_v<decltype(third + 1), T>);
  EXPECT_TRUE(third < 1.0f && third == third && third != 0);
}

TYPED_TEST(ReducedFloat, FunctionsKeepTheType) {
  using T = TypeParam;
  static_assert(std::is_same_v<decltype(std::exp(T(1.0f))), T>);
  EXPECT_EQ(std::exp(T(1.0f)).x, T(std::exp(1.0f)).x);
  EXPECT_EQ(std::pow(T(2.0f), T(3.0f)).x, T(8.0f).x);
  EXPECT_EQ(std::abs(T(-2.0f)).x, T(2.0f).x);
  EXPECT_FALSE(std::isfinite(std::numeric_limits<T>::infinity()));
}

}  // namespace
