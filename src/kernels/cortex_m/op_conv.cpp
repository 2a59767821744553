// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::quantized_conv2d, quantized_depthwise_conv2d and quantized_transpose_conv2d, each also as *_nhwc with
// explicit [N, H, W, C] sizes. Programs of releases before 1.4 have no scratch argument.
#include "src/kernels/cortex_m/arguments.h"

namespace wick::cortex_m {
namespace {

/// A kind of convolution: where arguments stand, and what only this kind needs. An image links those that its table
/// asks for.
struct Form {
  uint8_t dilation;
  uint8_t input_offset;  ///< then the output offset, multipliers, shifts, minimum, maximum
  bool depthwise, transposed;
  int32_t (*output_size)(Arguments& args, const Axis& axis, int32_t in, int32_t at);
  Source* source;
  void (*compute)(const Convolution&, Workspace);
};

/// What a kernel spans beyond its first tap.
int32_t reach(const Axis& a) { return a.dilation * (a.kernel - 1); }

int32_t output_size(Arguments&, const Axis& a, int32_t in, int32_t) {
  const int32_t room = in + 2 * a.padding - reach(a) - 1;
  return room < 0 ? 0 : room / a.stride + 1;
}

int32_t transposed_size(Arguments& args, const Axis& a, int32_t in, int32_t at) {
  return (in - 1) * a.stride - 2 * a.padding + reach(a) + args.pair(5, at) + 1;
}

constexpr Form kDense = {5, 6, false, false, output_size, source, convolve};
constexpr Form kDepthwise = {5, 7, true, false, output_size, source, convolve_depthwise};
constexpr Form kTransposed = {6, 7, false, true, transposed_size, source_of_transposed, convolve};

bool read_axis(Arguments& args, Axis& axis, int32_t at, const Form& form) {
  axis.stride = args.pair(3, at);
  axis.padding = args.pair(4, at);
  axis.dilation = args.pair(form.dilation, at);
  // All in one: from 1 to 2^15, the padding from 0.
  const auto less = [](int32_t number) { return static_cast<uint32_t>(number) - 1; };
  const uint32_t any =
      less(axis.stride) | static_cast<uint32_t>(axis.padding) | less(axis.dilation) | less(axis.kernel);
  return args.require(any < 1u << 15, "stride, padding, dilation or kernel size is out of range");
}

/// Channels of input, weights and output that belong together.
bool match_channels(Arguments& args, const Form& form, Convolution& conv, const Tensor& weights) {
  if (form.depthwise) {
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

void run(Arguments& args, const Form& form, bool nhwc) {
  const size_t after = form.input_offset + 6u;  // scratch, or the output
  const Tensor &input = args.int8(0, 4), &weights = args.int8(1, 4), &out = args.output(4);
  if (!args.ok()) {
    return;
  }
  Convolution conv;
  conv.source = form.source;
  conv.transposed = form.transposed;
  conv.batch = size_of(input, 0);
  conv.in = image_of(input, nhwc);
  conv.y.kernel = size_of(weights, 1);
  conv.x.kernel = size_of(weights, 2);
  conv.input_offset = args.offset(form.input_offset);
  if (!match_channels(args, form, conv, weights) || !read_axis(args, conv.y, 0, form) ||
      !read_axis(args, conv.x, 1, form)) {
    return;
  }
  read_rescale(args, form.input_offset + 1u, conv.out.channels, conv.rescale);
  conv.out.height = form.output_size(args, conv.y, conv.in.height, 0);
  conv.out.width = form.output_size(args, conv.x, conv.in.width, 1);
  if (!args.ok() || !resize_image(args, out, nhwc, conv.batch, conv.out)) {
    return;
  }
  conv.out = image_of(out, nhwc);
  conv.input = input.const_data_ptr<int8_t>();
  conv.weights = weights.const_data_ptr<int8_t>();
  conv.output = out.mutable_data_ptr<int8_t>();
  form.compute(conv, after + 1 < args.count() ? args.workspace(after) : Workspace{nullptr, 0});
}

void dense(Arguments& args) { run(args, kDense, false); }
void dense_nhwc(Arguments& args) { run(args, kDense, true); }
void depthwise(Arguments& args) { run(args, kDepthwise, false); }
void depthwise_nhwc(Arguments& args) { run(args, kDepthwise, true); }
void transposed(Arguments& args) { run(args, kTransposed, false); }
void transposed_nhwc(Arguments& args) { run(args, kTransposed, true); }

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
