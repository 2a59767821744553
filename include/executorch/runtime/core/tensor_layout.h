// SPDX-License-Identifier: BSD-3-Clause
// TensorLayout: the type, sizes and dim order of a tensor stored in a data file, checked once.
// It views arrays of the file; the file must outlive it.
//
//     Result<const TensorLayout> layout = data_map->get_tensor_layout("conv1.weight");

#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>

#include <cstddef>
#include <cstdint>

namespace executorch::ET_RUNTIME_NAMESPACE {

class TensorLayout final {
 public:
  TensorLayout() = delete;

  /// InvalidArgument when the type is not valid, a size is negative, the bytes overflow, or the dim order is no
  /// permutation of the dimensions.
  static Result<const TensorLayout> create(Span<const int32_t> sizes, Span<const uint8_t> dim_order,
                                           executorch::aten::ScalarType scalar_type);

  Span<const int32_t> sizes() const { return sizes_; }
  Span<const uint8_t> dim_order() const { return dim_order_; }
  executorch::aten::ScalarType scalar_type() const { return scalar_type_; }
  /// Bytes of the tensor's data.
  size_t nbytes() const { return nbytes_; }

 private:
  TensorLayout(Span<const int32_t> sizes, Span<const uint8_t> dim_order, executorch::aten::ScalarType scalar_type,
               size_t nbytes)
      : sizes_(sizes), dim_order_(dim_order), nbytes_(nbytes), scalar_type_(scalar_type) {}

  Span<const int32_t> sizes_;
  Span<const uint8_t> dim_order_;
  size_t nbytes_;
  executorch::aten::ScalarType scalar_type_;
};

}  // namespace executorch::ET_RUNTIME_NAMESPACE
