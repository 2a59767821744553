// SPDX-License-Identifier: BSD-3-Clause
//
// TensorPtr: who owns the data, how shapes are completed and checked, conversions; accessors and the malloc allocator.
#include <executorch/extension/memory_allocator/malloc_memory_allocator.h>
#include <executorch/extension/tensor/tensor.h>
#include <gtest/gtest.h>

namespace {

using namespace executorch::extension;
using executorch::aten::ScalarType;
using executorch::aten::SizesType;
using executorch::aten::StridesType;
using executorch::aten::TensorShapeDynamism;
using executorch::runtime::Error;

template <typename T>
std::vector<T> elements(const TensorPtr& tensor) {
  const T* data = tensor->const_data_ptr<T>();
  return {data, data + tensor->numel()};
}

std::vector<int> order(const TensorPtr& tensor) { return {tensor->dim_order().begin(), tensor->dim_order().end()}; }

TEST(TensorPtr, OwnsTheElementsOfAVector) {
  TensorPtr tensor;
  {
    std::vector<float> data{1, 2, 3, 4, 5, 6};
    tensor = make_tensor_ptr({2, 3}, std::move(data));
  }
  EXPECT_EQ(elements<float>(tensor), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(tensor->size(1), 3);
  EXPECT_EQ(tensor->strides()[0], 3);
}

TEST(TensorPtr, ConvertsElementsToTheTypeThatIsAskedFor) {
  EXPECT_EQ(elements<double>(make_tensor_ptr({2}, std::vector<int32_t>{-1, 7}, {}, {}, ScalarType::Double)),
            (std::vector<double>{-1, 7}));
  EXPECT_DEATH(make_tensor_ptr({2}, std::vector<float>{0.5f, 1}, {}, {}, ScalarType::Int), "");
}

TEST(TensorPtr, OverABufferLeavesItToItsDeleter) {
  float data[4] = {1, 2, 3, 4};
  void* deleted = nullptr;
  {
    TensorPtr tensor = for_blob(data, {2, 2}).deleter([&](void* place) { deleted = place; }).make_tensor_ptr();
    TensorPtr view = make_tensor_ptr(tensor, {4});
    tensor.reset();
    EXPECT_EQ(deleted, nullptr) << "the view keeps the data";
    EXPECT_EQ(view->const_data_ptr(), data);
  }
  EXPECT_EQ(deleted, data);
}

TEST(TensorPtr, FindsTheDimOrderOfStrides) {
  float data[8] = {};
  EXPECT_EQ(order(from_blob(data, {1, 2, 2, 2}, {8, 1, 4, 2})), (std::vector<int>{0, 2, 3, 1}));
  EXPECT_EQ(order(from_blob(data, {2, 1, 4}, {4, 4, 1})), (std::vector<int>{0, 1, 2})) << "ties keep their order";
}

TEST(TensorPtr, RefusesShapesThatDoNotSuitTheData) {
  float data[12] = {};
  EXPECT_DEATH(make_tensor_ptr({3, 4}, data, {}, {1, 4, 1}), "3 strides");
  EXPECT_DEATH(make_tensor_ptr({3, 4}, data, {}, {1, 4}), "stride of dimension");
  EXPECT_DEATH(make_tensor_ptr({3, 4}, data, {1, 1}, {}), "permutation");
  EXPECT_DEATH(make_tensor_ptr({3, 4}, std::vector<float>(11)), "11 elements");
  EXPECT_DEATH(make_tensor_ptr({2}, std::vector<uint8_t>(7)), "7 bytes");
  EXPECT_DEATH(make_tensor_ptr(make_tensor_ptr({2}, data), {3}), "a view of 3 elements");
}

TEST(TensorPtr, CloneIsACopyOfItsOwn) {
  float data[2] = {1.5f, -2};
  TensorPtr clone = clone_tensor_ptr(make_tensor_ptr({2}, data));
  data[0] = 0;
  EXPECT_EQ(elements<float>(clone), (std::vector<float>{1.5f, -2}));
  EXPECT_EQ(elements<double>(clone_tensor_ptr(clone, ScalarType::Double)), (std::vector<double>{1.5, -2}));
}

TEST(TensorPtr, ResizesUpToItsFirstSizes) {
  TensorPtr tensor = zeros({4, 2});
  EXPECT_EQ(resize_tensor_ptr(tensor, {3, 2}), Error::Ok);
  EXPECT_EQ(tensor->numel(), 6);
  EXPECT_NE(resize_tensor_ptr(tensor, {5, 2}), Error::Ok);
  TensorPtr fixed = zeros({4}, ScalarType::Float, TensorShapeDynamism::STATIC);
  EXPECT_NE(resize_tensor_ptr(fixed, {3}), Error::Ok);
}

TEST(TensorPtrMaker, FillsWithValuesThatTheTypeCanHold) {
  EXPECT_EQ(elements<int8_t>(full({2}, -128, ScalarType::Char)), (std::vector<int8_t>{-128, -128}));
  EXPECT_EQ(elements<float>(ones({1, 2})), (std::vector<float>{1, 1}));
  EXPECT_EQ(elements<double>(zeros_like(ones({2}), ScalarType::Double)), (std::vector<double>{0, 0}));
  EXPECT_EQ(elements<float>(scalar_tensor(2.5)), (std::vector<float>{2.5f}));
  EXPECT_DEATH(full({1}, 300, ScalarType::Byte), "out of its range");
  EXPECT_DEATH(full({1}, -1, ScalarType::Byte), "out of its range");
  EXPECT_DEATH(full({1}, 1.5, ScalarType::Int), "another kind");
}

TEST(TensorPtrMaker, RandomNumbersStayInTheirRange) {
  for (ScalarType type : {ScalarType::Float, ScalarType::Half, ScalarType::BFloat16}) {
    const TensorPtr numbers = clone_tensor_ptr(rand({1000}, type), ScalarType::Float);
    for (float value : elements<float>(numbers)) {
      EXPECT_GE(value, 0);
      EXPECT_LT(value, 1);
    }
  }
  for (int32_t value : elements<int32_t>(randint(-3, 3, {100}))) {
    EXPECT_GE(value, -3);
    EXPECT_LT(value, 3);
  }
  EXPECT_EQ(randn_like(ones({3}))->scalar_type(), ScalarType::Float);
}

TEST(TensorAccessor, ReachesElementsByIndex) {
  TensorPtr tensor = make_tensor_ptr({2, 3}, {0, 1, 2, 3, 4, 5});
  auto accessor = make_tensor_accessor<int32_t, 2>(*tensor);
  ASSERT_TRUE(accessor.ok());
  EXPECT_EQ(accessor.get()[1][2], 5);
  accessor.get()[0][1] = 9;
  EXPECT_EQ(tensor->const_data_ptr<int32_t>()[1], 9);
  EXPECT_EQ(accessor->size(1), 3);
  EXPECT_EQ(accessor->stride(0), 3);
}

TEST(TensorAccessor, RefusesAnotherRankElementSizeOrDimOrder) {
  TensorPtr tensor = ones({2, 3});
  EXPECT_EQ((make_tensor_accessor<float, 1>(*tensor).error()), Error::InvalidArgument);
  EXPECT_EQ((make_tensor_accessor<double, 2>(*tensor).error()), Error::InvalidArgument);
  TensorPtr turned = empty_strided({2, 3}, {1, 2});
  EXPECT_EQ((make_tensor_accessor<float, 2>(*turned).error()), Error::NotSupported);
}

TEST(MallocMemoryAllocator, GivesAlignedPiecesUntilReset) {
  MallocMemoryAllocator allocator;
  for (size_t alignment : {size_t{1}, size_t{16}, size_t{4096}}) {
    void* piece = allocator.allocate(100, alignment);
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % alignment, 0u);
    std::fill_n(static_cast<uint8_t*>(piece), 100, uint8_t{0xAA});
  }
  EXPECT_EQ(allocator.allocate(8, 24), nullptr);
  EXPECT_EQ(allocator.allocate(SIZE_MAX - 10, 64), nullptr);
  allocator.reset();
  EXPECT_NE(allocator.allocate(8), nullptr);
}

}  // namespace
