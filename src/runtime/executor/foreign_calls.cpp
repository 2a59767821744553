// SPDX-License-Identifier: BSD-3-Clause
//
// Calls to code outside of wick, an optional part of the loader: kernels that users brought (load_method's list first,
// then what the program registered), chosen per call by the types and dim orders of its tensors; and real lists for
// them and for delegates.
#include <new>

#include <executorch/runtime/kernel/operator_registry.h>
#include <wick/kernel_table.h>

#include "src/runtime/executor/method_loader.h"
#include "src/runtime/kernel/kernel_lookup.h"

namespace wick {

using executorch::runtime::BoxedEvalueList;
using executorch::runtime::get_registered_kernels;
using executorch::runtime::TensorMeta;

extern const ForeignCalls foreign_calls = {&MethodLoader::is_registered, &MethodLoader::bind_registered,
                                           &MethodLoader::boxed_list, &MethodLoader::load_delegates,
                                           &MethodLoader::compile_delegate_call};

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

namespace {

/// Placement of a boxed list: the list object, its items' EValues, and room for the unboxed items.
template <typename T>
BoxedEvalueList<T>* new_list(MemoryAllocator* pool, EValue*** items, uint32_t count) {
  *items = pool->allocateList<EValue*>(count);
  T* unboxed = pool->allocateList<T>(count);
  auto* list = pool->allocateInstance<BoxedEvalueList<T>>();
  if (*items == nullptr || unboxed == nullptr || list == nullptr) {
    return nullptr;
  }
  return new (list) BoxedEvalueList<T>(*items, unboxed, static_cast<int>(count));
}

}  // namespace

Error MethodLoader::boxed_list(uint8_t type, const pte::Table& content, EValue** out) {
  const unsigned width = type == pte::evalue::kBoolList                                      ? 1
                         : type == pte::evalue::kIntList || type == pte::evalue::kDoubleList ? 8
                                                                                             : 4;
  pte::Vector items = buffer_.vector_field(content, pte::evalue::kContent, width);
  EValue* slot = take<EValue>(1);
  EValue** elements = nullptr;
  if (slot == nullptr) {
    return no_memory();
  }
  if (items.at == 0) {
    return corrupt("a list is missing");
  }
  new (slot) EValue();
  *out = slot;
  switch (type) {
    case pte::evalue::kIntList: {
      auto* list = new_list<int64_t>(pool_, &elements, items.count);
      if (list == nullptr) {
        return no_memory();
      }
      *slot = EValue(list);
      break;
    }
    case pte::evalue::kTensorList: {
      auto* list = new_list<Tensor>(pool_, &elements, items.count);
      if (list == nullptr) {
        return no_memory();
      }
      *slot = EValue(list);
      break;
    }
    case pte::evalue::kOptionalTensorList: {
      auto* list = new_list<std::optional<Tensor>>(pool_, &elements, items.count);
      if (list == nullptr) {
        return no_memory();
      }
      *slot = EValue(list);
      break;
    }
    case pte::evalue::kBoolList: {
      auto* list = take<ArrayRef<bool>>(1);
      if (list == nullptr) {
        return no_memory();
      }
      *slot = EValue(new (list) ArrayRef<bool>(reinterpret_cast<const bool*>(buffer_.bytes(items.at)), items.count));
      return Error::Ok;
    }
    case pte::evalue::kDoubleList: {
      auto* list = take<ArrayRef<double>>(1);
      if (list == nullptr) {
        return no_memory();
      }
      *slot = EValue(new (list) ArrayRef<double>(reinterpret_cast<const double*>(buffer_.bytes(items.at)), items.count));
      return Error::Ok;
    }
    default:
      return corrupt("a list of an unknown type");
  }
  const uint8_t wanted = type == pte::evalue::kIntList ? pte::evalue::kInt : pte::evalue::kTensor;
  for (uint32_t i = 0; i < items.count; ++i) {
    int64_t item = width == 8 ? static_cast<int64_t>(buffer_.u64_item(items, i)) : buffer_.i32_item(items, i);
    if (item == -1 && type == pte::evalue::kOptionalTensorList) {
      elements[i] = nullptr;
      continue;
    }
    if (item < 0 || item >= values_.count || value_type(static_cast<uint32_t>(item)) != wanted) {
      return corrupt("an item of a list is of another type, or out of range");
    }
    Error error = boxed_scalar(static_cast<uint32_t>(item), &elements[i]);
    if (error != Error::Ok) {
      return error;
    }
  }
  return Error::Ok;
}

}  // namespace wick
