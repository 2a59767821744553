// SPDX-License-Identifier: BSD-3-Clause
//
// Quantised 2-D convolutions: dense and grouped, depthwise, transposed. Tensors are int8, [N, H, W, C] in memory (any
// strides on the slow path). The result is bit-exact with the Python models of the operators for sums within 32 bits.
#pragma once

#include <cstdint>

#include "src/kernels/cortex_m/chunk.h"

namespace wick::cortex_m {

struct Image {
  int32_t height, width, channels;
  int32_t stride_n, stride_y, stride_x, stride_c;  ///< in elements

  /// True for dense [N, H, W, C].
  bool is_nhwc() const { return stride_c == 1 && stride_x == channels && stride_y == width * channels; }
};

struct Axis {
  int32_t kernel, stride, padding, dilation;
};

/// Position in the input of `size` pixels that tap `tap` of output `at` reads along an axis, or -1 for the padding.
using Source = int32_t(const Axis& axis, int32_t at, int32_t tap, int32_t size);
Source source;
Source source_of_transposed;

struct Convolution {
  int32_t batch;
  Image in, out;
  Axis y, x;
  Source* source;
  bool transposed;          ///< each input pixel spreads over `kernel` output pixels, `stride` apart
  int32_t kernel_channels;  ///< input channels per group
  int32_t input_offset;     ///< minus the zero point of the input
  Rescale rescale;
  const int8_t* input;
  const int8_t* weights;  ///< [out channels, kernel y, kernel x, kernel_channels]; depthwise: [kernel y, kernel x, out]
  int8_t* output;
};

/// Dense, grouped or transposed.
void convolve(const Convolution& conv, Workspace workspace);

/// Depthwise as groups of one input channel each, whose weights are transposed first.
void convolve_columns(const Convolution& conv, Workspace workspace);

/// Depthwise: output channel c reads input channel c / (out.channels / in.channels).
void convolve_depthwise(const Convolution& conv, Workspace workspace);

/// The definition, pixel by pixel, for what no tile covers: any strides, no workspace.
void convolve_plainly(const Convolution& conv, bool depthwise);

}  // namespace wick::cortex_m
