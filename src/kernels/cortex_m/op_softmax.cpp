// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::softmax, along any dimension.
#include "src/kernels/cortex_m/arguments.h"
#include "src/kernels/cortex_m/softmax.h"

namespace wick::cortex_m {
namespace {

void run_softmax(Arguments& args) {
  const Tensor &in = args.int8(0), &out = args.output();
  int32_t dim = args.integer(1);
  const Softmax p = {args.integer(4), args.integer(5), args.integer(6)};
  args.require(args.integer(3) == -128, "the output's zero point must be -128");
  args.require(p.shift >= 0 && p.shift <= 31 && p.multiplier > 0, "the input's scale is out of range");
  if (!make_alike(args, out, in)) {
    return;
  }
  const int32_t dims = static_cast<int32_t>(in.dim());
  dim = dim < 0 ? dim + dims : dim;
  if (!args.require(dim >= 0 && dim < dims, "there is no such dimension")) {
    return;
  }
  const int32_t n = size_of(in, dim);
  const int32_t stride = n == 1 ? 1 : static_cast<int32_t>(in.strides()[static_cast<size_t>(dim)]);
  if (!args.require(n <= kMostSoftmax, "too many values for the fixed-point sum")) {
    return;
  }
  const int8_t* from = in.const_data_ptr<int8_t>();
  int8_t* to = out.mutable_data_ptr<int8_t>();
  for (int32_t left = numel_of(in); left > 0; left -= n * stride, from += n * stride, to += n * stride) {
    for (int32_t i = 0; i < stride; ++i) {
      softmax(p, from + i, to + i, n, stride);
    }
  }
}

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_softmax_out, "cortex_m::softmax", 8, 8, wick::cortex_m::run_softmax)
