// SPDX-License-Identifier: BSD-3-Clause
// Elementwise kernels built for programs in which all tensors of a call have one shape and dim order: they carry no
// broadcasting, and say so instead of computing something else.

#include "tests/portable/kernel_call.h"

namespace {

using namespace wick::test;
using namespace wick::kernels;
using executorch::aten::Half;
using testing::ElementsAre;

const std::vector<DimOrderType> kChannelsLast = {0, 2, 3, 1};

TEST(EqualShapes, AddsElementByElementInAnyDimOrder) {
  for (const std::vector<DimOrderType>& order : {std::vector<DimOrderType>{0, 1, 2, 3}, kChannelsLast}) {
    Held<float> a({1, 2, 1, 2}, {1, 2, 3, 4}, order), b({1, 2, 1, 2}, {10, 20, 30, 40}, order),
        out({1, 2, 1, 2}, {}, order);
    EXPECT_EQ(call(aten_add_out, a, b, 2, out), Error::Ok);
    EXPECT_THAT(out.logical(), ElementsAre(21, 42, 63, 84));
    EXPECT_TRUE(out.untouched());
  }
}

TEST(EqualShapes, ConvertsTypesInTiles) {
  std::vector<Half> values(100);
  std::vector<float> sums(100);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = Half(static_cast<float>(i));
    sums[i] = static_cast<float>(2 * i);
  }
  Held<Half> a({100}, values);
  Held<float> b({100}, std::vector<float>(values.begin(), values.end())), out({100});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::Ok);
  EXPECT_EQ(out.logical(), sums);
}

TEST(EqualShapes, ResizesADynamicOutput) {
  Held<float> a({2}, {1, 2}), b({2}, {3, 4});
  Held<float> out({5}, {}, {}, TensorShapeDynamism::DYNAMIC_BOUND);
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(4, 6));
}

TEST(EqualShapes, RefusesWhatNeedsBroadcastingOrAnotherLayout) {
  Held<float> a({2, 1}, {1, 2}), b({1, 2}, {10, 20}), out({2, 2}), same({2, 1});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_add_out, a, b, 1, same), Error::InvalidArgument);
  Held<float> nchw({1, 2, 1, 2}, {1, 2, 3, 4}), nhwc({1, 2, 1, 2}, {1, 2, 3, 4}, kChannelsLast), to({1, 2, 1, 2});
  EXPECT_EQ(call(aten_add_out, nchw, nhwc, 1, to), Error::InvalidArgument);
  EXPECT_TRUE(to.untouched(true));
}

TEST(EqualShapes, RefusesTypesThatWereNotSelected) {
  Held<double> a({2}, {1, 2}), b({2}, {3, 4}), out({2});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::InvalidArgument);
}

}  // namespace
