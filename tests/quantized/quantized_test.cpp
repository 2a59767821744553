// SPDX-License-Identifier: BSD-3-Clause
// Quantised operators: dim orders, zero points of 32 bits, rounding, and bad arguments. Expected values follow from the
// formulas q = clamp(round(x / scale) + zero) and x = (q - zero) * scale.

#include <cmath>

#include "tests/portable/kernel_call.h"

namespace wick::kernels {
#define WICK_OP(symbol, name)                                       \
  void symbol(::executorch::runtime::KernelRuntimeContext& context, \
              ::executorch::runtime::Span<::executorch::runtime::EValue*> arguments);
#include "src/kernels/quantized/kernels.def"
#undef WICK_OP
}  // namespace wick::kernels

namespace {

using namespace wick::test;
using namespace wick::kernels;
using testing::ElementsAre;

const std::vector<DimOrderType> kChannelsLast = {0, 2, 3, 1};

TEST(QuantizePerTensor, RoundsHalvesToEvenAndClamps) {
  Held<float> in({7}, {0.5f, 1.5f, 2.5f, -0.5f, 1e9f, -INFINITY, 0.4f});
  Held<int8_t> out({7});
  EXPECT_EQ(call(quantized_decomposed_quantize_per_tensor_out, in, 1.0, 1, -100, 100, ScalarType::Char, out),
            Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(1, 3, 3, 1, 100, -100, 1));
  EXPECT_EQ(call(quantized_decomposed_quantize_per_tensor_out, in, 1.0, 1, -100, 100, ScalarType::Byte, out),
            Error::InvalidArgument);
}

TEST(DequantizePerChannel, ReadsZeroPointsOf32Bits) {
  Held<int8_t> in({2, 2}, {31, 32, 51, 52});
  Held<float> scales({2}, {1, 2}), out({2, 2});
  Held<int32_t> zero_points({2}, {30, 50});
  EXPECT_EQ(call(quantized_decomposed_dequantize_per_channel_out, in, scales, zero_points, 0, -128, 127,
                 ScalarType::Char, none, out),
            Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(1, 2, 2, 4));
}

TEST(DequantizePerChannel, StaysInsideItsOutputInChannelsLast) {
  std::vector<int8_t> values(36);
  std::vector<float> want(36);
  for (size_t i = 0; i < 36; ++i) {
    values[i] = static_cast<int8_t>(i);
    want[i] = static_cast<float>(values[i]) * (i / 9 % 2 == 0 ? 1.0f : 10.0f);
  }
  for (const auto& in_order : {std::vector<DimOrderType>{}, kChannelsLast}) {
    for (const auto& out_order : {std::vector<DimOrderType>{}, kChannelsLast}) {
      Held<int8_t> in({2, 2, 3, 3}, values, in_order);
      Held<float> scales({2}, {1, 10}), out({2, 2, 3, 3}, {}, out_order);
      EXPECT_EQ(call(quantized_decomposed_dequantize_per_channel_out, in, scales, none, 1, -128, 127, ScalarType::Char,
                     none, out),
                Error::Ok);
      EXPECT_EQ(out.logical(), want);
      EXPECT_TRUE(out.untouched());
    }
  }
}

TEST(DequantizePerChannel, TakesTheCallsOfOldExporters) {
  Held<int8_t> in({1, 2}, {3, 4});
  Held<float> scales({1}, {2}), out({1, 2});
  EXPECT_EQ(
      call(quantized_decomposed_dequantize_per_channel_out, in, scales, none, 0, -128, 127, ScalarType::Char, out),
      Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(6, 8));
}

TEST(DequantizePerChannel, RefusesParametersThatDoNotFit) {
  Held<int8_t> in({2, 2}, {1, 2, 3, 4});
  Held<float> scales({3}, {1, 2, 3}), out({2, 2});
  EXPECT_EQ(call(quantized_decomposed_dequantize_per_channel_out, in, scales, none, 0, -128, 127, ScalarType::Char,
                 none, out),
            Error::InvalidArgument);
  EXPECT_EQ(call(quantized_decomposed_dequantize_per_channel_out, in, scales, none, 2, -128, 127, ScalarType::Char,
                 none, out),
            Error::InvalidArgument);
  EXPECT_TRUE(out.untouched(true));
}

TEST(Embedding, UnpacksFourAndTwoBits) {
  Held<uint8_t> four({1, 2}, {0x9F, 0x80}), two({1, 1}, {0xE4});
  Held<float> scales({1}, {2}), out({1, 4});
  Held<int64_t> index({1}, {0}), outside({1}, {1});
  EXPECT_EQ(call(quantized_decomposed_embedding_4bit_out, four, scales, none, -8, 7, index, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(2, 14, 0, -16));
  EXPECT_EQ(call(quantized_decomposed_embedding_2bit_out, two, scales, none, -2, 1, index, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(-4, -2, 0, 2));
  EXPECT_EQ(call(quantized_decomposed_embedding_4bit_out, four, scales, none, -8, 7, outside, out),
            Error::InvalidArgument);
}

TEST(Add, RefusesRangesThatTheDtypeDoesNotHave) {
  Held<uint8_t> a({1}, {1}), b({1}, {2}), out({1});
  EXPECT_EQ(call(quantized_decomposed_add_out, a, 1.0, 0, 0, 255, b, 1.0, 0, 0, 255, 1.0, 0, 0, 256, out),
            Error::InvalidArgument);
  EXPECT_EQ(call(quantized_decomposed_add_out, a, 1.0, 0, 0, 255, b, 1.0, 0, 0, 255, 1.0, 0, -1, 255, out),
            Error::InvalidArgument);
}

TEST(Add, TakesSignedRanges) {
  Held<int8_t> a({2}, {10, -20}), b({2}, {1, 100}), out({2});
  EXPECT_EQ(call(quantized_decomposed_add_out, a, 1.0, 0, -128, 127, b, 1.0, 0, -128, 127, 2.0, 1, -128, 127, out),
            Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(7, 41));  // 11 / 2 = 5.5 to even, 80 / 2
}

}  // namespace
