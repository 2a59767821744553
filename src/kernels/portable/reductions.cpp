// SPDX-License-Identifier: BSD-3-Clause
//
// sum, mean, prod, amax, amin, max, min, argmax, argmin, any, var, var_mean, and cumsum.
// Halves accumulate in float, integers in int64; NaN wins every comparison, the first of equals is the extreme.
#include <tuple>

#include "src/kernels/portable/arithmetic.h"
#include "src/kernels/portable/reduce.h"

namespace wick {
namespace portable {
namespace {

// Adds in blocks, so that a long float sum does not lose what is small beside it.
struct Sum {
  static constexpr size_t kBlock = 64;
  template <typename T>
  static void begin(T* value, ReduceState&) {
    value[0] = T(0);
  }
  template <typename T>
  static void step(T* value, ReduceState&, const T* in, size_t n) {
    while (n > 0) {
      const size_t block = n < kBlock ? n : kBlock;
      T sum = T(0);
      for (size_t i = 0; i < block; ++i) {
        sum = add(sum, in[i]);
      }
      value[0] = add(value[0], sum);
      in += block;
      n -= block;
    }
  }
  template <typename T>
  static void end(T*, ReduceState&) {}
};

struct Mean : Sum {
  template <typename T>
  static void end(T* value, ReduceState& state) {
    value[0] = value[0] / static_cast<T>(state.count);
  }
};

struct Product {
  template <typename T>
  static void begin(T* value, ReduceState&) {
    value[0] = T(1);
  }
  template <typename T>
  static void step(T* value, ReduceState&, const T* in, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      value[0] = multiply(value[0], in[i]);
    }
  }
  template <typename T>
  static void end(T*, ReduceState&) {}
};

// The extreme element and its position. A NaN, once found, stays.
template <bool kLargest>
struct Extreme {
  template <typename T>
  static void begin(T* value, ReduceState&) {
    value[0] = T(0);
  }
  template <typename T>
  static void step(T* value, ReduceState& state, const T* in, size_t n) {
    T best = state.count == 0 ? in[0] : value[0];
    for (size_t i = 0; i < n && !is_nan(best); ++i) {
      if (is_nan(in[i]) || (kLargest ? in[i] > best : in[i] < best)) {
        best = in[i];
        state.index = state.count + static_cast<int64_t>(i);
      }
    }
    value[0] = best;
  }
  template <typename T>
  static void end(T*, ReduceState&) {}
};

struct Any {
  template <typename T>
  static void begin(T* value, ReduceState&) {
    value[0] = T(0);
  }
  template <typename T>
  static void step(T* value, ReduceState&, const T* in, size_t n) {
    for (size_t i = 0; i < n; ++i) {
      if (in[i] != T(0)) {
        value[0] = T(1);
      }
    }
  }
  template <typename T>
  static void end(T*, ReduceState&) {}
};

// Welford's method. values: variance at the end, mean, sum of squared distances. The parameter is the correction.
struct Variance {
  template <typename T>
  static void begin(T* value, ReduceState&) {
    value[0] = value[1] = value[2] = T(0);
  }
  template <typename T>
  static void step(T* value, ReduceState& state, const T* in, size_t n) {
    T mean = value[1];
    T squares = value[2];
    for (size_t i = 0; i < n; ++i) {
      const T delta = in[i] - mean;
      mean += delta / static_cast<T>(state.count + static_cast<int64_t>(i) + 1);
      squares += delta * (in[i] - mean);
    }
    value[1] = mean;
    value[2] = squares;
  }
  template <typename T>
  static void end(T* value, ReduceState& state) {
    const T divisor = static_cast<T>(state.count) - static_cast<T>(state.parameter);
    value[0] = value[2] / (divisor > 0 ? divisor : T(0));
    if (state.count == 0) {
      value[1] = value[0];
    }
  }
};

constexpr DtypeSet kVarTypes =
    kFloating & selected("aten::var.out", "aten::var.correction_out", "aten::var_mean.correction_out");
constexpr DtypeSet kMaxTypes =
    kRealNumbers & selected("aten::amax.out", "aten::argmax.out", "aten::max.unary_out", "aten::max.dim_max");
constexpr DtypeSet kMinTypes =
    kRealNumbers & selected("aten::amin.out", "aten::argmin.out", "aten::min.unary_out", "aten::min.dim_min");
constexpr ReduceFunctions kSum = reduce_functions<Sum, kNumbers & selected("aten::sum.IntList_out")>();
constexpr ReduceFunctions kMean =
    reduce_functions<Mean, kFloating & selected("aten::mean.out", "aten::mean.dtype_out")>();
constexpr ReduceFunctions kProduct =
    reduce_functions<Product, kRealNumbers & selected("aten::prod.out", "aten::prod.int_out")>();
constexpr ReduceFunctions kLargest = reduce_functions<Extreme<true>, kMaxTypes>();
constexpr ReduceFunctions kSmallest = reduce_functions<Extreme<false>, kMinTypes>();
constexpr ReduceFunctions kAny =
    reduce_functions<Any, kRealNumbers & selected("aten::any.out", "aten::any.all_out", "aten::any.dims_out")>();
constexpr ReduceFunctions kVariance = reduce_functions<Variance, kVarTypes>();

using Dims = std::optional<IntArrayRef>;
using Dtype = std::optional<ScalarType>;

// A dtype argument, if any, must be the output's.
bool dtype_fits(KernelRuntimeContext& ctx, const Dtype& dtype, const Tensor& out) {
  WICK_REQUIRE(ctx, !dtype.has_value() || *dtype == out.scalar_type(), false, "dtype %d asked for, the output has %d",
               static_cast<int>(dtype.value_or(ScalarType::Undefined)), static_cast<int>(out.scalar_type()));
  return true;
}

Tensor& sum_out(KernelRuntimeContext& ctx, const Tensor& in, const Dims& dims, bool keepdim, const Dtype& dtype,
                Tensor& out) {
  if (dtype_fits(ctx, dtype, out)) {
    Reduction(ctx, kSum, in).over(dims, keepdim).run(compute_of(out), out);
  }
  return out;
}

Tensor& mean_out(KernelRuntimeContext& ctx, const Tensor& in, const Dims& dims, bool keepdim, const Dtype& dtype,
                 Tensor& out) {
  WICK_REQUIRE(ctx, dtype.has_value() || !is_in(in.scalar_type(), kIntegral), out,
               "the mean of integers needs a dtype to be computed in");
  if (dtype_fits(ctx, dtype, out) && require_dtype(ctx, out, kFloating)) {
    Reduction(ctx, kMean, in).over(dims, keepdim).run(compute_of(out), out);
  }
  return out;
}

Tensor& mean_dtype_out(KernelRuntimeContext& ctx, const Tensor& in, const Dtype& dtype, Tensor& out) {
  return mean_out(ctx, in, std::nullopt, false, dtype, out);
}

Tensor& prod_out(KernelRuntimeContext& ctx, const Tensor& in, const Dtype& dtype, Tensor& out) {
  if (dtype_fits(ctx, dtype, out)) {
    Reduction(ctx, kProduct, in).over_all().run(compute_of(out), out);
  }
  return out;
}

Tensor& prod_int_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, bool keepdim, const Dtype& dtype,
                     Tensor& out) {
  if (dtype_fits(ctx, dtype, out)) {
    Reduction(ctx, kProduct, in).over(dim, keepdim).run(compute_of(out), out);
  }
  return out;
}

template <const ReduceFunctions& kFunctions>
Tensor& extreme_out(KernelRuntimeContext& ctx, const Tensor& in, IntArrayRef dims, bool keepdim, Tensor& out) {
  if (require_same_dtype(ctx, in, out)) {
    Reduction(ctx, kFunctions, in).over(Dims(dims), keepdim).nonempty().run(compute_of(in), out);
  }
  return out;
}

template <const ReduceFunctions& kFunctions>
Tensor& extreme_unary_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  WICK_REQUIRE(ctx, can_cast(in.scalar_type(), out.scalar_type()), out, "a result of dtype %d cannot be stored as %d",
               static_cast<int>(in.scalar_type()), static_cast<int>(out.scalar_type()));
  Reduction(ctx, kFunctions, in).over_all().nonempty().run(compute_of(in), out);
  return out;
}

template <const ReduceFunctions& kFunctions>
std::tuple<Tensor&, Tensor&> extreme_dim_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, bool keepdim,
                                             Tensor& out, Tensor& indices) {
  if (require_same_dtype(ctx, in, out) && require_dtype(ctx, indices, dtypes(ScalarType::Long))) {
    Reduction(ctx, kFunctions, in)
        .over(dim, keepdim)
        .nonempty()
        .in_order()
        .run(compute_of(in), &out, nullptr, &indices);
  }
  return {out, indices};
}

template <const ReduceFunctions& kFunctions>
Tensor& position_out(KernelRuntimeContext& ctx, const Tensor& in, const std::optional<int64_t>& dim, bool keepdim,
                     Tensor& out) {
  if (!require_dtype(ctx, out, dtypes(ScalarType::Long))) {
    return out;
  }
  Reduction reduction(ctx, kFunctions, in);
  if (dim.has_value()) {
    reduction.over(*dim, keepdim);
  } else {
    reduction.over(std::nullopt, keepdim);
  }
  reduction.nonempty().in_order().run(compute_of(in), nullptr, nullptr, &out);
  return out;
}

Tensor& any_dims_out(KernelRuntimeContext& ctx, const Tensor& in, const Dims& dims, bool keepdim, Tensor& out) {
  if (require_dtype(ctx, out, dtypes(ScalarType::Bool, ScalarType::Byte))) {
    Reduction reduction(ctx, kAny, in);
    if (dims.has_value() && dims->empty()) {
      reduction.over_none();  // unlike elsewhere, an empty list means no dimension here
    } else {
      reduction.over(dims, keepdim);
    }
    reduction.run(compute_of(in), out);
  }
  return out;
}

Tensor& any_all_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  return any_dims_out(ctx, in, std::nullopt, false, out);
}

Tensor& any_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, bool keepdim, Tensor& out) {
  return any_dims_out(ctx, in, Dims(IntArrayRef(&dim, 1)), keepdim, out);
}

Tensor& var_with(KernelRuntimeContext& ctx, const Tensor& in, const Dims& dims, double correction, bool keepdim,
                 Tensor& out, Tensor* mean) {
  if (require_dtype(ctx, in, kFloating) && require_dtype(ctx, out, kFloating) &&
      (mean == nullptr || require_same_dtype(ctx, out, *mean))) {
    Reduction(ctx, kVariance, in).over(dims, keepdim).parameter(correction).run(compute_of(out), &out, mean, nullptr);
  }
  return out;
}

double correction_of(const std::optional<Scalar>& correction) {
  return correction.has_value() ? scalar_to_double(*correction) : 1;
}

Tensor& var_out(KernelRuntimeContext& ctx, const Tensor& in, const Dims& dims, bool unbiased, bool keepdim,
                Tensor& out) {
  return var_with(ctx, in, dims, unbiased ? 1 : 0, keepdim, out, nullptr);
}

Tensor& var_correction_out(KernelRuntimeContext& ctx, const Tensor& in, const Dims& dims,
                           const std::optional<Scalar>& correction, bool keepdim, Tensor& out) {
  return var_with(ctx, in, dims, correction_of(correction), keepdim, out, nullptr);
}

std::tuple<Tensor&, Tensor&> var_mean_correction_out(KernelRuntimeContext& ctx, const Tensor& in, const Dims& dims,
                                                     const std::optional<Scalar>& correction, bool keepdim, Tensor& out,
                                                     Tensor& mean) {
  var_with(ctx, in, dims, correction_of(correction), keepdim, out, &mean);
  return {out, mean};
}

// Sums along one dimension, each stored as it grows. Floats carry what rounding loses (PyTorch sums in double).
template <typename T>
void cumulate(StridedLoop& loop, ScalarType in_type, ScalarType out_type, size_t n, ptrdiff_t in_step,
              ptrdiff_t out_step) {
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const char* in = loop.data(1) + static_cast<ptrdiff_t>(i) * loop.step(1);
      char* out = loop.data(0) + static_cast<ptrdiff_t>(i) * loop.step(0);
      T sum = T(0);
      T lost = T(0);
      for (size_t j = 0; j < n; ++j, in += in_step, out += out_step) {
        T value;
        load(compute_of(out_type), in_type, in, 0, 1, &value);
        const T corrected = subtract(value, lost);
        const T next = add(sum, corrected);
        lost = subtract(subtract(next, sum), corrected);
        if (is_nan(lost)) {  // infinities have no rest
          lost = T(0);
        }
        sum = next;
        store_one(out_type, out, sum);
      }
    }
  }
}

Tensor& cumsum_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, const Dtype& dtype, Tensor& out) {
  constexpr DtypeSet kTypes = selected("aten::cumsum.out");
  if (!dtype_fits(ctx, dtype, out) || !wrap_dim(ctx, dim, static_cast<size_t>(in.dim())) ||
      !require_dtype(ctx, in, kRealNumbers & kTypes) || !require_dtype(ctx, out, kRealNumbers & kTypes) ||
      !resize_as(ctx, out, in)) {
    return out;
  }
  Shape rest(in.sizes());
  ptrdiff_t in_strides[kMaxDims] = {};
  ptrdiff_t out_strides[kMaxDims] = {};
  strides_of(in, in_strides);
  strides_of(out, out_strides);
  const size_t n = in.dim() == 0 ? 1 : static_cast<size_t>(in.size(static_cast<ssize_t>(dim)));
  if (in.dim() > 0) {
    rest[static_cast<size_t>(dim)] = n == 0 ? 0 : 1;
  }
  StridedLoop loop(rest);
  loop.add(out);
  loop.add(in.const_data_ptr(), static_cast<size_t>(in.element_size()), in_strides);
  const ptrdiff_t in_step = in_strides[dim] * static_cast<ptrdiff_t>(in.element_size());
  const ptrdiff_t out_step = out_strides[dim] * static_cast<ptrdiff_t>(out.element_size());
  loop.start();
  const Compute compute = compute_of(out);
  if ((kTypes & dtypes_of(Compute::kFloat)) != 0 && compute == Compute::kFloat) {
    cumulate<float>(loop, in.scalar_type(), out.scalar_type(), n, in_step, out_step);
  } else if ((kTypes & dtypes_of(Compute::kDouble)) != 0 && compute == Compute::kDouble) {
    cumulate<double>(loop, in.scalar_type(), out.scalar_type(), n, in_step, out_step);
  } else if ((kTypes & kIntegral) != 0) {
    cumulate<int64_t>(loop, in.scalar_type(), out.scalar_type(), n, in_step, out_step);
  }
  return out;
}

}  // namespace
}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_sum_IntList_out, portable::sum_out)
WICK_KERNEL(aten_mean_out, portable::mean_out)
WICK_KERNEL(aten_mean_dtype_out, portable::mean_dtype_out)
WICK_KERNEL(aten_prod_out, portable::prod_out)
WICK_KERNEL(aten_prod_int_out, portable::prod_int_out)
WICK_KERNEL(aten_amax_out, portable::extreme_out<portable::kLargest>)
WICK_KERNEL(aten_amin_out, portable::extreme_out<portable::kSmallest>)
WICK_KERNEL(aten_max_unary_out, portable::extreme_unary_out<portable::kLargest>)
WICK_KERNEL(aten_min_unary_out, portable::extreme_unary_out<portable::kSmallest>)
WICK_KERNEL(aten_max_dim_max, portable::extreme_dim_out<portable::kLargest>)
WICK_KERNEL(aten_min_dim_min, portable::extreme_dim_out<portable::kSmallest>)
WICK_KERNEL(aten_argmax_out, portable::position_out<portable::kLargest>)
WICK_KERNEL(aten_argmin_out, portable::position_out<portable::kSmallest>)
WICK_KERNEL(aten_any_out, portable::any_out)
WICK_KERNEL(aten_any_all_out, portable::any_all_out)
WICK_KERNEL(aten_any_dims_out, portable::any_dims_out)
WICK_KERNEL(aten_var_out, portable::var_out)
WICK_KERNEL(aten_var_correction_out, portable::var_correction_out)
WICK_KERNEL(aten_var_mean_correction_out, portable::var_mean_correction_out)
WICK_KERNEL(aten_cumsum_out, portable::cumsum_out)
