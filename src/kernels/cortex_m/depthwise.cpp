// SPDX-License-Identifier: BSD-3-Clause
//
// Depthwise convolution. One input channel per output channel: a table of pointers says where each tap of the kernel
// reads, pixels outside of the image being a row of zero points. More output channels per input channel: the taps of
// one input channel times the weights of its output channels, or, where the scratch holds the transposed weights,
// matrix products.
#include "src/kernels/cortex_m/conv.h"

namespace wick::cortex_m {
namespace {

constexpr int32_t kMostTaps = 64;

/// Pointers of all taps for output pixel (y, x).
void point_taps(const Convolution& conv, const int8_t* input, int32_t y, int32_t x, const int8_t* padding,
                const int8_t** taps) {
  for (int32_t ky = 0; ky < conv.y.kernel; ++ky) {
    const int32_t iy = y * conv.y.stride - conv.y.padding + ky * conv.y.dilation;
    const bool inside = iy >= 0 && iy < conv.in.height;
    for (int32_t kx = 0, ix = x * conv.x.stride - conv.x.padding; kx < conv.x.kernel; ++kx, ix += conv.x.dilation) {
      *taps++ =
          inside && ix >= 0 && ix < conv.in.width ? input + iy * conv.in.stride_y + ix * conv.in.channels : padding;
    }
  }
}

/// Output pixels [begin, end) of a line read no padding to the left or right.
struct Inside {
  int32_t begin, end;
  explicit Inside(const Convolution& conv) {
    const int32_t reach = (conv.x.kernel - 1) * conv.x.dilation;
    begin = (conv.x.padding + conv.x.stride - 1) / conv.x.stride;
    const int32_t last = conv.in.width - 1 - reach + conv.x.padding;
    end = last < 0 ? 0 : last / conv.x.stride + 1;
  }
};

/// Output channels per chunk, such that their weights fit the tiles' buffer.
int32_t chunk_size(int32_t taps) {
  const int32_t fit = simd::isa::kColumnBytes / (taps * simd::isa::kColumnWeight) / 4 * 4;
  return fit == 0 || fit > Chunk::kMost ? Chunk::kMost : fit;
}

/// A chunk of channels for all pixels; `taps` has room for a multiple of four.
void convolve_chunk(const Convolution& conv, const simd::Channels& channels, const int8_t* input, int8_t* out,
                    const int8_t* padding, const int8_t** taps) {
  const Inside inside(conv);
  for (int32_t y = 0; y < conv.out.height; ++y) {
    const int32_t top = y * conv.y.stride - conv.y.padding;
    const bool rows_inside = top >= 0 && top + (conv.y.kernel - 1) * conv.y.dilation < conv.in.height;
    int32_t moved = 0;
    for (int32_t x = 0; x < conv.out.width; ++x, out += conv.out.channels) {
      if (rows_inside && x > inside.begin && x < inside.end) {
        simd::isa::advance(taps, channels.k, conv.x.stride * conv.in.channels - moved);
      } else {
        point_taps(conv, input, y, x, padding, taps);
      }
      moved = simd::isa::depthwise_pixel(channels, conv.out.channels, taps, out);
    }
  }
}

/// One input channel per output channel; at most kMostTaps taps.
void convolve_channels(const Convolution& conv) {
  const int32_t count = conv.y.kernel * conv.x.kernel;
  const int8_t* taps[kMostTaps];
  alignas(16) int8_t padding[Chunk::kMost];
  alignas(16) int8_t packed[simd::isa::kColumnBytes + 16];
  simd::isa::fill(padding, static_cast<int8_t>(-conv.input_offset), Chunk::kMost);
  Chunk chunk;
  for (int32_t first = 0; first < conv.out.channels; first += chunk.channels.count) {
    const int32_t end = first + chunk_size(count) < conv.out.channels ? first + chunk_size(count) : conv.out.channels;
    chunk.prepare_columns(conv.rescale, conv.weights, conv.out.channels, count, first, end, conv.input_offset);
    chunk.channels.packed =
        simd::isa::pack_columns(packed, chunk.channels.weights, conv.out.channels, count, chunk.channels.count);
    for (int32_t n = 0; n < conv.batch; ++n) {
      convolve_chunk(conv, chunk.channels, conv.input + n * conv.in.stride_n + first,
                     conv.output + n * conv.out.stride_n + first, padding, taps);
    }
  }
}

/// Several output channels per input channel; at most kMostTaps taps.
void convolve_multiplied(const Convolution& conv) {
  const int32_t count = conv.y.kernel * conv.x.kernel;
  const int32_t multiplier = conv.out.channels / conv.in.channels;
  const int8_t padding = static_cast<int8_t>(-conv.input_offset);
  const int8_t* taps[kMostTaps];
  int8_t values[2 * kMostTaps];
  Chunk chunk;
  for (int32_t c = 0; c < conv.in.channels; ++c) {
    const int32_t end = (c + 1) * multiplier;
    for (int32_t first = c * multiplier; first < end; first += chunk.channels.count) {
      chunk.prepare_columns(conv.rescale, conv.weights, conv.out.channels, count, first, end, conv.input_offset);
      int8_t* out = conv.output + first;
      for (int32_t n = 0; n < conv.batch; ++n) {
        const int8_t* input = conv.input + n * conv.in.stride_n + c;
        for (int32_t y = 0; y < conv.out.height; ++y) {
          for (int32_t x = 0; x < conv.out.width; x += 2, out += 2 * conv.out.channels) {
            const int32_t pixels = conv.out.width - x < 2 ? 1 : 2;
            for (int32_t i = 0; i < pixels; ++i) {
              point_taps(conv, input, y, x + i, &padding, taps);
              for (int32_t t = 0; t < count; ++t) {
                values[i * count + t] = *taps[t];
              }
            }
            simd::isa::outer_pixels(chunk.channels, conv.out.channels, values, count, pixels, out, conv.out.channels);
          }
          out -= conv.out.width % 2 * conv.out.channels;
        }
      }
    }
  }
}

}  // namespace

void convolve_depthwise(const Convolution& conv, Workspace workspace) {
  const bool several = conv.out.channels != conv.in.channels;
  // One channel's weights for each group of output channels, transposed, make a dense convolution.
  const size_t weights = static_cast<size_t>(conv.y.kernel * conv.x.kernel * conv.out.channels);
  if (several && simd::isa::kPrefersDot &&
      (!simd::isa::kReadsRows || (conv.in.channels == 1 && workspace.bytes >= weights))) {
    convolve_columns(conv, workspace);
    return;
  }
  if (!conv.in.is_nhwc() || !conv.out.is_nhwc() || conv.y.kernel * conv.x.kernel > kMostTaps) {
    convolve_plainly(conv, true);
    return;
  }
  if (several) {
    convolve_multiplied(conv);
  } else {
    convolve_channels(conv);
  }
  limit(conv.output, conv.batch * conv.out.height * conv.out.width * conv.out.channels, conv.rescale.min,
        conv.rescale.max);
}

}  // namespace wick::cortex_m
