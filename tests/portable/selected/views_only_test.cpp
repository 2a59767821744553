// SPDX-License-Identifier: BSD-3-Clause
// Kernels built for programs whose transpositions all become views of constants at load: matrix products carry no tiles
// but stay right for any matrix, and what would have to copy says so instead.

#include "src/runtime/kernel/question.h"
#include "tests/portable/kernel_call.h"

namespace {

using namespace wick::test;
using namespace wick::kernels;
using testing::ElementsAre;

const std::vector<DimOrderType> kTransposed = {1, 0};

// [2, 3] by [3, 5]: four columns at once and one alone; the sums were done by hand.
TEST(ViewsOnly, ProductsAreRightForMatricesOfAnyLayout) {
  for (const std::vector<DimOrderType>& order : {std::vector<DimOrderType>{0, 1}, kTransposed}) {
    for (const std::vector<DimOrderType>& order_a : {std::vector<DimOrderType>{0, 1}, kTransposed}) {
      Held<float> a({2, 3}, {1, 2, 3, 4, 5, 6}, order_a);
      Held<float> b({3, 5}, {1, 0, 0, 2, 1, 0, 1, 0, 2, 1, 0, 0, 1, 2, 1}, order);
      Held<float> out({2, 5}), bias({5}, {10, 20, 30, 40, 50});
      EXPECT_EQ(call(aten_mm_out, a, b, out), Error::Ok);
      EXPECT_THAT(out.logical(), ElementsAre(1, 2, 3, 12, 6, 4, 5, 6, 30, 15));
      EXPECT_EQ(call(aten_addmm_out, bias, a, b, 2, 1, out), Error::Ok);
      EXPECT_THAT(out.logical(), ElementsAre(21, 42, 63, 92, 106, 24, 45, 66, 110, 115));
      EXPECT_TRUE(out.untouched());
    }
  }
}

TEST(ViewsOnly, ACopyIsRefused) {
  Held<float> in({2, 3}, {1, 2, 3, 4, 5, 6}), out({3, 2});
  EXPECT_EQ(call(aten_permute_copy_out, in, IntsArgument({1, 0}), out), Error::NotSupported);
  EXPECT_TRUE(out.untouched(true));
}

TEST(ViewsOnly, TheLoaderIsToldThatTheCallMayBecomeAView) {
  wick::internal::Question question;
  aten_permute_copy_out(question, {wick::internal::question_arguments(), 3});
  EXPECT_EQ(question.failure_state(), Error::Ok);
  EXPECT_EQ(question.prepare, &wick::internal::view_constant);
  wick::internal::Question other;
  aten_permute_copy_out(other, {wick::internal::question_arguments(), 2});
  EXPECT_EQ(other.failure_state(), Error::InvalidProgram);
}

}  // namespace
