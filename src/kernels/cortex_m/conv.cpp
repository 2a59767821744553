// SPDX-License-Identifier: BSD-3-Clause
//
// Dense convolution as matrix products: the rows are pixels of the input read in place (1x1 kernels) or patches copied
// a few pixels at a time into the program's scratch, or into 1 KB of stack where it planned none.
#include "src/kernels/cortex_m/conv.h"

#include "src/kernels/cortex_m/tiles.h"

namespace wick::cortex_m {
namespace {

using simd::isa::kGroup;
using simd::isa::Packed;

/// Walks over the pixels of all images in memory order.
struct Pixel {
  int32_t n, y, x;
  void advance(const Image& out) {
    if (++x == out.width) {
      x = 0;
      if (++y == out.height) {
        y = 0;
        ++n;
      }
    }
  }
};

/// Copies what output pixel `at` reads of one group of channels into row `row` of a packed group: taps that lie side by
/// side in the input (`adjoining`) in one go.
void pack_taps(const Convolution& conv, const int8_t* input, const Pixel& at, bool adjoining, int32_t k, int32_t offset,
               Packed* group, int32_t row) {
  const int32_t channels = conv.kernel_channels;
  int32_t position = 0;
  for (int32_t ky = 0; ky < conv.y.kernel; ++ky) {
    const int32_t y = conv.source(conv.y, at.y, ky, conv.in.height);
    for (int32_t kx = 0, taps; kx < conv.x.kernel; kx += taps) {
      const int32_t left = conv.x.kernel - kx;
      const int32_t x = y < 0 ? -1 : conv.source(conv.x, at.x, kx, conv.in.width);
      if (x < 0) {
        taps = y < 0 ? left : 1;
        simd::isa::pack_padding(group, k, row, position, taps * channels, -conv.input_offset, offset);
      } else {
        taps = !adjoining ? 1 : (left < conv.in.width - x ? left : conv.in.width - x);
        simd::isa::pack(group, k, row, position, input + y * conv.in.stride_y + x * conv.in.channels, taps * channels,
                        offset);
      }
      position += taps * channels;
    }
  }
}

/// The same, lines at a time if the pixel reads no padding.
void pack_patch(const Convolution& conv, const int8_t* input, const Pixel& at, int32_t k, int32_t offset, Packed* group,
                int32_t row) {
  input += at.n * conv.in.stride_n;
  const bool adjoining = !conv.transposed && conv.kernel_channels == conv.in.channels && conv.x.dilation == 1;
  const int32_t top = at.y * conv.y.stride - conv.y.padding, left = at.x * conv.x.stride - conv.x.padding;
  if (adjoining && left >= 0 && left + conv.x.kernel <= conv.in.width && top >= 0 &&
      top + (conv.y.kernel - 1) * conv.y.dilation < conv.in.height) {
    simd::isa::pack_lines(group, k, row, input + top * conv.in.stride_y + left * conv.in.channels,
                          conv.y.dilation * conv.in.stride_y, conv.y.kernel, conv.x.kernel * conv.in.channels, offset);
  } else {
    pack_taps(conv, input, at, adjoining, k, offset, group, row);
  }
}

bool is_points(const Convolution& conv) {
  return !conv.transposed && conv.y.kernel == 1 && conv.x.kernel == 1 && conv.y.padding == 0 && conv.x.padding == 0;
}

/// A chunk of channels for every pixel; `input` and `output` start at the group's and the chunk's first channel.
/// Without room for a group (1x1 kernels only), each pixel is read where it lies.
void convolve_chunk(const Convolution& conv, const simd::Channels& channels, const int8_t* input, int8_t* output,
                    Workspace workspace, int32_t offset) {
  Packed* const group = static_cast<Packed*>(workspace.data);
  int32_t rows = static_cast<int32_t>(workspace.bytes / simd::isa::row_bytes(channels.k));
  rows = rows < kGroup ? rows : kGroup;
  const bool in_place = rows < simd::isa::kLeastRows;
  rows = in_place ? 1 : rows;
  // Dense 1x1 kernels: the rows of the input are those of the product.
  const bool rows_adjoin = is_points(conv) && conv.x.stride == 1 && conv.y.stride == 1;
  const int32_t total = conv.batch * conv.out.height * conv.out.width;
  Pixel pixel = {0, 0, 0};
  for (int32_t done = 0; done < total; done += rows, output += rows * conv.out.channels) {
    const int32_t n = total - done < rows ? total - done : rows;
    if (in_place) {
      const int8_t* row = input + pixel.n * conv.in.stride_n + pixel.y * conv.y.stride * conv.in.stride_y +
                          pixel.x * conv.x.stride * conv.in.channels;
      dot_direct(channels, row, 0, 1, offset, nullptr, 0, output, 0);
      pixel.advance(conv.out);
      continue;
    }
    for (int32_t row = 0; row < n; ++row) {
      if (rows_adjoin) {
        simd::isa::pack(group, channels.k, row, 0, input + (done + row) * conv.in.channels, channels.k, offset);
      } else {
        pack_patch(conv, input, pixel, channels.k, offset, group, row);
        pixel.advance(conv.out);
      }
    }
    dot_group(channels, group, n, output, conv.out.channels);
  }
}

/// 1x1 kernels without padding: rows are pixels, stride_x apart; lines of the output one by one unless they adjoin.
void convolve_points(const Convolution& conv, const simd::Channels& channels, const int8_t* input, int8_t* output,
                     Workspace workspace, int32_t offset) {
  const bool adjoining = conv.x.stride == 1 && conv.y.stride == 1;
  const int32_t lines = adjoining ? 1 : conv.batch * conv.out.height;
  const int32_t n = adjoining ? conv.batch * conv.out.height * conv.out.width : conv.out.width;
  const int32_t stride = conv.x.stride * conv.in.channels;
  for (int32_t line = 0; line < lines; ++line) {
    const int32_t image = line / conv.out.height;
    const int8_t* rows =
        input + image * conv.in.stride_n + (line - image * conv.out.height) * conv.y.stride * conv.in.stride_y;
    dot_direct(channels, rows, stride, n, offset, workspace.data, workspace.bytes,
               output + line * n * conv.out.channels, conv.out.channels);
  }
}

/// Turns a group's weights, [taps, channels] from `weights` on, into [channels, taps].
using Transpose = void(const Convolution& conv, const int8_t* weights, int32_t k, int32_t channels, int8_t* transposed);

/// `transpose` if the weights need it, into `transposed`: not linked into images without such kernels.
void convolve_with(const Convolution& conv, Workspace workspace, int32_t k, Transpose* transpose, int8_t* transposed) {
  const int32_t per_group = conv.out.channels / (conv.in.channels / conv.kernel_channels);
  const int32_t offset = packed_offset(conv.input_offset);
  const bool in_place = simd::isa::kReadsRows && is_points(conv);
  Chunk chunk;
  for (int32_t start = 0, group = 0; start < conv.out.channels; start += per_group, ++group) {
    const int8_t* input = conv.input + group * conv.kernel_channels;
    const int8_t* weights = transposed;
    if (transpose != nullptr) {
      transpose(conv, conv.weights + start, k, per_group, transposed);
    } else {
      weights = conv.weights + start * k;
    }
    for (int32_t first = start; first < start + per_group; first += chunk.channels.count) {
      chunk.prepare(conv.rescale, weights, k, first, start + per_group, folded_offset(conv.input_offset));
      weights += chunk.channels.count * k;
      if (in_place) {
        convolve_points(conv, chunk.channels, input, conv.output + first, workspace, offset);
      } else {
        convolve_chunk(conv, chunk.channels, input, conv.output + first, workspace, offset);
      }
    }
  }
  limit(conv.output, conv.batch * conv.out.height * conv.out.width * conv.out.channels, conv.rescale.min,
        conv.rescale.max);
}

void convolve_any(const Convolution& conv, Workspace workspace, Transpose* transpose) {
  const bool columns = transpose != nullptr;
  const int32_t k = conv.y.kernel * conv.x.kernel * conv.kernel_channels;
  const size_t rows = simd::isa::row_bytes(k) * simd::isa::kLeastRows;
  const size_t weights =
      columns ? (static_cast<size_t>(k * (conv.out.channels / conv.in.channels)) + 15) & ~size_t{15} : 0;
  alignas(16) uint8_t local[1024];
  if (workspace.bytes < weights) {
    workspace = {local, sizeof(local)};
  }
  bool fits = conv.in.is_nhwc() && conv.out.is_nhwc() && workspace.bytes >= weights;
  int8_t* const transposed = columns ? static_cast<int8_t*>(workspace.data) : nullptr;
  workspace = {static_cast<uint8_t*>(workspace.data) + weights, workspace.bytes - weights};
  if (workspace.bytes < rows) {
    fits = fits && (sizeof(local) >= rows || is_points(conv)) && transposed != reinterpret_cast<int8_t*>(local);
    workspace = {local, sizeof(local)};
  }
  if (fits) {
    convolve_with(conv, workspace, k, transpose, transposed);
  } else {
    convolve_plainly(conv, columns);
  }
}

void transpose_columns(const Convolution& conv, const int8_t* weights, int32_t k, int32_t channels,
                       int8_t* transposed) {
  simd::isa::transpose(weights, conv.out.channels, k, channels, transposed);
}

}  // namespace

void convolve(const Convolution& conv, Workspace workspace) { convolve_any(conv, workspace, nullptr); }
void convolve_columns(const Convolution& conv, Workspace workspace) {
  convolve_any(conv, workspace, transpose_columns);
}

}  // namespace wick::cortex_m
