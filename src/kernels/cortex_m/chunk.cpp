// SPDX-License-Identifier: BSD-3-Clause
//
// Makes a chunk of output channels ready: sums of weights are folded into the bias, and the channels are looked at once
// for values that need the careful rescaling (left shifts, sums that could leave 30 bits); such a channel ends the
// chunk before it, and shares one with its three neighbours.
#include "src/kernels/cortex_m/chunk.h"

namespace wick::cortex_m {

namespace {
constexpr int32_t kQuad = 4;
}

void Chunk::begin(const Rescale& rescale, int32_t k, int32_t first, int32_t end) {
  channels.bias = bias_;
  channels.multiplier = rescale.multiplier + first * rescale.step;
  channels.shift = rescale.shift + first * rescale.step;
  channels.step = rescale.step;
  channels.count = end - first < kMost ? end - first : kMost;
  if (simd::isa::kAnyScale && channels.count > kQuad) {  // the last three or fewer make a chunk of their own
    channels.count -= channels.count % kQuad;
  }
  channels.k = k;
  channels.output_offset = rescale.output_offset;
  int32_t* const scale = scale_ + simd::isa::kScaleWords;
  channels.scale = scale;
  simd::isa::split_scales(scale, channels.multiplier, channels.shift, channels.step, channels.count);
  int8_t* const bias = reinterpret_cast<int8_t*>(bias_);
  const int32_t bytes = channels.count * static_cast<int32_t>(sizeof(int32_t));
  if (rescale.bias == nullptr) {
    simd::isa::fill(bias, 0, bytes);
  } else {
    simd::isa::copy(bias, reinterpret_cast<const int8_t*>(rescale.bias + first), bytes);
  }
}

bool Chunk::is_plain(int32_t first, int32_t n) const {
  return channels.k <= 8192 &&  // k products below 2^15 stay below 2^28
         simd::generic::largest_magnitude(bias_ + first, n) < (uint32_t{1} << 28) &&
         simd::generic::all_within(channels.shift + first * channels.step, channels.step == 0 ? 1 : n, -31, -1);
}

void Chunk::look() {
  if (simd::isa::kAnyScale) {
    return;
  }
  channels.plain = is_plain(0, channels.count);
  if (channels.plain || channels.count <= kQuad) {
    return;
  }
  int32_t plain = 0;
  while (plain + kQuad <= channels.count && is_plain(plain, kQuad)) {
    plain += kQuad;
  }
  channels.plain = plain > 0;
  channels.count = plain > 0 ? plain : kQuad;
}

void Chunk::prepare(const Rescale& rescale, const int8_t* weights, int32_t k, int32_t first, int32_t end,
                    int32_t factor) {
  begin(rescale, k, first, end);
  channels.weights = weights;
  if (factor != 0) {
    const int8_t* row = channels.weights;
    for (int32_t c = 0; c < channels.count; ++c, row += k) {
      bias_[c] = static_cast<int32_t>(static_cast<uint32_t>(bias_[c]) +
                                      static_cast<uint32_t>(factor) * static_cast<uint32_t>(simd::isa::sum(row, k)));
    }
  }
  look();
}

void Chunk::prepare_columns(const Rescale& rescale, const int8_t* weights, int32_t stride, int32_t k, int32_t first,
                            int32_t end, int32_t factor) {
  begin(rescale, k, first, end);
  channels.weights = weights + first;
  channels.pairs = simd::isa::fold_columns(bias_, channels.weights, stride, k, channels.count, factor);
  look();
}

}  // namespace wick::cortex_m
