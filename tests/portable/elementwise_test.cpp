// SPDX-License-Identifier: BSD-3-Clause
// Elementwise operators: dtypes, broadcasting, dim orders, special values, bad arguments. Expected values follow from
// the definition of each operator as eager PyTorch has it; the corpus under tests/data covers the breadth.

#include <cmath>
#include <limits>

#include "tests/portable/kernel_call.h"

namespace {

using namespace wick::test;
using namespace wick::kernels;
using executorch::aten::BFloat16;
using executorch::aten::Half;
using testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
const std::vector<DimOrderType> kChannelsLast = {0, 2, 3, 1};

TEST(Add, BroadcastsInBothDirections) {
  Held<float> a({2, 1}, {1, 2}), b({3}, {10, 20, 30}), out({2, 3});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(11, 21, 31, 12, 22, 32));
  EXPECT_TRUE(out.untouched());
}

TEST(Add, ScalesTheSecondOperand) {
  Held<float> a({3}, {1, 2, 3}), b({3}, {10, 20, 30}), out({3});
  EXPECT_EQ(call(aten_add_out, a, b, 0.5, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(6, 12, 18));
}

TEST(Add, MixesDimOrders) {
  std::vector<float> values(24);
  std::iota(values.begin(), values.end(), 0.0f);
  std::vector<float> doubled(values);
  for (float& value : doubled) value *= 2;
  Held<float> nchw({1, 4, 2, 3}, values), nhwc({1, 4, 2, 3}, values, kChannelsLast);
  for (const std::vector<DimOrderType>& order : {std::vector<DimOrderType>{}, kChannelsLast, {3, 1, 0, 2}}) {
    Held<float> out({1, 4, 2, 3}, {}, order);
    EXPECT_EQ(call(aten_add_out, nchw, nhwc, 1, out), Error::Ok);
    EXPECT_EQ(out.logical(), doubled);
    EXPECT_TRUE(out.untouched());
  }
}

TEST(Add, IntegersWrapInTheirOwnWidth) {
  Held<int8_t> a({2}, {127, -128}), b({2}, {1, -1}), out({2});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(-128, 127));
}

TEST(Add, WrapsBeforeItIsWidened) {
  Held<int8_t> a({1}, {127}), b({1}, {1});
  Held<int32_t> out({1});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(-128));
}

TEST(Add, BoolsAddLikeOr) {
  Held<bool> a({4}, {false, false, true, true}), b({4}, {false, true, false, true}), out({4});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(false, true, true, true));
}

TEST(Add, TensorsWithoutDimensionsDoNotPromote) {
  Held<Half> a({2}, {Half(1.0f), Half(2.0f)}), out({2});
  Held<float> b({}, {0.00001f});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::Ok);
  EXPECT_EQ(static_cast<float>(out.logical()[0]), 1.0f);
}

TEST(Add, HalvesComputeInFloat) {
  Held<BFloat16> a({1}, {BFloat16(1.0f)}), b({1}, {BFloat16(1.0f / 256)}), out({1});
  EXPECT_EQ(call(aten_add_out, a, b, 2, out), Error::Ok);  // 1 + 2/256, exact in bfloat16
  EXPECT_EQ(static_cast<float>(out.logical()[0]), 1.0f + 2.0f / 256);
}

TEST(Add, EmptyTensorsGiveNothing) {
  Held<float> a({0, 3}), b({1, 3}, {1, 2, 3}), out({0, 3});
  EXPECT_EQ(call(aten_add_out, a, b, 1, out), Error::Ok);
  EXPECT_TRUE(out.untouched(true));
}

TEST(Add, RefusesWhatDoesNotFitAndWritesNothing) {
  Held<float> a({2, 3}, {1, 2, 3, 4, 5, 6}), b({2}, {1, 2}), out({2, 3}), small({2});
  Held<int32_t> integers({2, 3}), counts({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_NE(call(aten_add_out, a, b, 1, out), Error::Ok) << "sizes do not broadcast";
  EXPECT_NE(call(aten_add_out, a, a, 1, small), Error::Ok) << "static output of another shape";
  EXPECT_NE(call(aten_add_out, a, a, 1, integers), Error::Ok) << "float into integer";
  EXPECT_NE(call(aten_add_out, counts, counts, 0.5, integers), Error::Ok) << "fraction of integers";
  EXPECT_TRUE(out.untouched(true) && small.untouched(true) && integers.untouched(true));
}

TEST(Add, ResizesDynamicOutputs) {
  Held<float> a({2}, {1, 2}), out({8}, {}, {}, TensorShapeDynamism::DYNAMIC_BOUND);
  EXPECT_EQ(call(aten_add_out, a, a, 1, out), Error::Ok);
  EXPECT_THAT(out.sizes(), ElementsAre(2));
  EXPECT_EQ(out.data()[1], 4);
}

TEST(Sub, RefusesBools) {
  Held<bool> a({1}, {true}), out({1});
  EXPECT_NE(call(aten_sub_out, a, a, 1, out), Error::Ok);
}

TEST(Mul, PromotesSignednessLikePyTorch) {
  Held<uint8_t> a({1}, {200});
  Held<int8_t> b({1}, {-2});
  Held<int16_t> out({1});
  EXPECT_EQ(call(aten_mul_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(-400));
}

TEST(Div, IntegersGiveFloats) {
  Held<int64_t> a({3}, {7, -7, 1}), b({3}, {2, 2, 0});
  Held<float> out({3});
  EXPECT_EQ(call(aten_div_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(3.5f, -3.5f, kInf));
}

TEST(FloorDivide, RoundsDownForEverySign) {
  Held<int32_t> a({4}, {7, -7, 7, -7}), b({4}, {2, 2, -2, -2}), out({4});
  EXPECT_EQ(call(aten_floor_divide_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(3, -4, -4, 3));
  EXPECT_EQ(call(aten_remainder_Tensor_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(1, 1, -1, -1));
  EXPECT_EQ(call(aten_fmod_Tensor_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(1, -1, 1, -1));
}

TEST(FloorDivide, RefusesZeroBeforeItWrites) {
  Held<int32_t> a({3}, {7, 8, 9}), b({3}, {2, 2, 0}), out({3});
  for (Kernel kernel : {aten_floor_divide_out, aten_remainder_Tensor_out, aten_fmod_Tensor_out}) {
    EXPECT_NE(call(kernel, a, b, out), Error::Ok);
    EXPECT_TRUE(out.untouched(true));
  }
}

TEST(FloorDivide, SmallestIntegerByMinusOneWraps) {
  Held<int64_t> a({1}, {std::numeric_limits<int64_t>::min()}), b({1}, {-1}), out({1});
  EXPECT_EQ(call(aten_floor_divide_out, a, b, out), Error::Ok);
  EXPECT_EQ(out.logical()[0], std::numeric_limits<int64_t>::min());
}

TEST(Pow, IntegersMultiplyExactly) {
  Held<int64_t> a({3}, {3, -2, 10}), b({3}, {4, 3, 18}), out({3});
  EXPECT_EQ(call(aten_pow_Tensor_Tensor_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(81, -8, 1000000000000000000));
}

TEST(Maximum, NanWins) {
  Held<float> a({3}, {1, kNan, 2}), b({3}, {kNan, 1, 3}), out({3});
  EXPECT_EQ(call(aten_maximum_out, a, b, out), Error::Ok);
  EXPECT_TRUE(std::isnan(out.logical()[0]) && std::isnan(out.logical()[1]));
  EXPECT_EQ(out.logical()[2], 3);
}

TEST(Compare, NanIsOnlyUnequal) {
  Held<float> a({2}, {kNan, 1}), b({2}, {kNan, 1});
  Held<bool> out({2});
  EXPECT_EQ(call(aten_eq_Tensor_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(false, true));
  EXPECT_EQ(call(aten_ne_Tensor_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(true, false));
  EXPECT_EQ(call(aten_le_Scalar_out, a, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(false, true));
}

TEST(Compare, StridedAndConvertedResults) {
  Held<int32_t> a({2, 2}, {1, 2, 3, 4}), b({2, 2}, {1, 0, 3, 9}, {1, 0});
  Held<uint8_t> out({2, 2}, {}, {1, 0});
  Held<float> floats({2, 2});
  EXPECT_EQ(call(aten_eq_Tensor_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(1, 0, 1, 0));
  EXPECT_EQ(call(aten_eq_Tensor_out, a, b, floats), Error::Ok);
  EXPECT_THAT(floats.logical(), ElementsAre(1, 0, 1, 0));
}

TEST(Shift, CountsOutOfRangePushEverythingOut) {
  Held<int16_t> a({4}, {-5, 5, -5, 5}), b({4}, {16, 16, -1, 1}), out({4});
  EXPECT_EQ(call(aten_bitwise_left_shift_Tensor_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(0, 0, 0, 10));
  EXPECT_EQ(call(aten_bitwise_right_shift_Tensor_out, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(-1, 0, -1, 2));
}

TEST(BitwiseNot, InvertsBools) {
  Held<bool> a({2}, {true, false}), out({2});
  EXPECT_EQ(call(aten_bitwise_not_out, a, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(false, true));
}

TEST(Round, HalvesGoToEven) {
  Held<float> a({4}, {0.5f, 1.5f, -2.5f, 3.2f}), out({4});
  EXPECT_EQ(call(aten_round_out, a, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(0, 2, -2, 3));
}

TEST(Relu, KeepsNanAndChannelsLast) {
  std::vector<float> values = {-1, 2, kNan, -4, 5, -6, 7, 8};
  Held<float> a({1, 2, 2, 2}, values, kChannelsLast), out({1, 2, 2, 2});
  EXPECT_EQ(call(aten_relu_out, a, out), Error::Ok);
  std::vector<float> got = out.logical();
  EXPECT_TRUE(std::isnan(got[2]));
  got[2] = 0;
  EXPECT_THAT(got, ElementsAre(0, 2, 0, 0, 5, 0, 7, 8));
}

TEST(Sqrt, IntegersGiveFloats) {
  Held<int8_t> a({2}, {9, 4});
  Held<float> out({2});
  Held<int8_t> integers({2});
  EXPECT_EQ(call(aten_sqrt_out, a, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(3, 2));
  EXPECT_NE(call(aten_sqrt_out, a, integers), Error::Ok);
}

TEST(Clamp, MaximumWinsAndNanStays) {
  Held<float> a({3}, {-5, kNan, 5}), out({3});
  EXPECT_EQ(call(aten_clamp_out, a, 2.0, -1.0, out), Error::Ok);
  EXPECT_EQ(out.logical()[0], -1);
  EXPECT_TRUE(std::isnan(out.logical()[1]));
  EXPECT_NE(call(aten_clamp_out, a, none, none, out), Error::Ok);
}

TEST(Where, PicksByElement) {
  Held<bool> condition({2, 1}, {true, false});
  Held<int32_t> a({2, 2}, {1, 2, 3, 4});
  Held<float> b({}, {0.5f}), out({2, 2});
  EXPECT_EQ(call(aten_where_self_out, condition, a, b, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(1, 2, 0.5f, 0.5f));
}

TEST(Glu, HalvesAnyDimensionOfAnyDimOrder) {
  Held<float> a({1, 4, 1, 2}, {1, 2, 3, 4, 0, 0, 0, 0}, kChannelsLast), out({1, 2, 1, 2});
  EXPECT_EQ(call(aten_glu_out, a, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(0.5f, 1, 1.5f, 2));
}

TEST(Fill, ConvertsTheNumberToTheDtype) {
  Held<int32_t> out({2, 2});
  EXPECT_EQ(call(aten_full_out, IntsArgument({2, 2}), 3.9, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(3, 3, 3, 3));
  Held<bool> flags({1});
  EXPECT_EQ(call(aten_full_out, IntsArgument({1}), 0.5, flags), Error::Ok);
  EXPECT_THAT(flags.logical(), ElementsAre(true));
  EXPECT_NE(call(aten_full_out, IntsArgument({2, -2}), 1, out), Error::Ok);
  EXPECT_NE(call(aten_full_out, IntsArgument({int64_t{1} << 40}), 1, out), Error::Ok);
}

TEST(Arange, CountsUpAndDown) {
  Held<int64_t> up({4}), down({3});
  EXPECT_EQ(call(aten_arange_start_out, 1, 8, 2, up), Error::Ok);
  EXPECT_THAT(up.logical(), ElementsAre(1, 3, 5, 7));
  EXPECT_EQ(call(aten_arange_start_out, 3, 0, -1, down), Error::Ok);
  EXPECT_THAT(down.logical(), ElementsAre(3, 2, 1));
  EXPECT_NE(call(aten_arange_start_out, 3, 0, 1, down), Error::Ok);
  EXPECT_NE(call(aten_arange_start_out, 3, 0, 0, down), Error::Ok);
}

// torch: "value cannot be converted to type uint8_t without overflow"; operands of arithmetic wrap around instead.
TEST(Numbers, ThatOverflowTheDtypeAreRefused) {
  Held<uint8_t> bytes({2}, {1, 2}), out({2});
  EXPECT_EQ(call(aten_clamp_out, bytes, 0, 256, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_clamp_out, bytes, none, 300, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_hardtanh_out, bytes, -256, 3, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_add_out, bytes, bytes, 300, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_fill_Scalar_out, bytes, 256.0, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_fill_Scalar_out, bytes, kNan, out), Error::InvalidArgument);
  Held<bool> mask({2}, {true, false});
  EXPECT_EQ(call(aten_masked_fill_Scalar_out, bytes, mask, 256, out), Error::InvalidArgument);
  EXPECT_TRUE(out.untouched(true));

  Held<float> floats({2}, {1, 2}), to({2});
  EXPECT_EQ(call(aten_leaky_relu_out, floats, 1e300, to), Error::InvalidArgument);
  Held<Half> halves({2}), to_halves({2});
  EXPECT_EQ(call(aten_fill_Scalar_out, halves, 65536, to_halves), Error::InvalidArgument);
  Held<int64_t> longs({2}), to_longs({2});
  EXPECT_EQ(call(aten_fill_Scalar_out, longs, 1e30, to_longs), Error::InvalidArgument);
}

TEST(Numbers, ThatFitAreTaken) {
  Held<uint8_t> bytes({2}, {1, 2}), out({2});
  EXPECT_EQ(call(aten_fill_Scalar_out, bytes, -1, out), Error::Ok);  // wraps, as in torch
  EXPECT_THAT(out.logical(), ElementsAre(255, 255));
  EXPECT_EQ(call(aten_fill_Scalar_out, bytes, 254.9, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(254, 254));
  EXPECT_EQ(call(aten_mul_Scalar_out, bytes, 300, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(44, 88));
  Held<float> floats({2}), to({2});
  EXPECT_EQ(call(aten_fill_Scalar_out, floats, kInf, to), Error::Ok);
  EXPECT_THAT(to.logical(), ElementsAre(kInf, kInf));
}

TEST(Functions, OfBoolsThatTorchDoesNotHaveAreRefused) {
  Held<bool> in({2}, {true, false}), out({2});
  EXPECT_EQ(call(aten_relu_out, in, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_round_out, in, out), Error::InvalidArgument);
}

TEST(Functions, KeepTheDtypeWhereTorchDoes) {
  Held<float> in({1}, {1});
  Held<double> wider({1});
  executorch::aten::ArrayRef<char> approximate("none", 4);
  EXPECT_EQ(call(aten_gelu_out, in, approximate, wider), Error::InvalidArgument);
  EXPECT_EQ(call(aten_elu_out, in, 1, 1, 1, wider), Error::InvalidArgument);
  EXPECT_EQ(call(aten_isnan_out, in, wider), Error::InvalidArgument);
  EXPECT_EQ(call(aten__conj_physical_out, in, wider), Error::InvalidArgument);
  Held<bool> mask({1}, {true});
  EXPECT_EQ(call(aten_masked_fill_Scalar_out, in, mask, 1, wider), Error::InvalidArgument);
}

}  // namespace
