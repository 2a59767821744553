// SPDX-License-Identifier: BSD-3-Clause
//
// Matrix products, as fully connected layers and batches use them, against the plain reference.
#include "src/kernels/cortex_m/matmul.h"

#include <gtest/gtest.h>

#include "tests/cortex_m/reference.h"

namespace {

using wick::cortex_m::Product;
using wick::test::Random;

void check_random(uint32_t seed) {
  Random r(seed);
  Product p = {};
  p.rows = r.chance(50) ? 1 : r.between(2, 9);
  p.columns = r.between(1, 150);
  p.k = r.chance(20) ? r.between(200, 1400) : r.between(1, 90);
  const std::vector<int8_t> a = r.int8s(static_cast<size_t>(p.rows * p.k));
  const std::vector<int8_t> b = r.int8s(static_cast<size_t>(p.columns * p.k));
  std::vector<int8_t> out(static_cast<size_t>(p.rows * p.columns), 77);
  std::vector<int32_t> bias(static_cast<size_t>(p.columns));
  const bool usual = r.chance(70);
  for (int32_t& v : bias) {
    v = usual ? r.between(-20000, 20000) : r.bias();
  }
  p.a = a.data();
  p.b = b.data();
  p.output = out.data();
  p.a_offset = -r.zero_point();
  p.b_offset = r.chance(60) ? 0 : -r.zero_point();
  const int32_t multiplier = r.multiplier();
  const int32_t shift = usual ? r.between(-14, -1) : r.shift();
  p.folded = r.chance(40);
  std::vector<int32_t> folded = bias;  // kernel_sum of the exporter: the offset of a times the sums of b, and the bias
  for (int32_t c = 0; c < p.columns; ++c) {
    int64_t sum = 0;
    for (int32_t k = 0; k < p.k; ++k) {
      sum += b[static_cast<size_t>(c * p.k + k)] + p.b_offset;
    }
    folded[static_cast<size_t>(c)] =
        static_cast<int32_t>(static_cast<uint32_t>(bias[static_cast<size_t>(c)] + sum * p.a_offset));
  }
  p.rescale = {p.folded ? folded.data() : bias.data(), &multiplier, &shift, 0, r.zero_point(), -128, 127};
  multiply(p);
  for (int32_t row = 0; row < p.rows; ++row) {
    for (int32_t c = 0; c < p.columns; ++c) {
      int64_t sum = bias[static_cast<size_t>(c)];
      for (int32_t k = 0; k < p.k; ++k) {
        sum +=
            (a[static_cast<size_t>(row * p.k + k)] + p.a_offset) * (b[static_cast<size_t>(c * p.k + k)] + p.b_offset);
      }
      ASSERT_EQ(out[static_cast<size_t>(row * p.columns + c)],
                wick::test::finish(sum, multiplier, shift, p.rescale.output_offset, -128, 127))
          << "seed " << seed << " row " << row << " column " << c << " k " << p.k;
    }
  }
}

TEST(Product, RandomShapesAreBitExactWithAndWithoutAFoldedBias) {
  for (uint32_t seed = 0; seed < 400 && !HasFatalFailure(); ++seed) {
    check_random(seed);
  }
}

}  // namespace
