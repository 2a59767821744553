// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::quantized_avg_pool2d and quantized_max_pool2d, each also as *_nhwc. The average's schema gained a scratch
// in 1.4 and a ceil_mode in 1.5; the scratch is not needed here.
#include "src/kernels/cortex_m/arguments.h"
#include "src/kernels/cortex_m/pool.h"

namespace wick::cortex_m {
namespace {

int32_t output_size(const Axis& a, int32_t in, bool ceil_mode) {
  const int32_t room = in + 2 * a.padding - a.kernel;
  if (room < 0) {
    return 0;
  }
  int32_t size = (room + (ceil_mode ? a.stride - 1 : 0)) / a.stride + 1;
  if (ceil_mode && (size - 1) * a.stride >= in + a.padding) {
    --size;  // the last window would start in the padding to the right
  }
  return size;
}

/// Kernel, stride and padding of an axis are arguments 1 to 3; an empty list of strides means the kernel's size.
bool read_axis(Arguments& args, Axis& axis, int32_t at) {
  axis.kernel = args.pair(1, at);
  axis.stride = args.list_size(2) == 0 ? axis.kernel : args.pair(2, at);
  axis.padding = args.pair(3, at);
  axis.dilation = 1;
  constexpr int32_t kMost = 1 << 15;
  return args.require(axis.kernel > 0 && axis.kernel < kMost && axis.stride > 0 && axis.stride < kMost &&
                          axis.padding >= 0 && axis.padding <= axis.kernel / 2,
                      "kernel, stride or padding is out of range");
}

/// Tensors and sizes; false with an error set if they do not fit.
bool read(Arguments& args, Pool& pool, bool nhwc, bool ceil_mode) {
  TensorArgument input_room, out_room;
  args.tensor(0, input_room);
  args.tensor(args.count() - 1, out_room);
  const Tensor &input = input_room.get(), &out = out_room.get();
  if (!args.ok() ||
      !args.require(input.dim() == 4 && out.dim() == 4 && input.scalar_type() == ScalarType::Char &&
                        out.scalar_type() == ScalarType::Char,
                    "tensors must be int8 with 4 dimensions") ||
      !read_axis(args, pool.y, 0) || !read_axis(args, pool.x, 1)) {
    return false;
  }
  pool.batch = size_of(input, 0);
  pool.in = image_of(input, nhwc);
  if (!resize_image(args, out, nhwc, pool.batch, output_size(pool.y, pool.in.height, ceil_mode),
                    output_size(pool.x, pool.in.width, ceil_mode), pool.in.channels)) {
    return false;
  }
  pool.out = image_of(out, nhwc);
  pool.input = input.const_data_ptr<int8_t>();
  pool.output = out.mutable_data_ptr<int8_t>();
  return args.require(pool.in.is_nhwc() && pool.out.is_nhwc(),
                      "tensors must be channels last in memory: export with channels-last inputs");
}

void average(Arguments args, bool nhwc) {
  if (!args.ok()) {
    return;
  }
  Pool pool;
  if (read(args, pool, nhwc, args.count() == 10 && args.boolean(4))) {
    pool.min = -128;
    pool.max = 127;
    average_pool(pool);
  }
}

void maximum(Arguments args, bool nhwc) {
  if (!args.ok()) {
    return;
  }
  Pool pool;
  if (!args.require(args.pair(4, 0) == 1 && args.pair(4, 1) == 1, "dilation is not supported") ||
      !args.require(args.integer(6) == args.integer(7), "zero points of input and output differ") ||
      !read(args, pool, nhwc, args.boolean(5))) {
    return;
  }
  pool.min = args.small(8);
  pool.max = args.small(9);
  if (args.ok()) {
    max_pool(pool);
  }
}

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_quantized_avg_pool2d_out) {
  wick::cortex_m::average({"cortex_m::quantized_avg_pool2d", ctx, args, 8, 10}, false);
}
WICK_CORTEX_M_KERNEL(cortex_m_quantized_avg_pool2d_nhwc_out) {
  wick::cortex_m::average({"cortex_m::quantized_avg_pool2d_nhwc", ctx, args, 8, 10}, true);
}
WICK_CORTEX_M_KERNEL(cortex_m_quantized_max_pool2d_out) {
  wick::cortex_m::maximum({"cortex_m::quantized_max_pool2d", ctx, args, 11, 11}, false);
}
WICK_CORTEX_M_KERNEL(cortex_m_quantized_max_pool2d_nhwc_out) {
  wick::cortex_m::maximum({"cortex_m::quantized_max_pool2d_nhwc", ctx, args, 11, 11}, true);
}
