// SPDX-License-Identifier: BSD-3-Clause
//
// Comparisons, logical operators (they give bool) and bitwise operators and shifts (integers and bool).
#include "src/kernels/portable/pointwise.h"

namespace wick {
namespace portable {
namespace {

struct Equal {
  template <typename T>
  static bool apply(T a, T b) {
    return a == b;
  }
};
struct NotEqual {
  template <typename T>
  static bool apply(T a, T b) {
    return a != b;
  }
};
struct Less {
  template <typename T>
  static bool apply(T a, T b) {
    return a < b;
  }
};
struct LessEqual {
  template <typename T>
  static bool apply(T a, T b) {
    return a <= b;
  }
};
struct Greater {
  template <typename T>
  static bool apply(T a, T b) {
    return a > b;
  }
};
struct GreaterEqual {
  template <typename T>
  static bool apply(T a, T b) {
    return a >= b;
  }
};
struct LogicalAnd {
  template <typename T>
  static bool apply(T a, T b) {
    return a != T(0) && b != T(0);
  }
};
struct LogicalOr {
  template <typename T>
  static bool apply(T a, T b) {
    return a != T(0) || b != T(0);
  }
};
struct LogicalXor {
  template <typename T>
  static bool apply(T a, T b) {
    return (a != T(0)) != (b != T(0));
  }
};
struct LogicalNot {
  template <typename T>
  static bool apply(T a) {
    return a == T(0);
  }
};
struct BitwiseAnd {
  template <typename T>
  static T apply(T a, T b) {
    return a & b;
  }
};
struct BitwiseOr {
  template <typename T>
  static T apply(T a, T b) {
    return a | b;
  }
};
struct BitwiseXor {
  template <typename T>
  static T apply(T a, T b) {
    return a ^ b;
  }
};
struct BitwiseNot {
  template <typename T>
  static T apply(T a) {
    return ~a;
  }
};
// A shift by a negative count or by all bits pushes everything out: 0, or the sign to the right.
struct ShiftLeft {
  template <typename T>
  static T apply(T a, T b) {
    return b < 0 || b > 63 ? 0 : static_cast<T>(static_cast<uint64_t>(a) << b);
  }
};
struct ShiftRight {
  template <typename T>
  static T apply(T a, T b) {
    return a >> (b < 0 || b > 63 ? 63 : b);
  }
};

constexpr PointwiseFunctions kEqual =
    binary_predicate<Equal, selected_of(kNumbers, "aten::eq.Tensor_out", "aten::eq.Scalar_out")>();
constexpr PointwiseFunctions kNotEqual =
    binary_predicate<NotEqual, selected_of(kNumbers, "aten::ne.Tensor_out", "aten::ne.Scalar_out")>();
constexpr PointwiseFunctions kLess =
    binary_predicate<Less, selected_of(kRealNumbers, "aten::lt.Tensor_out", "aten::lt.Scalar_out")>();
constexpr PointwiseFunctions kLessEqual =
    binary_predicate<LessEqual, selected_of(kRealNumbers, "aten::le.Tensor_out", "aten::le.Scalar_out")>();
constexpr PointwiseFunctions kGreater =
    binary_predicate<Greater, selected_of(kRealNumbers, "aten::gt.Tensor_out", "aten::gt.Scalar_out")>();
constexpr PointwiseFunctions kGreaterEqual =
    binary_predicate<GreaterEqual, selected_of(kRealNumbers, "aten::ge.Tensor_out", "aten::ge.Scalar_out")>();
constexpr PointwiseFunctions kLogicalAnd =
    binary_predicate<LogicalAnd, selected_of(kNumbers, "aten::logical_and.out")>();
constexpr PointwiseFunctions kLogicalOr = binary_predicate<LogicalOr, selected_of(kNumbers, "aten::logical_or.out")>();
constexpr PointwiseFunctions kLogicalXor =
    binary_predicate<LogicalXor, selected_of(kNumbers, "aten::logical_xor.out")>();
constexpr PointwiseFunctions kLogicalNot =
    unary_predicate<LogicalNot, selected_of(kNumbers, "aten::logical_not.out", "aten::bitwise_not.out")>();
constexpr PointwiseFunctions kBitwiseAnd =
    binary_functions<BitwiseAnd,
                     selected_of(kIntegral, "aten::bitwise_and.Tensor_out", "aten::bitwise_and.Scalar_out")>();
constexpr PointwiseFunctions kBitwiseOr =
    binary_functions<BitwiseOr, selected_of(kIntegral, "aten::bitwise_or.Tensor_out", "aten::bitwise_or.Scalar_out")>();
constexpr PointwiseFunctions kBitwiseXor =
    binary_functions<BitwiseXor,
                     selected_of(kIntegral, "aten::bitwise_xor.Tensor_out", "aten::bitwise_xor.Scalar_out")>();
constexpr PointwiseFunctions kBitwiseNot =
    unary_functions<BitwiseNot, selected_of(kIntegral, "aten::bitwise_not.out")>();
constexpr PointwiseFunctions kShiftLeft =
    binary_functions<ShiftLeft, selected_of(kIntegral, "aten::bitwise_left_shift.Tensor_out",
                                            "aten::bitwise_left_shift.Tensor_Scalar_out")>();
constexpr PointwiseFunctions kShiftRight =
    binary_functions<ShiftRight, selected_of(kIntegral, "aten::bitwise_right_shift.Tensor_out",
                                             "aten::bitwise_right_shift.Tensor_Scalar_out")>();

template <const PointwiseFunctions& kFunctions, typename B>
Tensor& predicate(KernelRuntimeContext& ctx, const Tensor& a, const B& b, Tensor& out) {
  Pointwise(ctx, kFunctions, ResultType().add(a).add(b).get()).in(a).in(b).gives_bool().run(out);
  return out;
}

template <const PointwiseFunctions& kFunctions, typename B>
Tensor& bitwise(KernelRuntimeContext& ctx, const Tensor& a, const B& b, Tensor& out) {
  Pointwise(ctx, kFunctions, ResultType().add(a).add(b).get()).in(a).in(b).run(out);
  return out;
}

Tensor& logical_not_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  Pointwise(ctx, kLogicalNot, in.scalar_type()).in(in).gives_bool().run(out);
  return out;
}

Tensor& bitwise_not_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  if (in.scalar_type() == ScalarType::Bool) {
    return logical_not_out(ctx, in, out);
  }
  Pointwise(ctx, kBitwiseNot, in.scalar_type()).in(in).run(out);
  return out;
}

}  // namespace
}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_eq_Tensor_out, (portable::predicate<portable::kEqual, Tensor>))
WICK_KERNEL(aten_eq_Scalar_out, (portable::predicate<portable::kEqual, Scalar>))
WICK_KERNEL(aten_ne_Tensor_out, (portable::predicate<portable::kNotEqual, Tensor>))
WICK_KERNEL(aten_ne_Scalar_out, (portable::predicate<portable::kNotEqual, Scalar>))
WICK_KERNEL(aten_lt_Tensor_out, (portable::predicate<portable::kLess, Tensor>))
WICK_KERNEL(aten_lt_Scalar_out, (portable::predicate<portable::kLess, Scalar>))
WICK_KERNEL(aten_le_Tensor_out, (portable::predicate<portable::kLessEqual, Tensor>))
WICK_KERNEL(aten_le_Scalar_out, (portable::predicate<portable::kLessEqual, Scalar>))
WICK_KERNEL(aten_gt_Tensor_out, (portable::predicate<portable::kGreater, Tensor>))
WICK_KERNEL(aten_gt_Scalar_out, (portable::predicate<portable::kGreater, Scalar>))
WICK_KERNEL(aten_ge_Tensor_out, (portable::predicate<portable::kGreaterEqual, Tensor>))
WICK_KERNEL(aten_ge_Scalar_out, (portable::predicate<portable::kGreaterEqual, Scalar>))
WICK_KERNEL(aten_logical_and_out, (portable::predicate<portable::kLogicalAnd, Tensor>))
WICK_KERNEL(aten_logical_or_out, (portable::predicate<portable::kLogicalOr, Tensor>))
WICK_KERNEL(aten_logical_xor_out, (portable::predicate<portable::kLogicalXor, Tensor>))
WICK_KERNEL(aten_logical_not_out, portable::logical_not_out)
WICK_KERNEL(aten_bitwise_and_Tensor_out, (portable::bitwise<portable::kBitwiseAnd, Tensor>))
WICK_KERNEL(aten_bitwise_and_Scalar_out, (portable::bitwise<portable::kBitwiseAnd, Scalar>))
WICK_KERNEL(aten_bitwise_or_Tensor_out, (portable::bitwise<portable::kBitwiseOr, Tensor>))
WICK_KERNEL(aten_bitwise_or_Scalar_out, (portable::bitwise<portable::kBitwiseOr, Scalar>))
WICK_KERNEL(aten_bitwise_xor_Tensor_out, (portable::bitwise<portable::kBitwiseXor, Tensor>))
WICK_KERNEL(aten_bitwise_xor_Scalar_out, (portable::bitwise<portable::kBitwiseXor, Scalar>))
WICK_KERNEL(aten_bitwise_left_shift_Tensor_out, (portable::bitwise<portable::kShiftLeft, Tensor>))
WICK_KERNEL(aten_bitwise_left_shift_Tensor_Scalar_out, (portable::bitwise<portable::kShiftLeft, Scalar>))
WICK_KERNEL(aten_bitwise_right_shift_Tensor_out, (portable::bitwise<portable::kShiftRight, Tensor>))
WICK_KERNEL(aten_bitwise_right_shift_Tensor_Scalar_out, (portable::bitwise<portable::kShiftRight, Scalar>))
WICK_KERNEL(aten_bitwise_not_out, portable::bitwise_not_out)
