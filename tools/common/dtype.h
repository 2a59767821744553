// SPDX-License-Identifier: BSD-3-Clause
// Data types by name, and one element of any type as numbers.
#pragma once

#include <executorch/runtime/core/portable_type/scalar_type.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wick::tools {

using ScalarType = executorch::runtime::etensor::ScalarType;

/// The type of a torch name ("float32", "int8", "bool", …).
std::optional<ScalarType> dtype_from_name(std::string_view name);
/// The torch name; "dtype N" for one without a name.
std::string dtype_name(ScalarType type);
/// Bytes of an element; 0 for types the tool cannot read.
size_t dtype_size(ScalarType type);
bool is_integer(ScalarType type);  // bool included
bool is_complex(ScalarType type);

/// One element: integers in `integer` (uint64 above the int64 range wraps), the others in `real` and `imaginary`.
struct Element {
  int64_t integer = 0;
  double real = 0;
  double imaginary = 0;
};

/// The element at `data`, which need not be aligned.
Element read_element(ScalarType type, const uint8_t* data);

/// The element in words, shortest form that is exact for the type's precision.
std::string element_text(ScalarType type, const Element& element);

double half_to_double(uint16_t bits);
double bfloat16_to_double(uint16_t bits);

}  // namespace wick::tools
