// SPDX-License-Identifier: BSD-3-Clause
// Reductions: dimension lists, dim orders, empty inputs, NaN, positions. Expected values follow from the definitions.

#include <cmath>
#include <limits>

#include "tests/portable/kernel_call.h"

namespace {

using namespace wick::test;
using namespace wick::kernels;
using executorch::aten::Half;
using testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
const std::vector<DimOrderType> kChannelsLast = {0, 2, 3, 1};

TEST(Sum, OverEveryChoiceOfDimensions) {
  for (const std::vector<DimOrderType>& order : {std::vector<DimOrderType>{}, {1, 0}}) {
    Held<float> in({2, 3}, {1, 2, 3, 4, 5, 6}, order), all({}), rows({2}), columns({1, 3});
    EXPECT_EQ(call(aten_sum_IntList_out, in, none, false, none, all), Error::Ok);
    EXPECT_THAT(all.logical(), ElementsAre(21));
    EXPECT_EQ(call(aten_sum_IntList_out, in, IntsArgument({-1}), false, none, rows), Error::Ok);
    EXPECT_THAT(rows.logical(), ElementsAre(6, 15));
    EXPECT_EQ(call(aten_sum_IntList_out, in, IntsArgument({0}), true, none, columns), Error::Ok);
    EXPECT_THAT(columns.logical(), ElementsAre(5, 7, 9));
  }
}

// As torch.any(x, dim=[]) and torch.min(x, out=...) do.
TEST(Any, AnEmptyListReducesNothing) {
  Held<int32_t> in({2, 2}, {0, 3, 0, -1});
  Held<bool> each({2, 2}), all({});
  EXPECT_EQ(call(aten_any_dims_out, in, IntsArgument({}), false, each), Error::Ok);
  EXPECT_THAT(each.logical(), ElementsAre(false, true, false, true));
  EXPECT_EQ(call(aten_any_dims_out, in, none, false, all), Error::Ok);
  EXPECT_THAT(all.logical(), ElementsAre(true));
}

TEST(Min, ConvertsToTheDtypeOfTheOutput) {
  Held<int8_t> in({3}, {7, -1, 3});
  Held<float> out({});
  EXPECT_EQ(call(aten_min_unary_out, in, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(-1));
  Held<float> fractions({1}, {0.5f});
  Held<int32_t> integer({});
  EXPECT_EQ(call(aten_max_unary_out, fractions, integer), Error::InvalidArgument);
}

TEST(Mean, OfIntegersNeedsADtype) {
  Held<int32_t> in({2}, {1, 2});
  Held<float> out({});
  EXPECT_EQ(call(aten_mean_out, in, none, false, none, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_mean_out, in, none, false, ScalarType::Float, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(1.5f));
}

TEST(Sum, SmallIntegersSumWide) {
  Held<uint8_t> in({3}, {200, 200, 200});
  Held<int64_t> out({});
  EXPECT_EQ(call(aten_sum_IntList_out, in, none, false, none, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(600));
}

TEST(Sum, HalvesSumInFloat) {
  Held<Half> in({4096}, std::vector<Half>(4096, Half(0.5f))), out({});
  EXPECT_EQ(call(aten_sum_IntList_out, in, none, false, none, out), Error::Ok);
  EXPECT_EQ(static_cast<float>(out.logical()[0]), 2048);
}

TEST(Sum, LongSumsKeepTheirPrecision) {
  Held<float> in({100000}, std::vector<float>(100000, 0.1f)), out({});
  EXPECT_EQ(call(aten_sum_IntList_out, in, none, false, none, out), Error::Ok);
  EXPECT_NEAR(out.logical()[0], 10000.0f, 0.05f);
}

TEST(Sum, RefusesBadDimensions) {
  Held<float> in({2, 3}), out({2});
  EXPECT_NE(call(aten_sum_IntList_out, in, IntsArgument({2}), false, none, out), Error::Ok);
  EXPECT_NE(call(aten_sum_IntList_out, in, IntsArgument({-3}), false, none, out), Error::Ok);
  EXPECT_NE(call(aten_sum_IntList_out, in, IntsArgument({1, -1}), false, none, out), Error::Ok);
  EXPECT_TRUE(out.untouched(true));
}

TEST(Mean, OverTheSpaceOfChannelsLast) {
  Held<float> in({1, 2, 2, 2}, {1, 2, 3, 4, 10, 20, 30, 40}, kChannelsLast), out({1, 2, 1, 1});
  EXPECT_EQ(call(aten_mean_out, in, IntsArgument({2, 3}), true, none, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(2.5f, 25));
}

TEST(Mean, OfNothingIsNan) {
  Held<float> in({2, 0}), out({2});
  EXPECT_EQ(call(aten_mean_out, in, IntsArgument({1}), false, none, out), Error::Ok);
  EXPECT_TRUE(std::isnan(out.logical()[0]));
}

TEST(Amax, NanWinsAndNothingIsRefused) {
  Held<float> in({2, 2}, {1, kNan, 3, 2}), out({2}), none_left({0, 2});
  EXPECT_EQ(call(aten_amax_out, in, IntsArgument({1}), false, out), Error::Ok);
  EXPECT_TRUE(std::isnan(out.logical()[0]));
  EXPECT_EQ(out.logical()[1], 3);
  EXPECT_NE(call(aten_amax_out, none_left, IntsArgument({0}), false, out), Error::Ok);
}

TEST(Argmax, CountsInLogicalOrderInEveryDimOrder) {
  for (const std::vector<DimOrderType>& order : {std::vector<DimOrderType>{}, {1, 0}}) {
    Held<float> in({2, 3}, {1, 7, 2, 7, 0, 5}, order);
    Held<int64_t> all({}), rows({2});
    EXPECT_EQ(call(aten_argmax_out, in, none, false, all), Error::Ok);
    EXPECT_THAT(all.logical(), ElementsAre(1));
    EXPECT_EQ(call(aten_argmax_out, in, 1, false, rows), Error::Ok);
    EXPECT_THAT(rows.logical(), ElementsAre(1, 0));
  }
}

TEST(MaxDim, GivesValuesAndFirstPositions) {
  Held<int32_t> in({2, 3}, {4, 9, 9, -1, -3, -2}), values({2, 1});
  Held<int64_t> indices({2, 1});
  EXPECT_EQ(call(aten_max_dim_max, in, -1, true, values, indices), Error::Ok);
  EXPECT_THAT(values.logical(), ElementsAre(9, -1));
  EXPECT_THAT(indices.logical(), ElementsAre(1, 0));
}

TEST(Any, LooksAtEveryDtype) {
  Held<float> in({2, 2}, {0, 0, 0, kNan});
  Held<bool> out({2});
  EXPECT_EQ(call(aten_any_out, in, 1, false, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(false, true));
}

TEST(Var, CorrectsAndGivesTheMean) {
  Held<float> in({4}, {1, 2, 3, 4}), var({}), mean({});
  EXPECT_EQ(call(aten_var_mean_correction_out, in, none, none, false, var, mean), Error::Ok);
  EXPECT_FLOAT_EQ(var.logical()[0], 5.0f / 3);
  EXPECT_FLOAT_EQ(mean.logical()[0], 2.5f);
  EXPECT_EQ(call(aten_var_correction_out, in, none, 0, false, var), Error::Ok);
  EXPECT_FLOAT_EQ(var.logical()[0], 1.25f);
  EXPECT_EQ(call(aten_var_correction_out, in, none, 4, false, var), Error::Ok);
  EXPECT_TRUE(std::isinf(var.logical()[0]));
}

TEST(Cumsum, AlongAnyDimensionInAnyDimOrder) {
  for (const std::vector<DimOrderType>& order : {std::vector<DimOrderType>{}, {1, 0}}) {
    Held<int8_t> in({2, 3}, {100, 100, 100, 1, 2, 3}, order);
    Held<int64_t> out({2, 3});
    EXPECT_EQ(call(aten_cumsum_out, in, 1, none, out), Error::Ok);
    EXPECT_THAT(out.logical(), ElementsAre(100, 200, 300, 1, 3, 6));
    EXPECT_EQ(call(aten_cumsum_out, in, 0, none, out), Error::Ok);
    EXPECT_THAT(out.logical(), ElementsAre(100, 100, 100, 101, 102, 103));
  }
}

}  // namespace
