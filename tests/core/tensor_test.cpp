// SPDX-License-Identifier: BSD-3-Clause
// Tensors: counting elements, resizing, dim orders, and the checks that kernels make.

#include <executorch/runtime/core/exec_aten/util/tensor_shape_to_c_string.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <gtest/gtest.h>
#include <wick/dim_order.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

using executorch::aten::ArrayRef;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::aten::TensorShapeDynamism;
using namespace executorch::runtime;  // The checks are many.
using executorch::runtime::Error;
using executorch::runtime::etensor::Device;
using executorch::runtime::etensor::DeviceType;

using Sizes = std::vector<int32_t>;
using Order = std::vector<uint8_t>;

/// A tensor with memory of its own, in a given dim order.
struct Sample {
  Sample(Sizes shape, Order order, ScalarType type = ScalarType::Float,
         TensorShapeDynamism dynamism = TensorShapeDynamism::STATIC)
      : sizes(shape), dim_order(order), strides(shape.size()), bytes(bytes_of(shape, type)) {
    EXPECT_EQ(executorch::runtime::dim_order_to_stride(sizes.data(), dim_order.data(), sizes.size(), strides.data()),
              Error::Ok);
    impl = std::make_unique<TensorImpl>(type, static_cast<ssize_t>(sizes.size()), sizes.data(), bytes.data(),
                                        dim_order.data(), strides.data(), dynamism);
  }
  static size_t bytes_of(const Sizes& shape, ScalarType type) {
    return static_cast<size_t>(executorch::aten::compute_numel(shape.data(), static_cast<ssize_t>(shape.size()))) *
           executorch::runtime::elementSize(type);
  }
  Tensor tensor() { return Tensor(impl.get()); }

  Sizes sizes;
  Order dim_order;
  Sizes strides;
  std::vector<uint8_t> bytes;
  std::unique_ptr<TensorImpl> impl;
};

template <typename T>
struct Value {
  explicit Value(T v) : value(v) {}
  Tensor tensor() { return Tensor(&impl); }
  T value;
  TensorImpl impl{executorch::runtime::CppTypeToScalarType<T>::value, 0, nullptr, &value};
};

TEST(TensorImpl, IsSmall) {
  EXPECT_EQ(sizeof(TensorImpl), sizeof(void*) == 4 ? 24u : 48u);
  EXPECT_EQ(sizeof(Tensor), sizeof(void*));
}

TEST(TensorImpl, RefusesWhatMakesNoSense) {
  int32_t sizes[] = {2, -1};
  int32_t huge[] = {std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::max(), 8};
  EXPECT_DEATH(TensorImpl(ScalarType::Float, 2, sizes), "");
  EXPECT_DEATH(TensorImpl(ScalarType::Float, 3, huge), "");
  EXPECT_DEATH(TensorImpl(ScalarType::Undefined, 1, sizes), "");
  EXPECT_DEATH(TensorImpl(ScalarType::Float, -1, sizes), "");
  EXPECT_DEATH(TensorImpl(ScalarType::Float, 1, nullptr), "");
  EXPECT_EQ(executorch::aten::safe_numel(huge, 3).error(), Error::InvalidArgument);
  EXPECT_EQ(executorch::aten::safe_numel(sizes, 2).error(), Error::InvalidArgument);
  EXPECT_EQ(*executorch::aten::safe_numel(nullptr, 0), 1);
}

TEST(TensorImpl, RemembersItsDevice) {
  int32_t sizes[] = {1};
  for (const int index : {-32, -1, 0, 1, 31}) {
    const Device device(DeviceType::CUDA, static_cast<int8_t>(index));
    const TensorImpl impl(ScalarType::Float, 1, sizes, nullptr, nullptr, nullptr, TensorShapeDynamism::STATIC,
                          device.type(), device.index());
    EXPECT_EQ(impl.device(), device);
  }
  EXPECT_DEATH(TensorImpl(ScalarType::Float, 1, sizes, nullptr, nullptr, nullptr, TensorShapeDynamism::STATIC,
                          DeviceType::CUDA, 32),
               "");
}

TEST(Resize, StaysWithinWhatWasPlanned) {
  Sample s({2, 3, 4, 5}, {0, 2, 3, 1}, ScalarType::Short, TensorShapeDynamism::DYNAMIC_BOUND);
  const Tensor t = s.tensor();
  const int32_t smaller[] = {1, 3, 2, 2};
  EXPECT_EQ(resize_tensor(t, ArrayRef<int32_t>(smaller)), Error::Ok);
  EXPECT_EQ(t.numel(), 12);
  EXPECT_EQ(t.nbytes(), 24u);
  EXPECT_EQ(s.strides, (Sizes{12, 1, 6, 3}));
  // Another shape of as many elements as planned.
  const int64_t larger[] = {1, 120, 1, 1};
  EXPECT_EQ(executorch::runtime::resize_tensor(t, ArrayRef<int64_t>(larger)), Error::Ok);
  EXPECT_EQ(t.numel(), 120);
  const int32_t too_large[] = {1, 121, 1, 1};
  EXPECT_EQ(resize_tensor(t, ArrayRef<int32_t>(too_large)), Error::NotSupported);
  const int32_t negative[] = {1, -1, 1, 1};
  EXPECT_EQ(resize_tensor(t, ArrayRef<int32_t>(negative)), Error::InvalidArgument);
  const int64_t wrapping[] = {1, (int64_t{1} << 32) + 1, 1, 1};
  EXPECT_EQ(executorch::runtime::resize_tensor(t, ArrayRef<int64_t>(wrapping)), Error::InvalidArgument);
  const int32_t other_rank[] = {1};
  EXPECT_EQ(resize_tensor(t, ArrayRef<int32_t>(other_rank)), Error::NotSupported);
  EXPECT_EQ(t.numel(), 120) << "a refused size changes nothing";
}

TEST(Resize, AStaticTensorKeepsItsShape) {
  Sample s({2, 3}, {0, 1});
  const int32_t same[] = {2, 3};
  const int32_t other[] = {3, 2};
  EXPECT_EQ(resize_tensor(s.tensor(), ArrayRef<int32_t>(same)), Error::Ok);
  EXPECT_EQ(resize_tensor(s.tensor(), ArrayRef<int32_t>(other)), Error::NotSupported);
  EXPECT_EQ(s.tensor().size(0), 2);
  EXPECT_DEATH(s.tensor().size(2), "");
  EXPECT_DEATH(s.tensor().size(-1), "");
}

TEST(DimOrder, IsAPermutation) {
  using executorch::runtime::validate_dim_order;
  EXPECT_TRUE(validate_dim_order(Order{0, 2, 3, 1}.data(), 4));
  EXPECT_TRUE(validate_dim_order(Order{}.data(), 0));
  EXPECT_FALSE(validate_dim_order(Order{0, 0, 0}.data(), 3));
  EXPECT_FALSE(validate_dim_order(Order{0, 1, 3}.data(), 3));
  EXPECT_FALSE(validate_dim_order(Order{0, 1, 200}.data(), 3));
  Order seventeen(17);
  for (uint8_t i = 0; i < 17; ++i) {
    seventeen[i] = i;
  }
  EXPECT_TRUE(validate_dim_order(seventeen.data(), 16));
  EXPECT_FALSE(validate_dim_order(seventeen.data(), 17));
}

TEST(DimOrder, StridesAndBack) {
  const Sizes sizes = {2, 0, 3, 4};
  Sizes strides(4);
  executorch::runtime::dim_order_to_stride_nocheck(sizes.data(), Order{0, 1, 2, 3}.data(), 4, strides.data());
  EXPECT_EQ(strides, (Sizes{12, 12, 4, 1})) << "a size of 0 counts as 1";
  EXPECT_EQ(executorch::runtime::dim_order_to_stride(sizes.data(), Order{0, 1, 1, 3}.data(), 4, strides.data()),
            Error::InvalidArgument);
  Order order(4);
  EXPECT_EQ(executorch::runtime::stride_to_dim_order(Sizes{36, 1, 12, 3}.data(), 4, order.data()), Error::Ok);
  EXPECT_EQ(order, (Order{0, 2, 3, 1}));
  EXPECT_EQ(executorch::runtime::stride_to_dim_order(Sizes{5, 1, 5, 5}.data(), 4, order.data()), Error::Ok);
  EXPECT_EQ(order, (Order{0, 2, 3, 1})) << "equal strides stay in order";
  EXPECT_EQ(executorch::runtime::stride_to_dim_order(Sizes(17).data(), 17, order.data()), Error::NotSupported);
  uint8_t* const none = nullptr;
  EXPECT_EQ(executorch::runtime::stride_to_dim_order(Sizes(4).data(), 4, none), Error::MemoryAllocationFailed);
}

struct OrderCase {
  Sizes sizes;
  Order a;
  Order b;
  bool same;
};

/// Whether every element lies at the same place, by computing the place of each.
bool same_places(const OrderCase& c) {
  Sizes a(c.sizes.size());
  Sizes b(c.sizes.size());
  executorch::runtime::dim_order_to_stride_nocheck(c.sizes.data(), c.a.data(), c.sizes.size(), a.data());
  executorch::runtime::dim_order_to_stride_nocheck(c.sizes.data(), c.b.data(), c.sizes.size(), b.data());
  for (size_t i = 0; i < c.sizes.size(); ++i) {
    if (c.sizes[i] == 0) {
      return true;
    }
  }
  for (size_t i = 0; i < c.sizes.size(); ++i) {
    if (c.sizes[i] > 1 && a[i] != b[i]) {
      return false;
    }
  }
  return true;
}

TEST(DimOrder, IsTheSameIfEveryElementIsAtTheSamePlace) {
  // All permutations of four dimensions, over sizes with and without ones.
  Order a = {0, 1, 2, 3};
  int same = 0;
  do {
    Order b = {0, 1, 2, 3};
    do {
      for (int mask = 0; mask < 81; ++mask) {
        const int32_t s[] = {0, 1, 3};
        const Sizes sizes = {s[mask % 3], s[mask / 3 % 3], s[mask / 9 % 3], s[mask / 27]};
        const OrderCase c{sizes, a, b, false};
        ASSERT_EQ(wick::same_memory_order(sizes.data(), a.data(), b.data(), 4), same_places(c));
        same += same_places(c) ? 1 : 0;
      }
    } while (std::next_permutation(b.begin(), b.end()));
  } while (std::next_permutation(a.begin(), a.end()));
  EXPECT_GT(same, 24 * 81);
}

TEST(DimOrder, AWrongOrderIsNeverTheSame) {
  const Sizes sizes = {1, 3, 1};
  EXPECT_FALSE(wick::same_memory_order(sizes.data(), Order{0, 7, 2}.data(), nullptr, 3));
  EXPECT_TRUE(wick::same_memory_order(sizes.data(), nullptr, nullptr, 3));
  EXPECT_FALSE(wick::same_memory_order(Sizes(17, 1).data(), Order(17).data(), Order(17).data(), 17));
}

TEST(DimOrder, LaysOutShapesAndRefusesImpossibleOnes) {
  int32_t strides[16];
  int32_t numel = 0;
  EXPECT_TRUE(wick::lay_out(Sizes{2, 3, 4}.data(), Order{0, 2, 1}.data(), 3, strides, &numel));
  EXPECT_EQ(numel, 24);
  EXPECT_EQ(std::vector<int32_t>(strides, strides + 3), (std::vector<int32_t>{12, 1, 3}));
  EXPECT_TRUE(wick::lay_out(Sizes{2, 3}.data(), nullptr, 2, strides, &numel));
  EXPECT_EQ(std::vector<int32_t>(strides, strides + 2), (std::vector<int32_t>{3, 1}));
  EXPECT_TRUE(wick::lay_out(nullptr, nullptr, 0, strides, &numel));
  EXPECT_EQ(numel, 1);
  EXPECT_TRUE(wick::lay_out(Sizes{0, 70000, 70000}.data(), nullptr, 3, strides, &numel));
  EXPECT_EQ(numel, 0);
  EXPECT_TRUE(wick::lay_out(Sizes{32767, 65537}.data(), nullptr, 2, strides, &numel));
  EXPECT_EQ(numel, 32767 * 65537);
  EXPECT_FALSE(wick::lay_out(Sizes{32768, 65536}.data(), nullptr, 2, strides, &numel));
  EXPECT_FALSE(wick::lay_out(Sizes{1, 65536, 65536}.data(), nullptr, 3, strides, &numel));
  EXPECT_FALSE(wick::lay_out(Sizes{2, -1}.data(), nullptr, 2, strides, &numel));
  EXPECT_FALSE(wick::lay_out(Sizes{2, 2}.data(), Order{0, 0}.data(), 2, strides, &numel));
  EXPECT_FALSE(wick::lay_out(Sizes{2, 2}.data(), Order{0, 2}.data(), 2, strides, &numel));
  EXPECT_FALSE(wick::lay_out(Sizes(17, 1).data(), nullptr, 17, strides, &numel));
}

// The depthwise network of MLPerf Tiny (kws) declares such an input; its weights are [8, 1, 3, 3] in order 0, 2, 1, 3.
TEST(DimOrder, DimensionsOfSize1DoNotMatterToChecks) {
  Sample kws({1, 1, 49, 10}, {0, 2, 1, 3});
  Sample plain({1, 1, 49, 10}, {0, 1, 2, 3});
  Sample last({1, 3, 4, 5}, {0, 2, 3, 1});
  Sample other({1, 3, 4, 5}, {0, 1, 2, 3});
  Sample weights({8, 1, 3, 3}, {0, 2, 1, 3});
  EXPECT_TRUE(tensors_have_same_dim_order(kws.tensor(), plain.tensor()));
  EXPECT_TRUE(tensors_have_same_dim_order(kws.tensor(), last.tensor()));
  EXPECT_TRUE(tensors_have_same_dim_order(weights.tensor(), last.tensor()));
  EXPECT_TRUE(tensors_have_same_dim_order(weights.tensor(), other.tensor()));
  EXPECT_FALSE(tensors_have_same_dim_order(last.tensor(), other.tensor()));
  EXPECT_FALSE(tensors_have_same_dim_order(kws.tensor(), last.tensor(), other.tensor()));
  EXPECT_TRUE(tensor_is_default_dim_order(kws.tensor()));
  EXPECT_TRUE(tensor_is_channels_last_dim_order(weights.tensor()));
  EXPECT_FALSE(tensor_is_channels_last_dim_order(other.tensor()));
  EXPECT_TRUE(tensor_is_contiguous(kws.tensor()));
  EXPECT_FALSE(tensor_is_contiguous(last.tensor()));
  EXPECT_TRUE(tensors_have_same_strides(kws.tensor(), plain.tensor()));
  EXPECT_FALSE(tensors_have_same_strides(last.tensor(), other.tensor()));
}

TEST(TensorChecks, ShapesAndDimensions) {
  Sample a({2, 3}, {0, 1});
  Sample b({3, 2}, {0, 1});
  Sample one({1, 1}, {0, 1});
  Sample scalar({}, {});
  EXPECT_TRUE(tensors_have_same_shape(a.tensor(), a.tensor()));
  EXPECT_FALSE(tensors_have_same_shape(a.tensor(), b.tensor()));
  EXPECT_TRUE(tensors_have_same_shape(one.tensor(), scalar.tensor()));
  EXPECT_FALSE(tensors_have_same_shape(a.tensor(), a.tensor(), b.tensor()));
  EXPECT_TRUE(tensor_has_dim(a.tensor(), -2));
  EXPECT_FALSE(tensor_has_dim(a.tensor(), 2));
  EXPECT_TRUE(tensor_has_dim(scalar.tensor(), -1));
  EXPECT_TRUE(tensor_dim_has_index(a.tensor(), -1, -3));
  EXPECT_FALSE(tensor_dim_has_index(a.tensor(), -1, 3));
  EXPECT_DEATH(tensor_dim_has_index(a.tensor(), 2, 0), "");
  EXPECT_EQ(executorch::runtime::getLeadingDims(a.tensor(), 1), 2u);
  EXPECT_EQ(executorch::runtime::getTrailingDims(a.tensor(), -1), 6u);
  size_t coordinate[2];
  executorch::runtime::indexToCoordinate(a.tensor(), 4, coordinate);
  EXPECT_EQ(coordinate[0], 1u);
  EXPECT_EQ(coordinate[1], 1u);
  EXPECT_EQ(executorch::runtime::coordinateToIndex(a.tensor(), coordinate), 4u);
  EXPECT_DEATH(executorch::runtime::indexToCoordinate(a.tensor(), 6, coordinate), "");
}

TEST(TensorChecks, ANumberMustFitItsVariable) {
  int8_t small = 0;
  uint64_t wide = 0;
  float real = 0;
  bool truth = false;
  EXPECT_TRUE(extract_scalar_tensor(Value<int64_t>(-128).tensor(), &small));
  EXPECT_EQ(small, -128);
  EXPECT_FALSE(extract_scalar_tensor(Value<int64_t>(128).tensor(), &small));
  EXPECT_FALSE(extract_scalar_tensor(Value<int64_t>(-1).tensor(), &wide));
  EXPECT_FALSE(extract_scalar_tensor(Value<float>(1).tensor(), &small));
  EXPECT_TRUE(extract_scalar_tensor(Value<uint8_t>(200).tensor(), &real));
  EXPECT_EQ(real, 200.0f);
  EXPECT_FALSE(extract_scalar_tensor(Value<double>(1e39).tensor(), &real));
  EXPECT_TRUE(extract_scalar_tensor(Value<double>(INFINITY).tensor(), &real));
  EXPECT_TRUE(std::isinf(real));
  executorch::aten::Half half;
  EXPECT_FALSE(extract_scalar_tensor(Value<float>(70000.0f).tensor(), &half));
  EXPECT_TRUE(extract_scalar_tensor(Value<bool>(true).tensor(), &truth));
  EXPECT_TRUE(truth);
  EXPECT_FALSE(extract_scalar_tensor(Value<int32_t>(1).tensor(), &truth));
}

TEST(TensorData, IsCopiedSharedAndSet) {
  Sample a({2, 2}, {0, 1});
  Sample b({4}, {0});
  Sample c({3}, {0});
  a.tensor().mutable_data_ptr<float>()[3] = 5.0f;
  using namespace executorch::runtime::internal;
  EXPECT_EQ(copy_tensor_data(b.tensor(), a.tensor()), Error::Ok);
  EXPECT_EQ(b.tensor().const_data_ptr<float>()[3], 5.0f);
  EXPECT_EQ(copy_tensor_data(c.tensor(), a.tensor()), Error::InvalidArgument);
  EXPECT_EQ(share_tensor_data(b.tensor(), a.tensor()), Error::Ok);
  EXPECT_EQ(b.tensor().const_data_ptr(), a.tensor().const_data_ptr());
  EXPECT_EQ(set_tensor_data(b.tensor(), c.bytes.data(), c.bytes.size()), Error::InvalidArgument);
  reset_data_ptr(b.tensor());
  EXPECT_EQ(b.tensor().const_data_ptr(), nullptr);
  EXPECT_EQ(copy_tensor_data(b.tensor(), a.tensor()), Error::InvalidArgument);
}

TEST(ShapeText, ReadsAsItIsWritten) {
  using executorch::runtime::Span;
  const auto text = [](std::vector<int64_t> shape) {
    return std::string(
        executorch::runtime::tensor_shape_to_c_string(Span<const int64_t>(shape.data(), shape.size())).data());
  };
  EXPECT_EQ(text({1, 3, 224, 224}), "(1, 3, 224, 224)");
  EXPECT_EQ(text({}), "()");
  EXPECT_EQ(text({-1, int64_t{1} << 31, 0}), "(ERR, ERR, 0)");
  EXPECT_EQ(text(std::vector<int64_t>(16, 2147483647)).size(), 192u);
  EXPECT_EQ(text(std::vector<int64_t>(17)), "(ERR: tensor ndim exceeds limit)");
}

}  // namespace
