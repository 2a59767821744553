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

/// Copies what output pixel `at` reads of one group of channels into row `row` of a packed group, tap by tap.
void pack_taps(const Convolution& conv, const int8_t* input, const Pixel& at, int32_t k, int32_t offset, Packed* group,
               int32_t row) {
  const int32_t channels = conv.kernel_channels;
  int32_t position = 0;
  for (int32_t ky = 0; ky < conv.y.kernel; ++ky) {
    const int32_t y = source(conv, conv.y, at.y, ky, conv.in.height);
    const int8_t* line = input + y * conv.in.stride_y;
    for (int32_t kx = 0; kx < conv.x.kernel; ++kx, position += channels) {
      const int32_t x = y < 0 ? -1 : source(conv, conv.x, at.x, kx, conv.in.width);
      if (x < 0) {
        simd::isa::pack_padding(group, k, row, position, channels, -conv.input_offset, offset);
      } else {
        simd::isa::pack(group, k, row, position, line + x * conv.in.channels, channels, offset);
      }
    }
  }
}

/// The same line by line, for taps that adjoin in the input, with `top` and `left` of the patch in it.
void pack_clipped(const Convolution& conv, const int8_t* input, int32_t top, int32_t left, int32_t k, int32_t offset,
                  Packed* group, int32_t row) {
  const int32_t channels = conv.in.channels, kernel = conv.x.kernel;
  int32_t begin = left < 0 ? -left : 0, end = conv.in.width - left < kernel ? conv.in.width - left : kernel;
  begin = begin < kernel ? begin : kernel;
  end = end > begin ? end : begin;
  int32_t position = 0;
  for (int32_t ky = 0, y = top; ky < conv.y.kernel; ++ky, y += conv.y.dilation, position += kernel * channels) {
    const bool inside = y >= 0 && y < conv.in.height && end > begin;
    const int32_t first = inside ? begin : kernel;  // padding up to here
    if (first > 0) {
      simd::isa::pack_padding(group, k, row, position, first * channels, -conv.input_offset, offset);
    }
    if (inside) {
      simd::isa::pack(group, k, row, position + begin * channels,
                      input + y * conv.in.stride_y + (left + begin) * channels, (end - begin) * channels, offset);
      if (end < kernel) {
        simd::isa::pack_padding(group, k, row, position + end * channels, (kernel - end) * channels, -conv.input_offset,
                                offset);
      }
    }
  }
}

/// The same for any pixel.
void pack_patch(const Convolution& conv, const int8_t* input, const Pixel& at, int32_t k, int32_t offset, Packed* group,
                int32_t row) {
  input += at.n * conv.in.stride_n;
  if (conv.transposed || conv.kernel_channels != conv.in.channels || conv.x.dilation != 1) {
    pack_taps(conv, input, at, k, offset, group, row);
    return;
  }
  const int32_t top = at.y * conv.y.stride - conv.y.padding, left = at.x * conv.x.stride - conv.x.padding;
  if (left >= 0 && left + conv.x.kernel <= conv.in.width && top >= 0 &&
      top + (conv.y.kernel - 1) * conv.y.dilation < conv.in.height) {
    simd::isa::pack_lines(group, k, row, input + top * conv.in.stride_y + left * conv.in.channels,
                          conv.y.dilation * conv.in.stride_y, conv.y.kernel, conv.x.kernel * conv.in.channels, offset);
  } else {
    pack_clipped(conv, input, top, left, k, offset, group, row);
  }
}

/// A chunk of channels for every pixel; `input` and `output` start at the group's and the chunk's first channel.
void convolve_chunk(const Convolution& conv, const simd::Channels& channels, const int8_t* input, int8_t* output,
                    Packed* group, int32_t rows, int32_t offset) {
  const int32_t total = conv.batch * conv.out.height * conv.out.width;
  Pixel pixel = {0, 0, 0};
  for (int32_t done = 0; done < total; done += rows) {
    const int32_t n = total - done < rows ? total - done : rows;
    for (int32_t row = 0; row < n; ++row) {
      pack_patch(conv, input, pixel, channels.k, offset, group, row);
      pixel.advance(conv.out);
    }
    dot_group(channels, group, n, output + done * conv.out.channels, conv.out.channels);
  }
}

bool is_points(const Convolution& conv) {
  return !conv.transposed && conv.y.kernel == 1 && conv.x.kernel == 1 && conv.y.padding == 0 && conv.x.padding == 0;
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

void convolve_with(const Convolution& conv, Workspace workspace, int32_t k) {
  const bool points = is_points(conv);
  int32_t rows = static_cast<int32_t>(workspace.bytes / simd::isa::row_bytes(k));
  rows = rows < kGroup ? rows : kGroup;
  const int32_t per_group = conv.out.channels / (conv.in.channels / conv.kernel_channels);
  const int32_t offset = packed_offset(conv.input_offset);
  Chunk chunk;
  for (int32_t start = 0, group = 0; start < conv.out.channels; start += per_group, ++group) {
    const int8_t* input = conv.input + group * conv.kernel_channels;
    for (int32_t first = start; first < start + per_group; first += chunk.channels.count) {
      chunk.prepare(conv.rescale, conv.weights, k, first, start + per_group, folded_offset(conv.input_offset));
      if (points) {
        convolve_points(conv, chunk.channels, input, conv.output + first, workspace, offset);
      } else {
        convolve_chunk(conv, chunk.channels, input, conv.output + first, static_cast<Packed*>(workspace.data), rows,
                       offset);
      }
    }
  }
  limit(conv.output, conv.batch * conv.out.height * conv.out.width * conv.out.channels, conv.rescale.min,
        conv.rescale.max);
}

}  // namespace

void convolve(const Convolution& conv, Workspace workspace) {
  const int32_t k = conv.y.kernel * conv.x.kernel * conv.kernel_channels;
  const size_t least = is_points(conv) ? 0 : simd::isa::row_bytes(k) * simd::isa::kLeastRows;
  if (!conv.in.is_nhwc() || !conv.out.is_nhwc()) {
    convolve_plainly(conv, false);
  } else if (workspace.bytes >= least) {
    convolve_with(conv, workspace, k);
  } else {
    alignas(16) uint8_t local[1024];
    if (sizeof(local) >= least) {
      convolve_with(conv, {local, sizeof(local)}, k);
    } else {
      convolve_plainly(conv, false);
    }
  }
}

}  // namespace wick::cortex_m
