// SPDX-License-Identifier: BSD-3-Clause
//
// aten::_cdist_forward and _pdist_forward: distances between rows by a norm p.
#include <cmath>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

// Two rows of m elements, steps in bytes.
struct Rows {
  ScalarType type;
  const char* a;
  ptrdiff_t a_step;
  const char* b;
  ptrdiff_t b_step;
  size_t m;
};

template <typename C>
C distance(const Rows& rows, double p) {
  C sum = 0;
  for (size_t i = 0; i < rows.m; ++i) {
    const ptrdiff_t at = static_cast<ptrdiff_t>(i);
    const C d = std::fabs(load_one<C>(rows.type, rows.a + at * rows.a_step) -
                          load_one<C>(rows.type, rows.b + at * rows.b_step));
    if (p == 0) {
      sum += d != 0 ? C(1) : C(0);
    } else if (p == 1) {
      sum += d;
    } else if (p == 2) {
      sum += d * d;
    } else if (std::isinf(p)) {
      sum = d > sum || d != d ? d : sum;
    } else {
      sum += std::pow(d, static_cast<C>(p));
    }
  }
  return p == 2 ? std::sqrt(sum) : (p == 0 || p == 1 || std::isinf(p) ? sum : std::pow(sum, static_cast<C>(1 / p)));
}

void store_distance(const Rows& rows, double p, char* out) {
  if (rows.type == ScalarType::Double) {
    store_one(rows.type, out, distance<double>(rows, p));
  } else {
    store_one(rows.type, out, distance<float>(rows, p));
  }
}

Tensor& cdist_forward_out(KernelRuntimeContext& ctx, const Tensor& x1, const Tensor& x2, double p,
                          std::optional<int64_t>, Tensor& out) {
  WICK_REQUIRE(ctx, x1.dim() >= 2 && x2.dim() >= 2 && x1.size(x1.dim() - 1) == x2.size(x2.dim() - 1) && p >= 0, out,
               "cdist needs matrices [..., rows, m] of the same m and p >= 0");
  if (!require_dtype(ctx, x1, kFloating) || !require_same_dtype(ctx, x1, x2) || !require_same_dtype(ctx, x1, out)) {
    return out;
  }
  // Batches broadcast; seen as [..., p, 1] and [..., 1, r] the rows do as well.
  View a(x1);
  View b(x2);
  const size_t m = static_cast<size_t>(a.shape[a.dim() - 1]);
  const ptrdiff_t size = static_cast<ptrdiff_t>(a.element_size);
  const ptrdiff_t a_step = a.strides[a.dim() - 1] * size;
  const ptrdiff_t b_step = b.strides[b.dim() - 1] * size;
  a.remove(a.dim() - 1);
  b.remove(b.dim() - 1);
  a.insert(a.dim(), 1, 0);
  b.insert(b.dim() - 1, 1, 0);
  Shape sizes(a.shape);
  if (!broadcast(ctx, sizes, b.shape) || !resize(ctx, out, sizes)) {
    return out;
  }
  for (View* view : {&a, &b}) {
    while (view->dim() < sizes.dim) {
      view->insert(0, 1, 0);
    }
    for (size_t i = 0; i < sizes.dim; ++i) {
      view->strides[i] = view->shape[i] == 1 ? 0 : view->strides[i];
    }
  }
  const View to(out);
  StridedLoop loop(sizes);
  loop.add(to.data, to.element_size, to.strides);
  loop.add(a.data, a.element_size, a.strides);
  loop.add(b.data, b.element_size, b.strides);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      store_distance(
          {x1.scalar_type(), loop.data(1) + at * loop.step(1), a_step, loop.data(2) + at * loop.step(2), b_step, m}, p,
          loop.data(0) + at * loop.step(0));
    }
  }
  return out;
}

Tensor& pdist_forward_out(KernelRuntimeContext& ctx, const Tensor& in, double p, Tensor& out) {
  WICK_REQUIRE(ctx, in.dim() == 2 && p >= 0, out, "pdist needs a matrix and p >= 0");
  if (!require_dtype(ctx, in, kFloating) || !require_same_dtype(ctx, in, out)) {
    return out;
  }
  const View from(in);
  const int64_t n = from.shape[0];
  const int64_t pairs = n * (n - 1) / 2;
  WICK_REQUIRE(ctx, pairs <= INT32_MAX, out, "pdist: the result is too large");
  Shape sizes;
  sizes.push(static_cast<SizesType>(pairs));
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  const ptrdiff_t size = static_cast<ptrdiff_t>(from.element_size);
  char* to = static_cast<char*>(out.mutable_data_ptr());
  for (ptrdiff_t i = 0; i < n; ++i) {
    for (ptrdiff_t j = i + 1; j < n; ++j, to += size) {
      store_distance(
          {in.scalar_type(), from.data + i * from.strides[0] * size, from.strides[1] * size,
           from.data + j * from.strides[0] * size, from.strides[1] * size, static_cast<size_t>(from.shape[1])},
          p, to);
    }
  }
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten__cdist_forward_out, wick::portable::cdist_forward_out)
WICK_KERNEL(aten__pdist_forward_out, wick::portable::pdist_forward_out)
