// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's third pass: tensors, and values that need a place of their own.
#include <cstring>
#include <new>

#include <executorch/runtime/core/exec_aten/util/dim_order_util.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/platform/log.h>

#include "src/runtime/executor/method_loader.h"
#include "src/runtime/executor/tensor_size.h"

namespace wick {

using executorch::aten::TensorShapeDynamism;

Error MethodLoader::create_values() {
  for (uint32_t i = 0; i < values_.count; ++i) {
    Error error = create_value(i);
    if (error != Error::Ok) {
      ET_LOG(Error, "value %" PRIu32 " of the method cannot be loaded", i);
      return error;
    }
  }
  return Error::Ok;
}

Error MethodLoader::create_value(uint32_t index) {
  pte::Table value = value_table(index);
  uint8_t type = buffer_.u8_field(value, pte::evalue::kType);
  if (type == pte::evalue::kTensor) {
    return create_tensor(index, buffer_.table_field(value, pte::evalue::kValue));
  }
  if (type == pte::evalue::kNone || type > pte::evalue::kOptionalTensorList) {
    return corrupt("a value of an unknown type");
  }
  const bool scalar = type <= pte::evalue::kDouble || type == pte::evalue::kString;
  EValue* unused = nullptr;
  // A constant that is only read, or a list, is made where it is used.
  return map_[index] != 0 && scalar ? boxed_scalar(index, &unused) : Error::Ok;
}

EValue* MethodLoader::new_value(uint32_t index) {
  EValue* slot = take<EValue>(1);
  map_[index] = Operand(slot).bits();
  return slot;
}

/// The value of a constant's operand.
void MethodLoader::to_evalue(Operand operand, EValue* slot) {
  new (slot) EValue();
  const auto* wide = reinterpret_cast<const WideRecord*>(operand.bits() & ~uintptr_t{Operand::kTagMask});
  if (operand.tag() == Operand::kRecord) {
    if (wide->header.kind == Record::kString) {
      auto* text = reinterpret_cast<StringRecord*>(operand.bits() & ~uintptr_t{Operand::kTagMask});
      new (slot) EValue(&text->text);
      return;
    }
    std::memcpy(&slot->payload, wide->words, sizeof(wide->words));
    slot->tag = wide->header.kind == Record::kInt ? executorch::runtime::Tag::Int : executorch::runtime::Tag::Double;
  } else if (operand.is(Operand::kInt)) {
    new (slot) EValue(operand.immediate_int());
  } else if (operand.is(Operand::kBool)) {
    new (slot) EValue((operand.bits() >> Operand::kPayloadShift) != 0);
  }
}

namespace {

bool same_shape(const int32_t* shape, const int32_t* sizes, const uint8_t* order, size_t rank) {
  const uint8_t* known_order = reinterpret_cast<const uint8_t*>(shape + 2 * rank);
  for (size_t i = 0; i < rank; ++i) {
    if (shape[i] != sizes[i] || known_order[i] != order[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

/// A shape's arrays: sizes, strides, dim order. Shared with a recent tensor of the same shape if `shared`.
int32_t* MethodLoader::shape_for(const pte::Vector& sizes, const pte::Vector& order, bool shared) {
  const size_t rank = sizes.count;
  const int32_t* size_items = reinterpret_cast<const int32_t*>(buffer_.bytes(sizes.at));
  const uint8_t* order_bytes = buffer_.bytes(order.at);
  if (shared) {
    for (unsigned i = 0; i < kRecentShapes; ++i) {
      int32_t* candidate = recent_shapes_[i];
      if (candidate != nullptr && recent_ranks_[i] == rank && same_shape(candidate, size_items, order_bytes, rank)) {
        return candidate;
      }
    }
  }
  int32_t* shape = static_cast<int32_t*>(pool_->allocate(Shape::bytes(rank), alignof(int32_t)));
  if (shape == nullptr) {
    return nullptr;
  }
  std::memcpy(shape, size_items, rank * sizeof(int32_t));
  std::memcpy(shape + 2 * rank, order_bytes, rank);
  executorch::runtime::dim_order_to_stride_nocheck(shape, reinterpret_cast<uint8_t*>(shape + 2 * rank), rank,
                                                   shape + rank);
  if (shared) {
    recent_shapes_[next_shape_] = shape;
    recent_ranks_[next_shape_] = static_cast<uint8_t>(rank);
    next_shape_ = (next_shape_ + 1) % kRecentShapes;
  }
  return shape;
}

namespace {

bool is_permutation(const uint8_t* order, size_t rank) {
  uint32_t seen = 0;
  for (size_t i = 0; i < rank; ++i) {
    if (order[i] >= rank) {
      return false;
    }
    seen |= 1u << order[i];
  }
  return seen == (1u << rank) - 1;
}

}  // namespace

Error MethodLoader::create_tensor(uint32_t index, const pte::Table& tensor) {
  pte::Vector sizes = buffer_.vector_field(tensor, pte::tensor::kSizes, 4);
  pte::Vector order = buffer_.vector_field(tensor, pte::tensor::kDimOrder, 1);
  pte::Table extra = buffer_.table_field(tensor, pte::tensor::kExtraTensorInfo);
  uint8_t type = buffer_.u8_field(tensor, pte::tensor::kScalarType);
  uint8_t dynamism = buffer_.u8_field(tensor, pte::tensor::kShapeDynamism);
  const size_t rank = sizes.count;
  const int32_t* size_items = reinterpret_cast<const int32_t*>(buffer_.bytes(sizes.at));
  size_t numel = 0;
  size_t nbytes = 0;
  if (buffer_.bad() || sizes.at == 0 || order.at == 0 || order.count != rank || rank > 16 ||
      !is_permutation(buffer_.bytes(order.at), rank) ||
      !tensor_size(size_items, rank, static_cast<int8_t>(type), &numel, &nbytes)) {
    return corrupt("a tensor's sizes, dim order or type are impossible");
  }
  if (dynamism > pte::tensor::kDynamicBound || buffer_.u32_field(tensor, pte::tensor::kStorageOffset) != 0) {
    ET_LOG(Error, "tensors without an upper bound of their sizes, or with a storage offset, are not supported");
    return dynamism > pte::tensor::kDynamicUnbound ? Error::InvalidProgram : Error::NotSupported;
  }
  void* data = nullptr;
  Error error = tensor_data(tensor, extra, nbytes, &data);
  if (error != Error::Ok) {
    return error;
  }
  const size_t width = element_size(type);
  if (reinterpret_cast<uintptr_t>(data) % (width < 8 ? width : 8) != 0) {
    ET_LOG(Error, "a tensor's data at %p is not aligned to its elements of %d bytes: align the program (16) and the "
           "planned buffers", data, static_cast<int>(width));
    return Error::InvalidProgram;
  }
  const char* name = buffer_.string_field(extra, pte::extra::kFullyQualifiedName);
  const bool is_static = dynamism == pte::tensor::kStatic;
  if (rank == 1 && is_static && data != nullptr && name == nullptr && (map_[index] & kNeedsValue) == 0) {
    auto* record = take<VectorRecord>(1);
    if (record == nullptr) {
      return no_memory();
    }
    *record = {{Record::kVector, type, 0}, static_cast<int32_t>(numel), data};
    map_[index] = Operand::of_record(record).bits();
    return Error::Ok;
  }
  int32_t* shape = shape_for(sizes, order, is_static);
  TensorImpl* impl = take<TensorImpl>(1);
  if (shape == nullptr || impl == nullptr) {
    return no_memory();
  }
  const uint8_t device = static_cast<uint8_t>(buffer_.u8_field(extra, pte::extra::kDeviceIndex) * 4 +
                                              buffer_.u8_field(extra, pte::extra::kDeviceType));
  new (impl) TensorImpl(static_cast<ScalarType>(type), static_cast<uint8_t>(rank), static_cast<ssize_t>(numel), shape,
                        data, reinterpret_cast<uint8_t*>(shape + 2 * rank), shape + rank,
                        static_cast<TensorShapeDynamism>(dynamism), device);
  if (name != nullptr) {
    NamedTensor* entry = take<NamedTensor>(1);
    if (entry == nullptr) {
      return no_memory();
    }
    *entry = {name, impl, method_.attributes_};
    method_.attributes_ = entry;
  }
  const bool needs_value = (map_[index] & kNeedsValue) != 0;
  map_[index] = Operand::of_tensor(impl).bits();
  EValue* unused = nullptr;
  return needs_value ? boxed_scalar(index, &unused) : Error::Ok;
}

/// Where a tensor's data lies: constant in the program or a .ptd, planned (maybe with an initial value), or nowhere yet.
Error MethodLoader::tensor_data(const pte::Table& tensor, const pte::Table& extra, size_t nbytes, void** data) {
  const uint32_t index = buffer_.u32_field(tensor, pte::tensor::kDataBufferIndex);
  const pte::Table allocation = buffer_.table_field(tensor, pte::tensor::kAllocationInfo);
  const char* name = nullptr;
  if (buffer_.u8_field(extra, pte::extra::kLocation) == pte::extra::kExternal) {
    name = buffer_.string_field(extra, pte::extra::kFullyQualifiedName);
    if (name == nullptr || external_ == nullptr) {
      ET_LOG(Error, "the weight '%s' is in a .ptd file: give load_method() its data map", name == nullptr ? "" : name);
      return Error::InvalidExternalData;
    }
  }
  if (!allocation) {
    if (name != nullptr) {
      return (this->*external_->constant)(tensor, name, nbytes, data);
    }
    return index == 0 ? Error::Ok : constants_.find(index, nbytes, data);
  }
  executorch::runtime::HierarchicalAllocator* planned = method_.memory_manager_->planned_memory();
  if (planned == nullptr) {
    ET_LOG(Error, "the program plans its memory: give the MemoryManager a HierarchicalAllocator");
    return Error::InvalidState;
  }
  if (sizeof(size_t) == 4 && buffer_.u32_field(allocation, pte::allocation::kOffsetHigh) != 0) {
    ET_LOG(Error, "a planned offset needs more than the target's address space");
    return Error::NotSupported;
  }
  const uint64_t offset = buffer_.u32_field(allocation, pte::allocation::kOffsetLow) |
                          static_cast<uint64_t>(buffer_.u32_field(allocation, pte::allocation::kOffsetHigh)) << 32;
  Result<void*> place = planned->get_offset_address(buffer_.u32_field(allocation, pte::allocation::kMemoryId) - 1,
                                                    static_cast<size_t>(offset), nbytes);
  if (!place.ok()) {
    return place.error();
  }
  *data = place.get();
  if (name != nullptr) {
    return (this->*external_->initial_value)(tensor, name, nbytes, *data);
  }
  return index == 0 ? Error::Ok
                    : program_.load_mutable_subsegment_into(
                          static_cast<size_t>(buffer_.u64_field(extra, pte::extra::kMutableDataSegmentsIndex)), index,
                          nbytes, *data);
}

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
  new (impl) TensorImpl(static_cast<ScalarType>(record->header.detail), 1, record->size, shape, record->data,
                        reinterpret_cast<uint8_t*>(shape + 2), shape + 1, TensorShapeDynamism::STATIC, 0);
  map_[index] = Operand::of_tensor(impl).bits();
  return impl;
}

}  // namespace wick
