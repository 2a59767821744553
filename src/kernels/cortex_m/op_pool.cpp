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
  const Tensor &input = args.int8(0, 4), &out = args.output(4);
  if (!read_axis(args, pool.y, 0) || !read_axis(args, pool.x, 1) || !args.ok()) {
    return false;
  }
  pool.batch = size_of(input, 0);
  pool.in = image_of(input, nhwc);
  pool.out = pool.in;
  pool.out.height = output_size(pool.y, pool.in.height, ceil_mode);
  pool.out.width = output_size(pool.x, pool.in.width, ceil_mode);
  if (!resize_image(args, out, nhwc, pool.batch, pool.out)) {
    return false;
  }
  pool.out = image_of(out, nhwc);
  pool.input = input.const_data_ptr<int8_t>();
  pool.output = out.mutable_data_ptr<int8_t>();
  return args.require(pool.in.is_nhwc() && pool.out.is_nhwc(),
                      "tensors must be channels last in memory: export with channels-last inputs");
}

void average(Arguments& args, bool nhwc) {
  Pool pool;
  if (read(args, pool, nhwc, args.count() == 10 && args.boolean(4))) {
    pool.min = -128;
    pool.max = 127;
    average_pool(pool);
  }
}
void average(Arguments& args) { average(args, false); }
void average_nhwc(Arguments& args) { average(args, true); }

void maximum(Arguments& args, bool nhwc) {
  Pool pool;
  args.require(args.pair(4, 0) == 1 && args.pair(4, 1) == 1, "dilation is not supported");
  args.require(args.integer(6) == args.integer(7), "zero points of input and output differ");
  pool.min = args.small(8);
  pool.max = args.small(9);
  if (read(args, pool, nhwc, args.boolean(5))) {
    max_pool(pool);
  }
}
void maximum(Arguments& args) { maximum(args, false); }
void maximum_nhwc(Arguments& args) { maximum(args, true); }

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_quantized_avg_pool2d_out, "cortex_m::quantized_avg_pool2d", 8, 10,
                     wick::cortex_m::average)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_avg_pool2d_nhwc_out, "cortex_m::quantized_avg_pool2d_nhwc", 8, 10,
                     wick::cortex_m::average_nhwc)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_max_pool2d_out, "cortex_m::quantized_max_pool2d", 11, 11,
                     wick::cortex_m::maximum)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_max_pool2d_nhwc_out, "cortex_m::quantized_max_pool2d_nhwc", 11, 11,
                     wick::cortex_m::maximum_nhwc)
