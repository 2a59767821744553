// SPDX-License-Identifier: BSD-3-Clause
// The table of data types that the corpus and the tool's output know: names and sizes.
#include "tools/common/dtype.h"

namespace wick::tools {
namespace {

struct Known {
  ScalarType type;
  const char* name;
  size_t size;
};

constexpr Known kKnown[] = {
    {ScalarType::Byte, "uint8", 1},
    {ScalarType::Char, "int8", 1},
    {ScalarType::Short, "int16", 2},
    {ScalarType::Int, "int32", 4},
    {ScalarType::Long, "int64", 8},
    {ScalarType::Half, "float16", 2},
    {ScalarType::Float, "float32", 4},
    {ScalarType::Double, "float64", 8},
    {ScalarType::Bool, "bool", 1},
    {ScalarType::BFloat16, "bfloat16", 2},
    {ScalarType::UInt16, "uint16", 2},
    {ScalarType::UInt32, "uint32", 4},
    {ScalarType::UInt64, "uint64", 8},
    {ScalarType::ComplexHalf, "complex32", 4},
    {ScalarType::ComplexFloat, "complex64", 8},
    {ScalarType::ComplexDouble, "complex128", 16},
};

const Known* find(ScalarType type) {
  for (const Known& known : kKnown) {
    if (known.type == type) {
      return &known;
    }
  }
  return nullptr;
}

}  // namespace

std::optional<ScalarType> dtype_from_name(std::string_view name) {
  for (const Known& known : kKnown) {
    if (name == known.name) {
      return known.type;
    }
  }
  return std::nullopt;
}

std::string dtype_name(ScalarType type) {
  const Known* known = find(type);
  return known != nullptr ? known->name : "dtype " + std::to_string(static_cast<int>(type));
}

size_t dtype_size(ScalarType type) {
  const Known* known = find(type);
  return known != nullptr ? known->size : 0;
}

}  // namespace wick::tools
