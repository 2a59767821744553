// SPDX-License-Identifier: BSD-3-Clause
//
// Calls whose tensors must have one dtype, an optional part of the loader that kernels of matrix products bring where
// an image's programs have several. An early exporter for Cortex-M left out the requantisation of linear layers: what
// then multiplies int32 by int8 has lost its scales and cannot be computed.
#include "src/runtime/executor/method_loader.h"
#include "src/runtime/kernel/question.h"

namespace wick {

void internal::require_one_dtype(MethodLoader& loader, pte::Table call, Instruction* out) {
  loader.require_one_dtype(call, out);
}

/// Fails unless all tensors among the call's arguments have the dtype of its result.
void MethodLoader::require_one_dtype(pte::Table call, Instruction* out) {
  const pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
  int result = -1;
  for (uint32_t i = out->count(); ok() && i-- > 0;) {
    const uint32_t value = static_cast<uint32_t>(buffer_.i32_item(args, i));
    if (value >= values_.count) {
      return;  // which the walk will say
    }
    const pte::Table tensor = look_at(value);
    if (type_ != pte::evalue::kTensor) {
      continue;
    }
    const int dtype = buffer_.u8_field(tensor, pte::tensor::kScalarType);
    result = result < 0 ? dtype : result;
    if (dtype != result) {
      const uint32_t index = buffer_.u32_field(call, pte::call::kIndex);
      ET_LOG(Error, "operator '%s' is called with dtypes %d and %d, which cannot be combined: export the program again",
             buffer_.string_field(buffer_.table_item(operators_, index), pte::op::kName), dtype, result);
      (void)index;
      fail(Error::InvalidProgram);
    }
  }
}

}  // namespace wick
