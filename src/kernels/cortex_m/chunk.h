// SPDX-License-Identifier: BSD-3-Clause
//
// What the convolutions, fully connected layers and matrix products share: the rescaling that follows the sums, memory
// to work in, and a chunk of output channels made ready for the tiles of src/kernels/simd.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/kernels/simd/simd.h"

namespace wick::cortex_m {

/// From the sums of all output channels to int8.
struct Rescale {
  const int32_t* bias;        ///< [channels], or null for zeros
  const int32_t* multiplier;  ///< [channels] Q31, or one for all
  const int32_t* shift;       ///< powers of two: the factor is multiplier * 2^(shift - 31)
  int32_t step;               ///< 1: per channel; 0: one multiplier and shift for all
  int32_t output_offset;      ///< zero point of the output, in [-128, 127]
  int32_t min;                ///< limits of the output, within int8
  int32_t max;
};

/// Memory that a program planned for an operator. Kernels use it if it is large enough, and never more of it.
struct Workspace {
  void* data;
  size_t bytes;
};

/// Up to kMost output channels, with the values that are the same for every pixel computed once.
class Chunk {
 public:
  static constexpr int32_t kMost = 64;

  /// Channels of a matrix product from `first` on: channels.count of them, at most kMost and before `end`; their
  /// weights are [channels, k]. `factor` times the sum of a channel's weights is added to its bias: the input offset,
  /// or 0 where the rows have it or the bias already does.
  void prepare(const Rescale& rescale, const int8_t* weights, int32_t k, int32_t first, int32_t end, int32_t factor);

  /// The same for a depthwise convolution; weights are [k, stride].
  void prepare_columns(const Rescale& rescale, const int8_t* weights, int32_t stride, int32_t k, int32_t first,
                       int32_t end, int32_t factor);

  /// Adds to the sums of all channels.
  void add_to_bias(int32_t value) {
    for (int32_t c = 0; c < channels.count; ++c) {
      bias_[c] = static_cast<int32_t>(static_cast<uint32_t>(bias_[c]) + static_cast<uint32_t>(value));
    }
  }

  simd::Channels channels;

 private:
  void begin(const Rescale& rescale, int32_t k, int32_t first, int32_t end);
  bool is_plain(int32_t first, int32_t n) const;
  void look();
  alignas(16) int32_t bias_[kMost];
  alignas(16) int32_t scale_[simd::isa::kAnyScale ? 3 * kMost : 1];
};

/// The factor for rows that the tiles pack, or read directly, on this instruction set, and what they are packed with.
inline int32_t folded_offset(int32_t input_offset) { return simd::isa::kFoldsOffset ? input_offset : 0; }
inline int32_t packed_offset(int32_t input_offset) { return simd::isa::kFoldsOffset ? 0 : input_offset; }

/// Limits `count` outputs further than int8 does, if [min, max] asks for it.
inline void limit(int8_t* out, int32_t count, int32_t min, int32_t max) {
  if (min > -128 || max < 127) {
    simd::isa::clamp(out, count, min, max);
  }
}

}  // namespace wick::cortex_m
