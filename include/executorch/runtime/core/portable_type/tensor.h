// SPDX-License-Identifier: BSD-3-Clause
// Tensor: a handle to a TensorImpl, with the part of at::Tensor's interface that kernels use.
// Copying one copies a pointer; the TensorImpl must outlive it.
//
//     const float* x = tensor.const_data_ptr<float>();
//     for (ssize_t i = 0; i < tensor.numel(); ++i) { sum += x[i]; }

#pragma once

#include <executorch/runtime/core/portable_type/tensor_impl.h>
#include <executorch/runtime/platform/compiler.h>

namespace executorch::runtime::etensor {

class Tensor {
 public:
  using SizesType = TensorImpl::SizesType;
  using DimOrderType = TensorImpl::DimOrderType;
  using StridesType = TensorImpl::StridesType;

  Tensor() = delete;
  explicit constexpr Tensor(TensorImpl* impl) : impl_(impl) {}

  /// The tensor itself; writing to it changes every handle.
  TensorImpl* unsafeGetTensorImpl() const { return impl_; }

  // See TensorImpl for what these mean.
  size_t nbytes() const { return impl_->nbytes(); }
  ssize_t size(ssize_t dim) const { return impl_->size(dim); }
  ssize_t dim() const { return impl_->dim(); }
  ssize_t numel() const { return impl_->numel(); }
  ScalarType scalar_type() const { return impl_->scalar_type(); }
  ScalarType dtype() const { return impl_->scalar_type(); }
  ssize_t element_size() const { return impl_->element_size(); }
  const ArrayRef<SizesType> sizes() const { return impl_->sizes(); }
  const ArrayRef<DimOrderType> dim_order() const { return impl_->dim_order(); }
  const ArrayRef<StridesType> strides() const { return impl_->strides(); }
  TensorShapeDynamism shape_dynamism() const { return impl_->shape_dynamism(); }
  Device device() const { return impl_->device(); }
  DeviceType device_type() const { return impl_->device_type(); }
  DeviceIndex device_index() const { return impl_->device_index(); }

  /// The data, to read and to write.
  template <typename T>
  const T* const_data_ptr() const {
    return impl_->data<T>();
  }
  const void* const_data_ptr() const { return impl_->data(); }
  template <typename T>
  T* mutable_data_ptr() const {
    return impl_->mutable_data<T>();
  }
  void* mutable_data_ptr() const { return impl_->mutable_data(); }

  /// Deprecated: say const_data_ptr() or mutable_data_ptr().
  template <typename T>
  ET_DEPRECATED T* data_ptr() const {
    return impl_->mutable_data<T>();
  }
  ET_DEPRECATED void* data_ptr() const { return impl_->mutable_data(); }

  /// Deprecated: at::Tensor has no such function.
  ET_DEPRECATED void set_data(void* ptr) const { impl_->set_data(ptr); }

 private:
  TensorImpl* impl_ = nullptr;
};

}  // namespace executorch::runtime::etensor

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::etensor::Tensor;
}  // namespace torch::executor
