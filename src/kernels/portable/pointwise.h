// SPDX-License-Identifier: BSD-3-Clause
//
// The one driver of all elementwise operators: shapes, broadcasting, dim orders, dtypes and tiles are handled here, so
// that an operator is only its arithmetic, once per compute type it supports.
//
//   struct Add { template <typename T> static T apply(T a, T b) { return a + b; } };
//   constexpr PointwiseFunctions kAdd = binary_functions<Add, kNumbers>();
//   Pointwise(ctx, kAdd, ResultType().add(a).add(b).get()).in(a).in(b).run(out);
#pragma once

#include <type_traits>

#include "src/kernels/portable/elements.h"

namespace wick {
namespace portable {

/// Computes n results, data[0], from the operands data[1], data[2], ..., all of the compute type and `steps` bytes
/// apart (an operand that repeats has step 0). `scalars` are the operator's numbers, converted to the compute type.
/// Results are of the compute type, or bool bytes.
using TileFunction = void (*)(size_t n, char* const* data, const ptrdiff_t* steps, const void* scalars);

class Pointwise;

/// The arithmetic of an operator for each compute type, null where it has none; and how it walks over its operands:
/// walk_equal() in builds for programs that never broadcast or convert layouts, walk_any() in all others.
struct PointwiseFunctions {
  TileFunction functions[4];
  bool (*walk)(Pointwise&, Tensor& out);
};

/// One elementwise call: operands and numbers, then run(out). Bad arguments fail the context, and run() writes nothing.
class Pointwise {
 public:
  static constexpr size_t kMaxInputs = 3;
  static constexpr size_t kMaxScalars = 3;

  /// `common` is the dtype to which operands are converted first (PyTorch's common dtype); it decides the compute type.
  Pointwise(KernelRuntimeContext& ctx, const PointwiseFunctions& functions, ScalarType common);
  /// Adds an operand.
  Pointwise& in(const Tensor& tensor);
  Pointwise& in(const Scalar& number);
  /// Adds memory with strides in elements, one per size; both outlive the call.
  Pointwise& in(const void* data, ScalarType type, Sizes sizes, const ptrdiff_t* strides);
  /// Adds a number for the arithmetic's `scalars`; it must fit the common dtype.
  Pointwise& scalar(const Scalar& number);
  /// The arithmetic gives bools (one byte each), whatever the compute type.
  Pointwise& gives_bool() {
    bool_result_ = true;
    return *this;
  }
  /// Computes and stores; false, with the context failed, if the arguments do not fit.
  bool run(Tensor& out);

  static bool walk_any(Pointwise& call, Tensor& out);
  static bool walk_equal(Pointwise& call, Tensor& out);

 private:
  /// The output (number 0) or an input.
  struct Operand {
    ShapedData shaped;  // without sizes: a number
    ScalarType type;

    Sizes shape() const { return Sizes(shaped.sizes, shaped.rank); }
  };

  ScalarType common() const { return kOneDtype ? only_dtype() : common_; }
  /// The dtype whose elements are the compute type.
  ScalarType own() const { return kOneDtype ? dtype_of(compute_of(only_dtype())) : own_; }
  bool gives_bool_result() const { return (kBuilt & kBoolean) != 0 && bool_result_; }
  void set_operand(size_t i, const Tensor& tensor);
  void check_operand(size_t i);
  static inline bool lies_like(const Tensor& out, const Operand& operand);
  inline void run_flat(size_t n, char* const* data, const ptrdiff_t* steps) const;
  void run_tiles(size_t n, char* const* data, const ptrdiff_t* steps) const;

  alignas(16) char numbers_[kMaxInputs + 1][kComputeBytes];
  alignas(16) char scalars_[kMaxScalars * kComputeBytes];
  KernelRuntimeContext& ctx_;
  TileFunction function_;
  bool (*walk_)(Pointwise&, Tensor& out);
  Operand operands_[kMaxInputs + 1];
  ScalarType common_;
  ScalarType own_;
  uint8_t count_ = 1;
  uint8_t scalar_count_ = 0;
  bool bool_result_ = false;
  bool direct_ = true;  // all operands are
};

namespace internal {

template <typename T>
T& at(char* data) {
  return *reinterpret_cast<T*>(data);
}

template <typename Op, typename T, typename R>
void unary_tile(size_t n, char* const* data, const ptrdiff_t* steps, const void* scalars) {
  char* to = data[0];
  char* a = data[1];
  for (; n > 0; --n, to += steps[0], a += steps[1]) {
    if constexpr (std::is_invocable_v<decltype(&Op::template apply<T>), T>) {
      at<R>(to) = Op::template apply<T>(at<T>(a));
    } else {
      at<R>(to) = Op::template apply<T>(at<T>(a), static_cast<const T*>(scalars));
    }
  }
  (void)scalars;
}

template <typename Op, typename T, typename R>
void binary_tile(size_t n, char* const* data, const ptrdiff_t* steps, const void* scalars) {
  char* to = data[0];
  char* a = data[1];
  char* b = data[2];
  for (; n > 0; --n, to += steps[0], a += steps[1], b += steps[2]) {
    if constexpr (std::is_invocable_v<decltype(&Op::template apply<T>), T, T>) {
      at<R>(to) = Op::template apply<T>(at<T>(a), at<T>(b));
    } else {
      at<R>(to) = Op::template apply<T>(at<T>(a), at<T>(b), static_cast<const T*>(scalars));
    }
  }
  (void)scalars;
}

template <typename Op, DtypeSet kTypes, Compute kCompute, typename T, bool kUnary, bool kBool>
constexpr TileFunction function_for() {
  if constexpr ((kTypes & kBuilt & dtypes_of(kCompute)) == 0) {
    return nullptr;
  } else {
    using R = std::conditional_t<kBool, uint8_t, T>;
    if constexpr (kUnary) {
      return &unary_tile<Op, T, R>;
    } else {
      return &binary_tile<Op, T, R>;
    }
  }
}

constexpr auto walk_for(DtypeSet types) {
  return (types & kMixedShapes) != 0 ? &Pointwise::walk_any : &Pointwise::walk_equal;
}

template <typename Op, DtypeSet kTypes, bool kUnary, bool kBool>
constexpr PointwiseFunctions functions_for() {
  return {{function_for<Op, kTypes, Compute::kFloat, float, kUnary, kBool>(),
           function_for<Op, kTypes, Compute::kDouble, double, kUnary, kBool>(),
           function_for<Op, kTypes, Compute::kInt, int64_t, kUnary, kBool>(),
           function_for<Op, kTypes, Compute::kComplex, Complex, kUnary, kBool>()},
          walk_for(kTypes)};
}

}  // namespace internal

/// A table of the instances of a function template tile<T>, for the real dtypes of `types`.
#define WICK_TILE_FUNCTIONS(tile, types)                                                    \
  {                                                                                         \
    {((types)&kBuilt & dtypes_of(Compute::kFloat)) != 0 ? &tile<float> : nullptr,           \
     ((types)&kBuilt & dtypes_of(Compute::kDouble)) != 0 ? &tile<double> : nullptr,         \
     ((types)&kBuilt & dtypes_of(Compute::kInt)) != 0 ? &tile<int64_t> : nullptr, nullptr}, \
        internal::walk_for(types)                                                           \
  }

/// Op::apply<T>(a, b) or Op::apply<T>(a, b, scalars) for the compute types of kTypes (the common dtype's).
template <typename Op, DtypeSet kTypes>
constexpr PointwiseFunctions binary_functions() {
  return internal::functions_for<Op, kTypes, false, false>();
}
template <typename Op, DtypeSet kTypes>
constexpr PointwiseFunctions unary_functions() {
  return internal::functions_for<Op, kTypes, true, false>();
}
/// The same for arithmetic that gives bool.
template <typename Op, DtypeSet kTypes>
constexpr PointwiseFunctions binary_predicate() {
  return internal::functions_for<Op, kTypes, false, true>();
}
template <typename Op, DtypeSet kTypes>
constexpr PointwiseFunctions unary_predicate() {
  return internal::functions_for<Op, kTypes, true, true>();
}

}  // namespace portable
}  // namespace wick
