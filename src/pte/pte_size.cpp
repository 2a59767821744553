// SPDX-License-Identifier: BSD-3-Clause
//
// pte_size: from the header if it says, else by walking the tables to the furthest byte.
#include <executorch/runtime/platform/log.h>
#include <wick/pte_size.h>

#include "src/pte/schema.h"

namespace wick {
namespace {

using executorch::runtime::Error;
using executorch::runtime::Result;
using pte::Position;

/// Table types of the schema, for the walk.
enum Type : uint8_t {
  kProgram,
  kPlan,
  kContainer,
  kEValueType,
  kTensorType,
  kNumberType,
  kStringType,
  kList8,
  kList4,
  kList1,
  kChainType,
  kInstructionType,
  kCallType,
  kFrameList,
  kFrame,
  kExtra,
  kOperatorType,
  kDelegateType,
  kSpec,
  kSegmentsType,
  kNamedType,
  kPlain,
};

/// How a field refers to more bytes.
enum Reference : uint8_t { kBytes1, kBytes4, kBytes8, kText, kTable, kTables, kUnion };

struct Field {
  Type owner;
  uint8_t id;
  Reference reference;
  Type target;
};

constexpr Field kFields[] = {
    {kProgram, pte::program::kExecutionPlan, kTables, kPlan},
    {kProgram, pte::program::kConstantBuffer, kTables, kList1},
    {kProgram, pte::program::kBackendDelegateData, kTables, kList1},
    {kProgram, pte::program::kSegments, kTables, kPlain},
    {kProgram, pte::program::kConstantSegment, kTable, kSegmentsType},
    {kProgram, pte::program::kMutableDataSegments, kTables, kSegmentsType},
    {kProgram, pte::program::kNamedData, kTables, kNamedType},
    {kPlan, pte::plan::kName, kText, kPlain},
    {kPlan, pte::plan::kContainerMetaType, kTable, kContainer},
    {kPlan, pte::plan::kValues, kTables, kEValueType},
    {kPlan, pte::plan::kInputs, kBytes4, kPlain},
    {kPlan, pte::plan::kOutputs, kBytes4, kPlain},
    {kPlan, pte::plan::kChains, kTables, kChainType},
    {kPlan, pte::plan::kOperators, kTables, kOperatorType},
    {kPlan, pte::plan::kDelegates, kTables, kDelegateType},
    {kPlan, pte::plan::kNonConstBufferSizes, kBytes8, kPlain},
    {kPlan, pte::plan::kNonConstBufferDevice, kTables, kPlain},
    {kContainer, 0, kText, kPlain},
    {kContainer, 1, kText, kPlain},
    {kEValueType, pte::evalue::kValue, kUnion, kPlain},
    {kTensorType, pte::tensor::kSizes, kBytes4, kPlain},
    {kTensorType, pte::tensor::kDimOrder, kBytes1, kPlain},
    {kTensorType, pte::tensor::kAllocationInfo, kTable, kPlain},
    {kTensorType, pte::tensor::kExtraTensorInfo, kTable, kExtra},
    {kStringType, 0, kText, kPlain},
    {kList8, 0, kBytes8, kPlain},
    {kList4, 0, kBytes4, kPlain},
    {kList1, 0, kBytes1, kPlain},
    {kChainType, pte::chain::kInputs, kBytes4, kPlain},
    {kChainType, pte::chain::kOutputs, kBytes4, kPlain},
    {kChainType, pte::chain::kInstructions, kTables, kInstructionType},
    {kChainType, pte::chain::kStacktrace, kTables, kFrameList},
    {kInstructionType, pte::instruction::kArguments, kUnion, kPlain},
    {kCallType, pte::call::kArgs, kBytes4, kPlain},
    {kFrameList, 0, kTables, kFrame},
    {kFrame, 0, kText, kPlain},
    {kFrame, 2, kText, kPlain},
    {kFrame, 3, kText, kPlain},
    {kExtra, pte::extra::kFullyQualifiedName, kText, kPlain},
    {kOperatorType, pte::op::kName, kText, kPlain},
    {kOperatorType, pte::op::kOverload, kText, kPlain},
    {kDelegateType, pte::delegate::kId, kText, kPlain},
    {kDelegateType, pte::delegate::kProcessed, kTable, kPlain},
    {kDelegateType, pte::delegate::kCompileSpecs, kTables, kSpec},
    {kSpec, pte::delegate::kSpecKey, kText, kPlain},
    {kSpec, pte::delegate::kSpecValue, kBytes1, kPlain},
    {kSegmentsType, pte::subsegments::kOffsets, kBytes8, kPlain},
    {kNamedType, pte::named_data::kKey, kText, kPlain},
};

Type union_target(Type owner, uint8_t type) {
  if (owner == kInstructionType) {
    return type == pte::instruction::kKernelCall || type == pte::instruction::kDelegateCall ? kCallType : kPlain;
  }
  constexpr Type kTargets[] = {kPlain,      kPlain, kNumberType, kNumberType, kNumberType, kTensorType,
                               kStringType, kList8, kList8,      kList1,      kList4,      kList4};
  return type < sizeof(kTargets) / sizeof(kTargets[0]) ? kTargets[type] : kPlain;
}

/// Visits every table with a stack of fixed depth (the schema nests six deep) and remembers the furthest byte.
class Walk {
 public:
  explicit Walk(pte::Buffer& buffer) : buffer_(buffer), budget_(buffer.size() / 4 + 16) {}

  uint64_t furthest() {
    push(kProgram, buffer_.root());
    while (depth_ > 0 && !buffer_.bad()) {
      advance();
    }
    return end_;
  }

 private:
  struct Level {
    Type type;
    pte::Table table;
    uint8_t next_field;  ///< index into kFields
    pte::Vector tables;  ///< being visited, if any
    uint32_t next_table;
    Type tables_type;
  };
  static constexpr unsigned kMaxDepth = 8;

  void push(Type type, const pte::Table& table) {
    if (!table || depth_ == kMaxDepth || budget_-- == 0) {
      buffer_.set_bad();
      return;
    }
    const pte::Position directory = buffer_.directory(table);
    reach(uint64_t{directory} + buffer_.directory_size(table));
    reach(uint64_t{table.at} + buffer_.u16(directory + 2));
    levels_[depth_++] = {type, table, 0, {}, 0, kPlain};
  }

  void reach(uint64_t end) { end_ = end > end_ ? end : end_; }

  void advance() {
    Level& level = levels_[depth_ - 1];
    if (level.next_table < level.tables.count) {
      push(level.tables_type, buffer_.table_item(level.tables, level.next_table++));
      return;
    }
    constexpr unsigned kCount = sizeof(kFields) / sizeof(kFields[0]);
    while (level.next_field < kCount && kFields[level.next_field].owner != level.type) {
      ++level.next_field;
    }
    if (level.next_field == kCount) {
      --depth_;
      return;
    }
    visit(level, kFields[level.next_field++]);
  }

  void visit(Level& level, const Field& field) {
    if (buffer_.field(level.table, field.id) == 0) {
      return;
    }
    switch (field.reference) {
      case kTable:
        push(field.target, buffer_.table_field(level.table, field.id));
        return;
      case kUnion:
        push(union_target(level.type, buffer_.u8_field(level.table, static_cast<unsigned>(field.id - 1))),
             buffer_.table_field(level.table, field.id));
        return;
      default:
        break;
    }
    const unsigned width = field.reference == kBytes8                                 ? 8
                           : field.reference == kBytes4 || field.reference == kTables ? 4
                                                                                      : 1;
    pte::Vector items = buffer_.vector_field(level.table, field.id, width);
    reach(uint64_t{items.at} + uint64_t{items.count} * width + (field.reference == kText ? 1 : 0));
    if (field.reference == kTables) {
      level.tables = items;
      level.next_table = 0;
      level.tables_type = field.target;
    }
  }

  pte::Buffer& buffer_;
  uint32_t budget_;  ///< tables that may be visited: more than fit the bytes means a hostile file
  uint64_t end_ = 8;
  unsigned depth_ = 0;
  Level levels_[kMaxDepth];
};

/// End of the furthest segment, for headers without the data's size.
uint64_t segments_end(pte::Buffer& buffer, uint64_t base) {
  pte::Vector segments = buffer.vector_field(buffer.root(), pte::program::kSegments, 4);
  uint64_t end = base;
  for (uint32_t i = 0; i < segments.count; ++i) {
    pte::Table segment = buffer.table_item(segments, i);
    uint64_t offset = buffer.u64_field(segment, pte::segment::kOffset);
    uint64_t size = buffer.u64_field(segment, pte::segment::kSize);
    if (offset > UINT32_MAX || size > UINT32_MAX) {
      return UINT64_MAX;
    }
    end = base + offset + size > end ? base + offset + size : end;
  }
  return end;
}

}  // namespace

Result<size_t> pte_size(const void* data, size_t limit) {
  if (data == nullptr || reinterpret_cast<uintptr_t>(data) % 8 != 0) {
    ET_LOG(Error, "a program's address must be a multiple of 8 (16 is safe everywhere), not %p", data);
    return Error::InvalidArgument;
  }
  const uint8_t* head = static_cast<const uint8_t*>(data);
  pte::ExtendedHeader header;
  if (limit < pte::kHeadBytes || !pte::parse_extended_header(head, &header)) {
    ET_LOG(Error, "no .pte program at %p: %s", data,
           limit >= 16 && pte::kind_of(head) == pte::Kind::kErased ? "the memory is erased" : "its first bytes say so");
    return Error::InvalidProgram;
  }
  uint64_t size = header.program_size;
  if (!header.present) {
    pte::Buffer buffer(data, limit);
    Walk walk(buffer);
    size = walk.furthest();
    size = buffer.bad() ? UINT64_MAX : size;
  } else if (header.segment_base_offset != 0) {
    uint64_t end = 0;
    if (header.has_data_size) {
      end = header.segment_base_offset + header.segment_data_size;
    } else if (size <= limit) {
      pte::Buffer buffer(data, static_cast<size_t>(size));
      end = segments_end(buffer, header.segment_base_offset);
      end = buffer.bad() ? UINT64_MAX : end;
    }
    size = end < size || end < header.segment_base_offset ? UINT64_MAX : end;
  }
  if (size > limit) {
    ET_LOG(Error, "the program at %p is corrupt or larger than the %" ET_PRIsize_t " bytes it may have", data, limit);
    return Error::InvalidProgram;
  }
  return static_cast<size_t>(size);
}

}  // namespace wick
