// SPDX-License-Identifier: BSD-3-Clause
//
// quantized_decomposed::dequantize_per_tensor, per_channel and per_token: x = (q - zero point) * scale.
// Any dim order, zero points of 32 or 64 bits or floats, or none.
#include "src/kernels/quantized/quantization.h"
#include "src/runtime/kernel/question.h"

namespace wick {
namespace portable {

namespace {

bool check(KernelRuntimeContext& ctx, const Tensor& in, ScalarType dtype, std::optional<ScalarType> out_dtype,
           Tensor& out) {
  WICK_REQUIRE(ctx, plain_type(in.scalar_type()) == plain_type(dtype), false,
               "dequantize: the input has dtype %d, not %d", static_cast<int>(in.scalar_type()),
               static_cast<int>(dtype));
  WICK_REQUIRE(ctx, out_dtype.value_or(out.scalar_type()) == out.scalar_type(), false,
               "dequantize: the output does not have dtype %d", static_cast<int>(*out_dtype));
  return require_dtype(ctx, in, kQuantizedTypes) && require_dtype(ctx, out, kFloating) && resize_as(ctx, out, in);
}

template <typename C>
void dequantize_view(const View& to, ScalarType to_type, const View& from, ScalarType from_type, double scale,
                     double zero_point) {
  const C factor = static_cast<C>(scale);
  const C zero = static_cast<C>(zero_point);
  transform<C>(to, to_type, from, plain_type(from_type), [&](C* values, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      values[i] = (values[i] - zero) * factor;
    }
  });
}

void dequantize(const View& to, ScalarType to_type, const View& from, ScalarType from_type, double scale,
                double zero_point) {
  if (to_type == ScalarType::Double) {
    dequantize_view<double>(to, to_type, from, from_type, scale, zero_point);
  } else {
    dequantize_view<float>(to, to_type, from, from_type, scale, zero_point);
  }
}

Tensor& dequantize_per_tensor_out(KernelRuntimeContext& ctx, const Tensor& in, double scale, int64_t zero_point,
                                  int64_t, int64_t, ScalarType dtype, std::optional<ScalarType> out_dtype,
                                  Tensor& out) {
  if (check(ctx, in, dtype, out_dtype, out)) {
    dequantize(View(out), out.scalar_type(), View(in), in.scalar_type(), scale, static_cast<double>(zero_point));
  }
  return out;
}

Tensor& dequantize_per_tensor_Tensor_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& scale,
                                         const Tensor& zero_point, int64_t quant_min, int64_t quant_max,
                                         ScalarType dtype, std::optional<ScalarType> out_dtype, Tensor& out) {
  WICK_REQUIRE(ctx, scale.numel() == 1 && zero_point.numel() == 1, out,
               "dequantize_per_tensor: scale and zero point must have one element");
  if (!require_dtype(ctx, scale, kFloating) || !require_dtype(ctx, zero_point, kInts)) {
    return out;
  }
  return dequantize_per_tensor_out(ctx, in, parameter(scale, 0), static_cast<int64_t>(parameter(zero_point, 0)),
                                   quant_min, quant_max, dtype, out_dtype, out);
}

Tensor& dequantize_per_channel_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& scales,
                                   const std::optional<Tensor>& zero_points, int64_t axis, int64_t, int64_t,
                                   ScalarType dtype, std::optional<ScalarType> out_dtype, Tensor& out) {
  WICK_REQUIRE(ctx, in.dim() > 0, out, "dequantize_per_channel: the input has no dimensions");
  if (!require_dtype(ctx, scales, kFloating) || !wrap_dim(ctx, axis, static_cast<size_t>(in.dim())) ||
      (zero_points.has_value() && !require_dtype(ctx, *zero_points, kInts | kFloating))) {
    return out;
  }
  const ssize_t channels = in.size(static_cast<ssize_t>(axis));
  WICK_REQUIRE(ctx, scales.numel() == channels && (!zero_points.has_value() || zero_points->numel() == channels), out,
               "dequantize_per_channel: scales and zero points must have %d elements", static_cast<int>(channels));
  if (!check(ctx, in, dtype, out_dtype, out)) {
    return out;
  }
  for (size_t i = 0; i < static_cast<size_t>(channels); ++i) {
    View from(in);
    View to(out);
    from.select(static_cast<size_t>(axis), static_cast<int64_t>(i));
    to.select(static_cast<size_t>(axis), static_cast<int64_t>(i));
    dequantize(to, out.scalar_type(), from, in.scalar_type(), parameter(scales, i),
               zero_points.has_value() ? parameter(*zero_points, i) : 0.0);
  }
  return out;
}

Tensor& dequantize_per_token_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& scales,
                                 const Tensor& zero_points, int64_t, int64_t, ScalarType dtype, ScalarType output_dtype,
                                 Tensor& out) {
  WICK_REQUIRE(ctx, in.dim() > 0 && is_contiguous(in) && is_contiguous(out), out,
               "dequantize_per_token: input and output must be contiguous");
  if (!require_dtype(ctx, scales, kFloating) || !require_dtype(ctx, zero_points, kInts | kFloating) ||
      !check(ctx, in, dtype, output_dtype, out)) {
    return out;
  }
  const size_t tokens = product(in.sizes(), 0, static_cast<size_t>(in.dim()) - 1);
  WICK_REQUIRE(ctx, static_cast<size_t>(scales.numel()) == tokens && static_cast<size_t>(zero_points.numel()) == tokens,
               out, "dequantize_per_token: scales and zero points must have %zu elements", tokens);
  const SizesType size = static_cast<SizesType>(in.size(in.dim() - 1));
  View from(in);
  View to(out);
  for (View* view : {&from, &to}) {
    view->shape.dim = 0;
    view->insert(0, size, 1);
  }
  for (size_t i = 0; i < tokens; ++i) {
    dequantize(to, out.scalar_type(), from, in.scalar_type(), parameter(scales, i), parameter(zero_points, i));
    from.data += static_cast<size_t>(size) * from.element_size;
    to.data += static_cast<size_t>(size) * to.element_size;
  }
  return out;
}

// Exporters before 0.3 do not pass out_dtype.
Tensor& dequantize_per_tensor_out_old(KernelRuntimeContext& ctx, const Tensor& in, double scale, int64_t zero_point,
                                      int64_t quant_min, int64_t quant_max, ScalarType dtype, Tensor& out) {
  return dequantize_per_tensor_out(ctx, in, scale, zero_point, quant_min, quant_max, dtype, std::nullopt, out);
}

Tensor& dequantize_per_channel_out_old(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& scales,
                                       const std::optional<Tensor>& zero_points, int64_t axis, int64_t quant_min,
                                       int64_t quant_max, ScalarType dtype, Tensor& out) {
  return dequantize_per_channel_out(ctx, in, scales, zero_points, axis, quant_min, quant_max, dtype, std::nullopt, out);
}

// True if the call has the `count` arguments of the old form, alone or followed by the result, which is the last one.
bool is_old_call(Span<EValue*> args, size_t count) {
  const bool asked = args.data() == wick::internal::question_arguments();  // whether so many arguments are taken
  return args.size() == count || (args.size() == count + 1 && !asked && args[count - 1] == args[count]);
}

void dequantize_per_tensor(KernelRuntimeContext& ctx, Span<EValue*> args) {
  if (is_old_call(args, 7)) {
    wick::internal::Boxed<&dequantize_per_tensor_out_old>::call(ctx, args);
  } else {
    wick::internal::Boxed<&dequantize_per_tensor_out>::call(ctx, args);
  }
}

void dequantize_per_channel(KernelRuntimeContext& ctx, Span<EValue*> args) {
  if (is_old_call(args, 8)) {
    wick::internal::Boxed<&dequantize_per_channel_out_old>::call(ctx, args);
  } else {
    wick::internal::Boxed<&dequantize_per_channel_out>::call(ctx, args);
  }
}

}  // namespace

}  // namespace portable

namespace kernels {

void quantized_decomposed_dequantize_per_tensor_out(KernelRuntimeContext& ctx, Span<EValue*> args);
void quantized_decomposed_dequantize_per_tensor_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::dequantize_per_tensor(ctx, args);
}

void quantized_decomposed_dequantize_per_channel_out(KernelRuntimeContext& ctx, Span<EValue*> args);
void quantized_decomposed_dequantize_per_channel_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::dequantize_per_channel(ctx, args);
}

}  // namespace kernels
}  // namespace wick

WICK_KERNEL(quantized_decomposed_dequantize_per_tensor_Tensor_out, wick::portable::dequantize_per_tensor_Tensor_out)
WICK_KERNEL(quantized_decomposed_dequantize_per_token_out, wick::portable::dequantize_per_token_out)
