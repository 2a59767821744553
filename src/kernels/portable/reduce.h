// SPDX-License-Identifier: BSD-3-Clause
//
// The one driver of all reductions over lists of dimensions: any dim order, keepdim, empty inputs. An operator gives
// begin, step and end over runs of elements in a compute type.
//
//   struct Sum {
//     template <typename T> static void begin(T* value, ReduceState&) { value[0] = 0; }
//     template <typename T> static void step(T* value, ReduceState&, const T* in, size_t n) { ... }
//     template <typename T> static void end(T*, ReduceState&) {}
//   };
//   constexpr ReduceFunctions kSum = reduce_functions<Sum, kNumbers>();
//   Reduction(ctx, kSum, in).over(dims, keepdim).run(compute_of(out.scalar_type()), out);
#pragma once

#include <optional>

#include "src/kernels/portable/elements.h"

namespace wick {
namespace portable {

/// What a reduction remembers while it walks over the elements of one result.
struct ReduceState {
  alignas(16) char values[4 * kComputeBytes];  ///< four of the compute type; 0 is the result, 1 a second result
  int64_t index;                               ///< a result of its own: position of the extreme element
  int64_t count;                               ///< elements seen before this step
  double parameter;                            ///< the operator's number
};

enum class ReduceAction : uint8_t { kBegin, kStep, kEnd };
using ReduceFunction = void (*)(ReduceAction action, ReduceState& state, const void* in, size_t n);

/// A reduction's functions by compute type; null where it has none.
struct ReduceFunctions {
  ReduceFunction functions[4];
};

class Reduction {
 public:
  Reduction(KernelRuntimeContext& ctx, const ReduceFunctions& functions, const Tensor& in)
      : ctx_(ctx), functions_(functions), in_(in) {}
  /// Reduces these dimensions; none or an empty list means all.
  Reduction& over(const std::optional<IntArrayRef>& dims, bool keepdim);
  Reduction& over(int64_t dim, bool keepdim);
  Reduction& over_all() { return over(std::nullopt, false); }
  /// Every element is a result.
  Reduction& over_none() {
    reduced_ = 0;
    return *this;
  }
  /// Elements are seen in logical order (their positions matter).
  Reduction& in_order() {
    in_order_ = true;
    return *this;
  }
  /// There is no result for no elements: refused.
  Reduction& nonempty() {
    nonempty_ = true;
    return *this;
  }
  Reduction& parameter(double value) {
    parameter_ = value;
    return *this;
  }
  /// Number of elements of each result.
  int64_t count() const;
  /// Computes and stores values[0]; false, with the context failed, if the arguments do not fit.
  bool run(Compute compute, Tensor& out) { return run(compute, &out, nullptr, nullptr); }
  /// Stores values[0] in `out`, values[1] in `second` and the index in `indices`; each may be null.
  bool run(Compute compute, Tensor* out, Tensor* second, Tensor* indices);

 private:
  using Outputs = Tensor* const[3];
  bool valid() const;
  bool resize_output(Tensor* out);
  void add_output(StridedLoop& outer, const Tensor& out) const;
  StridedLoop walk_elements(const ptrdiff_t* strides) const;
  StridedLoop walk_results(const ptrdiff_t* strides, const Outputs& outputs) const;
  void reduce_one(StridedLoop& inner, const char* data, Compute compute, ReduceState& state) const;

  KernelRuntimeContext& ctx_;
  const ReduceFunctions& functions_;
  const Tensor& in_;
  uint32_t reduced_ = 0;  // bit per dimension
  bool keepdim_ = false;
  bool in_order_ = false;
  bool nonempty_ = false;
  double parameter_ = 0;
};

namespace internal {

template <typename Op, typename T>
void reduce(ReduceAction action, ReduceState& state, const void* in, size_t n) {
  T* values = reinterpret_cast<T*>(state.values);
  if (action == ReduceAction::kStep) {
    Op::template step<T>(values, state, static_cast<const T*>(in), n);
  } else if (action == ReduceAction::kBegin) {
    Op::template begin<T>(values, state);
  } else {
    Op::template end<T>(values, state);
  }
}

template <typename Op, DtypeSet kTypes, Compute kCompute, typename T>
constexpr ReduceFunction reduce_function() {
  if constexpr ((kTypes & kBuilt & dtypes_of(kCompute)) == 0) {
    return nullptr;
  } else {
    return &reduce<Op, T>;
  }
}

}  // namespace internal

template <typename Op, DtypeSet kTypes>
constexpr ReduceFunctions reduce_functions() {
  return {{internal::reduce_function<Op, kTypes, Compute::kFloat, float>(),
           internal::reduce_function<Op, kTypes, Compute::kDouble, double>(),
           internal::reduce_function<Op, kTypes, Compute::kInt, int64_t>(),
           internal::reduce_function<Op, kTypes, Compute::kComplex, Complex>()}};
}

}  // namespace portable
}  // namespace wick
