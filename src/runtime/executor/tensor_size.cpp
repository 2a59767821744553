// SPDX-License-Identifier: BSD-3-Clause
//
// The size of a tensor, with overflow checks.
#include "src/runtime/executor/tensor_size.h"

#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>

namespace wick {
unsigned element_size(uint8_t scalar_type) {
  const auto type = static_cast<executorch::aten::ScalarType>(scalar_type);
  return executorch::runtime::isValid(type) ? static_cast<unsigned>(executorch::runtime::elementSize(type)) : 0;
}

bool tensor_size(const int32_t* sizes, size_t rank, int8_t scalar_type, size_t* numel, size_t* nbytes) {
  uint64_t count = 1;
  for (size_t i = 0; i < rank; ++i) {
    if (sizes[i] < 0) {
      return false;
    }
    count *= static_cast<uint32_t>(sizes[i]);
    if (count > INT32_MAX) {
      return false;
    }
  }
  unsigned width = element_size(static_cast<uint8_t>(scalar_type));
  *numel = static_cast<size_t>(count);
  *nbytes = static_cast<size_t>(count * width);
  return width != 0 && count * width <= SIZE_MAX / 2;
}

}  // namespace wick
