// SPDX-License-Identifier: BSD-3-Clause
// Element types without a meaning of their own, named by how many bits they pack. They complete ScalarType.
// No operator computes with them.
//
//     bits8 b(0xa5);

#pragma once

#include <cstdint>

namespace executorch::runtime::etensor {

/// Eight 1-bit elements in a byte.
struct alignas(1) bits1x8 {
  using underlying = uint8_t;
  uint8_t val_;
  bits1x8() = default;
  explicit bits1x8(uint8_t val) : val_(val) {}
};

/// Four 2-bit elements in a byte.
struct alignas(1) bits2x4 {
  using underlying = uint8_t;
  uint8_t val_;
  bits2x4() = default;
  explicit bits2x4(uint8_t val) : val_(val) {}
};

/// Two 4-bit elements in a byte.
struct alignas(1) bits4x2 {
  using underlying = uint8_t;
  uint8_t val_;
  bits4x2() = default;
  explicit bits4x2(uint8_t val) : val_(val) {}
};

/// One 8-bit element.
struct alignas(1) bits8 {
  uint8_t val_;
  bits8() = default;
  explicit bits8(uint8_t val) : val_(val) {}
};

/// One 16-bit element.
struct alignas(2) bits16 {
  uint16_t val_;
  bits16() = default;
  explicit bits16(uint16_t val) : val_(val) {}
};

}  // namespace executorch::runtime::etensor

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::etensor::bits16;
using ::executorch::runtime::etensor::bits1x8;
using ::executorch::runtime::etensor::bits2x4;
using ::executorch::runtime::etensor::bits4x2;
using ::executorch::runtime::etensor::bits8;
}  // namespace torch::executor
