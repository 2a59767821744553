// SPDX-License-Identifier: BSD-3-Clause
// The rules of comparison: what passes, and that a wrong answer fails with the largest error and its place.
#include "tools/verify/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace wick::tools {
namespace {

using runner::ValueKind;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty()) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  return bytes;
}

Value tensor(ScalarType type, std::vector<int32_t> sizes, std::vector<uint8_t> dim_order, size_t bytes) {
  Value value;
  value.kind = ValueKind::kTensor;
  value.dtype = type;
  value.sizes = std::move(sizes);
  value.dim_order = std::move(dim_order);
  value.nbytes = bytes;
  return value;
}

/// Compares two flat tensors of the same type.
template <typename T>
std::optional<Mismatch> compare(ScalarType type, const std::vector<T>& got, const std::vector<T>& want, Tolerance t) {
  const Bytes bin = bytes_of(want);
  const Value shape = tensor(type, {static_cast<int32_t>(want.size())}, {0}, bin.size());
  return compare_output({shape, bytes_of(got)}, shape, bin, t, false);
}

TEST(CompareTest, EqualValuesPass) { EXPECT_FALSE(compare<float>(ScalarType::Float, {1, 2, 3}, {1, 2, 3}, {0, 0})); }

TEST(CompareTest, ErrorUpToAtolPlusRtolTimesWantPasses) {
  // |got - want| <= 0.5 + 0.1 * 10 = 1.5
  EXPECT_FALSE(compare<float>(ScalarType::Float, {11.5f}, {10}, {0.5, 0.1}));
  EXPECT_TRUE(compare<float>(ScalarType::Float, {11.6f}, {10}, {0.5, 0.1}));
}

TEST(CompareTest, WrongAnswerTellsLargestErrorAndIndex) {
  const Bytes bin = bytes_of<float>({0, 1, 2, 3, 4, 5});
  const Value shape = tensor(ScalarType::Float, {2, 3}, {0, 1}, bin.size());
  const auto mismatch = compare_output({shape, bytes_of<float>({0, 1.5f, 2, 3, 6, 5})}, shape, bin, {1e-5, 0}, false);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->what, "value");
  EXPECT_EQ(mismatch->error, 2.0);
  EXPECT_THAT(mismatch->index, ElementsAre(1, 1));
  EXPECT_EQ(mismatch->wrong, 2u);
  EXPECT_EQ(mismatch->elements, 6u);
  EXPECT_THAT(mismatch->text, HasSubstr("largest error 2 at [1, 1]: got 6, want 4; 2 of 6"));
}

TEST(CompareTest, NanEqualsNanOnly) {
  const float nan = std::nanf("");
  EXPECT_FALSE(compare<float>(ScalarType::Float, {nan}, {nan}, {0, 0}));
  const auto mismatch = compare<float>(ScalarType::Float, {1, nan}, {1, 2}, {100, 100});
  ASSERT_TRUE(mismatch);
  EXPECT_TRUE(std::isinf(mismatch->error));
  EXPECT_THAT(mismatch->index, ElementsAre(1));
  EXPECT_TRUE(compare<float>(ScalarType::Float, {2}, {nan}, {100, 100}));
}

TEST(CompareTest, InfinityEqualsInfinityOfTheSameSignOnly) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(compare<float>(ScalarType::Float, {inf}, {inf}, {0, 0}));
  EXPECT_TRUE(compare<float>(ScalarType::Float, {-inf}, {inf}, {1, 1}));
  EXPECT_TRUE(compare<float>(ScalarType::Float, {3e38f}, {inf}, {1, 1}));
  EXPECT_TRUE(compare<float>(ScalarType::Float, {inf}, {3e38f}, {1, 1}));
}

TEST(CompareTest, RtolIsIgnoredForIntegers) {
  EXPECT_TRUE(compare<int8_t>(ScalarType::Char, {101}, {100}, {0, 0.5}));
  EXPECT_TRUE(compare<int32_t>(ScalarType::Int, {101}, {100}, {1e-5, 1e-5}));
  EXPECT_FALSE(compare<int8_t>(ScalarType::Char, {101}, {100}, {1, 0}));
}

TEST(CompareTest, LargeIntegersAreExact) {
  const int64_t big = (int64_t{1} << 62) + 1;
  EXPECT_TRUE(compare<int64_t>(ScalarType::Long, {big}, {big - 1}, {0, 1}));
  const auto extremes = compare<int64_t>(ScalarType::Long, {std::numeric_limits<int64_t>::min()},
                                         {std::numeric_limits<int64_t>::max()}, {0, 0});
  ASSERT_TRUE(extremes);
  EXPECT_EQ(extremes->error, 18446744073709551615.0);
  EXPECT_TRUE(compare<uint64_t>(ScalarType::UInt64, {~uint64_t{0}}, {0}, {1, 0}));
}

TEST(CompareTest, BoolsAreExactBytes) {
  EXPECT_FALSE(compare<uint8_t>(ScalarType::Bool, {1, 0}, {1, 0}, {1e-5, 1e-5}));
  EXPECT_TRUE(compare<uint8_t>(ScalarType::Bool, {1, 1}, {1, 0}, {1e-5, 1e-5}));
}

TEST(CompareTest, HalfAndBfloat16AreRead) {
  EXPECT_EQ(half_to_double(0x3c00), 1.0);
  EXPECT_EQ(half_to_double(0xc000), -2.0);
  EXPECT_EQ(half_to_double(0x0001), std::ldexp(1.0, -24));
  EXPECT_TRUE(std::isinf(half_to_double(0x7c00)));
  EXPECT_TRUE(std::isnan(half_to_double(0x7e00)));
  EXPECT_EQ(bfloat16_to_double(0x3fc0), 1.5);
  EXPECT_FALSE(compare<uint16_t>(ScalarType::Half, {0x3c01}, {0x3c00}, {2e-3, 0}));
  EXPECT_TRUE(compare<uint16_t>(ScalarType::BFloat16, {0x4000}, {0x3f80}, {1e-2, 1e-2}));
}

TEST(CompareTest, ComplexPartsAreComparedEach) {
  EXPECT_FALSE(compare<float>(ScalarType::Float, {1, 2}, {1, 2}, {0, 0}));
  const Bytes bin = bytes_of<float>({1, 2});
  const Value shape = tensor(ScalarType::ComplexFloat, {1}, {0}, bin.size());
  EXPECT_FALSE(compare_output({shape, bin}, shape, bin, {0, 0}, false));
  const auto mismatch = compare_output({shape, bytes_of<float>({1, 3})}, shape, bin, {0.5, 0}, false);
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->error, 1.0);
}

TEST(CompareTest, ElementsAreMatchedByLogicalIndexWhateverTheDimOrder) {
  // [1, 2, 1, 2] holding c * 10 + w: NCHW 0 1 10 11, NHWC 0 10 1 11.
  const Bytes bin = bytes_of<int32_t>({0, 1, 10, 11});
  const Value want = tensor(ScalarType::Int, {1, 2, 1, 2}, {0, 1, 2, 3}, bin.size());
  const Value got = tensor(ScalarType::Int, {1, 2, 1, 2}, {0, 2, 3, 1}, bin.size());
  EXPECT_FALSE(compare_output({got, bytes_of<int32_t>({0, 10, 1, 11})}, want, bin, {0, 0}, false));
  EXPECT_TRUE(compare_output({got, bin}, want, bin, {0, 0}, false));
}

TEST(CompareTest, SizesAndDtypeMustAgree) {
  const Bytes bin = bytes_of<int32_t>({1, 2});
  const Value want = tensor(ScalarType::Int, {2}, {0}, bin.size());
  const Value other_sizes = tensor(ScalarType::Int, {1, 2}, {0, 1}, bin.size());
  const Value other_type = tensor(ScalarType::Float, {2}, {0}, bin.size());
  EXPECT_EQ(compare_output({other_sizes, bin}, want, bin, {9, 9}, false)->what, "sizes");
  EXPECT_EQ(compare_output({other_type, bin}, want, bin, {9, 9}, false)->what, "dtype");
}

TEST(CompareTest, ShapeOnlyIgnoresValuesButNotSizes) {
  const Bytes bin = bytes_of<int32_t>({1, 2});
  const Value want = tensor(ScalarType::Int, {2}, {0}, bin.size());
  EXPECT_FALSE(compare_output({want, bytes_of<int32_t>({7, 8})}, want, bin, {0, 0}, true));
  const Value longer = tensor(ScalarType::Int, {3}, {0}, 12);
  EXPECT_TRUE(compare_output({longer, Bytes(12)}, want, bin, {0, 0}, true));
}

TEST(CompareTest, EmptyTensorsAreEqual) { EXPECT_FALSE(compare<float>(ScalarType::Float, {}, {}, {0, 0})); }

TEST(CompareTest, ScalarsAreComparedByKindAndValue) {
  Output got;
  Value want;
  got.value.kind = want.kind = ValueKind::kInt;
  got.value.integer = 7;
  want.integer = 8;
  EXPECT_EQ(compare_output(got, want, {}, {5, 5}, false)->error, 1.0);
  want.integer = 7;
  EXPECT_FALSE(compare_output(got, want, {}, {0, 0}, false));
  want.kind = ValueKind::kDouble;
  EXPECT_EQ(compare_output(got, want, {}, {9, 9}, false)->what, "kind");
  got.value.kind = ValueKind::kDouble;
  got.value.real = 0.5000001;
  want.real = 0.5;
  EXPECT_FALSE(compare_output(got, want, {}, {1e-5, 0}, false));
}

}  // namespace
}  // namespace wick::tools
