// SPDX-License-Identifier: BSD-3-Clause
//
// Activations with parameters: clamp, hardtanh, leaky_relu, elu, gelu, logit, glu; and the choice by a mask: where,
// masked_fill.
#include "src/kernels/portable/arithmetic.h"
#include "src/kernels/portable/pointwise.h"

namespace wick {
namespace portable {
namespace {

struct ClampBoth {
  template <typename T>
  static T apply(T a, const T* bounds) {
    return smaller(larger(a, bounds[0]), bounds[1]);
  }
};
struct Larger {
  template <typename T>
  static T apply(T a, T b) {
    return larger(a, b);
  }
};
struct Smaller {
  template <typename T>
  static T apply(T a, T b) {
    return smaller(a, b);
  }
};
struct LeakyRelu {
  template <typename T>
  static T apply(T a, const T* slope) {
    return a > 0 ? a : a * *slope;
  }
};
// Numbers: alpha, scale, input scale.
struct Elu {
  template <typename T>
  static T apply(T a, const T* numbers) {
    return a <= 0 ? std::expm1(a * numbers[2]) * (numbers[0] * numbers[1]) : a * numbers[1];
  }
};
// x * (1 + erf(x / sqrt(2))) / 2 in PyTorch's order: large values overflow to infinity, infinities give NaN.
struct Gelu {
  template <typename T>
  static T apply(T a) {
    const T bend = std::erf(a * T(0.70710678118654752440)) + (a - a);
    return a * (T(1) + bend) * T(0.5);
  }
};
struct GeluTanh {
  template <typename T>
  static T apply(T a) {
    const T inner = T(0.79788456080286535588) * (a + T(0.044715) * a * a * a);
    return T(0.5) * a * (T(1) + std::tanh(inner));
  }
};
struct Logit {
  template <typename T>
  static T apply(T a) {
    return std::log(a / (T(1) - a));
  }
};
struct LogitBounded {
  template <typename T>
  static T apply(T a, const T* epsilon) {
    const T upper = T(1) - *epsilon;
    return Logit::apply(a < *epsilon ? *epsilon : a > upper ? upper : a);
  }
};
struct Glu {
  template <typename T>
  static T apply(T a, T b) {
    return a * (T(1) / (T(1) + std::exp(-b)));
  }
};

template <typename T>
void clamp_tile(size_t n, char* const* data, const ptrdiff_t* steps, const void*) {
  using internal::at;
  for (size_t i = 0; i < n; ++i) {
    const ptrdiff_t k = static_cast<ptrdiff_t>(i);
    const T value = larger(at<T>(data[1] + k * steps[1]), at<T>(data[2] + k * steps[2]));
    at<T>(data[0] + k * steps[0]) = smaller(value, at<T>(data[3] + k * steps[3]));
  }
}

template <typename T>
void where_tile(size_t n, char* const* data, const ptrdiff_t* steps, const void*) {
  using internal::at;
  for (size_t i = 0; i < n; ++i) {
    const ptrdiff_t k = static_cast<ptrdiff_t>(i);
    const size_t chosen = at<T>(data[1] + k * steps[1]) != T(0) ? 2 : 3;
    at<T>(data[0] + k * steps[0]) = at<T>(data[chosen] + k * steps[chosen]);
  }
}

constexpr DtypeSet kBoundTypes = selected_of(kRealNumbers, "aten::clamp.out", "aten::clamp.Tensor_out");
constexpr PointwiseFunctions kClampBoth =
    unary_functions<ClampBoth, selected_of(kRealNumbers, "aten::clamp.out", "aten::hardtanh.out")>();
constexpr PointwiseFunctions kLarger = binary_functions<Larger, kBoundTypes>();
constexpr PointwiseFunctions kSmaller = binary_functions<Smaller, kBoundTypes>();
constexpr PointwiseFunctions kClampTensors = WICK_TILE_FUNCTIONS(clamp_tile, selected("aten::clamp.Tensor_out"));
constexpr PointwiseFunctions kWhere =
    WICK_TILE_FUNCTIONS(where_tile, selected("aten::where.self_out", "aten::masked_fill.Scalar_out"));
constexpr PointwiseFunctions kLeakyRelu = unary_functions<LeakyRelu, selected_of(kFloating, "aten::leaky_relu.out")>();
constexpr PointwiseFunctions kElu = unary_functions<Elu, selected_of(kFloating, "aten::elu.out")>();
constexpr PointwiseFunctions kGelu = unary_functions<Gelu, selected_of(kFloating, "aten::gelu.out")>();
constexpr PointwiseFunctions kGeluTanh = unary_functions<GeluTanh, selected_of(kFloating, "aten::gelu.out")>();
constexpr PointwiseFunctions kLogit = unary_functions<Logit, selected_of(kFloating, "aten::logit.out")>();
constexpr PointwiseFunctions kLogitBounded = unary_functions<LogitBounded, selected_of(kFloating, "aten::logit.out")>();
constexpr PointwiseFunctions kGlu = binary_functions<Glu, selected_of(kFloating, "aten::glu.out")>();

bool bound_fits(KernelRuntimeContext& ctx, const Scalar& bound, ScalarType common) {
  return require_fit(ctx, bound, common);
}
bool bound_fits(KernelRuntimeContext&, const Tensor&, ScalarType) { return true; }

// The bounds are numbers or tensors.
template <typename Bound>
Tensor& clamp(KernelRuntimeContext& ctx, const Tensor& in, const std::optional<Bound>& min,
              const std::optional<Bound>& max, Tensor& out) {
  WICK_REQUIRE(ctx, min.has_value() || max.has_value(), out, "clamp needs a minimum or a maximum");
  ResultType type;
  type.add(in);
  if (min.has_value()) {
    type.add(*min);
  }
  if (max.has_value()) {
    type.add(*max);
  }
  const ScalarType common = type.get();
  if (!min.has_value() || !max.has_value()) {
    const Bound& bound = min.has_value() ? *min : *max;
    if (bound_fits(ctx, bound, common)) {
      Pointwise(ctx, min.has_value() ? kLarger : kSmaller, common).in(in).in(bound).run(out);
    }
  } else if constexpr (std::is_same_v<Bound, Scalar>) {
    Pointwise(ctx, kClampBoth, common).in(in).scalar(*min).scalar(*max).run(out);
  } else {
    Pointwise(ctx, kClampTensors, common).in(in).in(*min).in(*max).run(out);
  }
  return out;
}

Tensor& hardtanh_out(KernelRuntimeContext& ctx, const Tensor& in, const Scalar& min, const Scalar& max, Tensor& out) {
  WICK_REQUIRE(ctx, in.scalar_type() != ScalarType::Bool, out, "hardtanh does not take bools");
  Pointwise(ctx, kClampBoth, in.scalar_type()).in(in).scalar(min).scalar(max).run(out);
  return out;
}

Tensor& leaky_relu_out(KernelRuntimeContext& ctx, const Tensor& in, const Scalar& slope, Tensor& out) {
  Pointwise(ctx, kLeakyRelu, in.scalar_type()).in(in).scalar(slope).run(out);
  return out;
}

Tensor& elu_out(KernelRuntimeContext& ctx, const Tensor& in, const Scalar& alpha, const Scalar& scale,
                const Scalar& input_scale, Tensor& out) {
  if (!require_same_dtype(ctx, in, out)) {
    return out;
  }
  Pointwise(ctx, kElu, in.scalar_type()).in(in).scalar(alpha).scalar(scale).scalar(input_scale).run(out);
  return out;
}

Tensor& gelu_out(KernelRuntimeContext& ctx, const Tensor& in, std::string_view approximate, Tensor& out) {
  WICK_REQUIRE(ctx, approximate == "none" || approximate == "tanh", out, "gelu approximates by none or tanh");
  if (!require_same_dtype(ctx, in, out)) {
    return out;
  }
  Pointwise(ctx, approximate == "tanh" ? kGeluTanh : kGelu, in.scalar_type()).in(in).run(out);
  return out;
}

Tensor& logit_out(KernelRuntimeContext& ctx, const Tensor& in, const std::optional<double>& epsilon, Tensor& out) {
  const Scalar bound(epsilon.value_or(0));
  Pointwise call(ctx, epsilon.has_value() ? kLogitBounded : kLogit, to_floating(in.scalar_type()));
  call.in(in).scalar(bound).run(out);
  return out;
}

Tensor& glu_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, Tensor& out) {
  WICK_REQUIRE(ctx, in.dim() > 0 && static_cast<size_t>(in.dim()) <= kMaxDims, out, "glu needs a dimension to halve");
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
    return out;
  }
  Shape half(in.sizes());
  SizesType& size = half[static_cast<size_t>(dim)];
  WICK_REQUIRE(ctx, size % 2 == 0, out, "glu needs an even size, not %d", static_cast<int>(size));
  size /= 2;
  ptrdiff_t strides[kMaxDims];
  strides_of(in, strides);
  const char* second = static_cast<const char*>(in.const_data_ptr()) + strides[dim] * size * in.element_size();
  Pointwise call(ctx, kGlu, in.scalar_type());
  call.in(in.const_data_ptr(), in.scalar_type(), half, strides).in(second, in.scalar_type(), half, strides);
  call.run(out);
  return out;
}

Tensor& where_out(KernelRuntimeContext& ctx, const Tensor& condition, const Tensor& a, const Tensor& b, Tensor& out) {
  if (require_dtype(ctx, condition, dtypes(ScalarType::Bool, ScalarType::Byte))) {
    Pointwise(ctx, kWhere, ResultType().add(a).add(b).get()).in(condition).in(a).in(b).run(out);
  }
  return out;
}

Tensor& masked_fill_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& mask, const Scalar& value,
                        Tensor& out) {
  if (require_dtype(ctx, mask, dtypes(ScalarType::Bool)) && require_same_dtype(ctx, in, out) &&
      require_fit(ctx, value, in.scalar_type())) {
    Pointwise(ctx, kWhere, in.scalar_type()).in(mask).in(value).in(in).run(out);
  }
  return out;
}

}  // namespace
}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_clamp_out, portable::clamp<Scalar>)
WICK_KERNEL(aten_clamp_Tensor_out, portable::clamp<Tensor>)
WICK_KERNEL(aten_hardtanh_out, portable::hardtanh_out)
WICK_KERNEL(aten_leaky_relu_out, portable::leaky_relu_out)
WICK_KERNEL(aten_elu_out, portable::elu_out)
WICK_KERNEL(aten_gelu_out, portable::gelu_out)
WICK_KERNEL(aten_logit_out, portable::logit_out)
WICK_KERNEL(aten_glu_out, portable::glu_out)
WICK_KERNEL(aten_where_self_out, portable::where_out)
WICK_KERNEL(aten_masked_fill_Scalar_out, portable::masked_fill_out)
