// SPDX-License-Identifier: BSD-3-Clause
// TensorAccessor: a tensor's elements by index, its type and number of dimensions known to the compiler.
// It refers to the tensor, which must outlive it.
//
//     auto a = make_tensor_accessor<float, 2>(tensor);
//     a.get()[1][2] = 0.5f;

#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/log.h>

#include <type_traits>

namespace executorch {
namespace extension {
namespace internal {

/// The part that does not depend on the rank.
template <typename T, ssize_t N>
class TensorAccessorBase {
 public:
  /// Size and stride (in elements) of a dimension. They abort when there is no such dimension.
  executorch::aten::SizesType size(ssize_t i) const { return sizes_[checked(i)]; }
  executorch::aten::StridesType stride(ssize_t i) const { return strides_[checked(i)]; }

 protected:
  TensorAccessorBase(T* data, const executorch::aten::SizesType* sizes, const executorch::aten::StridesType* strides,
                     ssize_t dim)
      : data_(data), sizes_(sizes), strides_(strides), dim_(dim) {}

  T* data_;
  const executorch::aten::SizesType* sizes_;
  const executorch::aten::StridesType* strides_;
  ssize_t dim_;

 private:
  ssize_t checked(ssize_t i) const {
    ET_CHECK_MSG(i >= 0 && i < dim_, "dimension %zd of a tensor of %zd", i, dim_);
    return i;
  }
};

}  // namespace internal

template <typename T, ssize_t N>
class TensorAccessor : public internal::TensorAccessorBase<T, N> {
 public:
  /// The part of the tensor at index i of the outermost dimension; not checked.
  TensorAccessor<T, N - 1> operator[](ssize_t i) { return part(i); }
  const TensorAccessor<T, N - 1> operator[](ssize_t i) const { return part(i); }

 private:
  using internal::TensorAccessorBase<T, N>::TensorAccessorBase;

  TensorAccessor<T, N - 1> part(ssize_t i) const {
    return TensorAccessor<T, N - 1>(this->data_ + this->strides_[0] * i, this->sizes_ + 1, this->strides_ + 1, N - 1);
  }

  template <typename T2, ssize_t N2>
  friend class TensorAccessor;
  template <typename T2, ssize_t N2>
  friend executorch::runtime::Result<TensorAccessor<T2, N2>> make_tensor_accessor(
      const executorch::aten::Tensor& tensor);
};

/// One dimension: an index gives the element.
template <typename T>
class TensorAccessor<T, 1> : public internal::TensorAccessorBase<T, 1> {
 public:
  T& operator[](ssize_t i) { return this->data_[this->strides_[0] * i]; }
  const T& operator[](ssize_t i) const { return this->data_[this->strides_[0] * i]; }

 private:
  using internal::TensorAccessorBase<T, 1>::TensorAccessorBase;

  template <typename T2, ssize_t N2>
  friend class TensorAccessor;
  template <typename T2, ssize_t N2>
  friend executorch::runtime::Result<TensorAccessor<T2, N2>> make_tensor_accessor(
      const executorch::aten::Tensor& tensor);
};

/// Errors: InvalidArgument (another number of dimensions, or elements of another size than T), NotSupported (the
/// dimensions are not in their own order in memory).
template <typename T, ssize_t N>
executorch::runtime::Result<TensorAccessor<T, N>> make_tensor_accessor(const executorch::aten::Tensor& tensor) {
  static_assert(N > 0, "a tensor without dimensions has one element: use const_data_ptr<T>()");
  using executorch::runtime::Error;
  if (tensor.dim() != N) {
    ET_LOG(Error, "an accessor of %zd dimensions cannot see a tensor of %zd", N, tensor.dim());
    return Error::InvalidArgument;
  }
  if (tensor.element_size() != static_cast<ssize_t>(sizeof(T))) {
    ET_LOG(Error, "an accessor of elements of %zu bytes cannot see a tensor of elements of %zd", sizeof(T),
           tensor.element_size());
    return Error::InvalidArgument;
  }
  for (ssize_t i = 0; i < N; ++i) {
    if (tensor.dim_order()[static_cast<size_t>(i)] != i) {
      ET_LOG(Error, "an accessor needs dim order 0, 1, 2, ...: convert the tensor first");
      return Error::NotSupported;
    }
  }
  T* data = nullptr;
  if constexpr (std::is_const_v<T>) {
    data = tensor.const_data_ptr<T>();
  } else {
    data = tensor.mutable_data_ptr<T>();
  }
  return TensorAccessor<T, N>(data, tensor.sizes().data(), tensor.strides().data(), N);
}

}  // namespace extension
}  // namespace executorch
