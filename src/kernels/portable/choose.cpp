// SPDX-License-Identifier: BSD-3-Clause
//
// Operators that choose elements by their values: nonzero, masked_select, masked_scatter, topk. None needs memory of
// its own: what is chosen is found again instead of being remembered.
#include <tuple>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

// Adds an operand that makes the loop go in row-major order, whatever the layout of the others.
void add_row_major(StridedLoop& loop, const View& view) {
  ptrdiff_t strides[kMaxDims];
  strides_of(view.shape, nullptr, strides);
  loop.add(view.data, view.element_size, strides);
}

bool is_true(ScalarType type, const char* element) {
  return is_in(type, kIntegral)    ? load_one<int64_t>(type, element) != 0
         : is_in(type, kComplexes) ? load_one<Complex>(type, element) != Complex(0)
                                   : load_one<double>(type, element) != 0;
}

Tensor& nonzero_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  if (!require_dtype(ctx, in, kNumbers) || !require_dtype(ctx, out, dtypes(ScalarType::Long))) {
    return out;
  }
  const View from(in);
  const size_t size = product(from.shape);
  const auto element = [&](size_t i, int64_t* index) {
    ptrdiff_t offset = 0;
    for (size_t dim = from.dim(); dim-- > 0;) {
      const size_t at = i % static_cast<size_t>(from.shape[dim]);
      i /= static_cast<size_t>(from.shape[dim]);
      index[dim] = static_cast<int64_t>(at);
      offset += static_cast<ptrdiff_t>(at) * from.strides[dim];
    }
    return from.data + offset * static_cast<ptrdiff_t>(from.element_size);
  };
  int64_t index[kMaxDims];
  size_t count = 0;
  for (size_t i = 0; i < size; ++i) {
    count += is_true(in.scalar_type(), element(i, index)) ? 1 : 0;
  }
  Shape sizes;
  sizes.push(static_cast<SizesType>(count));
  sizes.push(static_cast<SizesType>(from.dim()));
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  const View to(out);
  int64_t* data = reinterpret_cast<int64_t*>(to.data);
  ptrdiff_t row = 0;
  for (size_t i = 0; i < size; ++i) {
    if (is_true(in.scalar_type(), element(i, index))) {
      for (size_t dim = 0; dim < from.dim(); ++dim) {
        data[row * to.strides[0] + static_cast<ptrdiff_t>(dim) * to.strides[1]] = index[dim];
      }
      ++row;
    }
  }
  return out;
}

// A loop in row-major order over two tensors broadcast together; operands 1 and 2.
bool begin(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& mask, Shape& shape) {
  return require_dtype(ctx, mask, kBoolean) && broadcast(ctx, shape, mask.sizes()) && broadcast(ctx, shape, in.sizes());
}

Tensor& masked_select_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& mask, Tensor& out) {
  Shape shape(in.sizes());
  if (!require_same_dtype(ctx, in, out) || !begin(ctx, in, mask, shape)) {
    return out;
  }
  View all(in);
  all.shape = shape;
  StridedLoop loop(shape);
  add_row_major(loop, all);
  loop.add(in);
  loop.add(mask);
  loop.start();
  size_t count = 0;
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      count += loop.data(2)[static_cast<ptrdiff_t>(i) * loop.step(2)] != 0 ? 1 : 0;
    }
  }
  Shape sizes;
  sizes.push(static_cast<SizesType>(count));
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  char* to = static_cast<char*>(out.mutable_data_ptr());
  loop.restart();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      if (loop.data(2)[at * loop.step(2)] != 0) {
        copy_run(to, 0, loop.data(1) + at * loop.step(1), 0, 1, all.element_size);
        to += all.element_size;
      }
    }
  }
  return out;
}

Tensor& masked_scatter_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& mask, const Tensor& src,
                           Tensor& out) {
  Shape shape(in.sizes());
  if (!require_same_dtype(ctx, in, out) || !require_same_dtype(ctx, in, src) || !begin(ctx, in, mask, shape) ||
      !resize(ctx, out, shape)) {
    return out;
  }
  View all(out);
  const View source(src);
  StridedLoop loop(shape);
  add_row_major(loop, all);
  loop.add(in);
  loop.add(mask);
  loop.add(out);
  loop.start();
  size_t taken = 0;
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const char* element = loop.data(1) + at * loop.step(1);
      if (loop.data(2)[at * loop.step(2)] != 0) {
        WICK_REQUIRE(ctx, taken < static_cast<size_t>(src.numel()), out,
                     "masked_scatter: the source has only %zu elements", taken);
        size_t rest = taken++;
        ptrdiff_t offset = 0;
        for (size_t dim = source.dim(); dim-- > 0;) {
          offset += static_cast<ptrdiff_t>(rest % static_cast<size_t>(source.shape[dim])) * source.strides[dim];
          rest /= static_cast<size_t>(source.shape[dim]);
        }
        element = source.data + offset * static_cast<ptrdiff_t>(source.element_size);
      }
      copy_run(loop.data(3) + at * loop.step(3), 0, element, 0, 1, all.element_size);
    }
  }
  return out;
}

// A line of elements, `step` bytes apart.
struct Line {
  ScalarType type;
  const char* data;
  ptrdiff_t step;
  size_t size;
};

// True if a comes before b: by value (NaN counts as the largest), then by place.
template <typename C>
bool precedes(C a, size_t a_at, C b, size_t b_at, bool largest) {
  const bool a_nan = a != a;
  const bool b_nan = b != b;
  if (a_nan != b_nan) {
    return a_nan == largest;
  }
  if (a == b || a_nan) {
    return a_at < b_at;
  }
  return (a > b) == largest;
}

// The place of the best element behind (last, last_at) in the order, or the best of all if last_at is the size.
template <typename C>
size_t next_best(const Line& line, C last, size_t last_at, bool largest) {
  size_t best_at = line.size;
  C best = 0;
  for (size_t i = 0; i < line.size; ++i) {
    const C value = load_one<C>(line.type, line.data + static_cast<ptrdiff_t>(i) * line.step);
    if ((last_at == line.size || precedes(last, last_at, value, i, largest)) &&
        (best_at == line.size || precedes(value, i, best, best_at, largest))) {
      best = value;
      best_at = i;
    }
  }
  return best_at;
}

template <typename C>
void top_of_line(const Line& line, size_t k, bool largest, char* values, ptrdiff_t values_step, char* indices,
                 ptrdiff_t indices_step) {
  C last = 0;
  size_t last_at = line.size;
  for (size_t i = 0; i < k; ++i) {
    last_at = next_best(line, last, last_at, largest);
    last = load_one<C>(line.type, line.data + static_cast<ptrdiff_t>(last_at) * line.step);
    store_one(line.type, values + static_cast<ptrdiff_t>(i) * values_step, last);
    store_one(ScalarType::Long, indices + static_cast<ptrdiff_t>(i) * indices_step, static_cast<int64_t>(last_at));
  }
}

std::tuple<Tensor&, Tensor&> topk_values(KernelRuntimeContext& ctx, const Tensor& in, int64_t k, int64_t dim,
                                         bool largest, bool, Tensor& values, Tensor& indices) {
  const std::tuple<Tensor&, Tensor&> outputs(values, indices);
  constexpr DtypeSet kTypes = kRealHBF16 & selected_dtypes("aten::topk.values");
  if (!require_dtype(ctx, in, kTypes) || !require_same_dtype(ctx, in, values) ||
      !require_dtype(ctx, indices, dtypes(ScalarType::Long)) || !wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
    return outputs;
  }
  const size_t axis = static_cast<size_t>(dim);
  const int64_t size = in.dim() == 0 ? 1 : in.size(static_cast<ssize_t>(dim));
  WICK_REQUIRE(ctx, k >= 0 && k <= size, outputs, "topk: k = %d of %d items", static_cast<int>(k),
               static_cast<int>(size));
  Shape sizes(in.sizes());
  if (in.dim() > 0) {
    sizes[axis] = static_cast<SizesType>(k);
  }
  if (!resize(ctx, values, sizes) || !resize(ctx, indices, sizes) || k == 0) {
    return outputs;
  }
  View views[3] = {View(in), View(values), View(indices)};
  ptrdiff_t steps[3] = {};
  for (size_t i = 0; i < 3 && in.dim() > 0; ++i) {
    steps[i] = views[i].strides[axis] * static_cast<ptrdiff_t>(views[i].element_size);
    views[i].remove(axis);
  }
  StridedLoop loop(views[0].shape);
  for (const View& view : views) {
    loop.add(view.data, view.element_size, view.strides);
  }
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const Line line = {in.scalar_type(), loop.data(0) + at * loop.step(0), steps[0], static_cast<size_t>(size)};
      char* to = loop.data(1) + at * loop.step(1);
      char* to_index = loop.data(2) + at * loop.step(2);
      if (is_in(line.type, kIntegral)) {
        top_of_line<int64_t>(line, static_cast<size_t>(k), largest, to, steps[1], to_index, steps[2]);
      } else {
        top_of_line<double>(line, static_cast<size_t>(k), largest, to, steps[1], to_index, steps[2]);
      }
    }
  }
  return outputs;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_nonzero_out, wick::portable::nonzero_out)
WICK_KERNEL(aten_masked_select_out, wick::portable::masked_select_out)
WICK_KERNEL(aten_masked_scatter_out, wick::portable::masked_scatter_out)
WICK_KERNEL(aten_topk_values, wick::portable::topk_values)
