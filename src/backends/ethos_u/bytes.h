// SPDX-License-Identifier: BSD-3-Clause
// Little-endian words of a payload, at any address.
#pragma once

#include <cstdint>

namespace wick::ethos_u {

inline uint32_t word(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) | static_cast<uint32_t>(p[1]) << 8 | static_cast<uint32_t>(p[2]) << 16 |
         static_cast<uint32_t>(p[3]) << 24;
}

}  // namespace wick::ethos_u
