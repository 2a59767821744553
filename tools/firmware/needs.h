// SPDX-License-Identifier: BSD-3-Clause
// What programs need of a firmware: operators with the types of their tensors, and backends.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tools/common/bytes.h"

namespace wick::tools {

/// Operator ("aten::add.out") to a set of scalar types, bit s for ScalarType s.
using Selection = std::map<std::string, uint32_t>;
constexpr uint32_t kAllTypes = ~uint32_t{0};
/// wick::kMixedShapes: calls need the operator's general form.
constexpr uint32_t kMixedShapes = uint32_t{1} << 31;
/// wick::kDynamicShapes: the shape of one is not known before the call runs.
constexpr uint32_t kDynamicShapes = uint32_t{1} << 30;

struct Needs {
  uint64_t bytes = 0;  // of the program
  Selection operators;
  std::set<std::string> backends;
  uint64_t transpositions = 0;  // calls of operators that may become views of constants
};

/// Reads a .pte. Throws ToolError, which begins with the path, when it is none or corrupt.
Needs read_needs(const std::string& path);

/// Narrows the needs by how many of the transpositions become views at load (MemoryRequired::views): if all do, their
/// kernels copy no type; if not, matrix products may meet copies and need their general form.
void narrow_by_views(Needs& needs, uint64_t views);

/// True for matrix products, which without their general form are slower for some matrices, but right.
bool is_product(const std::string& name);

/// Adds operators and types of `more` to `selection`.
void add_selection(Selection& selection, const Selection& more);

/// Names of the types of a set: "int8, float32".
std::string type_names(uint32_t types);

}  // namespace wick::tools
