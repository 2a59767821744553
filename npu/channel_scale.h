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

// The same for sums of 32 bits and round-half-up, where the upper word of the product is enough: then
// (value * scale + 2^(n-1)) >> n equals (upper + 2^(n-33)) >> (n-32). One array per field, so that loops vectorise.
struct QuickScales {
  std::int32_t *bias = nullptr, *scale = nullptr, *shift = nullptr;  // shift: n - 32, at least 1

  // Room for `count` channels; false when the workspace is too small.
  bool take(Arena& arena, std::int32_t count);
  // False when one of the channels does not fit, for sums of magnitude up to `largest`.
  bool fill(const ChannelScale* scales, std::int32_t count, std::int64_t largest) const;
  QuickScales from(std::int32_t channel) const { return {bias + channel, scale + channel, shift + channel}; }
};

}  // namespace wick::npu
