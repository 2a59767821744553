// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::quantized_add, quantized_mul, quantized_div, quantized_activation, minimum and maximum. Operands of
// addition, product, minimum and maximum broadcast as in PyTorch, in any memory order.
#include "src/kernels/cortex_m/arguments.h"
#include "src/kernels/cortex_m/elementwise.h"

namespace wick::cortex_m {
namespace {

/// Two operands and the output.
struct Operands {
  const Tensor &a, &b, &out;

  Operands(Arguments& args, size_t b_at) : a(args.tensor(0)), b(args.tensor(b_at)), out(args.tensor(args.count() - 1)) {
    args.require(a.scalar_type() == out.scalar_type() && b.scalar_type() == out.scalar_type(),
                 "tensors must have the same type");
  }
  bool is(ScalarType type) const { return out.scalar_type() == type; }
};

/// Strides of operand `which` along the output's dimensions; false if its sizes do not broadcast to the output's.
bool align(const Tensor& operand, const Tensor& out, int which, Broadcast& shape) {
  const ssize_t skipped = out.dim() - operand.dim();
  if (skipped < 0) {
    return false;
  }
  for (size_t i = 0; i < out.sizes().size(); ++i) {
    const size_t d = out.dim_order()[i];
    const ssize_t own = static_cast<ssize_t>(d) - skipped;
    const int32_t size = own < 0 ? 1 : size_of(operand, own);
    if (size != shape.sizes[i] && size != 1) {
      return false;
    }
    shape.strides[which][i] = size == 1 ? 0 : static_cast<int32_t>(operand.strides()[static_cast<size_t>(own)]);
  }
  return true;
}

/// How the operands meet in the output.
bool broadcast(Arguments& args, const Operands& t, Broadcast& shape) {
  const Tensor &a = t.a, &b = t.b, &out = t.out;
  if (!args.ok() ||
      !resize_like(args, out, a.dim() > b.dim() || (a.dim() == b.dim() && a.numel() >= b.numel()) ? a : b)) {
    return false;
  }
  shape.same = same_layout(a, out) && same_layout(b, out);
  shape.dims = 1;
  shape.sizes[0] = numel_of(out);
  shape.strides[0][0] = shape.strides[1][0] = 1;
  if (shape.same || out.dim() == 0) {
    shape.same = true;
    return true;
  }
  if (!kBroadcasts) {
    return args.require(false, "the operands have other shapes than those of the programs this image was built for");
  }
  if (!args.require(out.dim() <= kMostBroadcast, "too many dimensions to broadcast")) {
    return false;
  }
  shape.dims = static_cast<int32_t>(out.dim());
  for (size_t i = 0; i < out.sizes().size(); ++i) {
    shape.sizes[i] = size_of(out, out.dim_order()[i]);
  }
  return args.require(align(a, out, 0, shape) && align(b, out, 1, shape), "sizes do not broadcast");
}

/// The same for int8.
bool broadcast_int8(Arguments& args, const Operands& t, Broadcast& shape) {
  return args.require(t.is(ScalarType::Char), "tensors must be int8") && broadcast(args, t, shape);
}

template <typename T>
const T* data(const Tensor& t) {
  return t.const_data_ptr<T>();
}

int32_t read_shift(Arguments& args, size_t i) {
  const int32_t shift = args.integer(i);
  args.require(shift >= -1024 && shift <= 1024, "a shift is out of range");
  return shift;
}

void quantized_add(Arguments& args) {
  const Operands t(args, 4);
  Broadcast shape;
  Binary p;
  p.offset[0] = -args.small(1);
  p.multiplier[0] = args.integer(2);
  p.shift[0] = read_shift(args, 3);
  p.offset[1] = -args.small(5);
  p.multiplier[1] = args.integer(6);
  p.shift[1] = read_shift(args, 7);
  p.output_offset = args.small(8);
  p.output_multiplier = args.integer(9);
  p.output_shift = read_shift(args, 10);
  const bool limited = args.count() == 14;  // releases before 1.3 had no limits
  // Release 1.0 did not divide by the 2^20 that the operands are multiplied with: every result would saturate.
  args.require(limited || p.output_shift < -8, "the scales are those of exporter 1.0, which were wrong: export again");
  const int32_t min = limited ? args.small(11) : -128, max = limited ? args.small(12) : 127;
  if (broadcast_int8(args, t, shape)) {
    add(p, shape, data<int8_t>(t.a), data<int8_t>(t.b), t.out.mutable_data_ptr<int8_t>(), min, max);
  }
}

void quantized_mul(Arguments& args) {
  const Operands t(args, 2);
  Broadcast shape;
  Binary p = {};
  p.offset[0] = -args.small(1);
  p.offset[1] = -args.small(3);
  p.output_offset = args.small(4);
  p.output_multiplier = args.integer(5);
  p.output_shift = read_shift(args, 6);
  if (broadcast_int8(args, t, shape)) {
    multiply(p, shape, data<int8_t>(t.a), data<int8_t>(t.b), t.out.mutable_data_ptr<int8_t>());
  }
}

void quantized_div(Arguments& args) {
  const Operands t(args, 2);
  const int32_t a_offset = -args.integer(1), b_offset = -args.integer(3), offset = args.integer(4);
  constexpr int32_t kMost = 1 << 15;
  args.require(a_offset >= -kMost && a_offset <= kMost && b_offset >= -kMost && b_offset <= kMost && offset >= -kMost &&
                   offset < kMost,
               "a zero point is outside of int16");
  const float scale = static_cast<float>(args.number(5));
  if (!make_alike(args, t.out, t.a) ||
      !args.require(same_layout(t.a, t.b), "tensors must have the same sizes and memory order")) {
    return;
  }
  const int32_t n = numel_of(t.out);
  if (t.is(ScalarType::Char)) {
    divide(a_offset, b_offset, offset, scale, data<int8_t>(t.a), data<int8_t>(t.b), t.out.mutable_data_ptr<int8_t>(),
           n);
  } else if (args.require(t.is(ScalarType::Short), "tensors must be int8 or int16")) {
    divide(a_offset, b_offset, offset, scale, data<int16_t>(t.a), data<int16_t>(t.b), t.out.mutable_data_ptr<int16_t>(),
           n);
  }
}

void quantized_activation(Arguments& args) {
  const Operands t(args, 1);
  args.require(t.is(ScalarType::Char) && t.b.numel() == 256, "the table is not int8 with 256 entries");
  if (make_alike(args, t.out, t.a)) {
    look_up(data<int8_t>(t.b), data<int8_t>(t.a), t.out.mutable_data_ptr<int8_t>(), numel_of(t.out));
  }
}

template <typename T>
void choose(const Operands& t, const Broadcast& shape, bool largest) {
  for_each_run(shape, data<T>(t.a), data<T>(t.b), t.out.mutable_data_ptr<T>(),
               [largest](const T* a, const T* b, T* out, int32_t n, int32_t a_step, int32_t b_step) {
                 for (int32_t i = 0; i < n; ++i, a += a_step, b += b_step) {
                   out[i] = (*a > *b) == largest ? *a : *b;
                 }
               });
}

void extreme(Arguments& args, bool largest) {
  const Operands t(args, 1);
  Broadcast shape;
  if (!broadcast(args, t, shape)) {
    return;
  }
  if (t.is(ScalarType::Char)) {
    choose<int8_t>(t, shape, largest);
  } else if (args.require(t.is(ScalarType::Int), "tensors must be int8 or int32")) {
    choose<int32_t>(t, shape, largest);
  }
}
void minimum(Arguments& args) { extreme(args, false); }
void maximum(Arguments& args) { extreme(args, true); }

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_quantized_add_out, "cortex_m::quantized_add", 12, 14, wick::cortex_m::quantized_add)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_mul_out, "cortex_m::quantized_mul", 8, 8, wick::cortex_m::quantized_mul)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_div_out, "cortex_m::quantized_div", 7, 7, wick::cortex_m::quantized_div)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_activation_out, "cortex_m::quantized_activation", 3, 3,
                     wick::cortex_m::quantized_activation)
WICK_CORTEX_M_KERNEL(cortex_m_minimum_out, "cortex_m::minimum", 3, 3, wick::cortex_m::minimum)
WICK_CORTEX_M_KERNEL(cortex_m_maximum_out, "cortex_m::maximum", 3, 3, wick::cortex_m::maximum)
