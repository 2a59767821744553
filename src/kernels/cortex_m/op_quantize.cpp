// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::quantize_per_tensor and dequantize_per_tensor, to and from int8 and int16.
#include <wick/dtypes.h>

#include "src/kernels/cortex_m/arguments.h"
#include "src/kernels/cortex_m/quantize.h"

namespace wick::cortex_m {
namespace {

/// Whether the image's programs use an operator with values of 16 bits.
constexpr bool takes_short(const char* name) { return (selected_dtypes(name) & dtypes(ScalarType::Short)) != 0; }

/// What both operators read.
struct Call {
  TensorArgument in, out;
  double scale;
  int32_t zero_point, n;

  bool read(Arguments& args) {
    args.tensor(0, in);
    args.tensor(args.count() - 1, out);
    scale = args.number(1);
    zero_point = args.integer(2);
    if (!args.ok() || !resize_like(args, out.get(), in.get()) ||
        !args.require(same_layout(in.get(), out.get()), "input and output must have the same memory order")) {
      return false;
    }
    n = numel_of(in.get());
    // Within what floats hold as normal numbers, so that the inverse is one too.
    return args.require(scale > 1e-37 && scale < 1e37, "the scale is not a positive number") &&
           args.require(zero_point >= INT16_MIN && zero_point <= INT16_MAX, "the zero point is outside of int16");
  }
};

void quantize_per_tensor(Arguments args) {
  Call c;
  if (!args.ok() || !c.read(args)) {
    return;
  }
  const int32_t min = args.integer(3), max = args.integer(4);
  const ScalarType type = c.out.get().scalar_type();
  if (!args.require(c.in.get().scalar_type() == ScalarType::Float, "the input must be float") || !args.ok()) {
    return;
  }
  const float* in = c.in.get().const_data_ptr<float>();
  constexpr bool kShort = takes_short("cortex_m::quantize_per_tensor.out");
  if (!kShort || type == ScalarType::Char) {
    if (args.require(type == ScalarType::Char && min >= INT8_MIN && max <= INT8_MAX && min <= max,
                     "the output must be int8, and so the limits")) {
      quantize(in, c.out.get().mutable_data_ptr<int8_t>(), c.n, c.scale, c.zero_point, min, max);
    }
  } else if (args.require(type == ScalarType::Short && min >= INT16_MIN && max <= INT16_MAX && min <= max,
                          "the output must be int8 or int16, and so the limits")) {
    quantize(in, c.out.get().mutable_data_ptr<int16_t>(), c.n, c.scale, c.zero_point, min, max);
  }
}

void dequantize_per_tensor(Arguments args) {
  Call c;
  if (!args.ok() || !c.read(args) ||
      !args.require(c.out.get().scalar_type() == ScalarType::Float, "the output must be float")) {
    return;
  }
  float* out = c.out.get().mutable_data_ptr<float>();
  constexpr bool kShort = takes_short("cortex_m::dequantize_per_tensor.out");
  if (c.in.get().scalar_type() == ScalarType::Char) {
    dequantize(c.in.get().const_data_ptr<int8_t>(), out, c.n, c.scale, c.zero_point);
  } else if (args.require(kShort && c.in.get().scalar_type() == ScalarType::Short, "the input must be int8 or int16")) {
    dequantize(c.in.get().const_data_ptr<int16_t>(), out, c.n, c.scale, c.zero_point);
  }
}

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_quantize_per_tensor_out) {
  wick::cortex_m::quantize_per_tensor({"cortex_m::quantize_per_tensor", ctx, args, 7, 7});
}
WICK_CORTEX_M_KERNEL(cortex_m_dequantize_per_tensor_out) {
  wick::cortex_m::dequantize_per_tensor({"cortex_m::dequantize_per_tensor", ctx, args, 7, 7});
}
