// SPDX-License-Identifier: BSD-3-Clause
// From accumulators to the OFM: what convolution, depthwise and pooling share.
#pragma once

#include <cstdint>

#include "channel_scale.h"
#include "context.h"
#include "output.h"

namespace wick::npu {

struct Line {
  std::int32_t y, x, nx, c, nc;
};

// Adds the accumulator input, bias and scale to a line of sums, then stores it. `load` is room for one more line,
// used only when the accumulator comes from IFM2.
void finish_line(Context& context, const Operation& operation, const Output& output, const ChannelScale* scales,
                 const Line& at, std::int64_t* line, std::int64_t* load);

// The short way for sums of 32 bits, without accumulator input or output.
void finish_quick(const Output& output, const QuickScales& scales, const Line& at, std::int32_t* line);

// Whether an operation's accumulators come from or go to elsewhere than its own sums.
inline bool plain_accumulators(const Operation& operation) {
  return !operation.acc_from_ifm2 && !operation.acc_keep && !operation.ofm_disabled;
}

// Largest magnitude that a sum of `products` products can have.
std::int64_t largest_sum(const Operation& operation, std::int64_t products);

// Products of this operation's operands that a 32-bit sum surely holds; 0 when the operands do not fit 16 bits.
std::int32_t safe_chunk(const Operation& operation);

}  // namespace wick::npu
