// SPDX-License-Identifier: BSD-3-Clause
// Element types of ATen's quantized tensors. Programs use plain int8 and operators instead; these complete ScalarType.
// Each holds the stored integer; scale and zero point are elsewhere.
//
//     qint8 q(-5);
//     int8_t stored = q.val_;

#pragma once

#include <cstdint>

namespace executorch::runtime::etensor {

/// Signed, 8 bits.
struct alignas(1) qint8 {
  using underlying = int8_t;
  int8_t val_;
  qint8() = default;
  explicit qint8(int8_t val) : val_(val) {}
};

/// Unsigned, 8 bits.
struct alignas(1) quint8 {
  using underlying = uint8_t;
  uint8_t val_;
  quint8() = default;
  explicit quint8(uint8_t val) : val_(val) {}
};

/// Signed, 32 bits.
struct alignas(4) qint32 {
  using underlying = int32_t;
  int32_t val_;
  qint32() = default;
  explicit qint32(int32_t val) : val_(val) {}
};

/// Unsigned, 4 bits, two in a byte.
struct alignas(1) quint4x2 {
  using underlying = uint8_t;
  uint8_t val_;
  quint4x2() = default;
  explicit quint4x2(uint8_t val) : val_(val) {}
};

/// Unsigned, 2 bits, four in a byte.
struct alignas(1) quint2x4 {
  using underlying = uint8_t;
  uint8_t val_;
  quint2x4() = default;
  explicit quint2x4(uint8_t val) : val_(val) {}
};

}  // namespace executorch::runtime::etensor

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::etensor::qint32;
using ::executorch::runtime::etensor::qint8;
using ::executorch::runtime::etensor::quint2x4;
using ::executorch::runtime::etensor::quint4x2;
using ::executorch::runtime::etensor::quint8;
}  // namespace torch::executor
