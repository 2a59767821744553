// SPDX-License-Identifier: BSD-3-Clause
//
// The usual values, quickly: integers, lists of them, and tensors of static shape that are planned or constants of the
// program. A load spends its time there. What is unusual, or broken, is left to the general way, which says what is
// wrong: functions here then return 0.
#include "src/runtime/executor/quick_operands.h"

#include "src/runtime/executor/method_loader.h"

#ifndef __OPTIMIZE_SIZE__

#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <wick/dim_order.h>

#include <algorithm>
#include <new>

namespace wick {

using executorch::aten::TensorShapeDynamism;
using pte::Position;

const char* QuickFile::text(Position vector) const {
  if (!has_vector(vector, 1)) {
    return nullptr;
  }
  const uint32_t end = vector + 4 + at<uint32_t>(vector);
  return end < size_ && bytes_[end] == 0 ? reinterpret_cast<const char*>(bytes_ + vector + 4) : nullptr;
}

bool QuickFile::learn(const uint8_t* file, uint32_t size, Position table, const Field* fields, Position* at_and_places,
                      uint16_t* offsets) {
  const auto u16 = [file](Position at) { return *reinterpret_cast<const uint16_t*>(file + at); };
  at_and_places[1] = 0;
  if (table == 0 || table % 4 != 0 || table > size - 4) {
    return false;
  }
  const Position directory = table - *reinterpret_cast<const uint32_t*>(file + table);
  if (directory % 2 != 0 || directory > size - 4 || u16(directory) > size - directory || u16(directory) % 2 != 0) {
    return false;
  }
  const Position end = directory + u16(directory);
  uint32_t extent = 4;
  for (Position entry = directory + 4; *fields != kEnd; entry += 2, ++fields) {
    const uint16_t offset = entry + 1 < end ? u16(entry) : uint16_t{0};
    const bool word = *fields != kByte && *fields != kMaybeByte;
    if (offset == 0 ? *fields >= kByte : *fields == kAbsent || (word && offset % 4 != 0)) {
      return false;
    }
    if (*fields != kAbsent) {
      *offsets++ = offset;
    }
    extent = offset + 8u > extent ? offset + 8u : extent;  // as if all fields were two words: few tables end the file
  }
  if (extent > size - table) {
    return false;
  }
  at_and_places[0] = directory;
  at_and_places[1] = (size - extent) / 4 + 1;
  return true;
}

namespace {

using File = QuickFile;

constexpr File::Field kOperator[] = {File::kWord, File::kMaybeWord, File::kEnd};
constexpr File::Field kTypeAndContent[] = {File::kByte, File::kWord, File::kEnd};  // of a value or an instruction
constexpr File::Field kCall[] = {File::kMaybeWord, File::kWord, File::kEnd};
constexpr File::Field kInteger[] = {File::kMaybeTwoWords, File::kEnd};
constexpr File::Field kList[] = {File::kWord, File::kEnd};
constexpr File::Field kAllocation[] = {File::kMaybeWord, File::kMaybeWord, File::kMaybeWord, File::kEnd};
/// No storage offset, gradient, layout, dynamism or further information.
constexpr File::Field kTensor[] = {File::kMaybeByte, File::kAbsent,    File::kWord,      File::kWord,
                                   File::kAbsent,    File::kMaybeWord, File::kMaybeWord, File::kAbsent,
                                   File::kAbsent,    File::kAbsent,    File::kEnd};
enum TensorOffset : unsigned { kType, kSizes, kOrder, kConstant, kPlan };  ///< what is looked at of a tensor

/// Whether a 64-bit integer fits the operand itself.
bool is_small(uint32_t low, uint32_t high) {
  constexpr uint32_t kMost = static_cast<uint32_t>(Operand::kMaxInt);
  return high == static_cast<uint32_t>(static_cast<int32_t>(low) >> 31) && low + kMost <= 2 * kMost;
}

}  // namespace

/// The name of the operator that a reference leads to, and of its overload ("" if it has none).
bool MethodLoader::quick_names(Position reference, const char** name, const char** overload) {
  const File file(buffer_);
  const Position op = file.follow(reference);
  if (!file.has(op, quick_.op) && !file.learn(op, kOperator, &quick_.op)) {
    return false;
  }
  const uint16_t* offsets = quick_.op.offsets;
  *name = file.text(file.follow(op + offsets[pte::op::kName]));
  *overload = offsets[pte::op::kOverload] == 0 ? "" : file.text(file.follow(op + offsets[pte::op::kOverload]));
  return *name != nullptr && *overload != nullptr;
}

/// The call of a kernel or a delegate that a reference to an instruction leads to.
bool MethodLoader::quick_call(Position reference, Call* call) {
  const File file(buffer_);
  const Position instruction = file.follow(reference);
  if (!file.has(instruction, quick_.instruction) && !file.learn(instruction, kTypeAndContent, &quick_.instruction)) {
    return false;
  }
  const uint8_t type = file.at<uint8_t>(instruction + quick_.instruction.offsets[pte::instruction::kType]);
  const Position content = file.follow(instruction + quick_.instruction.offsets[pte::instruction::kArguments]);
  if (type > pte::instruction::kDelegateCall ||
      (!file.has(content, quick_.call) && !file.learn(content, kCall, &quick_.call))) {
    return false;
  }
  const uint16_t index = quick_.call.offsets[pte::call::kIndex];
  const Position args = file.follow(content + quick_.call.offsets[pte::call::kArgs]);
  if (!file.has_vector(args, 4)) {
    return false;
  }
  *call = {type, {content}, index == 0 ? 0 : file.at<uint32_t>(content + index), {args + 4, file.at<uint32_t>(args)}};
  return true;
}

ET_INLINE uintptr_t MethodLoader::quick_integer(const File& file, uintptr_t marks, Position content) {
  uint32_t low = 0;
  uint32_t high = 0;
  if (file.has(content, quick_.integer)) {
    const Position at = content + quick_.integer.offsets[pte::evalue::kContent];
    low = file.at<uint32_t>(at);
    high = file.at<uint32_t>(at + 4);
    if (at % 8 != 0) {
      return 0;
    }
  } else if (!file.has(content, quick_.zero)) {
    KnownDirectory<1> known;
    if (file.learn(content, kInteger, &known)) {
      (known.offsets[pte::evalue::kContent] == 0 ? quick_.zero : quick_.integer) = known;
    }
    return 0;
  }
  if ((marks & (kNeedsValue | kMayBeWritten)) != 0) {
    return 0;
  }
  return is_small(low, high) ? Operand::of_int(static_cast<int32_t>(low)).bits()
                             : wide_record(Record::kInt, low | uint64_t{high} << 32);
}

/// A double's table is like that of an integer.
uintptr_t MethodLoader::quick_double(const File& file, Position content) {
  const Position at = content + quick_.integer.offsets[pte::evalue::kContent];
  return file.has(content, quick_.integer) && at % 8 == 0
             ? wide_record(Record::kDouble, file.at<uint32_t>(at) | uint64_t{file.at<uint32_t>(at + 4)} << 32)
             : 0;
}

/// Makes the operands of values, until one is unusual. Returns how many it made.
uint32_t MethodLoader::quick_operands(const uint32_t* values, uint32_t count, uintptr_t* out) {
  const File file(buffer_);
  const uint32_t all = values_.count;
  uint32_t i = 0;
  for (; i < count && values[i] < all; ++i) {
    const uint32_t index = values[i];
    uintptr_t word = map_[index];
    if (!is_made(word)) {
      const Position value = file.follow(values_.at + 4 * index);
      if (!file.has(value, quick_.value) && !file.learn(value, kTypeAndContent, &quick_.value)) {
        break;
      }
      const uint8_t type = file.at<uint8_t>(value + quick_.value.offsets[pte::evalue::kType]);
      const Position content = file.follow(value + quick_.value.offsets[pte::evalue::kValue]);
      if (type == pte::evalue::kInt) {
        word = quick_integer(file, word, content);
      } else if (type == pte::evalue::kTensor) {
        word = quick_tensor(word, content);
      } else if (type == pte::evalue::kIntList) {
        word = quick_list(content);
      } else if (type == pte::evalue::kNull && word == kUnmade && file.has(content, quick_.zero)) {
        word = Operand::of_immediate(Operand::kNone, 0).bits();
      } else if (type == pte::evalue::kDouble && word == kUnmade) {
        word = quick_double(file, content);
      } else {
        word = 0;
      }
      if (word == 0) {
        break;
      }
      map_[index] = word;
    }
    out[i] = word;
  }
  return i;
}

uintptr_t MethodLoader::quick_list(Position content) {
  const File file(buffer_);
  if (!file.has(content, quick_.list) && !file.learn(content, kList, &quick_.list)) {
    return 0;
  }
  const Position list = file.follow(content + quick_.list.offsets[pte::evalue::kContent]);
  if (list % 8 != 4 || !file.has_vector(list, 8)) {
    return 0;
  }
  const uint32_t count = file.at<uint32_t>(list);
  if (count > Operand::kMaxShortList) {
    return 0;
  }
  uintptr_t words[Operand::kMaxShortList];
  bool is_short = true;
  uint32_t packed = 0;
  for (uint32_t i = count; i-- > 0;) {
    const Position item = list + 4 + 8 * i;
    const uint32_t index = file.at<uint32_t>(item);
    if (index >= values_.count || file.at<uint32_t>(item + 4) != 0) {
      return 0;
    }
    uintptr_t word = map_[index];
    if (!is_made(word)) {
      const Position value = file.follow(values_.at + 4 * index);
      if (!file.has(value, quick_.value) ||
          file.at<uint8_t>(value + quick_.value.offsets[pte::evalue::kType]) != pte::evalue::kInt) {
        return 0;
      }
      word = quick_integer(file, word, file.follow(value + quick_.value.offsets[pte::evalue::kValue]));
      if (word == 0) {
        return 0;
      }
      map_[index] = word;
    }
    words[i] = word;
    const uint32_t number = static_cast<uint32_t>(static_cast<int32_t>(word) >> Operand::kPayloadShift);
    is_short = is_short && Operand::from_bits(word).is(Operand::kInt) && number + 32 < 64;
    packed = packed << 6 | (number & 63);
  }
  if (is_short) {
    return Operand::of_immediate(Operand::kShortList, packed << 3 | count).bits();
  }
  auto* record = new_int_list(count);
  if (record != nullptr) {
    std::copy_n(words, count, record->items());
  }
  return Operand::of_record(record).bits();
}

/// A static shape made before; null if there is none.
ET_INLINE const MethodLoader::RecentShape* MethodLoader::recent_shape(const int32_t* sizes, const uint8_t* order,
                                                                      uint32_t rank) const {
  const int32_t last = static_cast<int32_t>(rank) - 1;  // of no sizes it is their number, which lies before them
  const RecentShape* recent = recent_shapes_;
  for (unsigned left = n_shapes_ < kRecentShapes ? n_shapes_ : kRecentShapes; left != 0; --left, ++recent) {
    if ((recent->key & 31) == rank && recent->sizes[last] == sizes[last] && recent->is(sizes, order, rank)) {
      return recent;
    }
  }
  return nullptr;
}

uintptr_t MethodLoader::quick_tensor(uintptr_t marks, Position content) {
  const File file(buffer_);
  KnownDirectory<5>* known = &quick_.tensors[quick_.last_tensor];
  if (!file.has(content, *known)) {
    unsigned i = 0;
    while (i < QuickState::kTensors && !file.has(content, quick_.tensors[i])) {
      ++i;
    }
    if (i == QuickState::kTensors) {
      i = (quick_.last_tensor + 1) % QuickState::kTensors;
      if (!file.learn(content, kTensor, &quick_.tensors[i])) {
        return 0;
      }
    }
    quick_.last_tensor = i;
    known = &quick_.tensors[i];
  }
  const uint16_t* offsets = known->offsets;
  const Position sizes_at = file.follow(content + offsets[kSizes]);
  const Position order_at = file.follow(content + offsets[kOrder]);
  const uint32_t type = offsets[kType] == 0 ? 0 : file.at<uint8_t>(content + offsets[kType]);
  if ((marks & kNeedsValue) != 0 || !file.has_vector(sizes_at, 4) || !file.has_vector(order_at, 1) ||
      file.at<uint32_t>(order_at) != file.at<uint32_t>(sizes_at) ||
      type >= sizeof(executorch::runtime::internal::kElementSizes)) {
    return 0;
  }
  const uint32_t rank = file.at<uint32_t>(sizes_at);
  const auto* sizes = reinterpret_cast<const int32_t*>(file.bytes(sizes_at + 4));
  const uint8_t* order = file.bytes(order_at + 4);
  int32_t strides[executorch::runtime::kTensorDimensionLimit];
  int32_t* shape = nullptr;
  int32_t numel = 0;
  if (rank == 1) {
    numel = order[0] == 0 ? sizes[0] : -1;
  } else if (const RecentShape* recent = recent_shape(sizes, order, rank)) {
    shape = recent->shape;
    numel = static_cast<int32_t>(recent->key >> 5);
  } else if (!lay_out(sizes, order, rank, strides, &numel)) {
    return 0;
  }
  const uint32_t width = executorch::runtime::internal::kElementSizes[type];
  if (static_cast<uint32_t>(numel) >= 1u << 26 || width == 0) {
    return 0;
  }
  const uint32_t nbytes = static_cast<uint32_t>(numel) * width;
  const uint32_t constant = offsets[kConstant] == 0 ? 0 : file.at<uint32_t>(content + offsets[kConstant]);
  void* data = nullptr;
  if (offsets[kPlan] == 0) {
    data = constants_.in_segment(constant, nbytes);
  } else if (constant == 0) {  // else it has an initial value
    data = quick_place(file.follow(content + offsets[kPlan]), nbytes);
  }
  if (data == nullptr || (reinterpret_cast<uintptr_t>(data) & (width < 8 ? width - 1 : 7)) != 0) {
    return 0;
  }
  if (rank == 1) {
    auto* record = take<VectorRecord>(1);
    if (record != nullptr) {
      *record = {{Record::kVector, static_cast<uint8_t>(type), 0}, numel, data};
    }
    return Operand::of_record(record).bits();
  }
  const bool shares = rank == 2 && (order[0] == 0 ? sizes[1] != 0 : sizes[1] == 1);  // the first stride is a size
  const size_t strides_at = shares ? 1 : rank;
  if (shape == nullptr) {
    shape = shape_for(sizes, strides, order, rank, strides_at, static_cast<uint32_t>(numel) << 5 | rank);
  }
  auto* impl = take<TensorImpl>(1);
  if (!ok()) {
    return 0;
  }
  new (impl) TensorImpl(static_cast<ScalarType>(type), static_cast<uint8_t>(rank), numel, shape, data,
                        reinterpret_cast<uint8_t*>(shape + strides_at + rank), shape + strides_at,
                        TensorShapeDynamism::STATIC, 0);
  return Operand::of_tensor(impl).bits();
}

/// The place of a planned tensor; null for the general way.
void* MethodLoader::quick_place(Position allocation, size_t nbytes) {
  const File file(buffer_);
  auto* known = quick_.allocations;
  while (!file.has(allocation, *known)) {
    if (known->places == 0 || known == quick_.allocations + QuickState::kAllocations - 1) {
      if (!file.learn(allocation, kAllocation, known)) {
        return nullptr;
      }
      break;
    }
    ++known;
  }
  const auto field = [&](unsigned id) {
    return known->offsets[id] == 0 ? 0 : file.at<uint32_t>(allocation + known->offsets[id]);
  };
  executorch::runtime::HierarchicalAllocator* planned = method_.memory_manager_->planned_memory();
  if (planned == nullptr || field(pte::allocation::kOffsetHigh) != 0) {
    return nullptr;
  }
  const Result<void*> place =
      planned->get_offset_address(field(pte::allocation::kMemoryId) - 1, field(pte::allocation::kOffsetLow), nbytes);
  return place.ok() ? place.get() : nullptr;
}

}  // namespace wick

#endif
