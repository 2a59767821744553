// SPDX-License-Identifier: BSD-3-Clause
//
// Binary arithmetic: add, sub, rsub, mul, div, floor_divide, fmod, remainder, pow, atan2, maximum, minimum.
// Each operator is its arithmetic in a compute type (see pointwise.h) and the dtype rule of PyTorch.
#include "src/kernels/portable/arithmetic.h"
#include "src/kernels/portable/pointwise.h"

namespace wick {
namespace portable {
namespace {

struct AddScaled {
  template <typename T>
  static T apply(const T& a, const T& b, const T* alpha) {
    return add(a, multiply(*alpha, b));
  }
};
struct SubtractScaled {
  template <typename T>
  static T apply(const T& a, const T& b, const T* alpha) {
    return subtract(a, multiply(*alpha, b));
  }
};
struct ReverseSubtract {
  template <typename T>
  static T apply(const T& a, const T& b, const T* alpha) {
    return subtract(b, multiply(*alpha, a));
  }
};
struct Multiply {
  template <typename T>
  static T apply(const T& a, const T& b) {
    return multiply(a, b);
  }
};
struct Divide {
  template <typename T>
  static T apply(const T& a, const T& b) {
    return a / b;
  }
};
struct DivideTrunc {
  template <typename T>
  static T apply(T a, T b) {
    return divide_trunc(a, b);
  }
};
struct DivideFloor {
  template <typename T>
  static T apply(T a, T b) {
    return divide_floor(a, b);
  }
};
struct Fmod {
  template <typename T>
  static T apply(T a, T b) {
    return remainder_trunc(a, b);
  }
};
struct Remainder {
  template <typename T>
  static T apply(T a, T b) {
    return remainder_floor(a, b);
  }
};
struct Power {
  template <typename T>
  static T apply(T a, T b) {
    return power(a, b);
  }
};
struct ArcTangent2 {
  template <typename T>
  static T apply(T a, T b) {
    return std::atan2(a, b);
  }
};
struct Maximum {
  template <typename T>
  static T apply(T a, T b) {
    return larger(a, b);
  }
};
struct Minimum {
  template <typename T>
  static T apply(T a, T b) {
    return smaller(a, b);
  }
};

constexpr DtypeSet kAddTypes = selected_of(kNumbers, "aten::add.out", "aten::add.Scalar_out");
constexpr DtypeSet kSubTypes = selected_of(kNumbers, "aten::sub.out", "aten::sub.Scalar_out");
constexpr DtypeSet kMulTypes = selected_of(kNumbers, "aten::mul.out", "aten::mul.Scalar_out");
constexpr DtypeSet kDivTypes =
    selected("aten::div.out", "aten::div.Scalar_out", "aten::div.out_mode", "aten::div.Scalar_mode_out");
constexpr DtypeSet kDivModeTypes =
    selected_of(kRealNumbers, "aten::div.out_mode", "aten::div.Scalar_mode_out", "aten::floor_divide.out");
constexpr DtypeSet kRestTypes = selected_of(kRealNumbers, "aten::remainder.Tensor_out", "aten::remainder.Scalar_out");
constexpr DtypeSet kFmodTypes = selected_of(kRealNumbers, "aten::fmod.Tensor_out", "aten::fmod.Scalar_out");
constexpr DtypeSet kPowTypes =
    selected_of(kRealNumbers, "aten::pow.Tensor_Tensor_out", "aten::pow.Tensor_Scalar_out", "aten::pow.Scalar_out");

constexpr PointwiseFunctions kAddScaled = binary_functions<AddScaled, kAddTypes>();
constexpr PointwiseFunctions kSubtractScaled = binary_functions<SubtractScaled, kSubTypes>();
constexpr PointwiseFunctions kReverseSubtract =
    binary_functions<ReverseSubtract, selected_of(kRealNumbers, "aten::rsub.Scalar_out")>();
constexpr PointwiseFunctions kMultiply = binary_functions<Multiply, kMulTypes>();
constexpr PointwiseFunctions kDivide = binary_functions<Divide, (kFloating | kComplexes | kMixedShapes) & kDivTypes>();
constexpr PointwiseFunctions kDivideTrunc = binary_functions<DivideTrunc, kDivModeTypes>();
constexpr PointwiseFunctions kDivideFloor = binary_functions<DivideFloor, kDivModeTypes>();
constexpr PointwiseFunctions kFmod = binary_functions<Fmod, kFmodTypes>();
constexpr PointwiseFunctions kRemainder = binary_functions<Remainder, kRestTypes>();
constexpr PointwiseFunctions kPower = binary_functions<Power, kPowTypes>();
constexpr PointwiseFunctions kArcTangent2 = binary_functions<ArcTangent2, selected_of(kFloating, "aten::atan2.out")>();
constexpr PointwiseFunctions kMaximum = binary_functions<Maximum, selected_of(kRealNumbers, "aten::maximum.out")>();
constexpr PointwiseFunctions kMinimum = binary_functions<Minimum, selected_of(kRealNumbers, "aten::minimum.out")>();

template <typename B>
ScalarType result_type(const Tensor& a, const B& b) {
  return ResultType().add(a).add(b).get();
}

template <typename B>
Tensor& run(KernelRuntimeContext& ctx, const PointwiseFunctions& functions, ScalarType common, const Tensor& a,
            const B& b, Tensor& out) {
  Pointwise(ctx, functions, common).in(a).in(b).run(out);
  return out;
}

// a + alpha * b and its like: alpha must be of the kind of the result.
template <typename B>
Tensor& run_scaled(KernelRuntimeContext& ctx, const PointwiseFunctions& functions, const Tensor& a, const B& b,
                   const Scalar& alpha, Tensor& out) {
  const ScalarType common = result_type(a, b);
  WICK_REQUIRE(ctx, !alpha.isFloatingPoint() || !is_in(common, kIntegral), out,
               "alpha must be an integer where the result is");
  Pointwise(ctx, functions, common).in(a).in(b).scalar(alpha).run(out);
  return out;
}

Tensor& add_out(KernelRuntimeContext& ctx, const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  return run_scaled(ctx, kAddScaled, a, b, alpha, out);
}
Tensor& add_scalar_out(KernelRuntimeContext& ctx, const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out) {
  return run_scaled(ctx, kAddScaled, a, b, alpha, out);
}

bool not_bool(KernelRuntimeContext& ctx, ScalarType common) {
  WICK_REQUIRE(ctx, common != ScalarType::Bool, false, "bools cannot be subtracted: use logical_xor or logical_not");
  return true;
}
Tensor& sub_out(KernelRuntimeContext& ctx, const Tensor& a, const Tensor& b, const Scalar& alpha, Tensor& out) {
  return not_bool(ctx, result_type(a, b)) ? run_scaled(ctx, kSubtractScaled, a, b, alpha, out) : out;
}
Tensor& sub_scalar_out(KernelRuntimeContext& ctx, const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out) {
  return not_bool(ctx, result_type(a, b)) ? run_scaled(ctx, kSubtractScaled, a, b, alpha, out) : out;
}
Tensor& rsub_scalar_out(KernelRuntimeContext& ctx, const Tensor& a, const Scalar& b, const Scalar& alpha, Tensor& out) {
  const ScalarType common = result_type(a, b);
  WICK_REQUIRE(ctx, out.scalar_type() == common, out, "rsub: the output must have the result's dtype %d",
               static_cast<int>(common));
  return not_bool(ctx, common) ? run_scaled(ctx, kReverseSubtract, a, b, alpha, out) : out;
}

template <const PointwiseFunctions& kFunctions, typename B>
Tensor& arithmetic(KernelRuntimeContext& ctx, const Tensor& a, const B& b, Tensor& out) {
  return run(ctx, kFunctions, result_type(a, b), a, b, out);
}

template <const PointwiseFunctions& kFunctions, typename B>
Tensor& arithmetic_in_float(KernelRuntimeContext& ctx, const Tensor& a, const B& b, Tensor& out) {
  return run(ctx, kFunctions, to_floating(result_type(a, b)), a, b, out);
}

// Integers have no answer to a division by zero: looked for before anything is written.
bool has_zero(const Scalar& b) { return !b.isFloatingPoint() && scalar_to_int(b) == 0; }
bool has_zero(const Tensor& b) {
  StridedLoop loop(b.sizes());
  loop.add(b);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      if (load_one<int64_t>(b.scalar_type(), loop.data(0) + static_cast<ptrdiff_t>(i) * loop.step(0)) == 0) {
        return true;
      }
    }
  }
  return false;
}

template <typename B>
Tensor& run_division(KernelRuntimeContext& ctx, const PointwiseFunctions& functions, const Tensor& a, const B& b,
                     Tensor& out) {
  const ScalarType common = result_type(a, b);
  WICK_REQUIRE(ctx, common != ScalarType::Bool, out, "bools cannot be divided here");
  WICK_REQUIRE(ctx, !is_in(common, kIntegral) || !has_zero(b), out, "integer division by zero");
  return run(ctx, functions, common, a, b, out);
}

template <const PointwiseFunctions& kFunctions, typename B>
Tensor& division(KernelRuntimeContext& ctx, const Tensor& a, const B& b, Tensor& out) {
  return run_division(ctx, kFunctions, a, b, out);
}

template <typename B>
Tensor& div_mode(KernelRuntimeContext& ctx, const Tensor& a, const B& b, const std::optional<std::string_view>& mode,
                 Tensor& out) {
  if (!mode.has_value()) {
    return arithmetic_in_float<kDivide>(ctx, a, b, out);
  }
  WICK_REQUIRE(ctx, *mode == "trunc" || *mode == "floor", out, "the rounding mode must be trunc, floor or none");
  return run_division(ctx, *mode == "trunc" ? kDivideTrunc : kDivideFloor, a, b, out);
}

Tensor& pow_scalar_out(KernelRuntimeContext& ctx, const Scalar& a, const Tensor& b, Tensor& out) {
  Pointwise(ctx, kPower, result_type(b, a)).in(a).in(b).run(out);
  return out;
}

Tensor& pow_tensor_scalar_out(KernelRuntimeContext& ctx, const Tensor& a, const Scalar& b, Tensor& out) {
  const ScalarType common = result_type(a, b);
  WICK_REQUIRE(ctx, !is_in(common, kIntegral) || scalar_to_int(b) >= 0, out,
               "integers cannot be raised to a negative power");
  return run(ctx, kPower, common, a, b, out);
}

}  // namespace
}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_add_out, portable::add_out)
WICK_KERNEL(aten_add_Scalar_out, portable::add_scalar_out)
WICK_KERNEL(aten_sub_out, portable::sub_out)
WICK_KERNEL(aten_sub_Scalar_out, portable::sub_scalar_out)
WICK_KERNEL(aten_rsub_Scalar_out, portable::rsub_scalar_out)
WICK_KERNEL(aten_mul_out, (portable::arithmetic<portable::kMultiply, Tensor>))
WICK_KERNEL(aten_mul_Scalar_out, (portable::arithmetic<portable::kMultiply, Scalar>))
WICK_KERNEL(aten_div_out, (portable::arithmetic_in_float<portable::kDivide, Tensor>))
WICK_KERNEL(aten_div_Scalar_out, (portable::arithmetic_in_float<portable::kDivide, Scalar>))
WICK_KERNEL(aten_div_out_mode, portable::div_mode<Tensor>)
WICK_KERNEL(aten_div_Scalar_mode_out, portable::div_mode<Scalar>)
WICK_KERNEL(aten_floor_divide_out, (portable::division<portable::kDivideFloor, Tensor>))
WICK_KERNEL(aten_fmod_Tensor_out, (portable::division<portable::kFmod, Tensor>))
WICK_KERNEL(aten_fmod_Scalar_out, (portable::division<portable::kFmod, Scalar>))
WICK_KERNEL(aten_remainder_Tensor_out, (portable::division<portable::kRemainder, Tensor>))
WICK_KERNEL(aten_remainder_Scalar_out, (portable::division<portable::kRemainder, Scalar>))
WICK_KERNEL(aten_pow_Tensor_Tensor_out, (portable::arithmetic<portable::kPower, Tensor>))
WICK_KERNEL(aten_pow_Tensor_Scalar_out, portable::pow_tensor_scalar_out)
WICK_KERNEL(aten_pow_Scalar_out, portable::pow_scalar_out)
WICK_KERNEL(aten_atan2_out, (portable::arithmetic_in_float<portable::kArcTangent2, Tensor>))
WICK_KERNEL(aten_maximum_out, (portable::arithmetic<portable::kMaximum, Tensor>))
WICK_KERNEL(aten_minimum_out, (portable::arithmetic<portable::kMinimum, Tensor>))
