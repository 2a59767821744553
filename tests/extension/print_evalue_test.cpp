// SPDX-License-Identifier: BSD-3-Clause
//
// Values as text. The layout is that of the official runtime.
#include <executorch/extension/evalue_util/print_evalue.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace {

using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::extension::evalue_edge_items;
using executorch::runtime::BoxedEvalueList;
using executorch::runtime::EValue;

std::string text_of(const EValue& value, long edge_items = 0) {
  std::ostringstream stream;
  stream << evalue_edge_items(edge_items) << value;
  return stream.str();
}

/// 0, 1, 2, ... as a list.
std::string list_text(size_t count, long edge_items) {
  std::vector<EValue> values;
  std::vector<EValue*> pointers;
  std::vector<int64_t> unwrapped(count + 1);  // an empty list has an address too
  for (size_t i = 0; i < count; ++i) {
    values.emplace_back(static_cast<int64_t>(i));
  }
  pointers.reserve(count + 1);
  for (EValue& value : values) {
    pointers.push_back(&value);
  }
  BoxedEvalueList<int64_t> list(pointers.data(), unwrapped.data(), static_cast<int>(count));
  return text_of(EValue(&list), edge_items);
}

TEST(PrintEValue, WritesNumbersAsPyTorchDoes) {
  EXPECT_EQ(text_of(EValue()), "None");
  EXPECT_EQ(text_of(EValue(true)), "True");
  EXPECT_EQ(text_of(EValue(int64_t{-7})), "-7");
  EXPECT_EQ(text_of(EValue(7.0)), "7.");
  EXPECT_EQ(text_of(EValue(-0.0)), "-0.");
  EXPECT_EQ(text_of(EValue(0.25)), "0.25");
  EXPECT_EQ(text_of(EValue(1e20)), "1e+20");
  EXPECT_EQ(text_of(EValue(double{INFINITY})), "inf");
}

TEST(PrintEValue, LeavesOutTheMiddleOfLists) {
  EXPECT_EQ(list_text(0, 3), "(len=0)[]");
  EXPECT_EQ(list_text(6, 3), "(len=6)[0, 1, 2, 3, 4, 5]");
  EXPECT_EQ(list_text(9, 3), "(len=9)[0, 1, 2, ..., 6, 7, 8]");
  EXPECT_EQ(list_text(9, 1), "(len=9)[0, ..., 8]");
}

TEST(PrintEValue, WrapsLongLists) {
  EXPECT_EQ(list_text(12, 6), "(len=12)[\n  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, \n  10, 11, \n]");
  EXPECT_EQ(list_text(30, 7), "(len=30)[\n  0, 1, 2, 3, 4, 5, 6, \n  ...,\n  23, 24, 25, 26, 27, 28, 29, \n]");
  EXPECT_NE(list_text(40, 12).find("10, 11, \n  ...,\n  28, 29, \n  30, 31, 32"), std::string::npos);
}

TEST(PrintEValue, WritesTensorsWithTheirSizes) {
  TensorImpl::SizesType sizes[] = {2, 2};
  TensorImpl::DimOrderType order[] = {0, 1};
  float data[] = {1, 0.5, -2, 3};
  TensorImpl impl(ScalarType::Float, 2, sizes, data, order);
  EXPECT_EQ(text_of(EValue(Tensor(&impl))), "tensor(sizes=[2, 2], [1., 0.5, -2., 3.])");
  uint8_t bytes[] = {1, 2, 3, 255};
  TensorImpl byte_impl(ScalarType::Byte, 2, sizes, bytes, order);
  EXPECT_EQ(text_of(EValue(Tensor(&byte_impl)), 1), "tensor(sizes=[2, 2], [1, ..., 255])");
}

}  // namespace
