// SPDX-License-Identifier: BSD-3-Clause
//
// Real EValues for those who need them: inputs and outputs, control flow, delegates, and kernels that users registered.
#include <new>

#include <executorch/runtime/platform/log.h>

#include "src/runtime/executor/method_loader.h"

namespace wick {

using executorch::runtime::BoxedEvalueList;

/// The tensor of a value as a TensorImpl; compact vectors are expanded. Null if the pool is full.
TensorImpl* MethodLoader::tensor_impl(uint32_t index) {
  const uintptr_t word = map_[index];
  if ((word & Operand::kTagMask) == Operand::kTensor) {
    return reinterpret_cast<TensorImpl*>(word & ~uintptr_t{Operand::kTagMask});
  }
  if ((word & Operand::kTagMask) == Operand::kEValue) {
    return reinterpret_cast<EValue*>(word)->toTensor().unsafeGetTensorImpl();
  }
  const auto* record = reinterpret_cast<const VectorRecord*>(word & ~uintptr_t{Operand::kTagMask});
  TensorImpl* impl = take<TensorImpl>(1);
  int32_t* shape = take<int32_t>(3);
  if (impl == nullptr || shape == nullptr) {
    return nullptr;
  }
  shape[0] = record->size;
  shape[1] = 1;
  shape[2] = 0;
  new (impl) TensorImpl(static_cast<ScalarType>(record->header.detail), 1, shape, record->data,
                        reinterpret_cast<uint8_t*>(shape + 2), shape + 1);
  map_[index] = Operand::of_tensor(impl).bits();
  return impl;
}

/// The EValue of a value, as an operand. Lists keep their map entry: their EValue is for foreign eyes only.
Error MethodLoader::boxed(uint32_t index, uintptr_t* out) {
  if (index >= values_.count) {
    return corrupt("the index of a value is out of range");
  }
  pte::Table value = value_table(index);
  uint8_t type = buffer_.u8_field(value, pte::evalue::kType);
  EValue* result = nullptr;
  Error error = Error::Ok;
  if (type <= pte::evalue::kString) {
    error = boxed_scalar(index, &result);
  } else {
    error = boxed_list(index, type, buffer_.table_field(value, pte::evalue::kValue), &result);
  }
  *out = reinterpret_cast<uintptr_t>(result);
  return error;
}

Error MethodLoader::boxed_scalar(uint32_t index, EValue** out) {
  const uintptr_t word = map_[index];
  if (word > kLastMark && (word & Operand::kTagMask) == Operand::kEValue) {
    *out = reinterpret_cast<EValue*>(word);
    return Error::Ok;
  }
  pte::Table value = value_table(index);
  TensorImpl* impl = nullptr;
  if (buffer_.u8_field(value, pte::evalue::kType) == pte::evalue::kTensor) {
    impl = tensor_impl(index);
    if (impl == nullptr) {
      return no_memory();
    }
  }
  EValue* slot = new_value(index);
  if (slot == nullptr) {
    return no_memory();
  }
  *out = slot;
  if (impl != nullptr) {
    *slot = EValue(Tensor(impl));
    return Error::Ok;
  }
  return scalar_value(index, value, slot);
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

Error MethodLoader::boxed_list(uint32_t index, uint8_t type, const pte::Table& content, EValue** out) {
  (void)index;
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
