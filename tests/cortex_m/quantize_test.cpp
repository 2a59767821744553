// SPDX-License-Identifier: BSD-3-Clause
//
// Quantisation against the C library's float arithmetic, and the integer form for cores without an FPU against both.
#include "src/kernels/cortex_m/quantize.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "tests/cortex_m/reference.h"

namespace {

using namespace wick::cortex_m;
using wick::test::Random;

int32_t expected(float v, float inverse, int32_t zero_point, int32_t min, int32_t max) {
  const double rounded = std::nearbyint(static_cast<double>(v * inverse)) + zero_point;
  return static_cast<int32_t>(std::fmax(min, std::fmin(max, rounded)));
}

float random_float(Random& r) {
  if (r.chance(30)) {  // near and on halves
    const float half = static_cast<float>(r.between(-600, 600)) * 0.5f;
    return r.chance(50) ? half : std::nextafter(half, r.chance(50) ? 1e9f : -1e9f);
  }
  return std::ldexp(static_cast<float>(r.between(-(1 << 24), 1 << 24)), r.between(-45, 20));
}

TEST(Quantize, RoundsHalfToEvenAndSaturates) {
  Random r(3);
  for (int i = 0; i < 200000; ++i) {
    const float v = random_float(r);
    const double scale = r.chance(30) ? 1.0 : std::ldexp(r.between(1 << 23, (1 << 24) - 1), r.between(-40, -20));
    const float inverse = nearest_inverse(scale);
    ASSERT_EQ(inverse, static_cast<float>(1.0 / scale));
    const int32_t zero_point = r.between(-128, 127);
    const int32_t want = expected(v, inverse, zero_point, -128, 127);
    int8_t got;
    quantize(&v, &got, 1, scale, zero_point, -128, 127);
    ASSERT_EQ(got, want) << v << " / " << scale;
    ASSERT_EQ(quantize_bits(bits_of(v), bits_of(inverse), zero_point, -128, 127), want) << v << " / " << scale;
    const int32_t wide = r.between(-32768, 32767);
    ASSERT_EQ(quantize_bits(bits_of(v), bits_of(inverse), wide, -32768, 32767),
              expected(v, inverse, wide, -32768, 32767));
  }
}

TEST(Quantize, InfinitiesSaturate) {
  const float values[] = {INFINITY, -INFINITY, 3e38f, -3e38f, 0.0f, -0.0f};
  const int8_t want[] = {127, -128, 127, -128, 5, 5};
  int8_t got[6];
  quantize(values, got, 6, 0.25, 5, -128, 127);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(got[i], want[i]);
    EXPECT_EQ(quantize_bits(bits_of(values[i]), bits_of(4.0f), 5, -128, 127), want[i]);
  }
}

TEST(Dequantize, IntegerFormEqualsFloatArithmetic) {
  Random r(4);
  for (int i = 0; i < 100000; ++i) {
    const float scale = std::ldexp(static_cast<float>(r.between(1 << 23, (1 << 24) - 1)), r.between(-60, 20));
    const int32_t v = r.chance(80) ? r.between(-255, 255) : r.between(-65535, 65535);
    const float want = static_cast<float>(v) * scale;
    ASSERT_EQ(float_of(dequantize_bits(v, bits_of(scale))), want) << v << " * " << scale;
  }
}

}  // namespace
