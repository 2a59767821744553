// SPDX-License-Identifier: BSD-3-Clause
// Makers of TensorPtrs: over a buffer of the caller, or new ones that are empty, filled or random.
//
//     TensorPtr input = for_blob(buffer, {1, 3, 32, 32}).dim_order({0, 2, 3, 1}).deleter(free).make_tensor_ptr();
//     TensorPtr zero = zeros({2, 2}, ScalarType::Int);

#pragma once

#include <executorch/extension/tensor/tensor_ptr.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace executorch {
namespace extension {

/// Collects what a tensor over a buffer needs; made by for_blob(), ends in make_tensor_ptr().
class TensorPtrMaker final {
 public:
  TensorPtrMaker(const TensorPtrMaker&) = delete;
  TensorPtrMaker& operator=(const TensorPtrMaker&) = delete;
  TensorPtrMaker(TensorPtrMaker&&) = default;
  TensorPtrMaker& operator=(TensorPtrMaker&&) = default;

  TensorPtrMaker&& type(executorch::aten::ScalarType type) {
    type_ = type;
    return std::move(*this);
  }
  TensorPtrMaker&& dim_order(std::vector<executorch::aten::DimOrderType> dim_order) {
    dim_order_ = std::move(dim_order);
    return std::move(*this);
  }
  TensorPtrMaker&& strides(std::vector<executorch::aten::StridesType> strides) {
    strides_ = std::move(strides);
    return std::move(*this);
  }
  TensorPtrMaker&& dynamism(executorch::aten::TensorShapeDynamism dynamism) {
    dynamism_ = dynamism;
    return std::move(*this);
  }
  /// Called with the buffer when the last TensorPtr goes.
  TensorPtrMaker&& deleter(std::function<void(void*)>&& deleter) {
    deleter_ = std::move(deleter);
    return std::move(*this);
  }
  /// Where the buffer lies.
  TensorPtrMaker&& device(executorch::aten::Device device) {
    device_ = device;
    return std::move(*this);
  }

  TensorPtr make_tensor_ptr() && {
    return ::executorch::extension::make_tensor_ptr(std::move(sizes_), data_, std::move(dim_order_),
                                                    std::move(strides_), type_, dynamism_, std::move(deleter_),
                                                    device_);
  }
  operator TensorPtr() && { return std::move(*this).make_tensor_ptr(); }

 private:
  TensorPtrMaker(void* data, std::vector<executorch::aten::SizesType> sizes, executorch::aten::ScalarType type)
      : sizes_(std::move(sizes)), data_(data), type_(type) {}
  friend TensorPtrMaker for_blob(void* data, std::vector<executorch::aten::SizesType> sizes,
                                 executorch::aten::ScalarType type);

  std::vector<executorch::aten::SizesType> sizes_;
  std::vector<executorch::aten::StridesType> strides_;
  std::vector<executorch::aten::DimOrderType> dim_order_;
  std::function<void(void*)> deleter_ = nullptr;
  void* data_ = nullptr;
  executorch::aten::ScalarType type_ = executorch::aten::ScalarType::Float;
  executorch::aten::TensorShapeDynamism dynamism_ = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND;
  executorch::aten::Device device_ = executorch::aten::Device(executorch::aten::DeviceType::CPU);
};

/// A tensor over the caller's buffer, further described by the maker's functions.
inline TensorPtrMaker for_blob(void* data, std::vector<executorch::aten::SizesType> sizes,
                               executorch::aten::ScalarType type = executorch::aten::ScalarType::Float) {
  return TensorPtrMaker(data, std::move(sizes), type);
}

/// The same in one call.
inline TensorPtr from_blob(
    void* data, std::vector<executorch::aten::SizesType> sizes,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return for_blob(data, std::move(sizes), type).dynamism(dynamism).make_tensor_ptr();
}

inline TensorPtr from_blob(
    void* data, std::vector<executorch::aten::SizesType> sizes, std::vector<executorch::aten::StridesType> strides,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return for_blob(data, std::move(sizes), type).strides(std::move(strides)).dynamism(dynamism).make_tensor_ptr();
}

inline TensorPtr from_blob(
    void* data, std::vector<executorch::aten::SizesType> sizes, executorch::aten::ScalarType type,
    std::function<void(void*)>&& deleter,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return for_blob(data, std::move(sizes), type).deleter(std::move(deleter)).dynamism(dynamism).make_tensor_ptr();
}

inline TensorPtr from_blob(
    void* data, std::vector<executorch::aten::SizesType> sizes, std::vector<executorch::aten::StridesType> strides,
    executorch::aten::ScalarType type, std::function<void(void*)>&& deleter,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return for_blob(data, std::move(sizes), type)
      .strides(std::move(strides))
      .deleter(std::move(deleter))
      .dynamism(dynamism)
      .make_tensor_ptr();
}

namespace internal {

/// The type of a tensor made like `other`: the given one, else its own.
inline executorch::aten::ScalarType type_like(const TensorPtr& other, executorch::aten::ScalarType type) {
  return type == executorch::aten::ScalarType::Undefined ? other->scalar_type() : type;
}
inline std::vector<executorch::aten::SizesType> sizes_like(const TensorPtr& other) {
  return {other->sizes().begin(), other->sizes().end()};
}
inline std::vector<executorch::aten::StridesType> strides_like(const TensorPtr& other) {
  return {other->strides().begin(), other->strides().end()};
}

}  // namespace internal

/// New tensors whose elements are zero bytes, by sizes (and strides) or like another one. They abort when the sizes
/// overflow. An omitted type is that of the other tensor.
TensorPtr empty_strided(
    std::vector<executorch::aten::SizesType> sizes, std::vector<executorch::aten::StridesType> strides,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND);

inline TensorPtr empty_like(
    const TensorPtr& other, executorch::aten::ScalarType type = executorch::aten::ScalarType::Undefined,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return empty_strided(internal::sizes_like(other), internal::strides_like(other), internal::type_like(other, type),
                       dynamism);
}

inline TensorPtr empty(
    std::vector<executorch::aten::SizesType> sizes,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return empty_strided(std::move(sizes), {}, type, dynamism);
}

/// New tensors of one value. They abort when the type cannot hold it.
TensorPtr full_strided(
    std::vector<executorch::aten::SizesType> sizes, std::vector<executorch::aten::StridesType> strides,
    executorch::aten::Scalar fill_value, executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND);

inline TensorPtr full_like(
    const TensorPtr& other, executorch::aten::Scalar fill_value,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Undefined,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return full_strided(internal::sizes_like(other), internal::strides_like(other), fill_value,
                      internal::type_like(other, type), dynamism);
}

inline TensorPtr full(
    std::vector<executorch::aten::SizesType> sizes, executorch::aten::Scalar fill_value,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return full_strided(std::move(sizes), {}, fill_value, type, dynamism);
}

/// One number, without dimensions.
inline TensorPtr scalar_tensor(executorch::aten::Scalar value,
                               executorch::aten::ScalarType type = executorch::aten::ScalarType::Float) {
  return full({}, value, type);
}

inline TensorPtr ones_like(
    const TensorPtr& other, executorch::aten::ScalarType type = executorch::aten::ScalarType::Undefined,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return full_like(other, 1, type, dynamism);
}

inline TensorPtr ones(
    std::vector<executorch::aten::SizesType> sizes,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return full(std::move(sizes), 1, type, dynamism);
}

inline TensorPtr zeros_like(
    const TensorPtr& other, executorch::aten::ScalarType type = executorch::aten::ScalarType::Undefined,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return full_like(other, 0, type, dynamism);
}

inline TensorPtr zeros(
    std::vector<executorch::aten::SizesType> sizes,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return full(std::move(sizes), 0, type, dynamism);
}

/// New tensors of random numbers: evenly from 0 (inclusive) to 1 (exclusive).
TensorPtr rand_strided(
    std::vector<executorch::aten::SizesType> sizes, std::vector<executorch::aten::StridesType> strides,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND);

inline TensorPtr rand_like(
    const TensorPtr& other, executorch::aten::ScalarType type = executorch::aten::ScalarType::Undefined,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return rand_strided(internal::sizes_like(other), internal::strides_like(other), internal::type_like(other, type),
                      dynamism);
}

inline TensorPtr rand(
    std::vector<executorch::aten::SizesType> sizes,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return rand_strided(std::move(sizes), {}, type, dynamism);
}

/// Normally distributed around 0 with deviation 1.
TensorPtr randn_strided(
    std::vector<executorch::aten::SizesType> sizes, std::vector<executorch::aten::StridesType> strides,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND);

inline TensorPtr randn_like(
    const TensorPtr& other, executorch::aten::ScalarType type = executorch::aten::ScalarType::Undefined,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return randn_strided(internal::sizes_like(other), internal::strides_like(other), internal::type_like(other, type),
                       dynamism);
}

inline TensorPtr randn(
    std::vector<executorch::aten::SizesType> sizes,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return randn_strided(std::move(sizes), {}, type, dynamism);
}

/// Integers from low (inclusive) to high (exclusive).
TensorPtr randint_strided(
    int64_t low, int64_t high, std::vector<executorch::aten::SizesType> sizes,
    std::vector<executorch::aten::StridesType> strides,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Int,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND);

inline TensorPtr randint_like(
    const TensorPtr& other, int64_t low, int64_t high,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Undefined,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return randint_strided(low, high, internal::sizes_like(other), internal::strides_like(other),
                         internal::type_like(other, type), dynamism);
}

inline TensorPtr randint(
    int64_t low, int64_t high, std::vector<executorch::aten::SizesType> sizes,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Int,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return randint_strided(low, high, std::move(sizes), {}, type, dynamism);
}

}  // namespace extension
}  // namespace executorch
