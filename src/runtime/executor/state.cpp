// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the planned buffers that hold state. The file does not mark state; it shows in how the method uses its memory.
#include "src/runtime/executor/state.h"

#include <wick/memory_required.h>

#include "src/pte/schema.h"
#include "src/runtime/executor/tensor_size.h"

namespace wick {

bool StateFinder::holds_state(uint32_t memory_id) {
  memory_id_ = memory_id;
  for (uint32_t i = 0; i < values_.count; ++i) {
    const pte::Table tensor = tensor_of(i);
    if (!range_of(i).empty() && tensor &&
        (buffer_.u32_field(tensor, pte::tensor::kDataBufferIndex) != 0 ||
         buffer_.string_field(buffer_.table_field(tensor, pte::tensor::kExtraTensorInfo),
                              pte::extra::kFullyQualifiedName) != nullptr)) {
      return true;
    }
  }
  for (uint32_t c = 0; c < chains_.count; ++c) {
    const uint32_t count = instructions_of(c).count;
    for (uint32_t i = 0; i < count; ++i) {
      if (instruction_reads_state(c, i)) {
        return true;
      }
    }
  }
  return false;
}

pte::Table StateFinder::tensor_of(uint32_t value) {
  const pte::Table table = buffer_.table_item(values_, value);
  return buffer_.u8_field(table, pte::evalue::kType) == pte::evalue::kTensor
             ? buffer_.table_field(table, pte::evalue::kValue)
             : pte::Table{};
}

/// The bytes of the buffer in question that a value lies in; empty for all other values.
StateFinder::Range StateFinder::range_of(uint32_t value) {
  if (value >= values_.count) {
    return {};
  }
  const pte::Table tensor = tensor_of(value);
  const pte::Table allocation = buffer_.table_field(tensor, pte::tensor::kAllocationInfo);
  if (!allocation || buffer_.u32_field(allocation, pte::allocation::kMemoryId) != memory_id_) {
    return {};
  }
  const pte::Vector sizes = buffer_.vector_field(tensor, pte::tensor::kSizes, 4);
  size_t numel = 0;
  size_t nbytes = 0;
  if (!tensor_size(reinterpret_cast<const int32_t*>(buffer_.bytes(sizes.at)), sizes.count,
                   static_cast<int8_t>(buffer_.u8_field(tensor, pte::tensor::kScalarType)), &numel, &nbytes)) {
    return {};
  }
  const uint64_t begin = buffer_.u32_field(allocation, pte::allocation::kOffsetLow) |
                         static_cast<uint64_t>(buffer_.u32_field(allocation, pte::allocation::kOffsetHigh)) << 32;
  return {begin, begin + nbytes};
}

pte::Vector StateFinder::instructions_of(uint32_t chain) {
  return buffer_.vector_field(buffer_.table_item(chains_, chain), pte::chain::kInstructions, 4);
}

/// The values that an instruction reads and writes: runs of its arguments, and a single one for moves and jumps.
StateFinder::Uses StateFinder::uses_of(uint32_t chain, uint32_t index) {
  const pte::Table instruction = buffer_.table_item(instructions_of(chain), index);
  const pte::Table call = buffer_.table_field(instruction, pte::instruction::kArguments);
  Uses uses;
  switch (buffer_.u8_field(instruction, pte::instruction::kType)) {
    case pte::instruction::kKernelCall:
      uses.args = buffer_.vector_field(call, pte::call::kArgs, 4);
      uses.reads = uses.args.count;
      if (uses.reads > 0) {
        uses.result = static_cast<uint32_t>(buffer_.i32_item(uses.args, uses.reads - 1));
        while (uses.reads > 0 &&
               contains(uses.result, static_cast<uint32_t>(buffer_.i32_item(uses.args, uses.reads - 1)))) {
          --uses.reads;
        }
      }
      break;
    case pte::instruction::kDelegateCall:  // which arguments it reads is its own affair: taken as written
      uses.args = buffer_.vector_field(call, pte::call::kArgs, 4);
      break;
    case pte::instruction::kMoveCall:
      uses.moved_from = buffer_.u32_field(call, pte::call::kMoveFrom);
      uses.result = buffer_.u32_field(call, pte::call::kMoveTo);
      break;
    default:
      break;
  }
  return uses;
}

/// Whether `value` is `whole` or an item of that list of tensors.
bool StateFinder::contains(uint32_t whole, uint32_t value) {
  if (whole == value || whole >= values_.count) {
    return whole == value;
  }
  const pte::Vector items = items_of(whole);
  for (uint32_t i = 0; i < items.count; ++i) {
    if (static_cast<uint32_t>(buffer_.i32_item(items, i)) == value) {
      return true;
    }
  }
  return false;
}

/// The items of a list of tensors; none for other values.
pte::Vector StateFinder::items_of(uint32_t value) {
  const pte::Table table = buffer_.table_item(values_, value);
  const uint8_t type = buffer_.u8_field(table, pte::evalue::kType);
  if (type != pte::evalue::kTensorList && type != pte::evalue::kOptionalTensorList) {
    return {};
  }
  return buffer_.vector_field(buffer_.table_field(table, pte::evalue::kValue), pte::evalue::kContent, 4);
}

bool StateFinder::overlaps(uint32_t value, const Range& range) {
  if (range_of(value).overlaps(range)) {
    return true;
  }
  const pte::Vector items = value < values_.count ? items_of(value) : pte::Vector{};
  for (uint32_t i = 0; i < items.count; ++i) {
    if (range_of(static_cast<uint32_t>(buffer_.i32_item(items, i))).overlaps(range)) {
      return true;
    }
  }
  return false;
}

bool StateFinder::instruction_reads_state(uint32_t chain, uint32_t index) {
  const Uses uses = uses_of(chain, index);
  if (uses.moved_from != kNoValue && is_state(uses.moved_from, uses, chain, index)) {
    return true;
  }
  for (uint32_t i = 0; i < uses.reads; ++i) {
    const uint32_t value = static_cast<uint32_t>(buffer_.i32_item(uses.args, i));
    if (is_state(value, uses, chain, index)) {
      return true;
    }
    const pte::Vector items = value < values_.count ? items_of(value) : pte::Vector{};
    for (uint32_t k = 0; k < items.count; ++k) {
      if (is_state(static_cast<uint32_t>(buffer_.i32_item(items, k)), uses, chain, index)) {
        return true;
      }
    }
  }
  return false;
}

/// A value that an instruction reads is state if the same instruction also writes it, or nothing before wrote there.
bool StateFinder::is_state(uint32_t value, const Uses& uses, uint32_t chain, uint32_t index) {
  const Range range = range_of(value);
  if (range.empty()) {
    return false;
  }
  return contains(uses.result, value) || !(is_input(range) || written_before(range, chain, index));
}

bool StateFinder::is_input(const Range& range) {
  for (uint32_t i = 0; i < inputs_.count; ++i) {
    if (range_of(static_cast<uint32_t>(buffer_.i32_item(inputs_, i))).overlaps(range)) {
      return true;
    }
  }
  return false;
}

/// Looks back from an instruction: the last writer is mostly near.
bool StateFinder::written_before(const Range& range, uint32_t chain, uint32_t index) {
  for (uint32_t c = chain + 1; c-- > 0;) {
    for (uint32_t i = c == chain ? index : instructions_of(c).count; i-- > 0;) {
      const Uses uses = uses_of(c, i);
      if (uses.result != kNoValue && overlaps(uses.result, range)) {
        return true;
      }
      for (uint32_t k = uses.reads; k < uses.args.count; ++k) {
        if (overlaps(static_cast<uint32_t>(buffer_.i32_item(uses.args, k)), range)) {
          return true;
        }
      }
    }
  }
  return false;
}

bool holds_state(const executorch::runtime::MethodMeta& meta, size_t index) {
  return StateFinder(meta).holds_state(static_cast<uint32_t>(index) + 1);
}

}  // namespace wick
