// SPDX-License-Identifier: BSD-3-Clause
//
// Constants of the program as operands: small ones in the operand itself, others in compact records.
#include <cstring>
#include <new>

#include "src/runtime/executor/method_loader.h"

namespace wick {

uintptr_t MethodLoader::wide_record(Record::Kind kind, uint64_t bits) {
  auto* record = take<WideRecord>(1);
  if (record == nullptr) {
    return 0;
  }
  *record = {{kind, 0, 0}, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)}};
  return Operand::of_record(record).bits();
}

uintptr_t MethodLoader::flat_list(Record::Kind kind, const pte::Vector& items) {
  auto* record = take<ListRecord>(1);
  if (record == nullptr) {
    return 0;
  }
  *record = {{kind, 0, 0}, buffer_.bytes(items.at), items.count};
  return Operand::of_record(record).bits();
}

StringRecord* MethodLoader::string(pte::Table content) {
  uint32_t length = 0;
  const char* text = buffer_.string_field(content, pte::evalue::kContent, &length);
  auto* record = take<StringRecord>(1);
  if (text == nullptr) {
    corrupt("a string is missing");
  }
  if (record != nullptr) {
    record->header = {Record::kString, 0, 0};
    new (&record->text) ArrayRef<char>(text, length);
  }
  return record;
}

/// An item of a list: a constant integer, or one that is computed at run time.
uintptr_t MethodLoader::integer(uint64_t index) {
  if (index >= values_.count) {
    return corrupt("the index of a list's item is out of range");
  }
  const uint32_t i = static_cast<uint32_t>(index);
  const uintptr_t known = map_[i];
  if (Operand::from_bits(known).is(Operand::kInt)) {
    return known;
  }
  const pte::Table content = look_at(i);
  if (type_ != pte::evalue::kInt) {
    return corrupt("an item of a list of integers is not an integer");
  }
  return is_made(known) ? known : new_integer(i, content);
}

uintptr_t MethodLoader::new_integer(uint32_t index, pte::Table content) {
  if ((map_[index] & (kNeedsValue | kMayBeWritten)) != 0) {
    return reinterpret_cast<uintptr_t>(new_value(index, content));
  }
  const uint64_t bits = buffer_.u64_field(content, pte::evalue::kContent);
  const int32_t number = static_cast<int32_t>(bits);
  const bool small = number == static_cast<int64_t>(bits) && number <= Operand::kMaxInt && number >= -Operand::kMaxInt;
  return map_[index] = small ? Operand::of_int(number).bits() : wide_record(Record::kInt, bits);
}

/// Items are indices of values. Short lists of small constants fit the operand itself, others become a record.
uintptr_t MethodLoader::int_list(const pte::Vector& items) {
  uint32_t packed = items.count;
  bool is_short = items.count <= Operand::kMaxShortList;
  for (uint32_t i = 0; is_short && i < items.count; ++i) {
    const uintptr_t word = integer(buffer_.u64_item(items, i));
    const int32_t number = static_cast<int32_t>(static_cast<uint32_t>(word)) >> Operand::kPayloadShift;
    is_short = Operand::of_int(number).bits() == word && number >= -32 && number < 32;
    packed |= (static_cast<uint32_t>(number) & 63) << (3 + 6 * i);
  }
  if (is_short) {
    return Operand::of_immediate(Operand::kShortList, packed).bits();
  }
  if (items.count > UINT16_MAX) {
    return corrupt("a list is too long");
  }
  auto* record = new_int_list(items.count);
  if (record == nullptr) {
    return 0;
  }
  for (uint32_t i = 0; i < items.count; ++i) {
    record->items()[item(i)] = integer(buffer_.u64_item(items, i));
  }
  return Operand::of_record(record).bits();
}

/// The record holds an operand per item and, behind them, room for the list as kernels see it.
uintptr_t MethodLoader::tensor_list(Record::Kind kind, const pte::Vector& items) {
  const bool plain = kind == Record::kTensorList;
  const size_t item_size = sizeof(uintptr_t) + (plain ? sizeof(Tensor) : sizeof(std::optional<Tensor>));
  const size_t target_item_size = 4 + (plain ? Target<Tensor>::kBytes : Target<std::optional<Tensor>>::kBytes);
  if (items.count > UINT16_MAX) {
    return corrupt("a list is too long");
  }
  auto* record = take_with_items<ListRecord>(sizeof(ListRecord) + items.count * item_size,
                                             Target<ListRecord>::kBytes + items.count * target_item_size);
  if (record == nullptr) {
    return 0;
  }
  uintptr_t* operands = reinterpret_cast<uintptr_t*>(record + 1);
  *record = {{kind, 0, 0}, operands + items.count, items.count};
  for (uint32_t i = 0; i < items.count; ++i) {
    const uint32_t index = static_cast<uint32_t>(buffer_.i32_item(items, i));
    operands[item(i)] = Operand::of_immediate(Operand::kNone, 0).bits();
    if (index != UINT32_MAX || kind == Record::kTensorList) {
      if (index >= values_.count) {
        return corrupt("an item of a list of tensors is out of range");
      }
      tensor_impl(index);
      operands[item(i)] = map_[index];
    }
  }
  return Operand::of_record(record).bits();
}

}  // namespace wick
