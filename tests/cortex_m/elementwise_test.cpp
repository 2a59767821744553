// SPDX-License-Identifier: BSD-3-Clause
//
// Elementwise operators, pooling, softmax and moves against plain references.
#include "src/kernels/cortex_m/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/kernels/cortex_m/layout.h"
#include "src/kernels/cortex_m/pool.h"
#include "src/kernels/cortex_m/softmax.h"
#include "tests/cortex_m/reference.h"

namespace {

using namespace wick::cortex_m;
using wick::test::Random;

Binary random_binary(Random& r) {
  const bool usual = r.chance(70);
  Binary p;
  for (int i = 0; i < 2; ++i) {
    p.offset[i] = -r.zero_point();
    p.multiplier[i] = r.chance(10) ? -r.multiplier() : r.multiplier();
    p.shift[i] = usual ? r.between(-4, 0) : r.between(-31, 2);
  }
  p.output_multiplier = r.multiplier();
  p.output_shift = usual ? r.between(-20, -1) : r.between(-31, 12);
  p.output_offset = r.zero_point();
  return p;
}

Broadcast same_shape(int32_t n) {
  Broadcast b = {};
  b.dims = 1;
  b.sizes[0] = n;
  b.strides[0][0] = b.strides[1][0] = 1;
  b.same = true;
  return b;
}

int8_t expected_sum(const Binary& p, int8_t a, int8_t b) {
  const int64_t x = wick::test::requantize(int64_t{a + p.offset[0]} * (1 << 20), p.multiplier[0], p.shift[0]);
  const int64_t y = wick::test::requantize(int64_t{b + p.offset[1]} * (1 << 20), p.multiplier[1], p.shift[1]);
  return wick::test::finish(x + y, p.output_multiplier, p.output_shift, p.output_offset, -128, 127);
}

TEST(Elementwise, SumsAndProductsOfRandomValuesAreBitExact) {
  for (uint32_t seed = 0; seed < 400; ++seed) {
    Random r(seed);
    const Binary p = random_binary(r);
    const int32_t n = r.between(1, 70);
    const std::vector<int8_t> a = r.int8s(static_cast<size_t>(n)), b = r.int8s(static_cast<size_t>(n));
    std::vector<int8_t> sum(a.size()), product(a.size());
    add(p, same_shape(n), a.data(), b.data(), sum.data(), -128, 127);
    multiply(p, same_shape(n), a.data(), b.data(), product.data());
    for (size_t i = 0; i < a.size(); ++i) {
      ASSERT_EQ(sum[i], expected_sum(p, a[i], b[i])) << "seed " << seed << " at " << i;
      ASSERT_EQ(product[i], wick::test::finish(int64_t{a[i] + p.offset[0]} * (b[i] + p.offset[1]), p.output_multiplier,
                                               p.output_shift, p.output_offset, -128, 127))
          << "seed " << seed << " at " << i;
    }
  }
}

TEST(Elementwise, EveryPairOfInt8ValuesIsAddedExactly) {
  Random r(1);
  for (int round = 0; round < 3; ++round) {
    const Binary p = random_binary(r);
    std::vector<int8_t> a, b;
    for (int i = 0; i < 65536; ++i) {
      a.push_back(static_cast<int8_t>(i));
      b.push_back(static_cast<int8_t>(i >> 8));
    }
    std::vector<int8_t> sum(a.size());
    add(p, same_shape(65536), a.data(), b.data(), sum.data(), -100, 99);
    for (size_t i = 0; i < a.size(); ++i) {
      const int8_t want = expected_sum(p, a[i], b[i]);
      ASSERT_EQ(sum[i], want < -100 ? -100 : (want > 99 ? 99 : want));
    }
  }
}

TEST(Elementwise, BroadcastsAnOperandAlongTheDimensionsOfStrideZero) {
  Random r(5);
  const Binary p = random_binary(r);
  const std::vector<int8_t> a = r.int8s(24), b = r.int8s(4);
  Broadcast shape = {};
  shape.dims = 2;
  shape.sizes[0] = 6;
  shape.sizes[1] = 4;
  shape.strides[0][0] = 4;
  shape.strides[0][1] = 1;
  shape.strides[1][1] = 1;
  std::vector<int8_t> out(24);
  add(p, shape, a.data(), b.data(), out.data(), -128, 127);
  for (size_t i = 0; i < 24; ++i) {
    ASSERT_EQ(out[i], expected_sum(p, a[i], b[i % 4]));
  }
}

TEST(Elementwise, DivisionByZeroGivesTheZeroPoint) {
  const int8_t a[] = {10, -20, 30}, b[] = {5, 6, 5};
  int8_t out[3];
  divide<int8_t>(0, -5, 3, 1.5f, a, b, out, 3);
  EXPECT_EQ(out[0], 3);
  EXPECT_EQ(out[1], -27);
  EXPECT_EQ(out[2], 3);
}

TEST(Pool, AveragesAndMaximaOfRandomShapesAreExact) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Random r(seed);
    const int32_t h = r.between(1, 9), w = r.between(1, 9), c = r.between(1, 100);
    Pool p = {};
    p.batch = r.between(1, 2);
    p.y = {r.between(1, h), r.between(1, 3), 0, 1};
    p.x = {r.between(1, w), r.between(1, 3), 0, 1};
    p.y.padding = r.between(0, p.y.kernel / 2);
    p.x.padding = r.between(0, p.x.kernel / 2);
    p.in = {h, w, c, h * w * c, w * c, c, 1};
    const int32_t oh = (h + 2 * p.y.padding - p.y.kernel) / p.y.stride + 1;
    const int32_t ow = (w + 2 * p.x.padding - p.x.kernel) / p.x.stride + 1;
    p.out = {oh, ow, c, oh * ow * c, ow * c, c, 1};
    const std::vector<int8_t> in = r.int8s(static_cast<size_t>(p.batch * p.in.stride_n));
    std::vector<int8_t> mean(static_cast<size_t>(p.batch * p.out.stride_n)), best(mean.size());
    p.input = in.data();
    p.min = -128;
    p.max = r.chance(20) ? 50 : 127;
    p.output = mean.data();
    average_pool(p);
    p.output = best.data();
    max_pool(p);
    for (size_t i = 0; i < mean.size(); ++i) {
      const int32_t at = static_cast<int32_t>(i);
      const int32_t ch = at % c, ox = at / c % ow, oy = at / c / ow % oh, n = at / c / ow / oh;
      int32_t sum = 0, count = 0, largest = -128;
      for (int32_t y = oy * p.y.stride - p.y.padding; y < oy * p.y.stride - p.y.padding + p.y.kernel; ++y) {
        for (int32_t x = ox * p.x.stride - p.x.padding; x < ox * p.x.stride - p.x.padding + p.x.kernel; ++x) {
          if (y >= 0 && y < h && x >= 0 && x < w) {
            const int32_t v = in[static_cast<size_t>(((n * h + y) * w + x) * c + ch)];
            sum += v;
            ++count;
            largest = v > largest ? v : largest;
          }
        }
      }
      const double exact = static_cast<double>(sum) / count;
      ASSERT_EQ(mean[i], std::min<int32_t>(p.max, static_cast<int32_t>(std::round(exact)))) << "seed " << seed;
      ASSERT_EQ(best[i], std::min(p.max, largest)) << "seed " << seed;
    }
  }
}

TEST(Softmax, IsWithinOneStepOfTheFloatModel) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Random r(seed);
    const int32_t n = r.chance(90) ? r.between(1, 60) : r.between(300, 2000);
    const std::vector<int8_t> in = r.int8s(static_cast<size_t>(n));
    std::vector<int8_t> out(in.size());
    const double scale = std::ldexp(r.between(1, 1000), -12);
    // _compute_softmax_params() of the exporter
    int shift;
    const double mantissa = std::frexp(std::fmin(scale * (1 << 26), 2147483647.0), &shift);
    const int32_t multiplier = static_cast<int32_t>(std::fmin(std::round(std::ldexp(mantissa, 31)), 2147483647.0));
    const int32_t diff_min = -static_cast<int32_t>(std::floor(31.0 * std::ldexp(1.0, 26) / std::ldexp(1.0, shift)));
    softmax({multiplier, shift, diff_min}, in.data(), out.data(), n, 1);
    double sum = 0;
    const int8_t largest = *std::max_element(in.begin(), in.end());
    for (const int8_t v : in) {
      sum += std::exp((v - largest) * scale);
    }
    for (size_t i = 0; i < in.size(); ++i) {
      const double want = std::fmin(127, std::exp((in[i] - largest) * scale) / sum * 256 - 128);
      ASSERT_NEAR(out[i], want, 1.01) << "seed " << seed << " n " << n << " scale " << scale;
    }
  }
}

TEST(Layout, PadsEveryDimension) {
  for (uint32_t seed = 0; seed < 100; ++seed) {
    Random r(seed);
    int32_t sizes[4], before[4], after[4], out_sizes[4];
    size_t n = 1, m = 1;
    for (int d = 0; d < 4; ++d) {
      sizes[d] = r.between(1, 4);
      before[d] = r.chance(50) ? 0 : r.between(0, 3);
      after[d] = r.chance(50) ? 0 : r.between(0, 3);
      out_sizes[d] = sizes[d] + before[d] + after[d];
      n *= static_cast<size_t>(sizes[d]);
      m *= static_cast<size_t>(out_sizes[d]);
    }
    const std::vector<int8_t> in = r.int8s(n);
    std::vector<int8_t> out(m, 1);
    pad(in.data(), sizes, before, after, -7, out.data());
    for (size_t i = 0; i < m; ++i) {
      int32_t rest = static_cast<int32_t>(i), index[4];
      for (int d = 3; d >= 0; --d) {
        index[d] = rest % out_sizes[d] - before[d];
        rest /= out_sizes[d];
      }
      bool inside = true;
      int32_t at = 0;
      for (int d = 0; d < 4; ++d) {
        inside = inside && index[d] >= 0 && index[d] < sizes[d];
        at = at * sizes[d] + index[d];
      }
      ASSERT_EQ(out[i], inside ? in[static_cast<size_t>(at)] : -7) << "seed " << seed << " at " << i;
    }
  }
}

TEST(Layout, GathersWithStrides) {
  const int16_t in[] = {0, 1, 2, 10, 11, 12};
  int16_t out[6];
  const int32_t sizes[] = {3, 2}, strides[] = {1, 3};
  gather(in, sizes, strides, 2, sizeof(int16_t), out);
  EXPECT_EQ(std::vector<int16_t>(out, out + 6), (std::vector<int16_t>{0, 10, 1, 11, 2, 12}));
}

}  // namespace
