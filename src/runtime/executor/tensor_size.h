// SPDX-License-Identifier: BSD-3-Clause
//
// The size of a tensor from numbers that nobody vouches for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick {

/// Bytes per element of a scalar type's number, 0 for types that no runtime tensor can have.
inline unsigned element_size(uint8_t scalar_type) {
  // One hexadecimal digit each: log2(bytes) + 1, from Byte (0) on.
  constexpr uint64_t kLow = 0x2311154343243211u;  // 15..0: BFloat16 .. Byte (ComplexHalf 8: 4 bytes)
  constexpr uint64_t kHigh = 0x43211112111111u;   // 29..16: UInt64 .. QUInt4x2
  if (scalar_type >= 30) {
    return 0;
  }
  unsigned digit = static_cast<unsigned>((scalar_type < 16 ? kLow : kHigh) >> (4 * (scalar_type & 15))) & 15;
  return digit == 0 ? 0 : 1u << (digit - 1);
}

/// Elements and bytes of a tensor. False for negative sizes, overflow of 31 bits, or an unknown type.
bool tensor_size(const int32_t* sizes, size_t rank, int8_t scalar_type, size_t* numel, size_t* nbytes);

}  // namespace wick
