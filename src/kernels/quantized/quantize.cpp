// SPDX-License-Identifier: BSD-3-Clause
//
// quantized_decomposed::quantize_per_tensor, per_channel and per_token: q = clamp(round(x / scale) + zero point).
// Any dim order, zero points of 32 or 64 bits.
#include "src/kernels/quantized/quantization.h"

namespace wick {
namespace portable {

namespace {

struct Range {
  int64_t low, high;
};

bool check(KernelRuntimeContext& ctx, const Tensor& in, const Range& range, ScalarType dtype, Tensor& out) {
  WICK_REQUIRE(ctx, plain_type(out.scalar_type()) == plain_type(dtype), false,
               "quantize: the output has dtype %d, not %d", static_cast<int>(out.scalar_type()),
               static_cast<int>(dtype));
  return require_dtype(ctx, in, kFloating) && require_dtype(ctx, out, kQuantizedTypes) &&
         require_range(ctx, range.low, range.high, out.scalar_type()) && resize_as(ctx, out, in);
}

// PyTorch multiplies by the reciprocal, which it rounds to the input's precision.
template <typename C>
void quantize_view(const View& to, ScalarType to_type, const View& from, ScalarType from_type, double scale,
                   int64_t zero_point, const Range& range) {
  const C factor = static_cast<C>(1.0 / scale);
  const C zero = static_cast<C>(zero_point);
  const C low = static_cast<C>(range.low);
  const C high = static_cast<C>(range.high);
  transform<C>(to, plain_type(to_type), from, from_type, [&](C* values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      values[i] = clamp(round_to_even(values[i] * factor) + zero, low, high);
    }
  });
}

void quantize(const View& to, ScalarType to_type, const View& from, ScalarType from_type, double scale,
              int64_t zero_point, const Range& range) {
  if (from_type == ScalarType::Double) {
    quantize_view<double>(to, to_type, from, from_type, scale, zero_point, range);
  } else {
    quantize_view<float>(to, to_type, from, from_type, scale, zero_point, range);
  }
}

Tensor& quantize_per_tensor_out(KernelRuntimeContext& ctx, const Tensor& in, double scale, int64_t zero_point,
                                int64_t quant_min, int64_t quant_max, ScalarType dtype, Tensor& out) {
  const Range range = {quant_min, quant_max};
  if (check(ctx, in, range, dtype, out)) {
    quantize(View(out), out.scalar_type(), View(in), in.scalar_type(), scale, zero_point, range);
  }
  return out;
}

Tensor& quantize_per_tensor_Tensor_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& scale,
                                       const Tensor& zero_point, int64_t quant_min, int64_t quant_max, ScalarType dtype,
                                       Tensor& out) {
  WICK_REQUIRE(ctx, scale.numel() == 1 && zero_point.numel() == 1, out,
               "quantize_per_tensor: scale and zero point must have one element");
  if (!require_dtype(ctx, scale, kFloating) || !require_dtype(ctx, zero_point, kInts)) {
    return out;
  }
  return quantize_per_tensor_out(ctx, in, parameter(scale, 0), static_cast<int64_t>(parameter(zero_point, 0)),
                                 quant_min, quant_max, dtype, out);
}

Tensor& quantize_per_channel_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& scales,
                                 const Tensor& zero_points, int64_t axis, int64_t quant_min, int64_t quant_max,
                                 ScalarType dtype, Tensor& out) {
  const Range range = {quant_min, quant_max};
  WICK_REQUIRE(ctx, in.dim() > 0, out, "quantize_per_channel: the input has no dimensions");
  if (!require_dtype(ctx, scales, kFloating) || !require_dtype(ctx, zero_points, kInts) ||
      !wrap_dim(ctx, axis, static_cast<size_t>(in.dim()))) {
    return out;
  }
  const ssize_t channels = in.size(static_cast<ssize_t>(axis));
  WICK_REQUIRE(ctx, scales.numel() == channels && zero_points.numel() == channels, out,
               "quantize_per_channel: scales and zero points must have %d elements", static_cast<int>(channels));
  if (!check(ctx, in, range, dtype, out)) {
    return out;
  }
  for (size_t i = 0; i < static_cast<size_t>(channels); ++i) {
    View from(in);
    View to(out);
    from.select(static_cast<size_t>(axis), static_cast<int64_t>(i));
    to.select(static_cast<size_t>(axis), static_cast<int64_t>(i));
    quantize(to, out.scalar_type(), from, in.scalar_type(), parameter(scales, i),
             static_cast<int64_t>(parameter(zero_points, i)), range);
  }
  return out;
}

// A token is a line along the last dimension. Eager PyTorch adds the zero point before it rounds here.
Tensor& quantize_per_token_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& scales,
                               const Tensor& zero_points, int64_t quant_min, int64_t quant_max, ScalarType dtype,
                               Tensor& out) {
  const Range range = {quant_min, quant_max};
  WICK_REQUIRE(ctx, in.dim() > 0 && is_contiguous(in) && is_contiguous(out), out,
               "quantize_per_token: input and output must be contiguous");
  if (!require_dtype(ctx, scales, kFloating) || !require_dtype(ctx, zero_points, kInts) ||
      !check(ctx, in, range, dtype, out)) {
    return out;
  }
  const size_t tokens = product(in.sizes(), 0, static_cast<size_t>(in.dim()) - 1);
  WICK_REQUIRE(ctx, static_cast<size_t>(scales.numel()) == tokens && static_cast<size_t>(zero_points.numel()) == tokens,
               out, "quantize_per_token: scales and zero points must have %zu elements", tokens);
  View from(in);
  View to(out);
  for (View* view : {&from, &to}) {  // [tokens, size]
    view->shape.dim = 0;
    view->insert(0, static_cast<SizesType>(in.size(in.dim() - 1)), 1);
    view->insert(0, static_cast<SizesType>(tokens), static_cast<ptrdiff_t>(in.size(in.dim() - 1)));
  }
  for (size_t i = 0; i < tokens; ++i) {
    View line = from;
    View target = to;
    line.select(0, static_cast<int64_t>(i));
    target.select(0, static_cast<int64_t>(i));
    const double factor = 1.0 / parameter(scales, i);
    const double zero = parameter(zero_points, i);
    transform<double>(target, plain_type(out.scalar_type()), line, in.scalar_type(), [&](double* values, size_t count) {
      for (size_t j = 0; j < count; ++j) {
        values[j] = clamp(round_to_even(values[j] * factor + zero), static_cast<double>(quant_min),
                          static_cast<double>(quant_max));
      }
    });
  }
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(quantized_decomposed_quantize_per_tensor_out, wick::portable::quantize_per_tensor_out)
WICK_KERNEL(quantized_decomposed_quantize_per_tensor_Tensor_out, wick::portable::quantize_per_tensor_Tensor_out)
WICK_KERNEL(quantized_decomposed_quantize_per_channel_out, wick::portable::quantize_per_channel_out)
WICK_KERNEL(quantized_decomposed_quantize_per_token_out, wick::portable::quantize_per_token_out)
