// SPDX-License-Identifier: BSD-3-Clause
// Bias, scale and shift per output channel.
#pragma once

#include <cstdint>

#include "context.h"
#include "scaling.h"

namespace wick::npu {

struct ChannelScale {
  std::int64_t bias = 0;
  Scaler scaler;
};

// Fills `out` for channels [channel, channel + count): from the records, or the global scale without bias.
bool channel_scales(Context& context, const Operation& operation, std::int32_t channel, std::int32_t count,
                    ChannelScale* out);

// The same for accumulators of 32 bits, where that is exact: the product's upper word, shifted.
struct QuickScale {
  std::int32_t bias = 0;
  std::int32_t scale = 0;
  std::int64_t add_positive = 0, add_negative = 0;
  std::int32_t shift = 0;  // of the upper word

  std::int32_t operator()(std::int32_t sum) const {
    const std::int32_t value = sum + bias;
    const std::int64_t product = static_cast<std::int64_t>(value) * scale + (value < 0 ? add_negative : add_positive);
    return static_cast<std::int32_t>(product >> 32) >> shift;
  }
};

// Fills `out`; false when one of the channels needs more than 32 bits for sums of magnitude up to `largest`.
bool quick_scales(const ChannelScale* scales, std::int32_t count, std::int64_t largest, QuickScale* out);

}  // namespace wick::npu
