// SPDX-License-Identifier: BSD-3-Clause
// Reads a program's tables through the bounds-checked views of src/pte.
#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <fmt/format.h>
#include <wick/pte_size.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "src/pte/schema.h"
#include "tools/common/dtype.h"
#include "tools/inspect/inspect.h"

namespace wick::tools {
namespace {

using nlohmann::json;
namespace schema = wick::pte;
using schema::Table;
using schema::Vector;

const char* const kInstructionNames[] = {"None", "KernelCall", "DelegateCall", "MoveCall", "JumpFalseCall", "FreeCall"};
const char* const kValueNames[] = {"none",        "none",      "int",         "bool",
                                   "double",      "tensor",    "string",      "int list",
                                   "double list", "bool list", "tensor list", "optional tensor list"};

template <size_t kCount>
const char* name_of(const char* const (&names)[kCount], unsigned index) {
  return index < kCount ? names[index] : "unknown";
}

std::string text_of(const char* text) { return text == nullptr ? "" : text; }

/// Walks one program; every answer is valid only while the buffer is not bad, which is asked once at the end.
class ProgramReader {
 public:
  ProgramReader(const uint8_t* data, size_t size) : data_(data), size_(size), buffer_(data, size) {}

  json read() {
    const Table root = buffer_.root();
    schema::ExtendedHeader header;
    if (size_ < schema::kHeadBytes || !schema::parse_extended_header(data_, &header)) {
      throw ToolError("the extended header is broken");
    }
    json out = {{"kind", "program"}, {"bytes", size_}};
    const auto real = wick::pte_size(data_, size_);
    out["program_bytes"] = real.ok() ? json(real.get()) : json(nullptr);
    out["schema_version"] = buffer_.u32_field(root, schema::program::kVersion);
    out["header"] = nullptr;
    if (header.present) {
      out["header"] = {{"length", header.has_data_size ? 32 : 24},
                       {"program_size", header.program_size},
                       {"segment_base_offset", header.segment_base_offset}};
    }
    out["generation"] = generation(root, header);
    out["segments"] = segments(root);
    out["constants"] = constants(root);
    out["named_data"] = named_data(root);
    out["methods"] = json::array();
    const Vector plans = buffer_.vector_field(root, schema::program::kExecutionPlan, 4);
    for (uint32_t i = 0; i < plans.count && !buffer_.bad(); ++i) {
      out["methods"].push_back(method(root, buffer_.table_item(plans, i)));
    }
    if (buffer_.bad()) {
      throw ToolError("the program's tables are corrupt or truncated");
    }
    out["missing"] = missing_;
    return out;
  }

 private:
  /// What the layout of the file tells of its exporter.
  std::string generation(const Table& root, const schema::ExtendedHeader& header) {
    if (buffer_.vector_field(root, schema::program::kConstantBuffer, 4).count > 0) {
      return "0.2 or 0.3 (constants inline)";
    }
    // Up to 1.1 flatc wrote the file, which lays fields out in ascending order.
    const bool flatc =
        buffer_.field(root, schema::program::kExecutionPlan) < buffer_.field(root, schema::program::kConstantSegment);
    if (!flatc) {
      return "1.2 or later";
    }
    if (!header.present) {
      return "0.4 to 1.1";
    }
    return header.has_data_size ? "1.0 or 1.1" : "0.2 to 0.7";
  }

  json segments(const Table& root) {
    json list = json::array();
    const Vector entries = buffer_.vector_field(root, schema::program::kSegments, 4);
    for (uint32_t i = 0; i < entries.count && !buffer_.bad(); ++i) {
      const Table entry = buffer_.table_item(entries, i);
      list.push_back({{"offset", buffer_.u64_field(entry, schema::segment::kOffset)},
                      {"bytes", buffer_.u64_field(entry, schema::segment::kSize)}});
    }
    return list;
  }

  json constants(const Table& root) {
    const Vector inline_buffers = buffer_.vector_field(root, schema::program::kConstantBuffer, 4);
    const Table segment = buffer_.table_field(root, schema::program::kConstantSegment);
    const Vector offsets = buffer_.vector_field(segment, schema::subsegments::kOffsets, 8);
    // Entry 0 of either list is a placeholder.
    if (offsets.count > 1) {
      return {{"where", "segment"},
              {"segment", buffer_.u32_field(segment, schema::subsegments::kSegmentIndex)},
              {"count", offsets.count - 1}};
    }
    if (inline_buffers.count > 1) {
      return {{"where", "inline"}, {"count", inline_buffers.count - 1}};
    }
    return {{"where", "none"}, {"count", 0}};
  }

  json named_data(const Table& root) {
    json list = json::array();
    const Vector entries = buffer_.vector_field(root, schema::program::kNamedData, 4);
    for (uint32_t i = 0; i < entries.count && !buffer_.bad(); ++i) {
      const Table entry = buffer_.table_item(entries, i);
      list.push_back({{"key", text_of(buffer_.string_field(entry, schema::named_data::kKey))},
                      {"segment", buffer_.u32_field(entry, schema::named_data::kSegmentIndex)}});
    }
    return list;
  }

  json value(const Table& plan, int32_t index) {
    const Vector values = buffer_.vector_field(plan, schema::plan::kValues, 4);
    if (index < 0 || static_cast<uint32_t>(index) >= values.count) {
      buffer_.set_bad();
      return nullptr;
    }
    const Table entry = buffer_.table_item(values, static_cast<uint32_t>(index));
    const uint8_t type = buffer_.u8_field(entry, schema::evalue::kType);
    json out = {{"kind", name_of(kValueNames, type)}};
    if (type == schema::evalue::kTensor) {
      const Table tensor = buffer_.table_field(entry, schema::evalue::kValue);
      out["dtype"] = dtype_name(static_cast<ScalarType>(buffer_.u8_field(tensor, schema::tensor::kScalarType)));
      out["sizes"] = json::array();
      const Vector sizes = buffer_.vector_field(tensor, schema::tensor::kSizes, 4);
      for (uint32_t i = 0; i < sizes.count; ++i) {
        out["sizes"].push_back(buffer_.i32_item(sizes, i));
      }
      out["dim_order"] = json::array();
      const Vector order = buffer_.vector_field(tensor, schema::tensor::kDimOrder, 1);
      for (uint32_t i = 0; i < order.count; ++i) {
        out["dim_order"].push_back(buffer_.bytes(order.at)[i]);
      }
      out["dynamic"] = buffer_.u8_field(tensor, schema::tensor::kShapeDynamism) != schema::tensor::kStatic;
      out["planned"] = buffer_.field(tensor, schema::tensor::kAllocationInfo) != 0;
    }
    return out;
  }

  json values(const Table& plan, unsigned field) {
    json list = json::array();
    const Vector indices = buffer_.vector_field(plan, field, 4);
    for (uint32_t i = 0; i < indices.count && !buffer_.bad(); ++i) {
      list.push_back(value(plan, buffer_.i32_item(indices, i)));
    }
    return list;
  }

  void count_instructions(const Table& plan, std::vector<uint32_t>& kernel_calls, std::vector<uint32_t>& delegate_calls,
                          json& kinds) {
    const Vector chains = buffer_.vector_field(plan, schema::plan::kChains, 4);
    for (uint32_t c = 0; c < chains.count && !buffer_.bad(); ++c) {
      const Vector list = buffer_.vector_field(buffer_.table_item(chains, c), schema::chain::kInstructions, 4);
      for (uint32_t i = 0; i < list.count && !buffer_.bad(); ++i) {
        const Table instruction = buffer_.table_item(list, i);
        const uint8_t type = buffer_.u8_field(instruction, schema::instruction::kType);
        const char* kind = name_of(kInstructionNames, type);
        kinds[kind] = kinds.value(kind, 0) + 1;
        const Table call = buffer_.table_field(instruction, schema::instruction::kArguments);
        const uint32_t index = buffer_.u32_field(call, schema::call::kIndex);
        if (type == schema::instruction::kKernelCall && index < kernel_calls.size()) {
          ++kernel_calls[index];
        } else if (type == schema::instruction::kDelegateCall && index < delegate_calls.size()) {
          ++delegate_calls[index];
        }
      }
    }
  }

  json operators(const Table& plan, const std::vector<uint32_t>& calls) {
    json list = json::array();
    const Vector entries = buffer_.vector_field(plan, schema::plan::kOperators, 4);
    for (uint32_t i = 0; i < entries.count && !buffer_.bad(); ++i) {
      const Table entry = buffer_.table_item(entries, i);
      std::string name = text_of(buffer_.string_field(entry, schema::op::kName));
      const std::string overload = text_of(buffer_.string_field(entry, schema::op::kOverload));
      name += overload.empty() ? "" : "." + overload;
      const bool built = executorch::runtime::registry_has_op_function(name.c_str());
      list.push_back({{"name", name}, {"calls", calls[i]}, {"built", built}});
      note_missing(built, name);
    }
    return list;
  }

  json delegates(const Table& root, const Table& plan, const std::vector<uint32_t>& calls) {
    json list = json::array();
    const Vector entries = buffer_.vector_field(plan, schema::plan::kDelegates, 4);
    for (uint32_t i = 0; i < entries.count && !buffer_.bad(); ++i) {
      const Table entry = buffer_.table_item(entries, i);
      const std::string id = text_of(buffer_.string_field(entry, schema::delegate::kId));
      const auto* backend = executorch::runtime::get_backend_class(id.c_str());
      const bool built = backend != nullptr && backend->is_available();
      list.push_back({{"id", id}, {"calls", calls[i]}, {"bytes", payload_bytes(root, entry)}, {"built", built}});
      note_missing(built, "backend " + id);
    }
    return list;
  }

  uint64_t payload_bytes(const Table& root, const Table& delegate) {
    const Table processed = buffer_.table_field(delegate, schema::delegate::kProcessed);
    const uint32_t index = buffer_.u32_field(processed, schema::delegate::kIndex);
    const bool in_segment = buffer_.u8_field(processed, schema::delegate::kLocation) == schema::delegate::kSegment;
    const Vector entries =
        buffer_.vector_field(root, in_segment ? schema::program::kSegments : schema::program::kBackendDelegateData, 4);
    if (index >= entries.count) {
      return 0;
    }
    const Table entry = buffer_.table_item(entries, index);
    return in_segment ? buffer_.u64_field(entry, schema::segment::kSize)
                      : buffer_.vector_field(entry, schema::kBytes, 1).count;
  }

  json method(const Table& root, const Table& plan) {
    const Vector operator_list = buffer_.vector_field(plan, schema::plan::kOperators, 4);
    const Vector delegate_list = buffer_.vector_field(plan, schema::plan::kDelegates, 4);
    std::vector<uint32_t> kernel_calls(operator_list.count);
    std::vector<uint32_t> delegate_calls(delegate_list.count);
    json kinds = json::object();
    count_instructions(plan, kernel_calls, delegate_calls, kinds);
    json out = {{"name", text_of(buffer_.string_field(plan, schema::plan::kName))},
                {"inputs", values(plan, schema::plan::kInputs)},
                {"outputs", values(plan, schema::plan::kOutputs)},
                {"operators", operators(plan, kernel_calls)},
                {"delegates", delegates(root, plan, delegate_calls)},
                {"instructions", kinds},
                {"values", buffer_.vector_field(plan, schema::plan::kValues, 4).count},
                {"planned_buffers", json::array()}};
    const Vector sizes = buffer_.vector_field(plan, schema::plan::kNonConstBufferSizes, 8);
    for (uint32_t i = 1; i < sizes.count; ++i) {  // entry 0 is a placeholder
      out["planned_buffers"].push_back(buffer_.u64_item(sizes, i));
    }
    return out;
  }

  void note_missing(bool built, const std::string& name) {
    if (!built && std::find(missing_.begin(), missing_.end(), name) == missing_.end()) {
      missing_.push_back(name);
    }
  }

  const uint8_t* data_;
  size_t size_;
  schema::Buffer buffer_;
  std::vector<std::string> missing_;
};

}  // namespace

json inspect_program(const uint8_t* data, size_t size) { return ProgramReader(data, size).read(); }

}  // namespace wick::tools
