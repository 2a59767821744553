// SPDX-License-Identifier: BSD-3-Clause
//
// cortex_m::quantized_linear and quantized_batch_matmul. A linear layer exported for Helium has no bias but a
// kernel_sum, into which bias and input offset are folded; one for other cores has the bias alone. Both run right on
// every core.
#include "src/kernels/cortex_m/arguments.h"
#include "src/kernels/cortex_m/matmul.h"

namespace wick::cortex_m {
namespace {

constexpr const char kOutputSizes[] = "the output tensor has other sizes than the result";

void linear(Arguments& args) {
  const Tensor &input = args.int8(0), &weights = args.int8(1, 2), &out = args.output();
  const int32_t multiplier = args.item(7, 0), shift = args.item(8, 0);
  Product p;
  p.a_offset = args.offset(4);
  p.b_offset = args.offset(5);
  p.folded = !args.is_none(3);
  p.rescale = {nullptr, &multiplier, &shift, 0, args.small(6), args.small(10), args.small(9)};
  if (!args.ok() || !args.require(input.dim() > 0 && size_of(input, input.dim() - 1) == size_of(weights, 1) &&
                                      size_of(weights, 1) > 0,
                                  "weights are not [outputs, inputs] of the input's last dimension")) {
    return;
  }
  p.columns = size_of(weights, 0);
  p.k = size_of(weights, 1);
  p.rows = numel_of(input) / p.k;
  p.rescale.bias = args.optional_vector(p.folded ? 3 : 2, p.columns);
  p.a = input.const_data_ptr<int8_t>();
  p.b = weights.const_data_ptr<int8_t>();
  p.output = out.mutable_data_ptr<int8_t>();
  if (args.require(numel_of(out) == p.rows * p.columns, kOutputSizes) && args.ok()) {
    multiply(p);
  }
}

void batch_matmul(Arguments& args) {
  const Tensor &a = args.int8(0, 3), &b = args.int8(2, 3), &out = args.output();
  const int32_t multiplier = args.integer(5), shift = args.integer(6);
  Product p;
  p.a_offset = args.offset(1);
  p.b_offset = args.offset(3);
  p.folded = false;
  p.rescale = {nullptr, &multiplier, &shift, 0, args.small(4), -128, 127};
  if (!args.ok() || !args.require(size_of(a, 0) == size_of(b, 0) && size_of(a, 2) == size_of(b, 2),
                                  "operands are not [batch, rows, k] and [batch, columns, k]")) {
    return;
  }
  p.rows = size_of(a, 1);
  p.columns = size_of(b, 1);
  p.k = size_of(a, 2);
  p.a = a.const_data_ptr<int8_t>();
  p.b = b.const_data_ptr<int8_t>();
  p.output = out.mutable_data_ptr<int8_t>();
  int32_t batch = size_of(a, 0);
  if (!args.require(numel_of(out) == batch * p.rows * p.columns, kOutputSizes)) {
    return;
  }
  for (; batch > 0; --batch) {
    multiply(p);
    p.a += p.rows * p.k;
    p.b += p.columns * p.k;
    p.output += p.rows * p.columns;
  }
}

}  // namespace
}  // namespace wick::cortex_m

WICK_CORTEX_M_KERNEL(cortex_m_quantized_linear_out, "cortex_m::quantized_linear", 12, 12, wick::cortex_m::linear)
WICK_CORTEX_M_KERNEL(cortex_m_quantized_batch_matmul_out, "cortex_m::quantized_batch_matmul", 8, 9,
                     wick::cortex_m::batch_matmul)
