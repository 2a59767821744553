// SPDX-License-Identifier: BSD-3-Clause
//
// aten::_softmax and _log_softmax: along any dimension, computed in float (double for double) line by line.
#include <cmath>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"
#include "src/kernels/simd/exponential.h"

namespace wick {
namespace portable {

namespace {

constexpr size_t kTile = 32;

// One line of n elements, `step` bytes apart.
struct Line {
  ScalarType type;
  char* data;
  ptrdiff_t step;
};

// Calls function(values, count) on tiles of the line, loaded as C.
template <typename C, typename Function>
void for_tiles(const Line& line, size_t n, Function function) {
  C values[kTile];
  for (size_t i = 0; i < n; i += kTile) {
    const size_t count = n - i < kTile ? n - i : kTile;
    load(line.type, line.data + static_cast<ptrdiff_t>(i) * line.step, line.step, count, values);
    function(values, count, i);
  }
}

// The largest value (NaN if there is one) and the sum of exp(x - largest).
template <typename C>
void sum_up(const Line& in, size_t n, C& largest, C& sum) {
  largest = -static_cast<C>(HUGE_VAL);
  for_tiles<C>(in, n, [&](const C* values, size_t count, size_t) {
    for (size_t i = 0; i < count; ++i) {
      largest = values[i] > largest || values[i] != values[i] ? values[i] : largest;
    }
  });
  sum = 0;
  for_tiles<C>(in, n, [&](const C* values, size_t count, size_t) {
    for (size_t i = 0; i < count; ++i) {
      sum += simd::exponential(values[i] - largest);
    }
  });
}

struct Softmax {
  template <typename C>
  static void line(const Line& in, const Line& out, size_t n) {
    C largest, sum;
    sum_up(in, n, largest, sum);
    const C scale = C(1) / sum;
    for_tiles<C>(in, n, [&](C* values, size_t count, size_t at) {
      for (size_t i = 0; i < count; ++i) {
        values[i] = simd::exponential(values[i] - largest) * scale;
      }
      store(out.type, out.data + static_cast<ptrdiff_t>(at) * out.step, out.step, count, values);
    });
  }
};

struct LogSoftmax {
  template <typename C>
  static void line(const Line& in, const Line& out, size_t n) {
    C largest, sum;
    sum_up(in, n, largest, sum);
    const C shift = std::log(sum);
    for_tiles<C>(in, n, [&](C* values, size_t count, size_t at) {
      for (size_t i = 0; i < count; ++i) {
        values[i] = (values[i] - largest) - shift;
      }
      store(out.type, out.data + static_cast<ptrdiff_t>(at) * out.step, out.step, count, values);
    });
  }
};

template <typename Operator, DtypeSet kTypes>
void run(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, bool half_to_float, Tensor& out) {
  if (!require_dtype(ctx, in, kTypes) || !wrap_dim(ctx, dim, static_cast<size_t>(in.dim())) ||
      !require_dtype(ctx, out, kFloating)) {
    return;
  }
  WICK_REQUIRE(ctx, half_to_float || in.scalar_type() == out.scalar_type(), , "softmax: dtypes %d and %d differ",
               static_cast<int>(in.scalar_type()), static_cast<int>(out.scalar_type()));
  if (!resize_as(ctx, out, in)) {
    return;
  }
  View from(in);
  View to(out);
  size_t n = 1;
  ptrdiff_t in_step = 0;
  ptrdiff_t out_step = 0;
  if (from.dim() > 0) {
    const size_t axis = static_cast<size_t>(dim);
    n = static_cast<size_t>(from.shape[axis]);
    in_step = from.strides[axis] * static_cast<ptrdiff_t>(from.element_size);
    out_step = to.strides[axis] * static_cast<ptrdiff_t>(to.element_size);
    from.remove(axis);
    to.remove(axis);
  }
  StridedLoop loop(to.shape);
  loop.add(to.data, to.element_size, to.strides);
  loop.add(from.data, from.element_size, from.strides);
  loop.start();
  const bool as_double = in.scalar_type() == ScalarType::Double;
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const Line in_line = {in.scalar_type(), loop.data(1) + at * loop.step(1), in_step};
      const Line out_line = {out.scalar_type(), loop.data(0) + at * loop.step(0), out_step};
      if constexpr (is_in(ScalarType::Double, kTypes)) {
        if (as_double) {
          Operator::template line<double>(in_line, out_line, n);
          continue;
        }
      }
      if constexpr ((kTypes & dtypes_of(Compute::kFloat)) != 0) {
        Operator::template line<float>(in_line, out_line, n);
      }
    }
  }
  (void)as_double;
}

Tensor& softmax_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, bool half_to_float, Tensor& out) {
  run<Softmax, kFloating & selected_dtypes("aten::_softmax.out")>(ctx, in, dim, half_to_float, out);
  return out;
}

Tensor& log_softmax_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, bool half_to_float, Tensor& out) {
  run<LogSoftmax, kFloating & selected_dtypes("aten::_log_softmax.out")>(ctx, in, dim, half_to_float, out);
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten__softmax_out, wick::portable::softmax_out)
WICK_KERNEL(aten__log_softmax_out, wick::portable::log_softmax_out)
