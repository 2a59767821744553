// SPDX-License-Identifier: BSD-3-Clause
// One element of any data type as numbers.
#include "tools/common/dtype.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace wick::tools {
namespace {

template <typename T>
T read(const uint8_t* data) {
  T value;
  std::memcpy(&value, data, sizeof(value));
  return value;
}

}  // namespace

bool is_complex(ScalarType type) {
  return type == ScalarType::ComplexHalf || type == ScalarType::ComplexFloat || type == ScalarType::ComplexDouble;
}

bool is_integer(ScalarType type) {
  switch (type) {
    case ScalarType::Half:
    case ScalarType::Float:
    case ScalarType::Double:
    case ScalarType::BFloat16:
      return false;
    default:
      return !is_complex(type);
  }
}

double half_to_double(uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  double value = 0;
  if (exponent == 0x1f) {
    value = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction + 0x400, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

double bfloat16_to_double(uint16_t bits) {
  const uint32_t wide = static_cast<uint32_t>(bits) << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return static_cast<double>(value);
}

Element read_element(ScalarType type, const uint8_t* data) {
  Element element;
  switch (type) {
    case ScalarType::Byte:
    case ScalarType::Bool:
      element.integer = *data;
      break;
    case ScalarType::Char:
      element.integer = read<int8_t>(data);
      break;
    case ScalarType::Short:
      element.integer = read<int16_t>(data);
      break;
    case ScalarType::UInt16:
      element.integer = read<uint16_t>(data);
      break;
    case ScalarType::Int:
      element.integer = read<int32_t>(data);
      break;
    case ScalarType::UInt32:
      element.integer = read<uint32_t>(data);
      break;
    case ScalarType::Long:
    case ScalarType::UInt64:
      element.integer = read<int64_t>(data);
      break;
    case ScalarType::Half:
      element.real = half_to_double(read<uint16_t>(data));
      break;
    case ScalarType::BFloat16:
      element.real = bfloat16_to_double(read<uint16_t>(data));
      break;
    case ScalarType::Float:
      element.real = static_cast<double>(read<float>(data));
      break;
    case ScalarType::Double:
      element.real = read<double>(data);
      break;
    case ScalarType::ComplexHalf:
      element.real = half_to_double(read<uint16_t>(data));
      element.imaginary = half_to_double(read<uint16_t>(data + 2));
      break;
    case ScalarType::ComplexFloat:
      element.real = static_cast<double>(read<float>(data));
      element.imaginary = static_cast<double>(read<float>(data + 4));
      break;
    case ScalarType::ComplexDouble:
      element.real = read<double>(data);
      element.imaginary = read<double>(data + 8);
      break;
    default:
      break;
  }
  return element;
}

std::string element_text(ScalarType type, const Element& element) {
  if (type == ScalarType::Bool) {
    return element.integer == 1 ? "true" : element.integer == 0 ? "false" : fmt::format("bool({})", element.integer);
  }
  if (type == ScalarType::UInt64) {
    return fmt::format("{}", static_cast<uint64_t>(element.integer));
  }
  if (is_integer(type)) {
    return fmt::format("{}", element.integer);
  }
  const auto number = [type](double value) {
    return type == ScalarType::Double || type == ScalarType::ComplexDouble
               ? fmt::format("{}", value)
               : fmt::format("{}", static_cast<float>(value));
  };
  if (is_complex(type)) {
    return fmt::format("({}, {}i)", number(element.real), number(element.imaginary));
  }
  return number(element.real);
}

}  // namespace wick::tools
