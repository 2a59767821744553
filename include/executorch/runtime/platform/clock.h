// SPDX-License-Identifier: BSD-3-Clause
// Ticks of the board's clock as nanoseconds.
//
//     using namespace executorch::runtime;
//     const et_timestamp_t begin = pal_current_ticks();
//     const uint64_t nanoseconds = ticks_to_ns(pal_current_ticks() - begin);

#pragma once

#include <executorch/runtime/platform/platform.h>

namespace executorch::runtime {

/// Nanoseconds in `ticks`, by the ratio that the board gives. The product ticks * numerator must fit 64 bits.
inline uint64_t ticks_to_ns(et_timestamp_t ticks) {
  const et_tick_ratio_t ratio = pal_ticks_to_ns_multiplier();
  return static_cast<uint64_t>(ticks) * ratio.numerator / ratio.denominator;
}

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::ticks_to_ns;
}  // namespace torch::executor
