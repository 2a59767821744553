// SPDX-License-Identifier: BSD-3-Clause
//
// Finds out whether a planned buffer holds state, from the order in which a method reads and writes it.
#pragma once

#include <executorch/runtime/executor/method_meta.h>

#include <cstdint>

#include "src/pte/schema.h"

namespace wick {

class StateFinder {
 public:
  explicit StateFinder(const executorch::runtime::MethodMeta& meta)
      : buffer_(meta.data_, meta.size_),
        plan_(buffer_.table_at(meta.plan_)),
        values_(buffer_.vector_field(plan_, pte::plan::kValues, 4)),
        chains_(buffer_.vector_field(plan_, pte::plan::kChains, 4)),
        inputs_(buffer_.vector_field(plan_, pte::plan::kInputs, 4)) {}

  /// `memory_id` as in the file, from 1.
  bool holds_state(uint32_t memory_id);

 private:
  static constexpr uint32_t kNoValue = UINT32_MAX;

  /// Bytes of the buffer.
  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;
    bool empty() const { return begin >= end; }
    bool overlaps(const Range& other) const { return begin < other.end && other.begin < end; }
  };

  /// What an instruction does: it reads args[0] to args[reads - 1] and moved_from, and writes the other args and
  /// result.
  struct Uses {
    pte::Vector args = {};
    uint32_t reads = 0;
    uint32_t moved_from = kNoValue;
    uint32_t result = kNoValue;
  };

  pte::Table tensor_of(uint32_t value);
  Range range_of(uint32_t value);
  pte::Vector instructions_of(uint32_t chain);
  pte::Vector items_of(uint32_t value);
  Uses uses_of(uint32_t chain, uint32_t index);
  bool contains(uint32_t whole, uint32_t value);
  bool overlaps(uint32_t value, const Range& range);
  bool instruction_reads_state(uint32_t chain, uint32_t index);
  bool is_state(uint32_t value, const Uses& uses, uint32_t chain, uint32_t index);
  bool is_input(const Range& range);
  bool written_before(const Range& range, uint32_t chain, uint32_t index);

  pte::Buffer buffer_;
  pte::Table plan_;
  pte::Vector values_;
  pte::Vector chains_;
  pte::Vector inputs_;
  uint32_t memory_id_ = 0;
};

}  // namespace wick
