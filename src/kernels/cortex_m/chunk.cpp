// SPDX-License-Identifier: BSD-3-Clause
//
// Makes a chunk of output channels ready: sums of weights are folded into the bias, and the channels are looked at once
// for values that need the careful rescaling (left shifts, sums that could leave 30 bits).
#include "src/kernels/cortex_m/chunk.h"

namespace wick::cortex_m {

void Chunk::prepare(const Rescale& rescale, const int8_t* weights, int32_t channel_stride, int32_t weight_stride,
                    int32_t k, int32_t first, int32_t end, Offset offset, int32_t input_offset) {
  const int32_t count = end - first < kMost ? end - first : kMost;
  channels.weights = weights + first * channel_stride;
  channels.bias = bias_;
  channels.multiplier = rescale.multiplier + first * rescale.step;
  channels.shift = rescale.shift + first * rescale.step;
  channels.step = rescale.step;
  channels.count = count;
  channels.k = k;
  channels.output_offset = rescale.output_offset;
  bool plain = k <= 8192;  // k products below 2^15 stay below 2^28
  for (int32_t c = 0; c < count; ++c) {
    uint32_t bias = rescale.bias == nullptr ? 0 : static_cast<uint32_t>(rescale.bias[first + c]);
    if (offset == Offset::kFold) {
      bias += static_cast<uint32_t>(input_offset) *
              static_cast<uint32_t>(simd::isa::sum(channels.weights + c * channel_stride, k, weight_stride));
    }
    bias_[c] = static_cast<int32_t>(bias);
    const int32_t shift = channels.shift[c * rescale.step];
    plain = plain && bias + (uint32_t{1} << 28) < (uint32_t{1} << 29) && shift <= -1 && shift >= -31;
  }
  channels.plain = plain;
}

}  // namespace wick::cortex_m
