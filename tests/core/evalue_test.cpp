// SPDX-License-Identifier: BSD-3-Clause
// EValue: kinds, lists, and what happens when one is asked for another.

#include <executorch/runtime/core/evalue.h>
#include <gtest/gtest.h>

#include <memory>

namespace {

using executorch::aten::ArrayRef;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::runtime::BoxedEvalueList;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::Result;
using executorch::runtime::Tag;

struct OneTensor {
  TensorImpl::SizesType sizes[1] = {2};
  float data[2] = {1, 2};
  TensorImpl impl{ScalarType::Float, 1, sizes, data};
  Tensor tensor{&impl};
};

TEST(EValue, KnowsItsKind) {
  const EValue none;
  EXPECT_TRUE(none.isNone());
  const EValue number(int64_t{7});
  EXPECT_TRUE(number.isInt() && number.isScalar() && !number.isDouble());
  EXPECT_EQ(number.to<int64_t>(), 7);
  EXPECT_EQ(number.tryToDouble().error(), Error::InvalidType);
  EXPECT_DEATH(number.toDouble(), "");
  EXPECT_EQ(EValue(2.5).toScalar().to<double>(), 2.5);
  EXPECT_TRUE(EValue(executorch::aten::Scalar(true)).isBool());
  EXPECT_EQ(EValue(int64_t{1}).toScalarType(), ScalarType::Char);
}

TEST(EValue, HandsOutTheTensorItHolds) {
  OneTensor t;
  EValue value(t.tensor);
  static_assert(std::is_same_v<decltype(value.to<Tensor>()), Tensor&>);
  EXPECT_EQ(value.toTensor().unsafeGetTensorImpl(), &t.impl);
  EXPECT_EQ(value.tryToTensor()->const_data_ptr(), t.data);
  const Tensor taken = std::move(value).toTensor();
  EXPECT_EQ(taken.unsafeGetTensorImpl(), &t.impl);
  EXPECT_TRUE(value.isNone());
}

TEST(EValue, IsNoneAfterItWasMovedFrom) {
  EValue a(int64_t{3});
  EValue b(std::move(a));
  EXPECT_TRUE(a.isNone());
  EXPECT_EQ(b.toInt(), 3);
  a = std::move(b);
  EXPECT_TRUE(b.isNone());
  EXPECT_EQ(a.toInt(), 3);
  b = a;
  EXPECT_EQ(a.toInt(), b.toInt());
}

TEST(EValue, TakesWhatAPointerRefersTo) {
  const auto number = std::make_unique<EValue>(int64_t{5});
  EXPECT_EQ(EValue(number).toInt(), 5);
  const std::unique_ptr<EValue> nothing;
  EXPECT_DEATH(EValue{nothing}, "");
}

TEST(EValue, OptionalIsEmptyForNone) {
  OneTensor t;
  EXPECT_FALSE(EValue().toOptional<Tensor>().has_value());
  EXPECT_TRUE(EValue(t.tensor).to<std::optional<Tensor>>().has_value());
  EXPECT_EQ(EValue(2.0).tryToOptional<int64_t>().error(), Error::InvalidType);
  EXPECT_FALSE(EValue().tryToOptional<int64_t>()->has_value());
}

TEST(EValueList, ReadsItsElementsAnewEachTime) {
  EValue values[] = {EValue(int64_t{1}), EValue(int64_t{2})};
  EValue* pointers[] = {&values[0], &values[1]};
  int64_t unwrapped[2] = {};
  BoxedEvalueList<int64_t> list(pointers, unwrapped, 2);
  const EValue value(&list);
  EXPECT_EQ(value.toIntList()[1], 2);
  values[1] = EValue(int64_t{9});
  EXPECT_EQ(value.to<ArrayRef<int64_t>>()[1], 9);
  EXPECT_EQ(value.tryToIntList()->size(), 2u);
  values[0] = EValue(1.0);
  EXPECT_EQ(value.tryToIntList().error(), Error::InvalidType);
  EXPECT_DEATH(value.toIntList(), "");
  pointers[0] = nullptr;
  EXPECT_EQ(value.tryToIntList().error(), Error::InvalidState);
}

TEST(EValueList, ANullValueIsNoTensor) {
  OneTensor t;
  EValue tensor(t.tensor);
  EValue none;
  EValue* pointers[] = {&tensor, nullptr, &none};
  std::optional<Tensor> unwrapped[3];
  BoxedEvalueList<std::optional<Tensor>> list(pointers, unwrapped, 3);
  const auto read = EValue(&list).toListOptionalTensor();
  EXPECT_TRUE(read[0].has_value());
  EXPECT_FALSE(read[1].has_value());
  EXPECT_FALSE(read[2].has_value());
  EValue number(int64_t{1});
  pointers[2] = &number;
  EXPECT_EQ(EValue(&list).tryToListOptionalTensor().error(), Error::InvalidType);
}

TEST(EValueList, NeedsItsArrays) {
  EValue* pointers[1] = {};
  int64_t unwrapped[1] = {};
  EXPECT_DEATH((BoxedEvalueList<int64_t>(nullptr, unwrapped, 1)), "");
  EXPECT_DEATH((BoxedEvalueList<int64_t>(pointers, nullptr, 1)), "");
  EXPECT_DEATH((BoxedEvalueList<int64_t>(pointers, unwrapped, -1)), "");
}

// A program can move a number into the slot of a list (et issue 18962): that must not be taken for a pointer.
TEST(EValueList, ANullListIsAnInvalidState) {
  EValue value(int64_t{0});
  value.tag = Tag::ListTensor;
  EXPECT_EQ(value.tryToTensorList().error(), Error::InvalidState);
  EXPECT_DEATH(value.toTensorList(), "");
}

TEST(EValue, ReadsStrings) {
  const char text[] = {'s', 'u', 'm'};
  ArrayRef<char> chars(text);
  EXPECT_EQ(EValue(&chars).toString(), "sum");
  EXPECT_EQ(*EValue(&chars).tryTo<std::string_view>(), "sum");
  EXPECT_EQ(EValue().tryToString().error(), Error::InvalidType);
}

}  // namespace
