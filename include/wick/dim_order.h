// SPDX-License-Identifier: BSD-3-Clause
// Comparing dim orders by what they mean: a dimension of size 1 has no say in where elements lie, wherever it stands.
// Exporters write such orders: {0, 2, 1, 3} for the sizes {1, 1, 49, 10} is plain contiguous memory.
//
//     if (!wick::same_memory_order(sizes, declared.data(), given.data(), rank)) { return Error::InvalidArgument; }

#pragma once

#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>

#include <cstddef>
#include <cstdint>

namespace wick {

/// True when a dense tensor of these sizes has each element at the same place in both dim orders. A null order is
/// contiguous; an entry that is no dimension makes orders differ.
bool same_memory_order(const int32_t* sizes, const uint8_t* a, const uint8_t* b, size_t dims);

/// same_memory_order() with 0, 1, 2, ..., and with 0, 2, 3, 1 or 0, 2, 3, 4, 1. A rank other than 4 and 5 is never
/// channels last. A tensor can be both.
bool is_contiguous_memory(const int32_t* sizes, const uint8_t* order, size_t dims);
bool is_channels_last_memory(const int32_t* sizes, const uint8_t* order, size_t dims);

/// Strides (in elements) and number of elements of a tensor of `rank` dimensions that lies in this dim order, or in the
/// order 0, 1, 2, ... if `order` is null. `strides` takes `rank` items. False, for a rank above 16, an order that is no
/// permutation, a negative size, or 2^31 elements and more.
bool lay_out(const int32_t* sizes, const uint8_t* order, size_t rank, int32_t* strides, int32_t* numel);

/// Calls function(a, b) for each of `numel` elements, in logical order, with the places (in elements) where two tensors
/// of these sizes and of other strides have it.
template <typename Function>
void for_each_place(const int32_t* sizes, size_t rank, size_t numel, const int32_t* a_strides, const int32_t* b_strides,
                    Function&& function) {
  int32_t left_in[executorch::runtime::kTensorDimensionLimit];  // items up to the end of each dimension
  for (size_t d = 0; d < rank; ++d) {
    left_in[d] = sizes[d];
  }
  int32_t a = 0;
  int32_t b = 0;
  for (; numel > 0; --numel) {
    function(static_cast<size_t>(a), static_cast<size_t>(b));
    for (size_t d = rank; d-- > 0;) {
      a += a_strides[d];
      b += b_strides[d];
      if (--left_in[d] != 0) {
        break;
      }
      left_in[d] = sizes[d];
      a -= left_in[d] * a_strides[d];
      b -= left_in[d] * b_strides[d];
    }
  }
}

}  // namespace wick
