// SPDX-License-Identifier: BSD-3-Clause
//
// quantized_decomposed::mixed_mm and mixed_linear (float activations, int8 weights) and add (two quantised tensors).
#include "src/kernels/quantized/quantization.h"

namespace wick {
namespace portable {

namespace {

bool check(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& weight, const Tensor& scales,
           const std::optional<Tensor>& zero_points, const Tensor& out) {
  WICK_REQUIRE(ctx,
               in.dim() == 2 && weight.dim() == 2 && (scales.dim() == 1 || scales.dim() == 2) &&
                   scales.size(0) == weight.size(0) && is_contiguous(scales),
               false, "a mixed product needs matrices, and scales for every row of the weight");
  WICK_REQUIRE(ctx, !zero_points.has_value(), false, "mixed products with zero points are not supported");
  return require_dtype(ctx, in, kFloating) && require_dtype(ctx, weight, dtypes(ScalarType::Char)) &&
         require_dtype(ctx, scales, kFloating) && require_dtype(ctx, out, kFloating);
}

const char* at(const View& view, ptrdiff_t i, ptrdiff_t j) {
  return view.data + (i * view.strides[0] + j * view.strides[1]) * static_cast<ptrdiff_t>(view.element_size);
}

// out[i, j] = sum over k of in[i, k] * weight(k, j) * scale(k, j); `locate` tells where these two are.
template <typename Locate>
void multiply(const Tensor& in, const Tensor& scales, Tensor& out, Locate locate) {
  const View from(in);
  const View to(out);
  for (ptrdiff_t i = 0; i < to.shape[0]; ++i) {
    for (ptrdiff_t j = 0; j < to.shape[1]; ++j) {
      float sum = 0;
      for (ptrdiff_t k = 0; k < from.shape[1]; ++k) {
        const int8_t* weight = nullptr;
        const size_t scale = locate(k, j, weight);
        sum += load_one<float>(in.scalar_type(), at(from, i, k)) * static_cast<float>(*weight) *
               static_cast<float>(parameter(scales, scale));
      }
      store_one(out.scalar_type(), const_cast<char*>(at(to, i, j)), sum);
    }
  }
}

bool resize_product(KernelRuntimeContext& ctx, Tensor& out, ssize_t rows, ssize_t columns) {
  const SizesType sizes[2] = {static_cast<SizesType>(rows), static_cast<SizesType>(columns)};
  return resize(ctx, out, Sizes(sizes, 2));
}

Tensor& mixed_mm_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& weight, const Tensor& scales,
                     const std::optional<Tensor>& zero_points, Tensor& out) {
  if (!check(ctx, in, weight, scales, zero_points, out)) {
    return out;
  }
  WICK_REQUIRE(ctx, in.size(1) == weight.size(0) && scales.dim() == 1, out,
               "mixed_mm needs [m, k] by [k, n] with k scales");
  if (resize_product(ctx, out, in.size(0), weight.size(1))) {
    const View values(weight);
    multiply(in, scales, out, [&](ptrdiff_t k, ptrdiff_t j, const int8_t*& element) {
      element = reinterpret_cast<const int8_t*>(at(values, k, j));
      return static_cast<size_t>(k);
    });
  }
  return out;
}

Tensor& mixed_linear_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& weight, const Tensor& scales,
                         const std::optional<Tensor>& zero_points, std::optional<ScalarType> dtype, Tensor& out) {
  if (!check(ctx, in, weight, scales, zero_points, out)) {
    return out;
  }
  WICK_REQUIRE(ctx, in.size(1) == weight.size(1) && dtype.value_or(out.scalar_type()) == out.scalar_type(), out,
               "mixed_linear needs [m, k] by [n, k] and an output of the named dtype");
  const ptrdiff_t groups = scales.dim() == 2 ? static_cast<ptrdiff_t>(scales.size(1)) : 1;
  WICK_REQUIRE(ctx, groups > 0, out, "mixed_linear: no scales");
  const ptrdiff_t length = (static_cast<ptrdiff_t>(in.size(1)) + groups - 1) / groups;
  if (resize_product(ctx, out, in.size(0), weight.size(0))) {
    const View values(weight);
    multiply(in, scales, out, [&](ptrdiff_t k, ptrdiff_t j, const int8_t*& element) {
      element = reinterpret_cast<const int8_t*>(at(values, j, k));
      return static_cast<size_t>(j * groups + k / length);
    });
  }
  return out;
}

// Scale, zero point and range of one tensor of the addition.
struct Quantization {
  float scale;
  float zero_point;
};

Tensor& add_out(KernelRuntimeContext& ctx, const Tensor& a, double a_scale, int64_t a_zero_point, int64_t, int64_t,
                const Tensor& b, double b_scale, int64_t b_zero_point, int64_t, int64_t, double out_scale,
                int64_t out_zero_point, int64_t out_quant_min, int64_t out_quant_max, Tensor& out) {
  constexpr size_t kTile = 32;
  WICK_REQUIRE(ctx, a.sizes().equals(b.sizes()), out, "quantised add: the inputs differ in sizes");
  if (!require_dtype(ctx, a, kQuantizedTypes) || !require_same_dtype(ctx, a, b) || !require_same_dtype(ctx, a, out) ||
      !require_range(ctx, out_quant_min, out_quant_max, out.scalar_type()) || !resize_as(ctx, out, a)) {
    return out;
  }
  const Quantization qa = {static_cast<float>(a_scale), static_cast<float>(a_zero_point)};
  const Quantization qb = {static_cast<float>(b_scale), static_cast<float>(b_zero_point)};
  const float factor = 1.0f / static_cast<float>(out_scale);
  const ScalarType type = plain_type(a.scalar_type());
  float left[kTile];
  float right[kTile];
  StridedLoop loop(out.sizes());
  loop.add(out);
  loop.add(a);
  loop.add(b);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); i += kTile) {
      const size_t count = loop.run() - i < kTile ? loop.run() - i : kTile;
      const ptrdiff_t place = static_cast<ptrdiff_t>(i);
      load(type, loop.data(1) + place * loop.step(1), loop.step(1), count, left);
      load(type, loop.data(2) + place * loop.step(2), loop.step(2), count, right);
      for (size_t j = 0; j < count; ++j) {
        const float sum = (left[j] - qa.zero_point) * qa.scale + (right[j] - qb.zero_point) * qb.scale;
        left[j] = clamp(round_to_even(sum * factor) + static_cast<float>(out_zero_point),
                        static_cast<float>(out_quant_min), static_cast<float>(out_quant_max));
      }
      store(type, loop.data(0) + place * loop.step(0), loop.step(0), count, left);
    }
  }
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(quantized_decomposed_mixed_mm_out, wick::portable::mixed_mm_out)
WICK_KERNEL(quantized_decomposed_mixed_linear_out, wick::portable::mixed_linear_out)
WICK_KERNEL(quantized_decomposed_add_out, wick::portable::add_out)
