// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels that users brought: load_method's list first, then what the program registered. They are chosen per call,
// by the types and dim orders of its tensors, and are given real EValues.
#include <wick/kernel_table.h>

#include <executorch/runtime/platform/log.h>

#include "src/runtime/executor/method_loader.h"
#include "src/runtime/kernel/kernel_lookup.h"

namespace wick {

using executorch::runtime::get_registered_kernels;
using executorch::runtime::TensorMeta;

bool MethodLoader::is_registered(const char* name, const char* overload) const {
  for (Span<const Kernel> list : {kernels_, get_registered_kernels()}) {
    for (const Kernel& kernel : list) {
      if (compare_operator_name(kernel.name_, name, overload) == 0) {
        return true;
      }
    }
  }
  return false;
}

Error MethodLoader::bind_registered(const pte::Table& op, uint32_t first, uint32_t count, OpFunction* function) {
  constexpr size_t kMaxTensors = 16;  // more do not fit a kernel key
  TensorMeta tensors[kMaxTensors];
  size_t n_tensors = 0;
  for (uint32_t i = 0; i < count && n_tensors < kMaxTensors; ++i) {
    const EValue* value = reinterpret_cast<EValue*>(method_.operands_[first + i]);
    if (value->isTensor()) {
      const Tensor& tensor = value->toTensor();
      tensors[n_tensors++] = TensorMeta(
          tensor.scalar_type(),
          Span<executorch::aten::DimOrderType>(
              const_cast<executorch::aten::DimOrderType*>(tensor.dim_order().data()), tensor.dim_order().size()));
    }
  }
  const char* name = buffer_.string_field(op, pte::op::kName);
  const char* overload = buffer_.string_field(op, pte::op::kOverload);
  overload = overload == nullptr ? "" : overload;
  const Span<const TensorMeta> key(tensors, n_tensors);
  for (bool listed : {true, false}) {
    Result<OpFunction> found =
        listed ? find_in_list(name, overload, key, kernels_) : find_kernel_function(name, overload, key);
    if (!found.ok()) {
      return found.error();
    }
    if (found.get() != nullptr) {
      *function = found.get();
      return Error::Ok;
    }
  }
  ET_LOG(Error, "kernels of '%s' are registered, but none for the types and dim orders of this call", name);
  return Error::OperatorMissing;
}

}  // namespace wick
