// SPDX-License-Identifier: BSD-3-Clause
//
// Operators that take a regular part of a tensor: slice, select, narrow, split, unbind, diagonal, as_strided, unfold;
// and those that put one into a copy: slice_scatter, select_scatter.
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

// What slice(start, end, step) means for a dimension of `size` items.
struct Range {
  int64_t start, length;
};

bool slice_range(KernelRuntimeContext& ctx, int64_t size, std::optional<int64_t> from, std::optional<int64_t> to,
                 int64_t step, Range& range) {
  WICK_REQUIRE(ctx, step > 0, false, "slice: the step must be positive");
  const auto clamp = [size](int64_t i) {
    if (i < 0) {
      i = i < -size ? 0 : i + size;
    }
    return i > size ? size : i;
  };
  const int64_t start = clamp(from.value_or(0));
  const int64_t end = clamp(to.value_or(size));
  range.start = start;
  range.length = end <= start ? 0 : (end - start - 1) / step + 1;
  return true;
}

Tensor& slice_copy_Tensor_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, std::optional<int64_t> start,
                              std::optional<int64_t> end, int64_t step, Tensor& out) {
  WICK_REQUIRE(ctx, in.dim() > 0, out, "slice: the input has no dimensions");
  Range range;
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim())) ||
      !slice_range(ctx, in.size(static_cast<ssize_t>(dim)), start, end, step, range)) {
    return out;
  }
  View view(in);
  view.narrow(static_cast<size_t>(dim), range.start, range.length, step);
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

Tensor& slice_scatter_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& src, int64_t dim,
                          std::optional<int64_t> start, std::optional<int64_t> end, int64_t step, Tensor& out) {
  WICK_REQUIRE(ctx, in.dim() > 0 && src.dim() == in.dim(), out, "slice_scatter: the source must have %zu dimensions",
               static_cast<size_t>(in.dim()));
  Range range;
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim())) ||
      !slice_range(ctx, in.size(static_cast<ssize_t>(dim)), start, end, step, range) ||
      !require_same_dtype(ctx, in, src)) {
    return out;
  }
  for (ssize_t i = 0; i < in.dim(); ++i) {
    WICK_REQUIRE(ctx, src.size(i) == (i == dim ? range.length : in.size(i)), out,
                 "slice_scatter: the source does not fit dimension %zu", static_cast<size_t>(i));
  }
  copy_to(ctx, View(in), in.scalar_type(), out);
  if (ctx.failure_state() == Error::Ok) {
    View part(out);
    part.narrow(static_cast<size_t>(dim), range.start, range.length, step);
    copy_view(part, View(src));
  }
  return out;
}

bool select_index(KernelRuntimeContext& ctx, const Tensor& in, int64_t& dim, int64_t& index) {
  WICK_REQUIRE(ctx, in.dim() > 0, false, "select: the input has no dimensions");
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
    return false;
  }
  const int64_t size = in.size(static_cast<ssize_t>(dim));
  WICK_REQUIRE(ctx, index >= -size && index < size, false, "select: index %d is out of range for %d items",
               static_cast<int>(index), static_cast<int>(size));
  index += index < 0 ? size : 0;
  return true;
}

Tensor& select_copy_int_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, int64_t index, Tensor& out) {
  if (select_index(ctx, in, dim, index)) {
    View view(in);
    view.select(static_cast<size_t>(dim), index);
    copy_to(ctx, view, in.scalar_type(), out);
  }
  return out;
}

Tensor& select_scatter_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& src, int64_t dim, int64_t index,
                           Tensor& out) {
  if (!select_index(ctx, in, dim, index) || !require_same_dtype(ctx, in, src)) {
    return out;
  }
  View part(in);
  part.select(static_cast<size_t>(dim), index);
  WICK_REQUIRE(ctx, src.sizes().equals(part.shape), out,
               "select_scatter: the source does not have the selection's sizes");
  copy_to(ctx, View(in), in.scalar_type(), out);
  if (ctx.failure_state() == Error::Ok) {
    View to(out);
    to.select(static_cast<size_t>(dim), index);
    copy_view(to, View(src));
  }
  return out;
}

Tensor& narrow_copy_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, int64_t start, int64_t length,
                        Tensor& out) {
  WICK_REQUIRE(ctx, in.dim() > 0, out, "narrow: the input has no dimensions");
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
    return out;
  }
  const int64_t size = in.size(static_cast<ssize_t>(dim));
  start += start < 0 ? size : 0;
  WICK_REQUIRE(ctx, start >= 0 && start <= size && length >= 0 && length <= size - start, out,
               "narrow: start and length are out of range for %d items", static_cast<int>(size));
  View view(in);
  view.narrow(static_cast<size_t>(dim), start, length);
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

// Copies [start, start + length) of a dimension to one of several outputs.
void copy_part(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, int64_t start, int64_t length,
               const Tensor& out) {
  View view(in);
  view.narrow(static_cast<size_t>(dim), start, length);
  Tensor part = out;
  copy_to(ctx, view, in.scalar_type(), part);
}

void split_copy_Tensor_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t split_size, int64_t dim,
                           ArrayRef<Tensor> out) {
  WICK_REQUIRE(ctx, in.dim() > 0, , "split: the input has no dimensions");
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
    return;
  }
  const int64_t size = in.size(static_cast<ssize_t>(dim));
  WICK_REQUIRE(ctx, split_size > 0 || (split_size == 0 && size == 0), , "split: the size of a part must be positive");
  const int64_t parts = split_size == 0 || size == 0 ? 1 : (size - 1) / split_size + 1;
  WICK_REQUIRE(ctx, static_cast<int64_t>(out.size()) == parts, , "split: %zu outputs for %d parts", out.size(),
               static_cast<int>(parts));
  for (size_t i = 0; i < out.size() && ctx.failure_state() == Error::Ok; ++i) {
    const int64_t start = static_cast<int64_t>(i) * split_size;
    copy_part(ctx, in, dim, start, size - start < split_size ? size - start : split_size, out[i]);
  }
}

void split_with_sizes_copy_out(KernelRuntimeContext& ctx, const Tensor& in, IntList sizes, int64_t dim,
                               ArrayRef<Tensor> out) {
  WICK_REQUIRE(ctx, in.dim() > 0 && out.size() == sizes.size(), , "split: %zu outputs for %zu sizes", out.size(),
               sizes.size());
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
    return;
  }
  int64_t left = in.size(static_cast<ssize_t>(dim));
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t size = sizes[i];
    WICK_REQUIRE(ctx, size >= 0 && size <= left, , "split: the sizes do not add up to the dimension");
    left -= size;
  }
  WICK_REQUIRE(ctx, left == 0, , "split: the sizes do not add up to the dimension");
  int64_t start = 0;
  for (size_t i = 0; i < out.size() && ctx.failure_state() == Error::Ok; ++i) {
    copy_part(ctx, in, dim, start, sizes[i], out[i]);
    start += sizes[i];
  }
}

void unbind_copy_int_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, ArrayRef<Tensor> out) {
  WICK_REQUIRE(ctx, in.dim() > 0, , "unbind: the input has no dimensions");
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
    return;
  }
  WICK_REQUIRE(ctx, static_cast<ssize_t>(out.size()) == in.size(static_cast<ssize_t>(dim)), ,
               "unbind: %zu outputs for a dimension of %d", out.size(),
               static_cast<int>(in.size(static_cast<ssize_t>(dim))));
  for (size_t i = 0; i < out.size() && ctx.failure_state() == Error::Ok; ++i) {
    View view(in);
    view.select(static_cast<size_t>(dim), static_cast<int64_t>(i));
    Tensor part = out[i];
    copy_to(ctx, view, in.scalar_type(), part);
  }
}

Tensor& diagonal_copy_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t offset, int64_t dim1, int64_t dim2,
                          Tensor& out) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx, rank >= 2, out, "diagonal: the input has %zu dimensions, at least 2 are needed", rank);
  if (!wrap_dim(ctx, dim1, rank) || !wrap_dim(ctx, dim2, rank)) {
    return out;
  }
  WICK_REQUIRE(ctx, dim1 != dim2, out, "diagonal: both dimensions are %d", static_cast<int>(dim1));
  const int64_t rows = in.size(static_cast<ssize_t>(dim1));
  const int64_t columns = in.size(static_cast<ssize_t>(dim2));
  const bool above = offset >= 0;
  const int64_t limit = above ? columns : rows;
  const bool inside = above ? offset < limit : offset > -limit;
  int64_t length = 0;
  if (inside) {
    length = above ? columns - offset : rows + offset;
    length = length < (above ? rows : columns) ? length : (above ? rows : columns);
  }
  View view(in);
  const ptrdiff_t stride = view.strides[dim1] + view.strides[dim2];
  if (length > 0) {
    view.narrow(static_cast<size_t>(above ? dim2 : dim1), above ? offset : -offset, 1);
  }
  view.remove(static_cast<size_t>(dim1 > dim2 ? dim1 : dim2));
  view.remove(static_cast<size_t>(dim1 > dim2 ? dim2 : dim1));
  view.insert(view.dim(), static_cast<SizesType>(length), stride);
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

Tensor& as_strided_copy_out(KernelRuntimeContext& ctx, const Tensor& in, IntList size, IntList stride,
                            std::optional<int64_t> storage_offset, Tensor& out) {
  WICK_REQUIRE(ctx, size.size() == stride.size() && size.size() <= kMaxDims, out,
               "as_strided: %zu sizes but %zu strides", size.size(), stride.size());
  const int64_t offset = storage_offset.value_or(0);
  const int64_t limit = static_cast<int64_t>(in.numel());
  WICK_REQUIRE(ctx, offset >= 0 && offset <= limit, out, "as_strided: the offset is outside of the input");
  View view(in);
  view.shape.dim = 0;
  int64_t last = offset;  // the furthest element
  bool empty = false;
  for (size_t i = 0; i < size.size(); ++i) {
    const int64_t n = size[i];
    const int64_t step = stride[i];
    WICK_REQUIRE(ctx, n >= 0 && n <= INT32_MAX && step >= 0 && step <= INT32_MAX, out,
                 "as_strided: a size or stride is out of range");
    empty = empty || n == 0;
    last = n > 0 && last < limit ? last + (n - 1) * step : last;
    view.insert(i, static_cast<SizesType>(n), static_cast<ptrdiff_t>(step));
  }
  WICK_REQUIRE(ctx, empty || last < limit, out, "as_strided: the view reaches beyond the input's %d elements",
               static_cast<int>(limit));
  view.data += static_cast<size_t>(offset) * view.element_size;
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

Tensor& unfold_copy_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, int64_t size, int64_t step,
                        Tensor& out) {
  if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
    return out;
  }
  View view(in);
  if (view.dim() == 0) {
    view.insert(0, 1, 1);
  }
  const int64_t length = view.shape[static_cast<size_t>(dim)];
  WICK_REQUIRE(ctx, size >= 0 && size <= length && step > 0 && view.dim() < kMaxDims, out,
               "unfold: windows of %d by steps of %d do not fit a dimension of %d", static_cast<int>(size),
               static_cast<int>(step), static_cast<int>(length));
  const ptrdiff_t stride = view.strides[dim];
  const int64_t windows = (length - size) / step + 1;
  view.narrow(static_cast<size_t>(dim), 0, windows, windows > 1 ? step : 1);
  if (in.dim() == 0) {
    view.remove(0);
  }
  view.insert(view.dim(), static_cast<SizesType>(size), stride);
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_slice_copy_Tensor_out, wick::portable::slice_copy_Tensor_out)
WICK_KERNEL(aten_slice_scatter_out, wick::portable::slice_scatter_out)
WICK_KERNEL(aten_select_copy_int_out, wick::portable::select_copy_int_out)
WICK_KERNEL(aten_select_scatter_out, wick::portable::select_scatter_out)
WICK_KERNEL(aten_narrow_copy_out, wick::portable::narrow_copy_out)
WICK_KERNEL(aten_split_copy_Tensor_out, wick::portable::split_copy_Tensor_out)
WICK_KERNEL(aten_split_with_sizes_copy_out, wick::portable::split_with_sizes_copy_out)
WICK_KERNEL(aten_unbind_copy_int_out, wick::portable::unbind_copy_int_out)
WICK_KERNEL(aten_diagonal_copy_out, wick::portable::diagonal_copy_out)
WICK_KERNEL(aten_as_strided_copy_out, wick::portable::as_strided_copy_out)
WICK_KERNEL(aten_unfold_copy_out, wick::portable::unfold_copy_out)
