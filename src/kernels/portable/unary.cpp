// SPDX-License-Identifier: BSD-3-Clause
//
// Unary mathematics: roundings, signs, roots, exponentials, logarithms, trigonometry, isnan and isinf.
// Integers give floats where the function does not stay within the integers.
#include <limits>

#include "src/kernels/portable/arithmetic.h"
#include "src/kernels/portable/pointwise.h"

namespace wick {
namespace portable {
namespace {

struct Absolute {
  template <typename T>
  static T apply(T a) {
    if constexpr (std::is_integral_v<T>) {
      return a < 0 ? subtract<T>(0, a) : a;
    } else {
      return std::fabs(a);
    }
  }
};
struct Negative {
  template <typename T>
  static T apply(T a) {
    if constexpr (std::is_integral_v<T>) {
      return subtract<T>(0, a);
    } else {
      return -a;
    }
  }
};
struct Sign {
  template <typename T>
  static T apply(T a) {
    return static_cast<T>((a > 0) - (a < 0));
  }
};
struct Relu {
  template <typename T>
  static T apply(T a) {
    return a <= 0 ? 0 : a;  // NaN stays
  }
};
struct Conjugate {
  template <typename T>
  static T apply(T a) {
    if constexpr (std::is_arithmetic_v<T>) {
      return a;
    } else {
      return T(a.real(), -a.imag());
    }
  }
};
struct IsNan {
  template <typename T>
  static bool apply(T a) {
    return is_nan(a);
  }
};
struct IsInf {
  template <typename T>
  static bool apply(T a) {
    if constexpr (std::is_integral_v<T>) {
      return false;
    } else {
      return std::fabs(a) > std::numeric_limits<T>::max();
    }
  }
};
struct Reciprocal {
  template <typename T>
  static T apply(T a) {
    return T(1) / a;
  }
};
struct ReciprocalRoot {
  template <typename T>
  static T apply(T a) {
    return T(1) / std::sqrt(a);
  }
};
struct Sigmoid {
  template <typename T>
  static T apply(T a) {
    return T(1) / (T(1) + std::exp(-a));
  }
};

// Functions of <cmath> by their names; integers stay as they are in the roundings.
#define WICK_MATH(name, function) \
  struct name {                   \
    template <typename T>         \
    static T apply(T a) {         \
      return std::function(a);    \
    }                             \
  };
WICK_MATH(Acos, acos)
WICK_MATH(Acosh, acosh)
WICK_MATH(Asin, asin)
WICK_MATH(Asinh, asinh)
WICK_MATH(Atan, atan)
WICK_MATH(Atanh, atanh)
WICK_MATH(Ceil, ceil)
WICK_MATH(Cos, cos)
WICK_MATH(Cosh, cosh)
WICK_MATH(Erf, erf)
WICK_MATH(Exp, exp)
WICK_MATH(Expm1, expm1)
WICK_MATH(Floor, floor)
WICK_MATH(Log, log)
WICK_MATH(Log10, log10)
WICK_MATH(Log1p, log1p)
WICK_MATH(Log2, log2)
WICK_MATH(Round, rint)  // halves to even
WICK_MATH(Sin, sin)
WICK_MATH(Sinh, sinh)
WICK_MATH(Sqrt, sqrt)
WICK_MATH(Tan, tan)
WICK_MATH(Tanh, tanh)
WICK_MATH(Trunc, trunc)
#undef WICK_MATH

Tensor& run(KernelRuntimeContext& ctx, const PointwiseFunctions& functions, const Tensor& in, ScalarType common,
            Tensor& out) {
  Pointwise(ctx, functions, common).in(in).run(out);
  return out;
}

template <const PointwiseFunctions& kFunctions>
Tensor& math(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  return run(ctx, kFunctions, in, to_floating(in.scalar_type()), out);
}

template <const PointwiseFunctions& kFunctions>
Tensor& same_type(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  return run(ctx, kFunctions, in, in.scalar_type(), out);
}

template <const PointwiseFunctions& kFunctions>
Tensor& predicate(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  if (require_dtype(ctx, out, kBoolean)) {
    Pointwise(ctx, kFunctions, in.scalar_type()).in(in).gives_bool().run(out);
  }
  return out;
}

// Eager PyTorch has no such function of bools.
template <const PointwiseFunctions& kFunctions>
Tensor& same_number(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  WICK_REQUIRE(ctx, in.scalar_type() != ScalarType::Bool, out, "the operator does not take bools");
  return same_type<kFunctions>(ctx, in, out);
}

// A rounding leaves integers as they are.
template <typename Op, DtypeSet kTypes>
constexpr PointwiseFunctions rounding() {
  PointwiseFunctions functions = unary_functions<Op, kTypes&(kFloating | kMixedShapes)>();
  functions.functions[static_cast<size_t>(Compute::kInt)] =
      internal::function_for<Conjugate, kTypes, Compute::kInt, int64_t, true, false>();
  return functions;
}

constexpr PointwiseFunctions kAbsolute = unary_functions<Absolute, selected_of(kRealNumbers, "aten::abs.out")>();
constexpr PointwiseFunctions kNegative = unary_functions<Negative, selected_of(kRealNumbers, "aten::neg.out")>();
constexpr PointwiseFunctions kSign = unary_functions<Sign, selected_of(kRealNumbers, "aten::sign.out")>();
constexpr PointwiseFunctions kRelu = unary_functions<Relu, selected_of(kRealNumbers, "aten::relu.out")>();
constexpr PointwiseFunctions kConjugate =
    unary_functions<Conjugate, selected_of(kNumbers, "aten::_conj_physical.out")>();
constexpr PointwiseFunctions kIsNan = unary_predicate<IsNan, selected_of(kRealNumbers, "aten::isnan.out")>();
constexpr PointwiseFunctions kIsInf = unary_predicate<IsInf, selected_of(kRealNumbers, "aten::isinf.out")>();
constexpr PointwiseFunctions kCeil = rounding<Ceil, selected_of(kRealNumbers, "aten::ceil.out")>();
constexpr PointwiseFunctions kFloor = rounding<Floor, selected_of(kRealNumbers, "aten::floor.out")>();
constexpr PointwiseFunctions kRound = rounding<Round, selected_of(kRealNumbers, "aten::round.out")>();
constexpr PointwiseFunctions kTrunc = rounding<Trunc, selected_of(kRealNumbers, "aten::trunc.out")>();

// Complex magnitudes are real: their own small loop.
void complex_magnitude(const Tensor& in, Tensor& out) {
  StridedLoop loop(out.sizes());
  loop.add(out);
  loop.add(in);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const Complex value = load_one<Complex>(in.scalar_type(), loop.data(1) + at * loop.step(1));
      store_one(out.scalar_type(), loop.data(0) + at * loop.step(0), std::hypot(value.real(), value.imag()));
    }
  }
}

Tensor& abs_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  if ((kComplexes & selected("aten::abs.out")) != 0 && is_in(in.scalar_type(), kComplexes)) {
    if (require_dtype(ctx, out, kFloating) && resize_as(ctx, out, in)) {
      complex_magnitude(in, out);
    }
    return out;
  }
  return run(ctx, kAbsolute, in, in.scalar_type(), out);
}

Tensor& conjugate_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  return require_same_dtype(ctx, in, out) ? same_type<kConjugate>(ctx, in, out) : out;
}

Tensor& neg_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  WICK_REQUIRE(ctx, in.scalar_type() != ScalarType::Bool, out, "bools have no negative: use logical_not");
  return run(ctx, kNegative, in, in.scalar_type(), out);
}

}  // namespace
}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_abs_out, portable::abs_out)
WICK_KERNEL(aten_neg_out, portable::neg_out)
WICK_KERNEL(aten_sign_out, portable::same_type<portable::kSign>)
WICK_KERNEL(aten_relu_out, portable::same_number<portable::kRelu>)
WICK_KERNEL(aten__conj_physical_out, portable::conjugate_out)
WICK_KERNEL(aten_ceil_out, portable::same_type<portable::kCeil>)
WICK_KERNEL(aten_floor_out, portable::same_type<portable::kFloor>)
WICK_KERNEL(aten_round_out, portable::same_number<portable::kRound>)
WICK_KERNEL(aten_trunc_out, portable::same_type<portable::kTrunc>)
WICK_KERNEL(aten_isnan_out, portable::predicate<portable::kIsNan>)
WICK_KERNEL(aten_isinf_out, portable::predicate<portable::kIsInf>)

// An operator whose results are floats: its table, then the kernel.
#define WICK_MATH_KERNEL(Op, name)                                                                           \
  namespace wick {                                                                                           \
  namespace portable {                                                                                       \
  namespace {                                                                                                \
  constexpr PointwiseFunctions k##Op = unary_functions<Op, selected_of(kFloating, "aten::" #name ".out")>(); \
  }                                                                                                          \
  }                                                                                                          \
  }                                                                                                          \
  WICK_KERNEL(aten_##name##_out, portable::math<portable::k##Op>)

WICK_MATH_KERNEL(Acos, acos)
WICK_MATH_KERNEL(Acosh, acosh)
WICK_MATH_KERNEL(Asin, asin)
WICK_MATH_KERNEL(Asinh, asinh)
WICK_MATH_KERNEL(Atan, atan)
WICK_MATH_KERNEL(Atanh, atanh)
WICK_MATH_KERNEL(Cos, cos)
WICK_MATH_KERNEL(Cosh, cosh)
WICK_MATH_KERNEL(Erf, erf)
WICK_MATH_KERNEL(Exp, exp)
WICK_MATH_KERNEL(Expm1, expm1)
WICK_MATH_KERNEL(Log, log)
WICK_MATH_KERNEL(Log10, log10)
WICK_MATH_KERNEL(Log1p, log1p)
WICK_MATH_KERNEL(Log2, log2)
WICK_MATH_KERNEL(Reciprocal, reciprocal)
WICK_MATH_KERNEL(ReciprocalRoot, rsqrt)
WICK_MATH_KERNEL(Sigmoid, sigmoid)
WICK_MATH_KERNEL(Sin, sin)
WICK_MATH_KERNEL(Sinh, sinh)
WICK_MATH_KERNEL(Sqrt, sqrt)
WICK_MATH_KERNEL(Tan, tan)
WICK_MATH_KERNEL(Tanh, tanh)
