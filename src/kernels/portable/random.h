// SPDX-License-Identifier: BSD-3-Clause
//
// Random numbers for rand, randn and dropout. There is no generator that lives between calls (no hidden state): each
// call seeds its own from the platform's clock.
//
//   Random random;
//   float value = random.uniform();
#pragma once

#include <executorch/runtime/platform/platform.h>

#include <cstdint>

namespace wick {
namespace portable {

class Random {
 public:
  Random() : state_(et_pal_current_ticks()) {}
  /// A float in [0, 1), of 24 random bits.
  float uniform() {
    // SplitMix64 (Steele, Lea and Flood, 2014).
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    mixed ^= mixed >> 31;
    return static_cast<float>(mixed >> 40) * (1.0f / 16777216.0f);
  }

 private:
  uint64_t state_;
};

}  // namespace portable
}  // namespace wick
