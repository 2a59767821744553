// SPDX-License-Identifier: BSD-3-Clause
// Dim orders: the dimensions of a tensor, outermost in memory first. {0, 1, 2, 3} is contiguous (NCHW),
// {0, 2, 3, 1} channels last (NHWC). Without sizes, orders are compared entry by entry; see wick/dim_order.h.
//
//     int32_t strides[4];
//     ET_CHECK_OK_OR_RETURN_ERROR(dim_order_to_stride(sizes, order, 4, strides));

#pragma once

#include <c10/util/irange.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/compiler.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace executorch::runtime {

/// True when the entries are a permutation of 0 to dims - 1, and there are no more than kTensorDimensionLimit.
template <typename DimOrderType>
constexpr bool validate_dim_order(const DimOrderType* dim_order, const size_t dims) {
  if (dims > kTensorDimensionLimit) {
    return false;
  }
  static_assert(kTensorDimensionLimit < 32, "one bit for each dimension");
  uint32_t seen = 0;
  for (size_t i = 0; i < dims; ++i) {
    const size_t dim = static_cast<size_t>(dim_order[i]);
    if (dim >= dims) {
      return false;
    }
    seen |= uint32_t{1} << dim;
  }
  return seen == (uint32_t{1} << dims) - 1;
}

/// True for 0, 1, 2, ...
template <typename DimOrderType>
constexpr bool is_contiguous_dim_order(const DimOrderType* dim_order, const size_t dims) {
  for (size_t i = 0; i < dims; ++i) {
    if (dim_order[i] != static_cast<DimOrderType>(i)) {
      return false;
    }
  }
  return true;
}

/// True for 0, 2, 3, 1 and 0, 2, 3, 4, 1.
template <typename DimOrderType>
constexpr bool is_channels_last_dim_order(const DimOrderType* dim_order, const size_t dims) {
  if ((dims != 4 && dims != 5) || dim_order[0] != 0 || dim_order[dims - 1] != 1) {
    return false;
  }
  for (size_t i = 1; i < dims - 1; ++i) {
    if (dim_order[i] != static_cast<DimOrderType>(i + 1)) {
      return false;
    }
  }
  return true;
}

/// Strides, in elements, of a dense tensor in this order; a dimension of size 0 counts as size 1.
/// The dim order must be valid.
template <typename SizesType, typename DimOrderType, typename StridesType>
constexpr void dim_order_to_stride_nocheck(const SizesType* sizes, const DimOrderType* dim_order, const size_t dims,
                                           StridesType* strides) {
  StridesType stride = 1;
  for (size_t i = dims; i-- > 0;) {
    const size_t dim = static_cast<size_t>(dim_order[i]);
    strides[dim] = stride;
    if (sizes[dim] != 0) {
      stride = static_cast<StridesType>(stride * static_cast<StridesType>(sizes[dim]));
    }
  }
}

/// dim_order_to_stride_nocheck() that returns InvalidArgument, and writes nothing, when the dim order is not valid.
template <typename SizesType, typename DimOrderType, typename StridesType>
ET_NODISCARD Error dim_order_to_stride(const SizesType* sizes, const DimOrderType* dim_order, const size_t dims,
                                       StridesType* strides) {
  ET_CHECK_OR_RETURN_ERROR(validate_dim_order(dim_order, dims), InvalidArgument,
                           "dim order is no permutation of the numbers below %zu", dims);
  dim_order_to_stride_nocheck(sizes, dim_order, dims, strides);
  return Error::Ok;
}

/// The dim order with these strides: dimensions by falling stride, equal ones in their own order.
/// MemoryAllocationFailed when dim_order is null, NotSupported when there are too many dimensions.
template <typename DimOrderType, typename StridesType>
ET_NODISCARD Error stride_to_dim_order(const StridesType* strides, const size_t dims, DimOrderType* dim_order) {
  ET_CHECK_OR_RETURN_ERROR(dim_order != nullptr, MemoryAllocationFailed, "no memory given for the dim order");
  ET_CHECK_OR_RETURN_ERROR(dims <= kTensorDimensionLimit, NotSupported, "%zu dimensions, at most %zu can be handled",
                           dims, kTensorDimensionLimit);
  for (size_t i = 0; i < dims; ++i) {
    size_t place = i;
    for (; place > 0 && strides[static_cast<size_t>(dim_order[place - 1])] < strides[i]; --place) {
      dim_order[place] = dim_order[place - 1];
    }
    dim_order[place] = static_cast<DimOrderType>(i);
  }
  return Error::Ok;
}

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::dim_order_to_stride;
using ::executorch::runtime::dim_order_to_stride_nocheck;
using ::executorch::runtime::is_channels_last_dim_order;
using ::executorch::runtime::is_contiguous_dim_order;
using ::executorch::runtime::stride_to_dim_order;
}  // namespace torch::executor
