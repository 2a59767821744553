// SPDX-License-Identifier: BSD-3-Clause
// TensorImpl: counting elements without overflow, and resizing within what was planned.

#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/core/exec_aten/util/tensor_shape_to_c_string.h>
#include <executorch/runtime/core/portable_type/tensor_impl.h>
#include <wick/dim_order.h>

#include <cstring>

namespace executorch::runtime::etensor {

Result<ssize_t> safe_numel(const TensorImpl::SizesType* sizes, ssize_t dim) {
  ET_CHECK_OR_RETURN_ERROR(dim == 0 || sizes != nullptr, InvalidArgument, "sizes is null for %zd dimensions", dim);
  ssize_t numel = 1;
  for (ssize_t i = 0; i < dim; ++i) {
    ET_CHECK_OR_RETURN_ERROR(sizes[i] >= 0, InvalidArgument, "size of dimension %zd is negative: %d", i,
                             static_cast<int>(sizes[i]));
    ET_CHECK_OR_RETURN_ERROR(!c10::mul_overflows(numel, static_cast<ssize_t>(sizes[i]), &numel), InvalidArgument,
                             "more elements than a size can count, from dimension %zd on", i);
  }
  return numel;
}

ssize_t compute_numel(const TensorImpl::SizesType* sizes, ssize_t dim) { return *safe_numel(sizes, dim); }

TensorImpl::TensorImpl(ScalarType type, ssize_t dim, SizesType* sizes, void* data, DimOrderType* dim_order,
                       StridesType* strides, TensorShapeDynamism dynamism, DeviceType device_type,
                       DeviceIndex device_index)
    : sizes_(sizes),
      dim_order_(dim_order),
      strides_(strides),
      data_(data),
      numel_bound_(compute_numel(sizes, dim)),
      dim_(static_cast<uint8_t>(dim)),
      type_(type),
      shape_dynamism_(dynamism),
      device_(static_cast<uint8_t>(device_index * 4 + static_cast<int>(device_type))) {
  ET_CHECK_MSG(isValid(type), "no type has number %d", static_cast<int>(type));
  ET_CHECK_MSG(dim == dim_, "%zd dimensions, can be 0 to 255", dim);
  ET_CHECK_MSG(this->device_type() == device_type && this->device_index() == device_index,
               "device type %d can be 0 to 3, index %d can be -32 to 31", static_cast<int>(device_type),
               static_cast<int>(device_index));
}

ssize_t TensorImpl::current_numel() const {
  ssize_t numel = 1;
  for (const SizesType size : sizes()) {
    numel *= size;  // sizes were checked when they were set
  }
  return numel;
}

size_t TensorImpl::nbytes() const { return static_cast<size_t>(numel()) * elementSize(type_); }

ssize_t TensorImpl::element_size() const { return static_cast<ssize_t>(elementSize(type_)); }

Error TensorImpl::internal_resize_contiguous(ArrayRef<SizesType> new_sizes) {
  ET_CHECK_OR_RETURN_ERROR(new_sizes.size() == dim_, NotSupported, "a tensor of %d dimensions cannot get %zu",
                           static_cast<int>(dim_), new_sizes.size());
  if (dim_ == 0) {
    return Error::Ok;
  }
  if (shape_dynamism_ == TensorShapeDynamism::STATIC) {
    ET_CHECK_OR_RETURN_ERROR(ArrayRef<SizesType>(sizes_, dim_).equals(new_sizes), NotSupported,
                             "the tensor is static: its shape %s cannot become %s",
                             tensor_shape_to_c_string(Span<const SizesType>(sizes_, dim_)).data(),
                             tensor_shape_to_c_string(Span<const SizesType>(new_sizes.data(), dim_)).data());
    return Error::Ok;
  }
  StridesType strides[kTensorDimensionLimit];
  int32_t numel = 0;
  ET_CHECK_OR_RETURN_ERROR(wick::lay_out(new_sizes.data(), dim_order_, dim_, strides, &numel), InvalidArgument,
                           "sizes %s are negative or too large, or the dim order is no permutation",
                           tensor_shape_to_c_string(Span<const SizesType>(new_sizes.data(), dim_)).data());
  ET_CHECK_OR_RETURN_ERROR(numel <= numel_bound_, NotSupported,
                           "the tensor has room for %zd elements, its new shape %s has %d", numel_bound_,
                           tensor_shape_to_c_string(Span<const SizesType>(new_sizes.data(), dim_)).data(),
                           static_cast<int>(numel));
  if (strides_ != nullptr && dim_order_ != nullptr) {
    std::memcpy(strides_, strides, dim_ * sizeof(StridesType));
  }
  if (sizes_ != new_sizes.data()) {
    std::memcpy(sizes_, new_sizes.data(), dim_ * sizeof(SizesType));
  }
  return Error::Ok;
}

}  // namespace executorch::runtime::etensor
