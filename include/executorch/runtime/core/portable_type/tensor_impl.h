// SPDX-License-Identifier: BSD-3-Clause
// TensorImpl: what a tensor is - type, shape, order in memory and data. It owns none of the arrays it points to.
// Kernels see it through Tensor; programs build one to hand in an input.
//
//     TensorImpl::SizesType sizes[] = {1, 3};
//     float data[3] = {};
//     TensorImpl impl(ScalarType::Float, 2, sizes, data);
//     Tensor tensor(&impl);

#pragma once

#include <executorch/runtime/core/array_ref.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/portable_type/device.h>
#include <executorch/runtime/core/portable_type/scalar_type.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/tensor_shape_dynamism.h>
#include <executorch/runtime/platform/compiler.h>

namespace wick {
class MethodLoader;
class Operand;
class TensorArgument;
}  // namespace wick

namespace executorch::runtime {
class Method;
}  // namespace executorch::runtime

namespace executorch::runtime::internal {
class TensorResizerFriend;
}  // namespace executorch::runtime::internal

namespace executorch::runtime::etensor {

class TensorImpl {
 public:
  using SizesType = int32_t;
  using DimOrderType = uint8_t;
  using StridesType = int32_t;

  TensorImpl() = delete;

  /// A tensor over the caller's arrays of `dim` entries. Without dim_order and strides the data is contiguous.
  /// The sizes given here are also the largest that a tensor that is not STATIC can take.
  /// Aborts when the type is not valid, a size is negative, or the number of elements overflows.
  TensorImpl(ScalarType type, ssize_t dim, SizesType* sizes, void* data = nullptr, DimOrderType* dim_order = nullptr,
             StridesType* strides = nullptr, TensorShapeDynamism dynamism = TensorShapeDynamism::STATIC,
             DeviceType device_type = DeviceType::CPU, DeviceIndex device_index = 0);

  /// Bytes of the elements that the tensor has now.
  size_t nbytes() const;

  /// The size of one dimension. Aborts when there is no such dimension.
  ssize_t size(ssize_t dim) const {
    ET_CHECK_MSG(dim >= 0 && dim < dim_, "tensor has %d dimensions, none of index %zd", static_cast<int>(dim_), dim);
    return sizes_[dim];
  }

  /// Number of dimensions.
  ssize_t dim() const { return dim_; }

  /// Number of elements that the tensor has now.
  ssize_t numel() const { return shape_dynamism_ == TensorShapeDynamism::STATIC ? numel_bound_ : current_numel(); }

  ScalarType scalar_type() const { return type_; }
  ScalarType dtype() const { return type_; }

  /// Bytes of one element.
  ssize_t element_size() const;

  /// Size, place in memory (outermost first) and stride in elements of each dimension.
  const ArrayRef<SizesType> sizes() const { return {sizes_, static_cast<size_t>(dim_)}; }
  const ArrayRef<DimOrderType> dim_order() const { return {dim_order_, static_cast<size_t>(dim_)}; }
  const ArrayRef<StridesType> strides() const { return {strides_, static_cast<size_t>(dim_)}; }

  TensorShapeDynamism shape_dynamism() const { return shape_dynamism_; }

  Device device() const { return Device(device_type(), device_index()); }
  DeviceType device_type() const { return static_cast<DeviceType>(device_ & 3); }
  DeviceIndex device_index() const { return static_cast<DeviceIndex>(static_cast<int8_t>(device_) >> 2); }

  /// The data, which may be null.
  template <typename T>
  const T* data() const {
    return static_cast<const T*>(data_);
  }
  const void* data() const { return data_; }
  template <typename T>
  T* mutable_data() const {
    return static_cast<T*>(data_);
  }
  void* mutable_data() const { return data_; }

  /// Points the tensor at other data.
  void set_data(void* ptr) { data_ = ptr; }

  /// Deprecated: resize_tensor() returns an Error instead of aborting.
  ET_DEPRECATED void set_sizes_contiguous(ArrayRef<SizesType> new_sizes) {
    Error error = internal_resize_contiguous(new_sizes);
    ET_CHECK_MSG(error == Error::Ok, "Could not resize Tensor; see logs for details");
  }

 private:
  friend class ::executorch::runtime::Method;
  friend class ::executorch::runtime::internal::TensorResizerFriend;
  friend class ::wick::MethodLoader;
  friend class ::wick::Operand;
  friend class ::wick::TensorArgument;

  /// For numbers that have been checked: nothing is computed again.
  TensorImpl(ScalarType type, uint8_t dim, ssize_t numel, SizesType* sizes, void* data, DimOrderType* dim_order,
             StridesType* strides, TensorShapeDynamism dynamism, uint8_t device)
      : sizes_(sizes),
        dim_order_(dim_order),
        strides_(strides),
        data_(data),
        numel_bound_(numel),
        dim_(dim),
        type_(type),
        shape_dynamism_(dynamism),
        device_(device) {}

  ET_NODISCARD Error internal_resize_contiguous(ArrayRef<SizesType> new_sizes);
  ssize_t current_numel() const;

  // A model has one of these per tensor, so it is kept small: 24 bytes on 32-bit targets.
  SizesType* sizes_;
  DimOrderType* dim_order_;
  StridesType* strides_;
  void* data_;
  ssize_t numel_bound_;  // Most elements it can have; for a STATIC tensor, those it has.
  uint8_t dim_;
  ScalarType type_;
  TensorShapeDynamism shape_dynamism_;
  uint8_t device_;  // Type in the lower two bits, index above.
};

static_assert(sizeof(TensorImpl) == (sizeof(void*) == 4 ? 24 : 5 * sizeof(void*) + 8), "TensorImpl has grown");

/// The product of the sizes; 1 without dimensions. Aborts when a size is negative or the product overflows.
ssize_t compute_numel(const TensorImpl::SizesType* sizes, ssize_t dim);

/// compute_numel() that returns InvalidArgument instead.
Result<ssize_t> safe_numel(const TensorImpl::SizesType* sizes, ssize_t dim);

// Conversions for ET_LOG: an element of Tensor::size(), Tensor::dim(), Tensor::numel(), and of sizes() or strides().
#define ET_PRI_TENSOR_SIZE "zd"
#define ET_PRI_TENSOR_DIM "zd"
#define ET_PRI_TENSOR_NUMEL "zd"
#define ET_PRI_SIZES_AND_STRIDES "d"

}  // namespace executorch::runtime::etensor

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::etensor::compute_numel;
using ::executorch::runtime::etensor::safe_numel;
using ::executorch::runtime::etensor::TensorImpl;
}  // namespace torch::executor
