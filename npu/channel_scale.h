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

}  // namespace wick::npu
