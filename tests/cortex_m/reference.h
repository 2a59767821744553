// SPDX-License-Identifier: BSD-3-Clause
//
// The int8 operators written again from the exporter's Python models (backends/cortex_m/ops/operators.py and
// passes/passes_utils.py of ExecuTorch 1.5), as plainly as possible: 64-bit sums, no folding, no tiles.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace wick::test {

/// requantize_cmsis(): the sum wraps to 32 bits first, as the Python models' int32 tensors do; the rest is exact.
inline int64_t requantize(int64_t sum, int32_t multiplier, int32_t shift) {
  __extension__ typedef __int128 Wide;
  Wide value = static_cast<int32_t>(static_cast<uint32_t>(static_cast<uint64_t>(sum)));
  const int left = shift > 0 ? shift : 0, right = shift < 0 ? -shift : 0;
  value = value * (Wide{1} << left) * multiplier + (Wide{1} << 30);
  value >>= 31;
  if (right != 0) {
    const Wide mask = (Wide{1} << right) - 1;
    const Wide remainder = value & mask;
    value >>= right;
    const Wide threshold = (mask >> 1) + (value < 0 ? 1 : 0);
    value += remainder > threshold ? 1 : 0;
  }
  const Wide limit = Wide{1} << 40;
  return static_cast<int64_t>(value > limit ? limit : (value < -limit ? -limit : value));
}

inline int8_t finish(int64_t sum, int32_t multiplier, int32_t shift, int32_t offset, int32_t min, int32_t max) {
  const int64_t v = requantize(sum, multiplier, shift) + offset;
  return static_cast<int8_t>(v < min ? min : (v > max ? max : v));
}

/// A seeded source of random values with the edges of the int8 range over-represented.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int32_t between(int32_t low, int32_t high) { return std::uniform_int_distribution<int32_t>(low, high)(engine_); }
  bool chance(int32_t percent) { return between(1, 100) <= percent; }
  int8_t int8() { return static_cast<int8_t>(chance(10) ? (chance(50) ? -128 : 127) : between(-128, 127)); }
  std::vector<int8_t> int8s(size_t n) {
    std::vector<int8_t> v(n);
    const bool extreme = chance(10);
    for (int8_t& x : v) {
      x = extreme ? static_cast<int8_t>(chance(50) ? -128 : 127) : int8();
    }
    return v;
  }
  int32_t multiplier() {
    const int32_t edges[] = {0x40000000, 0x7FFFFFFF, 0x40000001};
    return chance(20) ? edges[between(0, 2)] : between(0x40000000, 0x7FFFFFFF);
  }
  /// Mostly what a network has; sometimes anything that fits the arithmetic.
  int32_t shift() { return chance(80) ? between(-12, -1) : between(-31, 30); }
  int32_t bias() { return chance(90) ? between(-100000, 100000) : between(INT32_MIN, INT32_MAX); }
  int32_t zero_point() { return chance(30) ? (chance(50) ? -128 : 127) : between(-128, 127); }

 private:
  std::mt19937 engine_;
};

}  // namespace wick::test
