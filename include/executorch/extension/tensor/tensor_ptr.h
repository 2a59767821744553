// SPDX-License-Identifier: BSD-3-Clause
// TensorPtr: a tensor that owns its shape and, if so made, its data. Made from a vector, a list, a buffer of the
// caller, or another tensor. Mistakes (sizes that do not suit the data) abort with a message, as they are the
// program's.
//
//     TensorPtr input = make_tensor_ptr({1, 3}, std::vector<float>{1, 2, 3});
//     method->set_input(*input, 0);

#pragma once

#include <c10/util/safe_numerics.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace executorch {
namespace extension {

using TensorPtr = std::shared_ptr<executorch::aten::Tensor>;

namespace internal {

/// Aborts unless `count` elements fill the sizes exactly.
void check_element_count(const std::vector<executorch::aten::SizesType>& sizes, size_t count);

/// `count` elements as bytes of another type. Aborts when the conversion would lose the kind of number (float to int).
std::vector<uint8_t> convert_elements(const void* from, executorch::aten::ScalarType from_type, size_t count,
                                      executorch::aten::ScalarType to_type);

}  // namespace internal

/// A tensor over `data`, which stays the caller's unless there is a deleter: that is called with `data` when the last
/// TensorPtr goes. Without dim_order it follows from the strides, without both the tensor is contiguous. `device` only
/// says where the data already lies. Aborts when dim_order or strides do not suit the sizes.
TensorPtr make_tensor_ptr(
    std::vector<executorch::aten::SizesType> sizes, void* data, std::vector<executorch::aten::DimOrderType> dim_order,
    std::vector<executorch::aten::StridesType> strides,
    const executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    const executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND,
    std::function<void(void*)> deleter = nullptr,
    executorch::aten::Device device = executorch::aten::Device(executorch::aten::DeviceType::CPU));

inline TensorPtr make_tensor_ptr(
    std::vector<executorch::aten::SizesType> sizes, void* data,
    const executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    const executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND,
    std::function<void(void*)> deleter = nullptr,
    executorch::aten::Device device = executorch::aten::Device(executorch::aten::DeviceType::CPU)) {
  return make_tensor_ptr(std::move(sizes), data, {}, {}, type, dynamism, std::move(deleter), device);
}

/// A tensor that owns the vector's elements, converted if `type` is another than theirs. Aborts when their number is
/// not that of the sizes, or when the conversion is not allowed.
template <typename T = float, executorch::aten::ScalarType deduced_type = runtime::CppTypeToScalarType<T>::value>
inline TensorPtr make_tensor_ptr(
    std::vector<executorch::aten::SizesType> sizes, std::vector<T> data,
    std::vector<executorch::aten::DimOrderType> dim_order = {}, std::vector<executorch::aten::StridesType> strides = {},
    executorch::aten::ScalarType type = deduced_type,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  internal::check_element_count(sizes, data.size());
  const auto own = [&](auto elements) {
    auto* const place = elements->data();
    return make_tensor_ptr(std::move(sizes), place, std::move(dim_order), std::move(strides), type, dynamism,
                           [owned = std::move(elements)](void*) {});
  };
  if (type != deduced_type) {
    return own(std::make_shared<std::vector<uint8_t>>(
        internal::convert_elements(data.data(), deduced_type, data.size(), type)));
  }
  return own(std::make_shared<std::vector<T>>(std::move(data)));
}

/// The same in one dimension.
template <typename T = float, executorch::aten::ScalarType deduced_type = runtime::CppTypeToScalarType<T>::value>
inline TensorPtr make_tensor_ptr(
    std::vector<T> data, executorch::aten::ScalarType type = deduced_type,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  std::vector<executorch::aten::SizesType> sizes{static_cast<executorch::aten::SizesType>(data.size())};
  return make_tensor_ptr(std::move(sizes), std::move(data), {0}, {1}, type, dynamism);
}

template <typename T = float, executorch::aten::ScalarType deduced_type = runtime::CppTypeToScalarType<T>::value>
inline TensorPtr make_tensor_ptr(
    std::vector<executorch::aten::SizesType> sizes, std::initializer_list<T> list,
    std::vector<executorch::aten::DimOrderType> dim_order = {}, std::vector<executorch::aten::StridesType> strides = {},
    executorch::aten::ScalarType type = deduced_type,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return make_tensor_ptr(std::move(sizes), std::vector<T>(list), std::move(dim_order), std::move(strides), type,
                         dynamism);
}

template <typename T = float, executorch::aten::ScalarType deduced_type = runtime::CppTypeToScalarType<T>::value>
inline TensorPtr make_tensor_ptr(
    std::initializer_list<T> list, executorch::aten::ScalarType type = deduced_type,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return make_tensor_ptr(std::vector<T>(list), type, dynamism);
}

/// One number, without dimensions.
template <typename T>
inline TensorPtr make_tensor_ptr(T value) {
  return make_tensor_ptr(std::vector<executorch::aten::SizesType>{}, std::vector<T>{value});
}

/// A tensor that owns raw bytes. Aborts when they are not as many as sizes and type need.
TensorPtr make_tensor_ptr(
    std::vector<executorch::aten::SizesType> sizes, std::vector<uint8_t> data,
    std::vector<executorch::aten::DimOrderType> dim_order, std::vector<executorch::aten::StridesType> strides,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND);

inline TensorPtr make_tensor_ptr(
    std::vector<executorch::aten::SizesType> sizes, std::vector<uint8_t> data,
    executorch::aten::ScalarType type = executorch::aten::ScalarType::Float,
    executorch::aten::TensorShapeDynamism dynamism = executorch::aten::TensorShapeDynamism::DYNAMIC_BOUND) {
  return make_tensor_ptr(std::move(sizes), std::move(data), {}, {}, type, dynamism);
}

/// Another view of a tensor's data, with other sizes, dim order or strides where they are given. The data stays the
/// tensor's owner's. Aborts when the view would have more elements than the tensor.
TensorPtr make_tensor_ptr(const executorch::aten::Tensor& tensor, std::vector<executorch::aten::SizesType> sizes = {},
                          std::vector<executorch::aten::DimOrderType> dim_order = {},
                          std::vector<executorch::aten::StridesType> strides = {},
                          std::function<void(void*)> deleter = nullptr);

/// The same; the view keeps the original's data alive.
inline TensorPtr make_tensor_ptr(const TensorPtr& tensor_ptr, std::vector<executorch::aten::SizesType> sizes = {},
                                 std::vector<executorch::aten::DimOrderType> dim_order = {},
                                 std::vector<executorch::aten::StridesType> strides = {}) {
  return make_tensor_ptr(*tensor_ptr, std::move(sizes), std::move(dim_order), std::move(strides),
                         [tensor_ptr](void*) {});
}

/// A tensor with a copy of the data, converted to `type`. Aborts when the conversion is not allowed, or when the data
/// lies on another device than the CPU.
TensorPtr clone_tensor_ptr(const executorch::aten::Tensor& tensor, executorch::aten::ScalarType type);

inline TensorPtr clone_tensor_ptr(const executorch::aten::Tensor& tensor) {
  return clone_tensor_ptr(tensor, tensor.scalar_type());
}
inline TensorPtr clone_tensor_ptr(const TensorPtr& tensor, executorch::aten::ScalarType type) {
  return clone_tensor_ptr(*tensor, type);
}
inline TensorPtr clone_tensor_ptr(const TensorPtr& tensor) { return clone_tensor_ptr(*tensor, tensor->scalar_type()); }

/// Gives the tensor other sizes. Errors: those of resize_tensor() (a static shape, or more than the upper bound).
ET_NODISCARD runtime::Error resize_tensor_ptr(TensorPtr& tensor, const std::vector<executorch::aten::SizesType>& sizes);

/// A copy of the data on another device, or from there on the CPU, by the device's registered allocator, which also
/// frees it. Aborts when neither or both ends are on the CPU, when there is no allocator, or when the copy fails.
TensorPtr clone_tensor_ptr_to(const TensorPtr& tensor, executorch::aten::Device target);

}  // namespace extension
}  // namespace executorch
