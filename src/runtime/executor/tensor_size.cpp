// SPDX-License-Identifier: BSD-3-Clause
//
// The size of a tensor, with overflow checks.
#include "src/runtime/executor/tensor_size.h"

#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <wick/dim_order.h>

namespace wick {

unsigned element_size(uint8_t scalar_type) {
  const auto type = static_cast<executorch::aten::ScalarType>(scalar_type);
  return executorch::runtime::isValid(type) ? static_cast<unsigned>(executorch::runtime::elementSize(type)) : 0;
}

bool tensor_size(const int32_t* sizes, size_t rank, int8_t scalar_type, size_t* numel, size_t* nbytes) {
  int32_t strides[executorch::runtime::kTensorDimensionLimit];
  int32_t count = 0;
  const unsigned width = element_size(static_cast<uint8_t>(scalar_type));
  if (!lay_out(sizes, nullptr, rank, strides, &count) || width == 0 ||
      static_cast<size_t>(count) > SIZE_MAX / 2 / width) {
    return false;
  }
  *numel = static_cast<size_t>(count);
  *nbytes = *numel * width;
  return true;
}

}  // namespace wick
