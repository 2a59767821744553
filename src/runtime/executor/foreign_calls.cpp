// SPDX-License-Identifier: BSD-3-Clause
//
// Calls to code outside of wick, an optional part of the loader: kernels that users brought (load_method's list first,
// then what the program registered), chosen per call by the types and dim orders of its tensors; and real lists for
// them and for delegates.
#include <executorch/runtime/kernel/operator_registry.h>
#include <wick/kernel_table.h>

#include <new>

#include "src/runtime/executor/method_loader.h"
#include "src/runtime/kernel/kernel_lookup.h"

namespace wick {

using executorch::runtime::BoxedEvalueList;
using executorch::runtime::get_registered_kernels;
using executorch::runtime::TensorMeta;

extern const ForeignCalls foreign_calls = {
    [](const MethodLoader& loader, const char* name, const char* overload) {
      return loader.is_registered(name, overload);
    },
    [](MethodLoader& loader, pte::Table op, Instruction* call) { loader.bind_registered(op, call); },
    [](MethodLoader& loader, uint8_t type, pte::Table content) { return loader.boxed_list(type, content); },
    [](MethodLoader& loader, const pte::Vector& delegates) { loader.load_delegates(delegates); }};

bool MethodLoader::is_registered(const char* name, const char* overload) const {
  for (Span<const Kernel> list : {request_.kernels, get_registered_kernels()}) {
    for (const Kernel& kernel : list) {
      if (compare_operator_name(kernel.name_, name, overload) == 0) {
        return true;
      }
    }
  }
  return false;
}

void MethodLoader::bind_registered(pte::Table op, Instruction* call) {
  constexpr size_t kMaxTensors = 16;  // more do not fit a kernel key
  TensorMeta tensors[kMaxTensors];
  size_t n_tensors = 0;
  for (uint32_t i = 0; i < call->count() && n_tensors < kMaxTensors; ++i) {
    const EValue* value = reinterpret_cast<EValue*>(method_.operands_[call->first() + i]);
    if (value->isTensor()) {
      const Tensor& tensor = value->toTensor();
      tensors[n_tensors++] = TensorMeta(
          tensor.scalar_type(),
          Span<executorch::aten::DimOrderType>(const_cast<executorch::aten::DimOrderType*>(tensor.dim_order().data()),
                                               tensor.dim_order().size()));
    }
  }
  const char* name = buffer_.string_field(op, pte::op::kName);
  const char* overload = buffer_.string_field(op, pte::op::kOverload);
  const Span<const TensorMeta> key(tensors, n_tensors);
  for (bool listed : {true, false}) {
    Result<OpFunction> found =
        listed ? find_in_list(name, overload, key, request_.kernels) : find_kernel_function(name, overload, key);
    if (!found.ok()) {
      fail(found.error());
      return;
    }
    if (found.get() != nullptr) {
      call->function = found.get();
      return;
    }
  }
  ET_LOG(Error, "kernels of '%s' are registered, but none for the types and dim orders of this call", name);
  fail(Error::OperatorMissing);
}

/// Placement of a boxed list: the list object, its items' EValues, and room for the unboxed items.
template <typename T>
BoxedEvalueList<T>* MethodLoader::new_list(EValue*** items, uint32_t count) {
  *items = take<EValue*>(count);
  T* unboxed = take<T>(count);
  auto* list = take<BoxedEvalueList<T>>(1);
  return ok() ? new (list) BoxedEvalueList<T>(*items, unboxed, static_cast<int>(count)) : nullptr;
}

/// A list whose items are used where they lie.
template <typename T>
ArrayRef<T>* MethodLoader::new_array(const void* items, uint32_t count) {
  auto* list = take<ArrayRef<T>>(1);
  return list == nullptr ? nullptr : new (list) ArrayRef<T>(static_cast<const T*>(items), count);
}

EValue* MethodLoader::boxed_list(uint8_t type, pte::Table content) {
  const unsigned width = type == pte::evalue::kBoolList                                      ? 1
                         : type == pte::evalue::kIntList || type == pte::evalue::kDoubleList ? 8
                                                                                             : 4;
  const pte::Vector items = buffer_.vector_field(content, pte::evalue::kContent, width);
  EValue* slot = take<EValue>(1);
  if (slot == nullptr) {
    return nullptr;
  }
  if (items.at == 0) {
    corrupt("a list is missing");
    return nullptr;
  }
  new (slot) EValue();
  EValue** elements = nullptr;
  bool fits = true;
  const auto set = [slot, &fits](auto* list) {
    fits = list != nullptr;
    if (fits) {
      *slot = EValue(list);
    }
  };
  switch (type) {
    case pte::evalue::kIntList:
      set(new_list<int64_t>(&elements, items.count));
      break;
    case pte::evalue::kTensorList:
      set(new_list<Tensor>(&elements, items.count));
      break;
    case pte::evalue::kOptionalTensorList:
      set(new_list<std::optional<Tensor>>(&elements, items.count));
      break;
    case pte::evalue::kBoolList:
      set(new_array<bool>(buffer_.bytes(items.at), items.count));
      break;
    case pte::evalue::kDoubleList:
      set(new_array<double>(buffer_.bytes(items.at), items.count));
      break;
    default:
      corrupt("a list of an unknown type");
      return nullptr;
  }
  if (!fits) {
    return fail(Error::MemoryAllocationFailed);
  }
  const uint8_t wanted = type == pte::evalue::kIntList ? pte::evalue::kInt : pte::evalue::kTensor;
  for (uint32_t i = 0; elements != nullptr && i < items.count; ++i) {
    const int64_t index = width == 8 ? static_cast<int64_t>(buffer_.u64_item(items, i)) : buffer_.i32_item(items, i);
    if (index == -1 && type == pte::evalue::kOptionalTensorList) {
      elements[item(i)] = nullptr;
      continue;
    }
    if (index < 0 || index >= values_.count || value_type(static_cast<uint32_t>(index)) != wanted) {
      corrupt("an item of a list is of another type, or out of range");
      return nullptr;
    }
    elements[item(i)] = boxed(static_cast<uint32_t>(index));
  }
  return slot;
}

}  // namespace wick
