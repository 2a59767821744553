// SPDX-License-Identifier: BSD-3-Clause
// TensorLayout: sizes and dim orders from a file, checked before anyone computes with them.

#include <c10/util/safe_numerics.h>
#include <executorch/runtime/core/exec_aten/util/dim_order_util.h>
#include <executorch/runtime/core/tensor_layout.h>

namespace executorch::ET_RUNTIME_NAMESPACE {

Result<const TensorLayout> TensorLayout::create(Span<const int32_t> sizes, Span<const uint8_t> dim_order,
                                                executorch::aten::ScalarType scalar_type) {
  ET_CHECK_OR_RETURN_ERROR(isValid(scalar_type), InvalidArgument, "no type has number %d",
                           static_cast<int>(scalar_type));
  ET_CHECK_OR_RETURN_ERROR(dim_order.size() == sizes.size(), InvalidArgument, "%zu sizes, but a dim order of %zu",
                           sizes.size(), dim_order.size());
  ET_CHECK_OR_RETURN_ERROR(validate_dim_order(dim_order.data(), dim_order.size()), InvalidArgument,
                           "dim order is no permutation of the numbers below %zu", dim_order.size());
  size_t nbytes = elementSize(scalar_type);
  for (const int32_t size : sizes) {
    ET_CHECK_OR_RETURN_ERROR(size >= 0 && !c10::mul_overflows(nbytes, static_cast<size_t>(size), &nbytes),
                             InvalidArgument, "size %d is negative or makes the tensor larger than memory",
                             static_cast<int>(size));
  }
  return TensorLayout(sizes, dim_order, scalar_type, nbytes);
}

}  // namespace executorch::ET_RUNTIME_NAMESPACE
