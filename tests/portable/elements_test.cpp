// SPDX-License-Identifier: BSD-3-Clause
// Conversions between dtypes, which all elementwise operators share, and PyTorch's type promotion. Expected values
// follow from the ranges of the types; where a conversion is not defined by C++, they are those of torch on x86.

#include "src/kernels/portable/elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/portable/kernel_call.h"

namespace {

using namespace wick::portable;
using executorch::runtime::Error;
using ST = executorch::aten::ScalarType;

constexpr ST kDtypes[] = {ST::Byte, ST::Char,     ST::Short,       ST::Int,          ST::Long,
                          ST::Bool, ST::UInt16,   ST::UInt32,      ST::Float,        ST::Double,
                          ST::Half, ST::BFloat16, ST::ComplexHalf, ST::ComplexFloat, ST::ComplexDouble};

template <typename From, typename To>
To converted(ST from_type, From value, ST to_type) {
  To result{};
  convert({from_type, reinterpret_cast<char*>(&value), 0}, {to_type, reinterpret_cast<char*>(&result), 0}, 1);
  return result;
}

TEST(Convert, CarriesSmallNumbersBetweenAnyTwoDtypes) {
  for (const ST from : kDtypes) {
    for (const ST to : kDtypes) {
      for (const double value : {0.0, 1.0, 3.0, 100.0}) {
        alignas(16) char there[3 * 16] = {}, back[3 * 16] = {};
        const double numbers[] = {value, 0, value};
        const ptrdiff_t step = 16;
        const auto strip = [](ST type, const void* data, ptrdiff_t bytes) {
          return Strip{type, static_cast<char*>(const_cast<void*>(data)), bytes};
        };
        convert(strip(ST::Double, numbers, 8), strip(from, there, step), 3);
        convert(strip(from, there, step), strip(to, back, step), 3);
        double result[3] = {-1, -1, -1};
        convert(strip(to, back, step), strip(ST::Double, result, 8), 3);
        const double expected = from == ST::Bool || to == ST::Bool ? (value != 0 ? 1 : 0) : value;
        EXPECT_EQ(result[0], expected) << "from " << static_cast<int>(from) << " to " << static_cast<int>(to);
        EXPECT_EQ(result[1], 0);
        EXPECT_EQ(result[2], expected);
      }
    }
  }
}

TEST(Convert, KeepsBothPartsOfComplexNumbers) {
  const Complex number(1.5, -2.5);
  auto narrow =
      converted<Complex, executorch::runtime::etensor::complex<float>>(ST::ComplexDouble, number, ST::ComplexFloat);
  EXPECT_EQ(narrow.real(), 1.5f);
  EXPECT_EQ(narrow.imag(), -2.5f);
  const Complex wide = converted<decltype(narrow), Complex>(ST::ComplexFloat, narrow, ST::ComplexDouble);
  EXPECT_EQ(wide.real(), 1.5);
  EXPECT_EQ(wide.imag(), -2.5);
}

TEST(Convert, GivesTheRealPartAndTruthOfComplexNumbers) {
  EXPECT_EQ((converted<Complex, float>(ST::ComplexDouble, {2.5, 7}, ST::Float)), 2.5f);
  EXPECT_EQ((converted<Complex, int32_t>(ST::ComplexDouble, {-2.5, 7}, ST::Int)), -2);
  EXPECT_TRUE((converted<Complex, bool>(ST::ComplexDouble, {0, 7}, ST::Bool)));
  EXPECT_FALSE((converted<Complex, bool>(ST::ComplexDouble, {0, 0}, ST::Bool)));
}

TEST(Convert, TruncatesFloatsToIntegersOfAllSixtyFourBits) {
  for (const double value : {4294967296.5, -4294967295.75, 9223372036854774784.0, -9223372036854774784.0, 0.99, -0.99,
                             1099511627777.0, 4503599627370497.5}) {
    EXPECT_EQ((converted<double, int64_t>(ST::Double, value, ST::Long)), static_cast<int64_t>(value)) << value;
  }
}

TEST(Convert, GivesTheSmallestIntegerForFloatsOutOfRange) {
  const double kNan = std::numeric_limits<double>::quiet_NaN();
  const double kInf = std::numeric_limits<double>::infinity();
  for (const double value : {kNan, kInf, -kInf, 9223372036854775808.0, -9223372036854775808.0, 1e300}) {
    EXPECT_EQ((converted<double, int64_t>(ST::Double, value, ST::Long)), std::numeric_limits<int64_t>::min()) << value;
    EXPECT_EQ((converted<double, int32_t>(ST::Double, value, ST::Int)), std::numeric_limits<int32_t>::min()) << value;
  }
  EXPECT_EQ((converted<float, int32_t>(ST::Float, 2147483648.0f, ST::Int)), std::numeric_limits<int32_t>::min());
  EXPECT_TRUE((converted<double, bool>(ST::Double, kNan, ST::Bool)));
}

// Half of the last place of the float and one: by way of a double, which has no room for the one, it would round down.
TEST(Convert, RoundsIntegersOnce) {
  const int64_t value = (int64_t{1} << 60) + (int64_t{1} << 36) + 1;
  const float above = static_cast<float>((int64_t{1} << 60) + (int64_t{1} << 37));
  EXPECT_EQ((converted<int64_t, float>(ST::Long, value, ST::Float)), above);
  EXPECT_EQ((converted<int64_t, float>(ST::Long, -value, ST::Float)), -above);
}

TEST(Promote, TakesTheKindFirstAndThenTheSize) {
  EXPECT_EQ(promote(ST::Byte, ST::Char), ST::Short);
  EXPECT_EQ(promote(ST::UInt16, ST::Short), ST::Int);
  EXPECT_EQ(promote(ST::UInt32, ST::Int), ST::Long);
  EXPECT_EQ(promote(ST::Bool, ST::Byte), ST::Byte);
  EXPECT_EQ(promote(ST::Long, ST::Half), ST::Half);
  EXPECT_EQ(promote(ST::Half, ST::BFloat16), ST::Float);
  EXPECT_EQ(promote(ST::Undefined, ST::Bool), ST::Bool);
  EXPECT_EQ(promote(ST::Double, ST::ComplexHalf), ST::ComplexDouble);
  EXPECT_EQ(promote(ST::ComplexHalf, ST::Float), ST::ComplexFloat);
  EXPECT_EQ(promote(ST::BFloat16, ST::ComplexFloat), ST::ComplexFloat);
  for (const ST a : kDtypes) {
    EXPECT_EQ(promote(a, a), a);
    for (const ST b : kDtypes) {
      EXPECT_EQ(promote(a, b), promote(b, a));
    }
  }
}

TEST(CanCast, NeverGoesToALesserKind) {
  EXPECT_TRUE(can_cast_dtype(ST::Bool, ST::Half));
  EXPECT_TRUE(can_cast_dtype(ST::Double, ST::Half));
  EXPECT_TRUE(can_cast_dtype(ST::Long, ST::Char));
  EXPECT_TRUE(can_cast_dtype(ST::UInt64, ST::UInt64));
  EXPECT_FALSE(can_cast_dtype(ST::Char, ST::Bool));
  EXPECT_FALSE(can_cast_dtype(ST::Half, ST::Long));
  EXPECT_FALSE(can_cast_dtype(ST::ComplexFloat, ST::Double));
  EXPECT_FALSE(can_cast_dtype(ST::Long, ST::UInt64));
}

// torch.full() and torch.add(..., alpha=...).
TEST(RequireFit, DrawsTheLinesOfTorch) {
  const auto fits = [](executorch::aten::Scalar number, ST type) {
    executorch::runtime::KernelRuntimeContext ctx;
    return require_fit(ctx, number, type) && ctx.failure_state() == Error::Ok;
  };
  EXPECT_TRUE(fits(255.0, ST::Byte));
  EXPECT_FALSE(fits(255.5, ST::Byte));
  EXPECT_TRUE(fits(-255, ST::Byte));
  EXPECT_FALSE(fits(-255.5, ST::Byte));
  EXPECT_TRUE(fits(-128, ST::Char));
  EXPECT_FALSE(fits(-128.5, ST::Char));
  EXPECT_FALSE(fits(127.5, ST::Char));
  EXPECT_TRUE(fits(2147483647.0, ST::Int));
  EXPECT_FALSE(fits(2147483647.5, ST::Int));
  EXPECT_TRUE(fits(std::numeric_limits<int64_t>::max(), ST::Long));
  EXPECT_TRUE(fits(9223372036854775808.0, ST::Long));
  EXPECT_FALSE(fits(1e30, ST::Long));
  EXPECT_FALSE(fits(std::nan(""), ST::Long));
  EXPECT_TRUE(fits(65504, ST::Half));
  EXPECT_FALSE(fits(65519.9, ST::Half));
  EXPECT_TRUE(fits(3.4028234e38, ST::Float));
  EXPECT_FALSE(fits(3.402823534e38, ST::Float));
  EXPECT_TRUE(fits(std::numeric_limits<double>::infinity(), ST::Float));
  EXPECT_TRUE(fits(1e300, ST::Double));
}

}  // namespace
