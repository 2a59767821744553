// SPDX-License-Identifier: BSD-3-Clause
//
// quantized_decomposed::choose_qparams and choose_qparams_per_token_asymmetric: scale and zero point from the range of
// the values, in single precision as eager PyTorch computes them.
#include <cfloat>
#include <tuple>

#include "src/kernels/quantized/quantization.h"

namespace wick {
namespace portable {

namespace {

using Outputs = std::tuple<Tensor&, Tensor&>;

// Widens [low, high], which includes 0, to the values of a view.
void widen(const View& view, ScalarType type, float& low, float& high) {
  constexpr size_t kTile = 32;
  float values[kTile];
  StridedLoop loop(view.shape);
  loop.add(view.data, view.element_size, view.strides);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); i += kTile) {
      const size_t count = loop.run() - i < kTile ? loop.run() - i : kTile;
      load(type, loop.data(0) + static_cast<ptrdiff_t>(i) * loop.step(0), loop.step(0), count, values);
      for (size_t j = 0; j < count; ++j) {
        low = values[j] < low ? values[j] : low;
        high = values[j] > high ? values[j] : high;
      }
    }
  }
}

bool check(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& scale_out, const Tensor& zero_point_out) {
  return require_dtype(ctx, in, kHalfs | dtypes(ScalarType::Float)) && require_dtype(ctx, scale_out, kFloats) &&
         require_dtype(ctx, zero_point_out, dtypes(ScalarType::Long, ScalarType::Int));
}

void store_parameters(Tensor& scale_out, Tensor& zero_point_out, size_t i, float scale, float zero_point) {
  store_one(scale_out.scalar_type(),
            static_cast<char*>(scale_out.mutable_data_ptr()) + i * static_cast<size_t>(scale_out.element_size()),
            static_cast<double>(scale));
  store_one(
      zero_point_out.scalar_type(),
      static_cast<char*>(zero_point_out.mutable_data_ptr()) + i * static_cast<size_t>(zero_point_out.element_size()),
      static_cast<int64_t>(zero_point));
}

Outputs choose_qparams_Tensor_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t quant_min, int64_t quant_max,
                                  double eps, ScalarType, Tensor& scale_out, Tensor& zero_point_out) {
  const Outputs outputs(scale_out, zero_point_out);
  WICK_REQUIRE(ctx, quant_min < quant_max && in.numel() > 0, outputs,
               "choose_qparams: an empty input or an empty range of values");
  const SizesType one[1] = {1};
  if (!check(ctx, in, scale_out, zero_point_out) || !resize(ctx, scale_out, Sizes(one, 1)) ||
      !resize(ctx, zero_point_out, Sizes(one, 1))) {
    return outputs;
  }
  float low = 0;
  float high = 0;
  widen(View(in), in.scalar_type(), low, high);
  float scale = (high - low) / static_cast<float>(quant_max - quant_min);
  scale = scale < static_cast<float>(eps) ? static_cast<float>(eps) : scale;
  const float zero = static_cast<float>(quant_min) - round_to_even(low / scale);
  store_parameters(scale_out, zero_point_out, 0, scale,
                   clamp(zero, static_cast<float>(quant_min), static_cast<float>(quant_max)));
  return outputs;
}

Outputs choose_qparams_per_token_asymmetric_out(KernelRuntimeContext& ctx, const Tensor& in, ScalarType,
                                                Tensor& scale_out, Tensor& zero_point_out) {
  const Outputs outputs(scale_out, zero_point_out);
  WICK_REQUIRE(ctx, in.dim() > 0 && is_contiguous(in), outputs,
               "choose_qparams_per_token: the input must be contiguous and have dimensions");
  const SizesType size = static_cast<SizesType>(in.size(in.dim() - 1));
  Shape sizes(in.sizes());
  sizes[sizes.dim - 1] = 1;
  if (!check(ctx, in, scale_out, zero_point_out) || !resize(ctx, scale_out, sizes) ||
      !resize(ctx, zero_point_out, sizes)) {
    return outputs;
  }
  constexpr float kLow = -128;
  constexpr float kHigh = 127;
  View line(in);
  line.shape.dim = 0;
  line.insert(0, size, 1);
  const size_t tokens = product(sizes);
  for (size_t i = 0; i < tokens; ++i, line.data += static_cast<size_t>(size) * line.element_size) {
    float low = 0;
    float high = 0;
    widen(line, in.scalar_type(), low, high);
    float scale = (high - low) / (kHigh - kLow);
    scale = scale < FLT_EPSILON ? FLT_EPSILON : scale;
    const float from_low = kLow - low / scale;  // the zero point that makes the smallest value exact
    const float from_high = kHigh - high / scale;
    const bool low_errs_less = (kLow + low / scale) + (kHigh + high / scale) > 0;
    store_parameters(scale_out, zero_point_out, i, scale,
                     round_to_even(clamp(low_errs_less ? from_low : from_high, kLow, kHigh)));
  }
  return outputs;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(quantized_decomposed_choose_qparams_Tensor_out, wick::portable::choose_qparams_Tensor_out)
WICK_KERNEL(quantized_decomposed_choose_qparams_per_token_asymmetric_out,
            wick::portable::choose_qparams_per_token_asymmetric_out)
