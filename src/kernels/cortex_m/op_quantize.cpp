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

/// True from 2^-122 to 2^122, so that float and inverse are normal numbers; by the bits, as not every core compares
/// doubles.
bool has_float_inverse(double v) {
  uint64_t bits;
  std::memcpy(&bits, &v, sizeof(bits));
  return static_cast<uint32_t>(bits >> 52) - (1023 - 122) < 2 * 122;
}

/// What both operators read.
struct Call {
  const Tensor &in, &out;
  double scale;
  int32_t zero_point, n = 0;

  explicit Call(Arguments& args)
      : in(args.tensor(0)), out(args.tensor(args.count() - 1)), scale(args.number(1)), zero_point(args.integer(2)) {
    args.require(has_float_inverse(scale), "the scale is not a positive number");
    args.require(zero_point >= INT16_MIN && zero_point <= INT16_MAX, "the zero point is outside of int16");
    if (make_alike(args, out, in)) {
      n = numel_of(in);
    }
  }
};

void quantize_per_tensor(Arguments& args) {
  constexpr bool kShort = takes_short("cortex_m::quantize_per_tensor.out");
  const Call c(args);
  const int32_t min = args.integer(3), max = args.integer(4);
  const bool is_short = kShort && c.out.scalar_type() == ScalarType::Short;
  const int32_t most = is_short ? INT16_MAX : INT8_MAX;
  args.require(c.in.scalar_type() == ScalarType::Float && (is_short || c.out.scalar_type() == ScalarType::Char),
               "the input must be float, the output int8 or int16");
  if (!args.require(min >= ~most && max <= most && min <= max, "limits are outside of the output's type") ||
      !args.ok()) {
    return;
  }
  const float* in = c.in.const_data_ptr<float>();
  if (is_short) {
    quantize(in, c.out.mutable_data_ptr<int16_t>(), c.n, c.scale, c.zero_point, min, max);
  } else {
    quantize(in, c.out.mutable_data_ptr<int8_t>(), c.n, c.scale, c.zero_point, min, max);
  }
}

void dequantize_per_tensor(Arguments& args) {
  constexpr bool kShort = takes_short("cortex_m::dequantize_per_tensor.out");
  const Call c(args);
  const bool is_short = kShort && c.in.scalar_type() == ScalarType::Short;
  args.require(c.out.scalar_type() == ScalarType::Float && (is_short || c.in.scalar_type() == ScalarType::Char),
               "the input must be int8 or int16, the output float");
  if (!args.ok()) {
    return;
  }
  float* out = c.out.mutable_data_ptr<float>();
  if (is_short) {
    dequantize(c.in.const_data_ptr<int16_t>(), out, c.n, c.scale, c.zero_point);
  } else {
    dequantize(c.in.const_data_ptr<int8_t>(), out, c.n, c.scale, c.zero_point);
  }
}

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_quantize_per_tensor_out, "cortex_m::quantize_per_tensor", 7, 7,
                     wick::cortex_m::quantize_per_tensor)
WICK_CORTEX_M_KERNEL(cortex_m_dequantize_per_tensor_out, "cortex_m::dequantize_per_tensor", 7, 7,
                     wick::cortex_m::dequantize_per_tensor)
