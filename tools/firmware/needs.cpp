// SPDX-License-Identifier: BSD-3-Clause
// Walks the instructions of every method through the bounds-checked views of src/pte.
#include "tools/firmware/needs.h"

#include <wick/pte_size.h>

#include "src/pte/schema.h"
#include "tools/common/dtype.h"

namespace wick::tools {
namespace {

using pte::Buffer;
using pte::Table;
using pte::Vector;

bool transposes(const std::string& name) {
  return name == "aten::permute_copy.out" || name == "aten::transpose_copy.int_out" || name == "aten::t_copy.out";
}

/// Which argument of a matrix product is the second matrix; 0: the operator is none.
uint32_t second_matrix(const std::string& name) {
  const bool first = name == "aten::mm.out" || name == "aten::bmm.out" || name == "aten::linear.out";
  return name == "aten::addmm.out" ? 2 : first ? 1 : 0;
}

class NeedsReader {
 public:
  NeedsReader(Buffer& buffer, Needs& needs) : buffer_(buffer), needs_(needs) {}

  void read() {
    const Vector plans = buffer_.vector_field(buffer_.root(), pte::program::kExecutionPlan, 4);
    for (uint32_t i = 0; i < plans.count && !buffer_.bad(); ++i) {
      read_plan(buffer_.table_item(plans, i));
    }
  }

 private:
  /// Sizes and dim order of the first tensor of a call.
  struct Layout {
    bool known = false;
    std::vector<int32_t> sizes;
    std::vector<uint8_t> order;
  };

  void read_plan(const Table& plan) {
    transposed_.clear();
    const Vector delegates = buffer_.vector_field(plan, pte::plan::kDelegates, 4);
    for (uint32_t i = 0; i < delegates.count && !buffer_.bad(); ++i) {
      const char* id = buffer_.string_field(buffer_.table_item(delegates, i), pte::delegate::kId);
      needs_.backends.insert(id != nullptr ? id : "");
    }
    const Vector chains = buffer_.vector_field(plan, pte::plan::kChains, 4);
    for (uint32_t i = 0; i < chains.count && !buffer_.bad(); ++i) {
      read_chain(plan, buffer_.table_item(chains, i));
    }
  }

  void read_chain(const Table& plan, const Table& chain) {
    const Vector operators = buffer_.vector_field(plan, pte::plan::kOperators, 4);
    const Vector instructions = buffer_.vector_field(chain, pte::chain::kInstructions, 4);
    for (uint32_t i = 0; i < instructions.count && !buffer_.bad(); ++i) {
      const Table instruction = buffer_.table_item(instructions, i);
      if (buffer_.u8_field(instruction, pte::instruction::kType) != pte::instruction::kKernelCall) {
        continue;
      }
      const Table call = buffer_.table_field(instruction, pte::instruction::kArguments);
      const uint32_t index = buffer_.u32_field(call, pte::call::kIndex);
      if (index >= operators.count) {
        buffer_.set_bad();
        return;
      }
      const std::string name = operator_name(buffer_.table_item(operators, index));
      const Vector arguments = buffer_.vector_field(call, pte::call::kArgs, 4);
      Layout layout;
      uint32_t types = 0;
      for (uint32_t a = 0; a < arguments.count; ++a) {
        types |= types_of(plan, buffer_.i32_item(arguments, a), layout);
      }
      if (second_matrix(name) != 0) {
        types = (types & ~kMixedShapes) | (is_dense_product(plan, name, arguments) ? 0 : kMixedShapes);
      } else if (transposes(name) && arguments.count > 0) {
        ++needs_.transpositions;
        transposed_.insert(buffer_.i32_item(arguments, arguments.count - 1));
      }
      needs_.operators[name] |= types;
    }
  }

  /// True if the second matrix is dense along the common dimension: a transposed one [k, n], or linear's weight [n, k].
  bool is_dense_product(const Table& plan, const std::string& name, const Vector& arguments) {
    const uint32_t second = second_matrix(name);
    if (second >= arguments.count) {
      return false;
    }
    const int32_t index = buffer_.i32_item(arguments, second);
    if (name != "aten::linear.out") {
      return transposed_.count(index) != 0;
    }
    const Table tensor = buffer_.table_field(value_at(plan, index), pte::evalue::kValue);
    const Vector order = buffer_.vector_field(tensor, pte::tensor::kDimOrder, 1);
    return order.count == 2 && *buffer_.bytes(order.at) == 0;
  }

  /// True if the tensor never has another shape, and it is that of the call's first one.
  bool has_layout(const Table& tensor, Layout& first) {
    Layout own;
    const Vector sizes = buffer_.vector_field(tensor, pte::tensor::kSizes, 4);
    for (uint32_t i = 0; i < sizes.count && !buffer_.bad(); ++i) {
      own.sizes.push_back(buffer_.i32_item(sizes, i));
    }
    const Vector order = buffer_.vector_field(tensor, pte::tensor::kDimOrder, 1);
    own.order.assign(buffer_.bytes(order.at), buffer_.bytes(order.at) + order.count);
    if (!first.known) {
      first = own;
      first.known = true;
    }
    return buffer_.u8_field(tensor, pte::tensor::kShapeDynamism) == 0 && own.sizes == first.sizes &&
           own.order == first.order;
  }

  std::string operator_name(const Table& entry) {
    const char* name = buffer_.string_field(entry, pte::op::kName);
    const char* overload = buffer_.string_field(entry, pte::op::kOverload);
    std::string full = name != nullptr ? name : "";
    return overload != nullptr && *overload != '\0' ? full + "." + overload : full;
  }

  Table value_at(const Table& plan, int32_t index) {
    const Vector values = buffer_.vector_field(plan, pte::plan::kValues, 4);
    if (index < 0 || static_cast<uint32_t>(index) >= values.count) {
      return {};
    }
    return buffer_.table_item(values, static_cast<uint32_t>(index));
  }

  uint32_t tensor_type(const Table& value, Layout& layout) {
    if (!value || buffer_.u8_field(value, pte::evalue::kType) != pte::evalue::kTensor) {
      return 0;
    }
    const Table tensor = buffer_.table_field(value, pte::evalue::kValue);
    const uint8_t type = buffer_.u8_field(tensor, pte::tensor::kScalarType);
    const bool is_static = buffer_.u8_field(tensor, pte::tensor::kShapeDynamism) == 0;
    return (type < 30 ? uint32_t{1} << type : 0) | (is_static ? 0 : kDynamicShapes) |
           (has_layout(tensor, layout) ? 0 : kMixedShapes);
  }

  /// The types of the tensors that a value is or lists, and whether shapes differ from `layout`.
  uint32_t types_of(const Table& plan, int32_t index, Layout& layout) {
    const Table value = value_at(plan, index);
    if (!value) {
      return 0;
    }
    const uint8_t kind = buffer_.u8_field(value, pte::evalue::kType);
    if (kind != pte::evalue::kTensorList && kind != pte::evalue::kOptionalTensorList) {
      return tensor_type(value, layout);
    }
    uint32_t types = 0;
    const Vector items =
        buffer_.vector_field(buffer_.table_field(value, pte::evalue::kValue), pte::evalue::kContent, 4);
    for (uint32_t i = 0; i < items.count; ++i) {
      types |= tensor_type(value_at(plan, buffer_.i32_item(items, i)), layout);
    }
    return types;
  }

  Buffer& buffer_;
  Needs& needs_;
  std::set<int32_t> transposed_;  // values of the plan that such operators write
};

}  // namespace

Needs read_needs(const std::string& path) {
  Bytes file = read_file(path);
  if (file.size() < pte::kHeadBytes) {
    throw ToolError(path + ": " + std::to_string(file.size()) + " bytes are too few for a program");
  }
  if (pte::kind_of(file.data()) == pte::Kind::kBundled) {
    throw ToolError(path + ": a bundled program (.bpte); a firmware wants the .pte that was bundled");
  }
  const auto size = wick::pte_size(file.data(), file.size());
  if (!size.ok()) {
    throw ToolError(path + ": no whole program; wick doctor tells more");
  }
  Needs needs;
  needs.bytes = size.get();
  Buffer buffer(file.data(), file.size());
  NeedsReader(buffer, needs).read();
  if (buffer.bad()) {
    throw ToolError(path + ": the program's tables are corrupt");
  }
  return needs;
}

void narrow_by_views(Needs& needs, uint64_t views) {
  for (auto& [name, types] : needs.operators) {
    if (views == needs.transpositions && transposes(name)) {
      types = 0;
    } else if (views != needs.transpositions && second_matrix(name) != 0) {
      types |= kMixedShapes;
    }
  }
}

bool is_product(const std::string& name) { return second_matrix(name) != 0; }

void add_selection(Selection& selection, const Selection& more) {
  for (const auto& [name, types] : more) {
    selection[name] |= types;
  }
}

std::string type_names(uint32_t types) {
  if (types == kAllTypes) {
    return "all types";
  }
  std::string text;
  for (int i = 0; i < 30; ++i) {
    if ((types >> i & 1U) != 0) {
      text += (text.empty() ? "" : ", ") + dtype_name(static_cast<ScalarType>(i));
    }
  }
  if ((types & kMixedShapes) != 0) {
    text += text.empty() ? "different shapes or layouts" : ", different shapes or layouts";
  }
  if ((types & kDynamicShapes) != 0) {
    text += text.empty() ? "tensors of dynamic shapes" : ", tensors of dynamic shapes";
  }
  return text.empty() ? "no tensors" : text;
}

}  // namespace wick::tools
