// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::quantized_conv2d, quantized_depthwise_conv2d and quantized_transpose_conv2d, each also as *_nhwc with
// explicit [N, H, W, C] sizes. Programs of releases before 1.4 have no scratch argument.
#include "src/kernels/cortex_m/arguments.h"

namespace wick::cortex_m {
namespace {

enum class Kind : uint8_t { kDense, kDepthwise, kTransposed };

/// Where the arguments after the bias stand.
struct Positions {
  uint8_t dilation;
  uint8_t input_offset;  ///< then the output offset, multipliers, shifts, minimum, maximum
};

/// (size - 1) of the output along an axis for a transposed convolution, or of the input for any other.
int32_t reach(const Axis& a) { return a.dilation * (a.kernel - 1); }

int32_t output_size(const Convolution& conv, const Axis& a, int32_t in, int32_t extra) {
  if (conv.transposed) {
    return (in - 1) * a.stride - 2 * a.padding + reach(a) + extra + 1;
  }
  const int32_t room = in + 2 * a.padding - reach(a) - 1;
  return room < 0 ? 0 : room / a.stride + 1;
}

bool read_axis(Arguments& args, Axis& axis, int32_t at, const Positions& positions) {
  axis.stride = args.pair(3, at);
  axis.padding = args.pair(4, at);
  axis.dilation = args.pair(positions.dilation, at);
  constexpr int32_t kMost = 1 << 15;
  return args.require(axis.stride > 0 && axis.stride < kMost && axis.padding >= 0 && axis.padding < kMost &&
                          axis.dilation > 0 && axis.dilation < kMost && axis.kernel > 0 && axis.kernel < kMost,
                      "stride, padding, dilation or kernel size is out of range");
}

/// Channels of input, weights and output that belong together.
bool match_channels(Arguments& args, Kind kind, Convolution& conv, const Tensor& weights) {
  if (kind == Kind::kDepthwise) {
    conv.kernel_channels = 1;
    conv.out.channels = size_of(weights, 3);
    return args.require(size_of(weights, 0) == 1 && conv.in.channels > 0 && conv.out.channels > 0 &&
                            conv.out.channels % conv.in.channels == 0,
                        "output channels are no multiple of the input channels");
  }
  conv.kernel_channels = size_of(weights, 3);
  conv.out.channels = size_of(weights, 0);
  return args.require(conv.kernel_channels > 0 && conv.in.channels > 0 &&
                          conv.in.channels % conv.kernel_channels == 0 && conv.out.channels > 0 &&
                          conv.out.channels % (conv.in.channels / conv.kernel_channels) == 0,
                      "channels do not divide into groups");
}

void read_rescale(Arguments& args, size_t at, int32_t channels, Rescale& r) {
  r.bias = args.optional_vector(2, channels);
  r.output_offset = args.small(at);
  r.multiplier = args.vector(at + 1, channels);
  r.shift = args.vector(at + 2, channels);
  r.step = 1;
  r.min = args.small(at + 3);
  r.max = args.small(at + 4);
}

/// `compute` is convolve() or convolve_depthwise(): an image links those that its table asks for.
void run(Arguments& args, Kind kind, bool nhwc, void (*compute)(const Convolution&, Workspace)) {
  const bool transposed = kind == Kind::kTransposed;
  const Positions positions =
      transposed ? Positions{6, 7} : Positions{5, static_cast<uint8_t>(kind == Kind::kDense ? 6 : 7)};
  const size_t after = positions.input_offset + 6u;  // scratch, or the output
  const Tensor &input = args.int8(0, 4), &weights = args.int8(1, 4), &out = args.output(4);
  if (!args.ok()) {
    return;
  }
  Convolution conv;
  conv.transposed = transposed;
  conv.batch = size_of(input, 0);
  conv.in = image_of(input, nhwc);
  conv.y.kernel = size_of(weights, 1);
  conv.x.kernel = size_of(weights, 2);
  conv.input_offset = args.offset(positions.input_offset);
  if (!match_channels(args, kind, conv, weights) || !read_axis(args, conv.y, 0, positions) ||
      !read_axis(args, conv.x, 1, positions)) {
    return;
  }
  read_rescale(args, positions.input_offset + 1u, conv.out.channels, conv.rescale);
  conv.out.height = output_size(conv, conv.y, conv.in.height, transposed ? args.pair(5, 0) : 0);
  conv.out.width = output_size(conv, conv.x, conv.in.width, transposed ? args.pair(5, 1) : 0);
  if (!args.ok() || !resize_image(args, out, nhwc, conv.batch, conv.out)) {
    return;
  }
  conv.out = image_of(out, nhwc);
  conv.input = input.const_data_ptr<int8_t>();
  conv.weights = weights.const_data_ptr<int8_t>();
  conv.output = out.mutable_data_ptr<int8_t>();
  compute(conv, after + 1 < args.count() ? args.workspace(after) : Workspace{nullptr, 0});
}

void dense(Arguments& args) { run(args, Kind::kDense, false, convolve); }
void dense_nhwc(Arguments& args) { run(args, Kind::kDense, true, convolve); }
void depthwise(Arguments& args) { run(args, Kind::kDepthwise, false, convolve_depthwise); }
void depthwise_nhwc(Arguments& args) { run(args, Kind::kDepthwise, true, convolve_depthwise); }
void transposed(Arguments& args) { run(args, Kind::kTransposed, false, convolve); }
void transposed_nhwc(Arguments& args) { run(args, Kind::kTransposed, true, convolve); }

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_quantized_conv2d_out, "cortex_m::quantized_conv2d", 13, 14, wick::cortex_m::dense)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_conv2d_nhwc_out, "cortex_m::quantized_conv2d_nhwc", 13, 14,
                     wick::cortex_m::dense_nhwc)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_depthwise_conv2d_out, "cortex_m::quantized_depthwise_conv2d", 14, 15,
                     wick::cortex_m::depthwise)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_depthwise_conv2d_nhwc_out, "cortex_m::quantized_depthwise_conv2d_nhwc", 14, 15,
                     wick::cortex_m::depthwise_nhwc)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_transpose_conv2d_out, "cortex_m::quantized_transpose_conv2d", 14, 16,
                     wick::cortex_m::transposed)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_transpose_conv2d_nhwc_out, "cortex_m::quantized_transpose_conv2d_nhwc", 14, 16,
                     wick::cortex_m::transposed_nhwc)
