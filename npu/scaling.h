// SPDX-License-Identifier: BSD-3-Clause
// The NPU's one scaling function: (value * scale + rounding) >> shift, with the six rounding modes of docs/npu.md.
#pragma once

#include <cstdint>

#include "operation.h"

namespace wick::npu {

// A scale with its rounding constants worked out, for use per element.
struct Scaler {
  std::uint32_t scale = 1;
  std::uint8_t shift = 0;
  std::int64_t add_positive = 0;  // added before the shift when the value is >= 0
  std::int64_t add_negative = 0;  // and when it is < 0
};

Scaler make_scaler(const ScaleParameters& parameters);

// Any value, any scale: 96-bit product, saturated to 64 bits at the end.
std::int64_t scale_wide(std::int64_t value, const Scaler& scaler);

inline std::int64_t scale_value(std::int64_t value, const Scaler& scaler) {
  // 31-bit values: the product is below 2^62 and the rounding constant at most 2^62 + 2^30.
  constexpr std::int64_t kHalf = std::int64_t{1} << 30;
  if (static_cast<std::uint64_t>(value) + kHalf < 2 * static_cast<std::uint64_t>(kHalf)) {
    const std::int64_t product = value * static_cast<std::int64_t>(scaler.scale);
    return (product + (value < 0 ? scaler.add_negative : scaler.add_positive)) >> scaler.shift;
  }
  return scale_wide(value, scaler);
}

// Sums and products of hostile operands wrap like the hardware's registers would, at 64 bits.
inline std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_subtract(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
inline std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

// Whether scale_value returns its argument for every |value| < 2^29.
bool is_identity(const Scaler& scaler);

// The scaler by which an average pool divides by `count`: 2^bits/count, rounded up to the NPU's precision
// (bits 31 on U55 and U65, 30 on U85).
ScaleParameters divide_by(std::uint32_t count, std::uint32_t bits, Rounding rounding);

}  // namespace wick::npu
