// SPDX-License-Identifier: BSD-3-Clause
//
// Convolution by its definition: for tensors that are not [N, H, W, C] in memory and programs whose scratch is too
// small for the fast path. Slow, small, right.
#include "src/kernels/cortex_m/conv.h"

namespace wick::cortex_m {

int32_t source(const Axis& axis, int32_t at, int32_t tap, int32_t size) {
  const int32_t from = at * axis.stride - axis.padding + tap * axis.dilation;
  return from >= 0 && from < size ? from : -1;
}

int32_t source_of_transposed(const Axis& axis, int32_t at, int32_t tap, int32_t size) {
  const int32_t from = at + axis.padding - tap * axis.dilation;
  return from >= 0 && from % axis.stride == 0 && from / axis.stride < size ? from / axis.stride : -1;
}

namespace {

/// Sum of one output value, bias included; `weights` are weight_stride apart, tap by tap and then channel by channel.
int32_t sum_of(const Convolution& conv, const int8_t* input, const int8_t* weights, int32_t weight_stride,
               int32_t channels, int32_t oy, int32_t ox) {
  uint32_t sum = 0;
  for (int32_t ky = 0; ky < conv.y.kernel; ++ky) {
    const int32_t iy = conv.source(conv.y, oy, ky, conv.in.height);
    for (int32_t kx = 0; kx < conv.x.kernel; ++kx, weights += weight_stride * channels) {
      const int32_t ix = conv.source(conv.x, ox, kx, conv.in.width);
      if (iy < 0 || ix < 0) {
        continue;
      }
      const int8_t* pixel = input + iy * conv.in.stride_y + ix * conv.in.stride_x;
      for (int32_t c = 0; c < channels; ++c) {
        sum += static_cast<uint32_t>((pixel[c * conv.in.stride_c] + conv.input_offset) * weights[c * weight_stride]);
      }
    }
  }
  return static_cast<int32_t>(sum);
}

int8_t finish(const Rescale& r, int32_t channel, int32_t sum) {
  if (r.bias != nullptr) {
    sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(r.bias[channel]));
  }
  const int32_t at = channel * r.step;
  const int32_t v = simd::offset_and_saturate8(simd::requantize(sum, r.multiplier[at], r.shift[at]), r.output_offset);
  return static_cast<int8_t>(v < r.min ? r.min : (v > r.max ? r.max : v));
}

}  // namespace

void convolve_plainly(const Convolution& conv, bool depthwise) {
  const int32_t channels = depthwise ? 1 : conv.kernel_channels;
  const int32_t weight_stride = depthwise ? conv.out.channels : 1;
  const int32_t per_channel = conv.y.kernel * conv.x.kernel * channels;
  const int32_t outputs_per_group =
      depthwise ? conv.out.channels / conv.in.channels : conv.out.channels / (conv.in.channels / conv.kernel_channels);
  for (int32_t n = 0; n < conv.batch; ++n) {
    for (int32_t oc = 0; oc < conv.out.channels; ++oc) {
      const int8_t* input = conv.input + n * conv.in.stride_n + oc / outputs_per_group * channels * conv.in.stride_c;
      const int8_t* weights = conv.weights + (depthwise ? oc : oc * per_channel);
      int8_t* output = conv.output + n * conv.out.stride_n + oc * conv.out.stride_c;
      for (int32_t oy = 0; oy < conv.out.height; ++oy) {
        for (int32_t ox = 0; ox < conv.out.width; ++ox) {
          output[oy * conv.out.stride_y + ox * conv.out.stride_x] =
              finish(conv.rescale, oc, sum_of(conv, input, weights, weight_stride, channels, oy, ox));
        }
      }
    }
  }
}

}  // namespace wick::cortex_m
