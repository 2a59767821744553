// SPDX-License-Identifier: BSD-3-Clause
//
// Operators that read or write along one dimension at indices from a tensor: gather, scatter, scatter_add,
// index_select, embedding.
#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

constexpr DtypeSet kIndexTypes = dtypes(ScalarType::Int, ScalarType::Long);

// A tensor without dimensions is seen as a vector of one item.
View at_least_1d(const Tensor& tensor) {
  View view(tensor);
  if (view.dim() == 0) {
    view.insert(0, 1, 1);
  }
  return view;
}

// The walk over all places of `index`: of `other`, which has the same place, and of `indexed`, whose place along `dim`
// the index tells. function(indexed element, other element) does the work.
template <typename Function>
void for_indexed(KernelRuntimeContext& ctx, const Tensor& index, const View& indexed, const View& other, size_t dim,
                 Function function) {
  const View places = at_least_1d(index);
  const int64_t size = indexed.shape[dim];
  const ptrdiff_t stride = indexed.strides[dim] * static_cast<ptrdiff_t>(indexed.element_size);
  ptrdiff_t still[kMaxDims];
  for (size_t i = 0; i < indexed.dim(); ++i) {
    still[i] = i == dim ? 0 : indexed.strides[i];
  }
  StridedLoop loop(places.shape);
  loop.add(places.data, places.element_size, places.strides);
  loop.add(indexed.data, indexed.element_size, still);
  loop.add(other.data, other.element_size, other.strides);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const int64_t place = load_one<int64_t>(index.scalar_type(), loop.data(0) + at * loop.step(0));
      WICK_REQUIRE(ctx, place >= 0 && place < size, , "index %d is out of range for %d items", static_cast<int>(place),
                   static_cast<int>(size));
      function(loop.data(1) + at * loop.step(1) + static_cast<ptrdiff_t>(place) * stride,
               loop.data(2) + at * loop.step(2));
    }
  }
}

// Whether `index` fits in `view` in all dimensions but `skip`.
bool fits(KernelRuntimeContext& ctx, const View& index, const View& view, size_t skip) {
  WICK_REQUIRE(ctx, index.dim() == view.dim(), false, "an index of %zu dimensions for a tensor of %zu", index.dim(),
               view.dim());
  for (size_t i = 0; i < index.dim(); ++i) {
    WICK_REQUIRE(ctx, i == skip || index.shape[i] <= view.shape[i], false,
                 "the index has %d items in dimension %zu, the tensor %d", static_cast<int>(index.shape[i]), i,
                 static_cast<int>(view.shape[i]));
  }
  return true;
}

Tensor& gather_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, const Tensor& index, bool, Tensor& out) {
  const View from = at_least_1d(in);
  if (!require_dtype(ctx, index, kIndexTypes) || !require_same_dtype(ctx, in, out) || !wrap_dim(ctx, dim, from.dim()) ||
      (index.numel() > 0 && !fits(ctx, at_least_1d(index), from, static_cast<size_t>(dim))) ||
      !resize_as(ctx, out, index)) {
    return out;
  }
  for_indexed(ctx, index, from, at_least_1d(out), static_cast<size_t>(dim),
              [&](char* element, char* target) { copy_run(target, 0, element, 0, 1, from.element_size); });
  return out;
}

// What scatter operators share: checks, and the copy of the input.
bool begin_scatter(KernelRuntimeContext& ctx, const Tensor& in, int64_t& dim, const Tensor& index, Tensor& out) {
  const View from = at_least_1d(in);
  if (!require_dtype(ctx, index, kIndexTypes) || !require_same_dtype(ctx, in, out) || !wrap_dim(ctx, dim, from.dim()) ||
      (index.numel() > 0 && !fits(ctx, at_least_1d(index), from, static_cast<size_t>(dim))) ||
      !resize_as(ctx, out, in)) {
    return false;
  }
  copy_tensor(in, out);
  return true;
}

bool source_fits(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& index, const Tensor& src) {
  return require_same_dtype(ctx, in, src) &&
         (index.numel() == 0 || fits(ctx, at_least_1d(index), at_least_1d(src), kMaxDims));
}

Tensor& scatter_src_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, const Tensor& index,
                        const Tensor& src, Tensor& out) {
  if (source_fits(ctx, in, index, src) && begin_scatter(ctx, in, dim, index, out)) {
    const View to = at_least_1d(out);
    for_indexed(ctx, index, to, at_least_1d(src), static_cast<size_t>(dim),
                [&](char* element, char* source) { copy_run(element, 0, source, 0, 1, to.element_size); });
  }
  return out;
}

Tensor& scatter_value_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, const Tensor& index,
                          const Scalar& value, Tensor& out) {
  if (require_fit(ctx, value, in.scalar_type()) && begin_scatter(ctx, in, dim, index, out)) {
    alignas(16) char element[kComputeBytes] = {};
    store_scalar(out.scalar_type(), value, element);
    const View to = at_least_1d(out);
    for_indexed(ctx, index, to, at_least_1d(index), static_cast<size_t>(dim),
                [&](char* target, char*) { copy_run(target, 0, element, 0, 1, to.element_size); });
  }
  return out;
}

// *sum += *value, for any real dtype. Double holds the sum of two smaller floats exactly enough to round once.
void add_element(ScalarType type, char* sum, const char* value) {
  if (is_in(type, kIntegral)) {
    const uint64_t total =
        static_cast<uint64_t>(load_one<int64_t>(type, sum)) + static_cast<uint64_t>(load_one<int64_t>(type, value));
    store_one(type, sum, static_cast<int64_t>(total));
  } else {
    store_one(type, sum, load_one<double>(type, sum) + load_one<double>(type, value));
  }
}

Tensor& scatter_add_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, const Tensor& index,
                        const Tensor& src, Tensor& out) {
  if (require_dtype(ctx, in, kRealHBBF16) && source_fits(ctx, in, index, src) &&
      begin_scatter(ctx, in, dim, index, out)) {
    const ScalarType type = out.scalar_type();
    for_indexed(ctx, index, at_least_1d(out), at_least_1d(src), static_cast<size_t>(dim),
                [&](char* element, char* source) { add_element(type, element, source); });
  }
  return out;
}

Tensor& index_select_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, const Tensor& index, Tensor& out) {
  View from = at_least_1d(in);
  WICK_REQUIRE(ctx, index.dim() <= 1, out, "index_select: the index must be a vector");
  if (!require_dtype(ctx, index, kIndexTypes) || !require_same_dtype(ctx, in, out) || !wrap_dim(ctx, dim, from.dim())) {
    return out;
  }
  const size_t axis = static_cast<size_t>(dim);
  const int64_t size = from.shape[axis];
  Shape sizes(in.sizes());
  if (in.dim() > 0) {
    sizes[axis] = static_cast<SizesType>(index.numel());
  }
  WICK_REQUIRE(ctx, in.dim() > 0 || index.numel() == 1, out, "index_select: a tensor without dimensions has one item");
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  const View places = at_least_1d(index);
  for (SizesType i = 0; i < places.shape[0]; ++i) {
    const int64_t place = load_one<int64_t>(
        index.scalar_type(), places.data + i * places.strides[0] * static_cast<ptrdiff_t>(places.element_size));
    WICK_REQUIRE(ctx, place >= 0 && place < size, out, "index_select: index %d is out of range for %d items",
                 static_cast<int>(place), static_cast<int>(size));
    View source = from;
    View target = at_least_1d(out);
    source.select(axis, place);
    target.select(axis, i);
    copy_view(target, source);
  }
  return out;
}

Tensor& embedding_out(KernelRuntimeContext& ctx, const Tensor& weight, const Tensor& indices, int64_t, bool, bool,
                      Tensor& out) {
  WICK_REQUIRE(ctx, weight.dim() == 2 && static_cast<size_t>(indices.dim()) < kMaxDims, out,
               "embedding: the weight must be a matrix");
  if (!require_dtype(ctx, indices, kIndexTypes) || !require_same_dtype(ctx, weight, out)) {
    return out;
  }
  Shape sizes(indices.sizes());
  sizes.push(static_cast<SizesType>(weight.size(1)));
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  const View rows(weight);
  const View places(indices);
  const View to(out);
  const ptrdiff_t size = static_cast<ptrdiff_t>(rows.element_size);
  StridedLoop loop(places.shape);
  loop.add(places.data, places.element_size, places.strides);
  loop.add(to.data, to.element_size, to.strides);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      const int64_t row = load_one<int64_t>(indices.scalar_type(), loop.data(0) + at * loop.step(0));
      WICK_REQUIRE(ctx, row >= 0 && row < rows.shape[0], out, "embedding: index %d is out of range for %d rows",
                   static_cast<int>(row), static_cast<int>(rows.shape[0]));
      copy_run(loop.data(1) + at * loop.step(1), to.strides[to.dim() - 1] * size,
               rows.data + static_cast<ptrdiff_t>(row) * rows.strides[0] * size, rows.strides[1] * size,
               static_cast<size_t>(rows.shape[1]), rows.element_size);
    }
  }
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_gather_out, wick::portable::gather_out)
WICK_KERNEL(aten_scatter_src_out, wick::portable::scatter_src_out)
WICK_KERNEL(aten_scatter_value_out, wick::portable::scatter_value_out)
WICK_KERNEL(aten_scatter_add_out, wick::portable::scatter_add_out)
WICK_KERNEL(aten_index_select_out, wick::portable::index_select_out)
WICK_KERNEL(aten_embedding_out, wick::portable::embedding_out)
