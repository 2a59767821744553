// SPDX-License-Identifier: BSD-3-Clause
// The scaling function against 128-bit arithmetic, all rounding modes; the built-in functions at known points.
#include "npu/scaling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "npu/output.h"
#include "reference.h"

namespace wick::npu::test {
namespace {

std::int64_t floor_shift(Wide p, int shift) {
  const Wide divisor = static_cast<Wide>(1) << shift;
  Wide q = p / divisor;
  if (p % divisor < 0) --q;
  if (q > INT64_MAX) return INT64_MAX;
  if (q < INT64_MIN) return INT64_MIN;
  return static_cast<std::int64_t>(q);
}

std::int64_t plain(std::int64_t v, const ScaleParameters& s) {
  const Wide p = static_cast<Wide>(v) * s.scale, half = s.shift == 0 ? 0 : static_cast<Wide>(1) << (s.shift - 1);
  const Wide extra = s.shift > 31 - s.double_round ? static_cast<Wide>(1) << (30 - s.double_round) : 0;
  switch (s.rounding) {
    case Rounding::kDoubleSymmetric:
      return floor_shift(p + half + (v >= 0 ? extra : -extra), s.shift);
    case Rounding::kNatural:
      return floor_shift(p + half, s.shift);
    case Rounding::kDoubleAsymmetric:
      return floor_shift(p + half + extra, s.shift);
    case Rounding::kSymmetric:
      return floor_shift(p + half - (v < 0 && s.shift > 0 ? 1 : 0), s.shift);
    case Rounding::kToZero:
      return floor_shift(p + (p < 0 ? (static_cast<Wide>(1) << s.shift) - 1 : 0), s.shift);
    case Rounding::kFloor:
      return floor_shift(p, s.shift);
  }
  return 0;
}

TEST(Scale, EqualsWideArithmeticInEveryMode) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 200000; ++i) {
    ScaleParameters s;
    s.scale = static_cast<std::uint32_t>(random() >> (random() % 32));
    s.shift = static_cast<std::uint8_t>(random() % 64);
    s.double_round = static_cast<std::uint8_t>(random() % 24);
    s.rounding = static_cast<Rounding>(random() % 6);
    const int width = 1 + static_cast<int>(random() % 44);  // up to 45-bit accumulators
    const std::int64_t v = static_cast<std::int64_t>(random()) >> (64 - width);
    ASSERT_EQ(scale_value(v, make_scaler(s)), plain(v, s))
        << v << " * " << s.scale << " >> " << int{s.shift} << " mode " << static_cast<int>(s.rounding);
  }
}

TEST(Scale, PoolIdentityIsRecognised) {
  EXPECT_TRUE(is_identity(make_scaler({1, 0, 0, Rounding::kNatural})));
  const Scaler vela = make_scaler({0x80000001u, 31, 0, Rounding::kDoubleSymmetric});
  EXPECT_TRUE(is_identity(vela));
  for (std::int64_t v = -70000; v < 70000; v += 13) EXPECT_EQ(scale_value(v, vela), v);
  EXPECT_FALSE(is_identity(make_scaler({0x80000000u, 32, 0, Rounding::kNatural})));
}

TEST(Scale, DivisionByACountRoundsToNearest) {
  for (std::uint32_t n = 1; n <= 64; ++n) {
    const Scaler by_n = make_scaler(divide_by(n, 31, Rounding::kNatural));
    for (std::int64_t sum = -128 * std::int64_t{n}; sum <= 127 * std::int64_t{n}; ++sum) {
      const double exact = static_cast<double>(sum) / n;
      EXPECT_LE(std::abs(static_cast<double>(scale_value(sum, by_n)) - exact), 0.5 + 1e-9) << sum << "/" << n;
    }
  }
}

// Values in units of 1/12288, results in Q0.15: within two steps of the functions themselves.
TEST(Function, SigmoidAndTanhFollowTheirCurves) {
  for (std::int32_t v = -32768; v <= 32767; v += 7) {
    const double x = v / 12288.0;
    EXPECT_NEAR(sigmoid_q15(v), 32768 / (1 + std::exp(-x)), 12.0) << v;
    EXPECT_NEAR(tanh_q15(v), 32768 * std::tanh(x), 24.0) << v;
  }
}

}  // namespace
}  // namespace wick::npu::test
