// SPDX-License-Identifier: BSD-3-Clause
//
// Constants of the program as operands: small ones in the operand itself, others in compact records.
#include <cstring>
#include <new>

#include "src/runtime/executor/method_loader.h"

namespace wick {

/// The operand of a value in a call of one of wick's kernels.
Error MethodLoader::operand(uint32_t index, uintptr_t* out) {
  if (index >= values_.count) {
    return corrupt("the index of an argument is out of range");
  }
  if (map_[index] <= kLastMark) {
    Error error = constant(index, &map_[index]);
    if (error != Error::Ok) {
      return error;
    }
  }
  *out = map_[index];
  return Error::Ok;
}

Error MethodLoader::wide_record(Record::Kind kind, uint64_t bits, uintptr_t* out) {
  auto* record = take<WideRecord>(1);
  if (record == nullptr) {
    return no_memory();
  }
  *record = {{kind, 0, 0}, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)}};
  *out = Operand::of_record(record).bits();
  return Error::Ok;
}

Error MethodLoader::flat_list(Record::Kind kind, pte::Position at, uint32_t count, uintptr_t* out) {
  auto* record = take<ListRecord>(1);
  if (record == nullptr) {
    return no_memory();
  }
  *record = {{kind, 0, 0}, buffer_.bytes(at), count};
  *out = Operand::of_record(record).bits();
  return Error::Ok;
}

Error MethodLoader::string(const pte::Table& content, uintptr_t* out) {
  uint32_t length = 0;
  const char* text = buffer_.string_field(content, pte::evalue::kContent, &length);
  auto* record = take<StringRecord>(1);
  if (text == nullptr || record == nullptr) {
    return text == nullptr ? corrupt("a string is missing") : no_memory();
  }
  record->header = {Record::kString, 0, 0};
  new (&record->text) ArrayRef<char>(text, length);
  *out = Operand::of_record(record).bits();
  return Error::Ok;
}

Error MethodLoader::constant(uint32_t index, uintptr_t* out) {
  pte::Table value = value_table(index);
  pte::Table content = buffer_.table_field(value, pte::evalue::kValue);
  pte::Vector items;
  switch (buffer_.u8_field(value, pte::evalue::kType)) {
    case pte::evalue::kNull:
      *out = Operand::of_immediate(Operand::kNone, 0).bits();
      return Error::Ok;
    case pte::evalue::kBool:
      *out = Operand::of_immediate(Operand::kBool, buffer_.u8_field(content, pte::evalue::kContent) != 0).bits();
      return Error::Ok;
    case pte::evalue::kInt:
      return int_operand(index, out);
    case pte::evalue::kDouble:
      return wide_record(Record::kDouble, buffer_.u64_field(content, pte::evalue::kContent), out);
    case pte::evalue::kString:
      return string(content, out);
    case pte::evalue::kIntList:
      return int_list(buffer_.vector_field(content, pte::evalue::kContent, 8), out);
    case pte::evalue::kBoolList:
      items = buffer_.vector_field(content, pte::evalue::kContent, 1);
      return flat_list(Record::kBoolList, items.at, items.count, out);
    case pte::evalue::kDoubleList:
      items = buffer_.vector_field(content, pte::evalue::kContent, 8);
      return flat_list(Record::kDoubleList, items.at, items.count, out);
    case pte::evalue::kTensorList:
      return tensor_list(Record::kTensorList, buffer_.vector_field(content, pte::evalue::kContent, 4), out);
    case pte::evalue::kOptionalTensorList:
      return tensor_list(Record::kOptionalTensorList, buffer_.vector_field(content, pte::evalue::kContent, 4), out);
    default:
      return corrupt("an argument of an unknown type");
  }
}

/// A constant integer, or one that is computed at run time.
Error MethodLoader::int_operand(uint64_t index, uintptr_t* out) {
  if (index >= values_.count) {
    return corrupt("the index of a list's item is out of range");
  }
  *out = map_[index];
  if (*out > kLastMark && (*out & Operand::kTagMask) == Operand::kEValue) {
    return Error::Ok;
  }
  pte::Table value = value_table(static_cast<uint32_t>(index));
  if (buffer_.u8_field(value, pte::evalue::kType) != pte::evalue::kInt) {
    return corrupt("an item of a list of integers is not an integer");
  }
  const uint64_t bits =
      buffer_.u64_field(buffer_.table_field(value, pte::evalue::kValue), pte::evalue::kContent);
  const int32_t number = static_cast<int32_t>(bits);
  if (number != static_cast<int64_t>(bits) || number > Operand::kMaxInt || number < -Operand::kMaxInt) {
    return wide_record(Record::kInt, bits, out);
  }
  *out = Operand::of_int(number).bits();
  return Error::Ok;
}

/// Items are indices of values. Short lists of small constants fit the operand itself, others become a record.
Error MethodLoader::int_list(const pte::Vector& items, uintptr_t* out) {
  uintptr_t few[Operand::kMaxShortList];
  uintptr_t* words = few;
  uint32_t packed = items.count;
  bool is_short = items.count <= Operand::kMaxShortList;
  IntListRecord* record = nullptr;
  if (!is_short) {
    record = new_int_list(items.count);
    if (record == nullptr) {
      return no_memory();
    }
    words = record->items();
  }
  for (uint32_t i = 0; i < items.count; ++i) {
    Error error = int_operand(buffer_.u64_item(items, i), &words[i]);
    if (error != Error::Ok) {
      return error;
    }
    const int32_t number = static_cast<int32_t>(static_cast<uint32_t>(words[i])) >> Operand::kPayloadShift;
    is_short = is_short && Operand::of_int(number).bits() == words[i] && number >= -32 && number < 32;
    packed |= (static_cast<uint32_t>(number) & 63) << (3 + 6 * (i & 3));
  }
  if (is_short) {
    *out = Operand::of_immediate(Operand::kShortList, packed).bits();
    return Error::Ok;
  }
  if (record == nullptr) {
    record = new_int_list(items.count);
    if (record == nullptr) {
      return no_memory();
    }
    std::memcpy(record->items(), few, items.count * sizeof(few[0]));
  }
  *out = Operand::of_record(record).bits();
  return Error::Ok;
}

IntListRecord* MethodLoader::new_int_list(uint32_t count) {
  if (count > UINT16_MAX) {
    return nullptr;
  }
  auto* record = static_cast<IntListRecord*>(
      pool_->allocate(sizeof(IntListRecord) + count * sizeof(uintptr_t), alignof(uintptr_t)));
  if (record != nullptr) {
    record->header = {Record::kIntList, 0, static_cast<uint16_t>(count)};
  }
  return record;
}

/// The record holds an operand per item and, behind them, room for the list as kernels see it.
Error MethodLoader::tensor_list(Record::Kind kind, const pte::Vector& items, uintptr_t* out) {
  const size_t item_size = kind == Record::kTensorList ? sizeof(Tensor) : sizeof(std::optional<Tensor>);
  if (items.count > UINT16_MAX) {
    return corrupt("a list is too long");
  }
  auto* record = static_cast<ListRecord*>(
      pool_->allocate(sizeof(ListRecord) + items.count * (sizeof(uintptr_t) + item_size), alignof(ListRecord)));
  if (record == nullptr) {
    return no_memory();
  }
  uintptr_t* operands = reinterpret_cast<uintptr_t*>(record + 1);
  *record = {{kind, 0, 0}, operands + items.count, items.count};
  *out = Operand::of_record(record).bits();
  for (uint32_t i = 0; i < items.count; ++i) {
    int32_t index = buffer_.i32_item(items, i);
    if (index == -1 && kind == Record::kOptionalTensorList) {
      operands[i] = Operand::of_immediate(Operand::kNone, 0).bits();
      continue;
    }
    if (static_cast<uint32_t>(index) >= values_.count ||
        value_type(static_cast<uint32_t>(index)) != pte::evalue::kTensor) {
      return corrupt("an item of a list of tensors is not a tensor");
    }
    TensorImpl* impl = tensor_impl(static_cast<uint32_t>(index));
    if (impl == nullptr) {
      return no_memory();
    }
    operands[i] = map_[index];
  }
  return Error::Ok;
}

}  // namespace wick
