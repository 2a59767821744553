// SPDX-License-Identifier: BSD-3-Clause
// ScalarType: the element type of a tensor. Its numbers are stored in programs and equal PyTorch's.
// What can be asked of one is in exec_aten/util/scalar_type_util.h.
//
//     if (tensor.scalar_type() == ScalarType::Char) { const int8_t* p = tensor.const_data_ptr<int8_t>(); }

#pragma once

#include <executorch/runtime/core/portable_type/bfloat16.h>
#include <executorch/runtime/core/portable_type/bits_types.h>
#include <executorch/runtime/core/portable_type/complex.h>
#include <executorch/runtime/core/portable_type/half.h>
#include <executorch/runtime/core/portable_type/qint_types.h>

#include <cstdint>

namespace executorch::runtime::etensor {

/// 8-bit floats: storage only, no operator computes with them.
namespace unused_dtype {
struct alignas(1) Float8_e5m2 {
  using underlying = uint8_t;
  uint8_t x;
  Float8_e5m2() = default;
  explicit Float8_e5m2(uint8_t val) : x(val) {}
};
struct alignas(1) Float8_e4m3fn {
  using underlying = uint8_t;
  uint8_t x;
  Float8_e4m3fn() = default;
  explicit Float8_e4m3fn(uint8_t val) : x(val) {}
};
struct alignas(1) Float8_e5m2fnuz {
  using underlying = uint8_t;
  uint8_t x;
  Float8_e5m2fnuz() = default;
  explicit Float8_e5m2fnuz(uint8_t val) : x(val) {}
};
struct alignas(1) Float8_e4m3fnuz {
  using underlying = uint8_t;
  uint8_t x;
  Float8_e4m3fnuz() = default;
  explicit Float8_e4m3fnuz(uint8_t val) : x(val) {}
};
}  // namespace unused_dtype

/// Calls a macro with the C++ type and the name of every scalar type, in the order of their numbers (0 to 29).
#define ET_FORALL_SCALAR_TYPES(_)                                                               \
  _(uint8_t, Byte)                                                                              \
  _(int8_t, Char)                                                                               \
  _(int16_t, Short)                                                                             \
  _(int32_t, Int)                                                                               \
  _(int64_t, Long)                                                                              \
  _(::executorch::runtime::etensor::Half, Half)                                                 \
  _(float, Float)                                                                               \
  _(double, Double)                                                                             \
  _(::executorch::runtime::etensor::complex<::executorch::runtime::etensor::Half>, ComplexHalf) \
  _(::executorch::runtime::etensor::complex<float>, ComplexFloat)                               \
  _(::executorch::runtime::etensor::complex<double>, ComplexDouble)                             \
  _(bool, Bool)                                                                                 \
  _(::executorch::runtime::etensor::qint8, QInt8)                                               \
  _(::executorch::runtime::etensor::quint8, QUInt8)                                             \
  _(::executorch::runtime::etensor::qint32, QInt32)                                             \
  _(::executorch::runtime::etensor::BFloat16, BFloat16)                                         \
  _(::executorch::runtime::etensor::quint4x2, QUInt4x2)                                         \
  _(::executorch::runtime::etensor::quint2x4, QUInt2x4)                                         \
  _(::executorch::runtime::etensor::bits1x8, Bits1x8)                                           \
  _(::executorch::runtime::etensor::bits2x4, Bits2x4)                                           \
  _(::executorch::runtime::etensor::bits4x2, Bits4x2)                                           \
  _(::executorch::runtime::etensor::bits8, Bits8)                                               \
  _(::executorch::runtime::etensor::bits16, Bits16)                                             \
  _(::executorch::runtime::etensor::unused_dtype::Float8_e5m2, Float8_e5m2)                     \
  _(::executorch::runtime::etensor::unused_dtype::Float8_e4m3fn, Float8_e4m3fn)                 \
  _(::executorch::runtime::etensor::unused_dtype::Float8_e5m2fnuz, Float8_e5m2fnuz)             \
  _(::executorch::runtime::etensor::unused_dtype::Float8_e4m3fnuz, Float8_e4m3fnuz)             \
  _(uint16_t, UInt16)                                                                           \
  _(uint32_t, UInt32)                                                                           \
  _(uint64_t, UInt64)

enum class ScalarType : int8_t {
#define WICK_ENUMERATOR(unused, name) name,
  ET_FORALL_SCALAR_TYPES(WICK_ENUMERATOR)
#undef WICK_ENUMERATOR
  /// No type.
  Undefined,
  /// Number of enumerators.
  NumOptions,
};

static_assert(static_cast<int>(ScalarType::UInt64) == 29, "the numbers are part of the program format");

}  // namespace executorch::runtime::etensor

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::etensor::ScalarType;
}  // namespace torch::executor
