// SPDX-License-Identifier: BSD-3-Clause
//
// Operators on plain numbers, with which programs compute shapes and loop counters: Python's meaning of +, //, %, round
// and so on. Integers stay integers and wrap around; a division by zero fails the context.
#include "src/kernels/portable/arithmetic.h"
#include "src/kernels/portable/elements.h"

namespace wick {
namespace prim {
namespace {

// A number operand: integer, double or bool.
struct Number {
  bool valid;
  bool is_double;
  bool is_bool;
  int64_t integer;
  double value;

  Number(KernelRuntimeContext& ctx, Operand operand)
      : valid(true), is_double(operand.is_double()), is_bool(operand.is_bool()), integer(0), value(0) {
    if (is_double) {
      value = operand.to_double(ctx);
    } else if (is_bool) {
      integer = operand.to_bool(ctx) ? 1 : 0;
    } else if (operand.is_int()) {
      integer = operand.to_int(ctx);
    } else {
      ET_LOG(Error, "a number was expected");
      ctx.fail(Error::InvalidType);
      valid = false;
    }
  }
  double real() const { return is_double ? value : static_cast<double>(integer); }
};

// Both operands, if they are numbers (and, unless allowed, not bools).
struct Pair {
  Number a;
  Number b;
  bool valid;

  Pair(KernelRuntimeContext& ctx, Operand first, Operand second, bool bools) : a(ctx, first), b(ctx, second) {
    valid = a.valid && b.valid;
    if (valid && (a.is_bool || b.is_bool) && !bools) {
      ET_LOG(Error, "a bool is no operand of arithmetic");
      ctx.fail(Error::InvalidType);
      valid = false;
    }
  }
  bool integers() const { return !a.is_double && !b.is_double; }
};

enum class Arithmetic : uint8_t { kAdd, kSubtract, kMultiply };
enum class Comparison : uint8_t { kEqual, kGreater, kLess, kGreaterEqual, kLessEqual };

template <Arithmetic kOperation, typename T>
T compute(T a, T b) {
  switch (kOperation) {
    case Arithmetic::kAdd:
      return portable::add(a, b);
    case Arithmetic::kSubtract:
      return portable::subtract(a, b);
    default:
      return portable::multiply(a, b);
  }
}

template <Comparison kOperation, typename T>
bool compare(T a, T b) {
  switch (kOperation) {
    case Comparison::kEqual:
      return a == b;
    case Comparison::kGreater:
      return a > b;
    case Comparison::kLess:
      return a < b;
    case Comparison::kGreaterEqual:
      return a >= b;
    default:
      return a <= b;
  }
}

template <Arithmetic kOperation>
void arithmetic(KernelRuntimeContext& ctx, Operand a, Operand b, EValue& out) {
  const Pair pair(ctx, a, b, false);
  if (pair.valid && pair.integers()) {
    out = EValue(compute<kOperation>(pair.a.integer, pair.b.integer));
  } else if (pair.valid) {
    out = EValue(compute<kOperation>(pair.a.real(), pair.b.real()));
  }
}

template <Comparison kOperation>
void comparison(KernelRuntimeContext& ctx, Operand a, Operand b, EValue& out) {
  const Pair pair(ctx, a, b, true);
  if (pair.valid && pair.integers()) {
    out = EValue(compare<kOperation>(pair.a.integer, pair.b.integer));
  } else if (pair.valid) {
    out = EValue(compare<kOperation>(pair.a.real(), pair.b.real()));
  }
}

// Floor division or its remainder.
template <bool kRemainder>
void division(KernelRuntimeContext& ctx, Operand a, Operand b, EValue& out) {
  const Pair pair(ctx, a, b, false);
  if (!pair.valid) {
    return;
  }
  if (pair.integers()) {
    WICK_REQUIRE(ctx, pair.b.integer != 0, , "integer division by zero");
    out = EValue(kRemainder ? portable::remainder_floor(pair.a.integer, pair.b.integer)
                            : portable::divide_floor(pair.a.integer, pair.b.integer));
  } else {
    const double x = pair.a.real();
    const double y = pair.b.real();
    out = EValue(kRemainder ? portable::remainder_floor(x, y) : portable::divide_floor(x, y));
  }
}

void truediv(KernelRuntimeContext& ctx, Operand a, Operand b, EValue& out) {
  const Pair pair(ctx, a, b, false);
  if (pair.valid) {
    out = EValue(pair.a.real() / pair.b.real());
  }
}

template <bool kLargest>
void extreme(KernelRuntimeContext& ctx, Operand a, Operand b, EValue& out) {
  const Pair pair(ctx, a, b, false);
  if (pair.valid && pair.integers()) {
    out = EValue(kLargest ? portable::larger(pair.a.integer, pair.b.integer)
                          : portable::smaller(pair.a.integer, pair.b.integer));
  } else if (pair.valid) {
    out = EValue(kLargest ? portable::larger(pair.a.real(), pair.b.real())
                          : portable::smaller(pair.a.real(), pair.b.real()));
  }
}

void sym_float(KernelRuntimeContext& ctx, Operand a, EValue& out) {
  const Number number(ctx, a);
  if (number.valid) {
    out = EValue(number.real());
  }
}

// Doubles to integers by ceil, round (halves to even) or trunc.
template <double (*kFunction)(double)>
void to_integer(KernelRuntimeContext& ctx, Operand a, EValue& out) {
  const Number number(ctx, a);
  if (number.valid) {
    const double rounded = kFunction(number.value);
    WICK_REQUIRE(ctx, rounded >= -9223372036854775808.0 && rounded < 9223372036854775808.0, ,
                 "a number is too large for an integer");
    out = EValue(number.is_double ? static_cast<int64_t>(rounded) : number.integer);
  }
}

void neg(KernelRuntimeContext& ctx, Operand a, EValue& out) {
  const Number number(ctx, a);
  if (number.valid && number.is_double) {
    out = EValue(-number.value);
  } else if (number.valid) {
    out = EValue(portable::subtract<int64_t>(0, number.integer));
  }
}

void sym_not(KernelRuntimeContext& ctx, bool a, EValue& out) {
  (void)ctx;
  out = EValue(!a);
}

void sym_ite(KernelRuntimeContext& ctx, bool condition, Operand a, Operand b, EValue& out) {
  const Number number(ctx, condition ? a : b);
  if (!number.valid) {
    return;
  }
  out = number.is_double ? EValue(number.value) : number.is_bool ? EValue(number.integer != 0) : EValue(number.integer);
}

void sym_size(KernelRuntimeContext& ctx, const Tensor& self, int64_t dim, EValue& out) {
  const size_t rank = static_cast<size_t>(self.dim());
  WICK_REQUIRE(ctx, rank > 0, , "a tensor without dimensions has no size");
  if (portable::wrap_dim(ctx, dim, rank)) {
    out = EValue(static_cast<int64_t>(self.size(static_cast<ssize_t>(dim))));
  }
}

void sym_numel(KernelRuntimeContext& ctx, const Tensor& self, EValue& out) {
  (void)ctx;
  out = EValue(static_cast<int64_t>(self.numel()));
}

void local_scalar_dense(KernelRuntimeContext& ctx, const Tensor& self, EValue& out) {
  const ScalarType type = self.scalar_type();
  WICK_REQUIRE(ctx, self.numel() >= 1 && self.const_data_ptr() != nullptr, , "the tensor holds no element");
  if (!portable::require_dtype(ctx, self, portable::kIntegral | portable::kFloating)) {
    return;
  }
  if (type == ScalarType::Bool) {
    out = EValue(portable::load_one<int64_t>(type, self.const_data_ptr()) != 0);
  } else if (portable::is_in(type, portable::kIntegral)) {
    out = EValue(portable::load_one<int64_t>(type, self.const_data_ptr()));
  } else {
    out = EValue(portable::load_one<double>(type, self.const_data_ptr()));
  }
}

}  // namespace
}  // namespace prim
}  // namespace wick

WICK_KERNEL(prim_add_Scalar, prim::arithmetic<prim::Arithmetic::kAdd>)
WICK_KERNEL(prim_sub_Scalar, prim::arithmetic<prim::Arithmetic::kSubtract>)
WICK_KERNEL(prim_mul_Scalar, prim::arithmetic<prim::Arithmetic::kMultiply>)
WICK_KERNEL(prim_floordiv_Scalar, prim::division<false>)
WICK_KERNEL(prim_floordiv_int, prim::division<false>)
WICK_KERNEL(prim_mod_Scalar, prim::division<true>)
WICK_KERNEL(prim_mod_int, prim::division<true>)
WICK_KERNEL(prim_truediv_Scalar, prim::truediv)
WICK_KERNEL(prim_sym_max_Scalar, prim::extreme<true>)
WICK_KERNEL(prim_sym_min_Scalar, prim::extreme<false>)
WICK_KERNEL(prim_sym_float_Scalar, prim::sym_float)
WICK_KERNEL(prim_sym_int_Scalar, prim::to_integer<::trunc>)
WICK_KERNEL(prim_ceil_Scalar, prim::to_integer<::ceil>)
WICK_KERNEL(prim_round_Scalar, prim::to_integer<::rint>)
WICK_KERNEL(prim_trunc_Scalar, prim::to_integer<::trunc>)
WICK_KERNEL(prim_eq_Scalar, prim::comparison<prim::Comparison::kEqual>)
WICK_KERNEL(prim_gt_Scalar, prim::comparison<prim::Comparison::kGreater>)
WICK_KERNEL(prim_lt_Scalar, prim::comparison<prim::Comparison::kLess>)
WICK_KERNEL(prim_ge_Scalar, prim::comparison<prim::Comparison::kGreaterEqual>)
WICK_KERNEL(prim_le_Scalar, prim::comparison<prim::Comparison::kLessEqual>)
WICK_KERNEL(prim_neg_Scalar, prim::neg)
WICK_KERNEL(prim_sym_not_Scalar, prim::sym_not)
WICK_KERNEL(prim_sym_ite_Scalar, prim::sym_ite)
WICK_KERNEL(aten_sym_size_int, prim::sym_size)
WICK_KERNEL(aten_sym_numel, prim::sym_numel)
WICK_KERNEL(aten__local_scalar_dense, prim::local_scalar_dense)
