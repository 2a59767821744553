// SPDX-License-Identifier: BSD-3-Clause
// Little-endian words of a payload, at any address, and the alignment of what is in it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick::ethos_u {

/// Of a payload and its blocks, and of memory that the NPU works in.
constexpr size_t kAlign = 16;

inline uint32_t word(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) | static_cast<uint32_t>(p[1]) << 8 | static_cast<uint32_t>(p[2]) << 16 |
         static_cast<uint32_t>(p[3]) << 24;
}

}  // namespace wick::ethos_u
