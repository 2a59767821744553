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

/// How the offset of the input joins a sum of products.
enum class Offset : uint8_t {
  kFolded,  ///< the bias already holds it
  kFold,    ///< add input_offset * sum(weights of a channel) to the bias
  kPacked,  ///< the rows are packed with it
};

/// Up to kMost output channels, with the values that are the same for every pixel computed once.
class Chunk {
 public:
  static constexpr int32_t kMost = 64;

  /// Channels [first, first + min(kMost, end - first)) of a product with k weights each. The weights of channel c start
  /// at weights + c * channel_stride and are weight_stride apart.
  void prepare(const Rescale& rescale, const int8_t* weights, int32_t channel_stride, int32_t weight_stride, int32_t k,
               int32_t first, int32_t end, Offset offset, int32_t input_offset);

  /// Adds to the sums of all channels.
  void add_to_bias(int32_t value) {
    for (int32_t c = 0; c < channels.count; ++c) {
      bias_[c] = static_cast<int32_t>(static_cast<uint32_t>(bias_[c]) + static_cast<uint32_t>(value));
    }
  }

  simd::Channels channels;

 private:
  alignas(16) int32_t bias_[kMost];
};

/// What is right for rows that the tiles pack, or read directly, on this instruction set.
constexpr Offset kRowOffset = simd::isa::kFoldsOffset ? Offset::kFold : Offset::kPacked;

/// Limits `count` outputs further than int8 does, if [min, max] asks for it.
inline void limit(int8_t* out, int32_t count, int32_t min, int32_t max) {
  if (min > -128 || max < 127) {
    simd::isa::clamp(out, count, min, max);
  }
}

}  // namespace wick::cortex_m
