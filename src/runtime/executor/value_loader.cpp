// SPDX-License-Identifier: BSD-3-Clause
//
// Values: operands and EValues, made when an instruction first meets them.
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/platform/log.h>
#include <wick/dim_order.h>

#include <cstring>
#include <new>

#include "src/runtime/executor/method_loader.h"
#include "src/runtime/executor/tensor_size.h"

namespace wick {

using executorch::aten::TensorShapeDynamism;
using executorch::runtime::Tag;

pte::Table MethodLoader::look_at(uint32_t index) {
  const pte::Table value = buffer_.table_item(values_, index);
  if (value && buffer_.directory(value) != value_directory_) {
    // Nearly all values share one directory: where it puts the fields is kept.
    value_directory_ = buffer_.directory(value);
    type_offset_ = buffer_.field(value, pte::evalue::kType) - value.at;
    content_offset_ = buffer_.field(value, pte::evalue::kValue) - value.at;
  }
  type_ = buffer_.u8_at(value.at + type_offset_);
  return buffer_.referred(value.at + content_offset_);
}

/// The operand of a value in a call of one of wick's kernels; made when first asked for.
uintptr_t MethodLoader::operand(uint32_t index) {
  const uintptr_t known = map_[index];
  if (is_made(known)) {
    return known;
  }
  const pte::Table content = look_at(index);
  const uint8_t type = type_;
  uintptr_t word = 0;
  pte::Vector items;
  if (type == pte::evalue::kTensor) {
    return tensor(index, content);
  }
  if (type > pte::evalue::kString) {
    const bool wide = type <= pte::evalue::kDoubleList;
    items = buffer_.vector_field(content, pte::evalue::kContent, wide ? 8 : type == pte::evalue::kBoolList ? 1 : 4);
  } else if ((known & (kNeedsValue | kMayBeWritten)) != 0) {
    return reinterpret_cast<uintptr_t>(new_value(index, content));
  }
  switch (type) {
    case pte::evalue::kNull:
      word = Operand::of_immediate(Operand::kNone, 0).bits();
      break;
    case pte::evalue::kBool:
      word = Operand::of_immediate(Operand::kBool, buffer_.u8_field(content, pte::evalue::kContent) != 0).bits();
      break;
    case pte::evalue::kInt:
      return new_integer(index, content);
    case pte::evalue::kDouble:
      word = wide_record(Record::kDouble, buffer_.u64_field(content, pte::evalue::kContent));
      break;
    case pte::evalue::kString:
      word = Operand::of_record(string(content)).bits();
      break;
    case pte::evalue::kIntList:
      word = int_list(items);
      break;
    case pte::evalue::kBoolList:
      word = flat_list(Record::kBoolList, items);
      break;
    case pte::evalue::kDoubleList:
      word = flat_list(Record::kDoubleList, items);
      break;
    case pte::evalue::kTensorList:
      word = tensor_list(Record::kTensorList, items);
      break;
    case pte::evalue::kOptionalTensorList:
      word = tensor_list(Record::kOptionalTensorList, items);
      break;
    default:
      return corrupt("an argument of an unknown type");
  }
  return map_[index] = word;
}

/// The EValue of a value, for foreign eyes and for what is written. Null after an error.
EValue* MethodLoader::boxed(uint32_t index) {
  const pte::Table content = look_at(index);
  const uint8_t type = type_;
  TensorImpl* impl = type == pte::evalue::kTensor ? tensor_impl(index) : nullptr;
  const uintptr_t word = map_[index];
  if (is_made(word) && (word & Operand::kTagMask) == Operand::kEValue) {
    return reinterpret_cast<EValue*>(word);
  }
  if (impl != nullptr) {
    return box(index, EValue(Tensor(impl)));
  }
  if (type <= pte::evalue::kString) {
    return new_value(index, content);
  }
  // Lists keep their map entry: it is what wick's kernels see.
  return foreign_ == nullptr ? fail(Error::NotSupported) : foreign_->boxed_list(*this, type, content);
}

/// Gives a value its place, with a first content.
EValue* MethodLoader::box(uint32_t index, const EValue& content) {
  EValue* slot = ok() ? take<EValue>(1) : nullptr;
  if (slot != nullptr) {
    map_[index] = Operand(new (slot) EValue(content)).bits();
  }
  return slot;
}

/// The EValue of a number, a text, or nothing: of the value that look_at() went to.
EValue* MethodLoader::new_value(uint32_t index, pte::Table content) {
  const uint8_t type = type_;
  constexpr Tag kTags[] = {Tag::None, Tag::None, Tag::Int, Tag::Bool, Tag::Double, Tag::Tensor, Tag::String};
  EValue made;
  made.tag = kTags[type];
  if (type == pte::evalue::kString) {
    StringRecord* record = string(content);
    made.payload.copyable_union.as_string_ptr = record == nullptr ? nullptr : &record->text;
  } else {
    const uint64_t bits = type == pte::evalue::kBool ? buffer_.u8_field(content, pte::evalue::kContent) != 0
                                                     : buffer_.u64_field(content, pte::evalue::kContent);
    std::memcpy(static_cast<void*>(&made.payload.copyable_union), &bits, sizeof(bits));
  }
  return box(index, made);
}

/// The operand of a tensor: of its EValue where it is marked, else a TensorImpl or a compact vector.
uintptr_t MethodLoader::tensor(uint32_t index, pte::Table content) {
  const uintptr_t marks = map_[index];
  const pte::Vector sizes = buffer_.vector_field(content, pte::tensor::kSizes, 4);
  const pte::Vector order = buffer_.vector_field(content, pte::tensor::kDimOrder, 1);
  const pte::Table extra = buffer_.table_field(content, pte::tensor::kExtraTensorInfo);
  const uint8_t type = buffer_.u8_field(content, pte::tensor::kScalarType);
  const uint8_t dynamism = buffer_.u8_field(content, pte::tensor::kShapeDynamism);
  const size_t rank = sizes.count;
  const auto* size_items = reinterpret_cast<const int32_t*>(buffer_.bytes(sizes.at));
  const uint8_t* order_items = buffer_.bytes(order.at);
  const unsigned width = element_size(type);
  int32_t strides[executorch::runtime::kTensorDimensionLimit];
  int32_t numel = 0;
  if (!ok() || sizes.at == 0 || order.at == 0 || order.count != rank ||
      !lay_out(size_items, order_items, rank, strides, &numel) || width == 0 ||
      static_cast<size_t>(numel) > SIZE_MAX / 2 / width) {
    return corrupt("a tensor's sizes, dim order or type are impossible");
  }
  if (dynamism > pte::tensor::kDynamicBound || buffer_.u32_field(content, pte::tensor::kStorageOffset) != 0) {
    ET_LOG(Error, "tensors without an upper bound of their sizes, or with a storage offset, are not supported");
    fail(dynamism > pte::tensor::kDynamicUnbound ? Error::InvalidProgram : Error::NotSupported);
    return 0;
  }
  void* data = tensor_data(content, extra, static_cast<size_t>(numel) * width);
  if (!ok()) {
    ET_LOG(Error, "value %" PRIu32 " of the method, a tensor, cannot be loaded", index);
    return 0;
  }
  if ((reinterpret_cast<uintptr_t>(data) & (width < 8 ? width - 1 : 7)) != 0) {
    ET_LOG(Error,
           "a tensor's data at %p is not aligned to its elements of %d bytes: align the program (16) and the "
           "planned buffers",
           data, static_cast<int>(width));
    fail(Error::InvalidProgram);
    return 0;
  }
  const char* name = buffer_.string_field(extra, pte::extra::kFullyQualifiedName);
  const bool is_static = dynamism == pte::tensor::kStatic;
  if (rank == 1 && is_static && data != nullptr && name == nullptr && (marks & kNeedsValue) == 0) {
    auto* record = take<VectorRecord>(1);
    if (record == nullptr) {
      return 0;
    }
    *record = {{Record::kVector, type, 0}, numel, data};
    return map_[index] = Operand::of_record(record).bits();
  }
  const size_t strides_at = is_static && rank == 2 && strides[0] == size_items[1] ? 1 : rank;
  const uint32_t key = is_static ? static_cast<uint32_t>(numel) << 5 | static_cast<uint32_t>(rank) : 0;
  int32_t* shape = shape_for(size_items, strides, order_items, rank, strides_at, key);
  TensorImpl* impl = take<TensorImpl>(1);
  if (!ok()) {
    return 0;
  }
  const uint8_t device = static_cast<uint8_t>(buffer_.u8_field(extra, pte::extra::kDeviceIndex) * 4 +
                                              buffer_.u8_field(extra, pte::extra::kDeviceType));
  new (impl) TensorImpl(static_cast<ScalarType>(type), static_cast<uint8_t>(rank), numel, shape, data,
                        reinterpret_cast<uint8_t*>(shape + strides_at + rank), shape + strides_at,
                        static_cast<TensorShapeDynamism>(dynamism), device);
  if (name != nullptr) {
    NamedTensor* entry = take<NamedTensor>(1);
    if (entry == nullptr) {
      return 0;
    }
    *entry = {name, impl, method_.attributes_};
    method_.attributes_ = entry;
  }
  map_[index] = Operand::of_tensor(impl).bits();
  if ((marks & kNeedsValue) != 0) {
    box(index, EValue(Tensor(impl)));
  }
  return map_[index];
}

/// Where a tensor's data lies: constant in the program or a .ptd, planned (maybe with an initial value), or nowhere
/// yet.
void* MethodLoader::tensor_data(pte::Table tensor, pte::Table extra, size_t nbytes) {
  const uint32_t index = buffer_.u32_field(tensor, pte::tensor::kDataBufferIndex);
  const pte::Table allocation = buffer_.table_field(tensor, pte::tensor::kAllocationInfo);
  const ExternalData* external = request_.external_data;
  const char* name = nullptr;
  const bool is_external = buffer_.u8_field(extra, pte::extra::kLocation) == pte::extra::kExternal;
  if (rehearsing() && (allocation || is_external)) {
    return request_.rehearsal->place(*this, tensor, extra);
  }
  if (is_external) {
    name = buffer_.string_field(extra, pte::extra::kFullyQualifiedName);
    if (name == nullptr || external == nullptr) {
      ET_LOG(Error, "the weight '%s' is in a .ptd file: give load_method() its data map", name == nullptr ? "" : name);
      return fail(Error::InvalidExternalData);
    }
  }
  void* data = nullptr;
  if (!allocation) {
    if (name != nullptr) {
      data = external->constant(*this, tensor, name, nbytes);
    } else if (index != 0) {
      fail(constants_.find(index, nbytes, &data));
    }
    return data;
  }
  executorch::runtime::HierarchicalAllocator* planned = method_.memory_manager_->planned_memory();
  if (planned == nullptr) {
    ET_LOG(Error, "the program plans its memory: give the MemoryManager a HierarchicalAllocator");
    return fail(Error::InvalidState);
  }
  const uint32_t low = buffer_.u32_field(allocation, pte::allocation::kOffsetLow);
  const uint32_t high = buffer_.u32_field(allocation, pte::allocation::kOffsetHigh);
  const size_t offset = static_cast<size_t>(low | static_cast<uint64_t>(high) << 32);
  if (sizeof(size_t) == 4 && high != 0) {
    ET_LOG(Error, "a planned offset needs more than the target's address space");
    return fail(Error::NotSupported);
  }
  Result<void*> place =
      planned->get_offset_address(buffer_.u32_field(allocation, pte::allocation::kMemoryId) - 1, offset, nbytes);
  if (!place.ok()) {
    return fail(place.error());
  }
  data = place.get();
  if (name != nullptr) {
    external->initial_value(*this, tensor, name, nbytes, data);
  } else if (index != 0) {
    fail(program_.load_mutable_subsegment_into(
        static_cast<size_t>(buffer_.u64_field(extra, pte::extra::kMutableDataSegmentsIndex)), index, nbytes, data));
  }
  return data;
}

/// The tensor of a value as a TensorImpl; compact vectors are expanded. Null after an error, and if the value
/// has its EValue: then that is the operand.
TensorImpl* MethodLoader::tensor_impl(uint32_t index) {
  const pte::Table content = look_at(index);
  if (type_ != pte::evalue::kTensor) {
    corrupt("an item of a list of tensors is not a tensor");
    return nullptr;
  }
  uintptr_t word = map_[index];
  if (!is_made(word)) {
    word = tensor(index, content);
  }
  if ((word & Operand::kTagMask) == Operand::kTensor) {
    return reinterpret_cast<TensorImpl*>(word & ~uintptr_t{Operand::kTagMask});
  }
  if ((word & Operand::kTagMask) == Operand::kEValue) {
    return nullptr;
  }
  const auto* record = reinterpret_cast<const VectorRecord*>(word & ~uintptr_t{Operand::kTagMask});
  TensorImpl* impl = take<TensorImpl>(1);
  int32_t* shape = take<int32_t>(3);
  if (!ok()) {
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
