// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::quantized_linear and quantized_batch_matmul. A linear layer exported for Helium has no bias but a
// kernel_sum, into which bias and input offset are folded; one for other cores has the bias alone. Both run right on
// every core.
#include "src/kernels/cortex_m/arguments.h"
#include "src/kernels/cortex_m/matmul.h"

namespace wick::cortex_m {
namespace {

/// Tensors 0, `b` and the output, which must be int8.
struct Operands {
  TensorArgument a, b, out;

  bool read(Arguments& args, size_t b_at) {
    args.tensor(0, a);
    args.tensor(b_at, b);
    args.tensor(args.count() - 1, out);
    return args.ok() &&
           args.require(a.get().scalar_type() == ScalarType::Char && b.get().scalar_type() == ScalarType::Char &&
                            out.get().scalar_type() == ScalarType::Char,
                        "tensors must be int8");
  }
};

/// The rescaling of a whole tensor.
struct TensorScale {
  int32_t multiplier, shift;
  Rescale rescale(const int32_t* bias, int32_t offset, int32_t min, int32_t max) const {
    return {bias, &multiplier, &shift, 0, offset, min, max};
  }
};

void linear(Arguments args) {
  Operands t;
  if (!args.ok() || !t.read(args, 1)) {
    return;
  }
  const Tensor &input = t.a.get(), &weights = t.b.get(), &out = t.out.get();
  if (!args.require(input.dim() > 0 && weights.dim() == 2 && size_of(input, input.dim() - 1) == size_of(weights, 1) &&
                        size_of(weights, 1) > 0,
                    "weights are not [outputs, inputs] of the input's last dimension")) {
    return;
  }
  Product p;
  p.columns = size_of(weights, 0);
  p.k = size_of(weights, 1);
  p.rows = numel_of(input) / p.k;
  p.a = input.const_data_ptr<int8_t>();
  p.b = weights.const_data_ptr<int8_t>();
  p.a_offset = args.integer(4);
  p.b_offset = args.integer(5);
  args.require(p.a_offset >= -127 && p.a_offset <= 128 && p.b_offset >= -127 && p.b_offset <= 128,
               "a zero point is outside of int8");
  p.folded = !args.is_none(3);
  const int32_t* bias = p.folded ? args.vector(3, p.columns) : (args.is_none(2) ? nullptr : args.vector(2, p.columns));
  const TensorScale scale = {args.item(7, 0), args.item(8, 0)};
  p.rescale = scale.rescale(bias, args.small(6), args.small(10), args.small(9));
  p.output = out.mutable_data_ptr<int8_t>();
  if (args.ok() &&
      args.require(numel_of(out) == p.rows * p.columns, "the output tensor has other sizes than the result")) {
    multiply(p);
  }
}

void batch_matmul(Arguments args) {
  Operands t;
  if (!args.ok() || !t.read(args, 2)) {
    return;
  }
  const Tensor &a = t.a.get(), &b = t.b.get(), &out = t.out.get();
  if (!args.require(a.dim() == 3 && b.dim() == 3 && size_of(a, 0) == size_of(b, 0) && size_of(a, 2) == size_of(b, 2),
                    "operands are not [batch, rows, k] and [batch, columns, k]")) {
    return;
  }
  Product p;
  p.rows = size_of(a, 1);
  p.columns = size_of(b, 1);
  p.k = size_of(a, 2);
  p.a = a.const_data_ptr<int8_t>();
  p.b = b.const_data_ptr<int8_t>();
  p.a_offset = args.integer(1);
  p.b_offset = args.integer(3);
  args.require(p.a_offset >= -127 && p.a_offset <= 128 && p.b_offset >= -127 && p.b_offset <= 128,
               "a zero point is outside of int8");
  p.folded = false;
  const TensorScale scale = {args.integer(5), args.integer(6)};
  p.rescale = scale.rescale(nullptr, args.small(4), -128, 127);
  p.output = out.mutable_data_ptr<int8_t>();
  const int32_t batch = size_of(a, 0);
  if (!args.ok() ||
      !args.require(numel_of(out) == batch * p.rows * p.columns, "the output tensor has other sizes than the result")) {
    return;
  }
  for (int32_t i = 0; i < batch; ++i) {
    multiply(p);
    p.a += p.rows * p.k;
    p.b += p.columns * p.k;
    p.output += p.rows * p.columns;
  }
}

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_quantized_linear_out) {
  wick::cortex_m::linear({"cortex_m::quantized_linear", ctx, args, 12, 12});
}
WICK_CORTEX_M_KERNEL(cortex_m_quantized_batch_matmul_out) {
  wick::cortex_m::batch_matmul({"cortex_m::quantized_batch_matmul", ctx, args, 8, 9});
}
