// SPDX-License-Identifier: BSD-3-Clause
//
// Operators that give the same elements another shape: view_copy, squeeze, unsqueeze, expand, view_as_real.
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

// Offset in elements of the i-th element in logical order.
ptrdiff_t offset_of(const View& view, size_t i) {
  ptrdiff_t offset = 0;
  for (size_t dim = view.dim(); dim-- > 0;) {
    const size_t size = static_cast<size_t>(view.shape[dim]);
    offset += static_cast<ptrdiff_t>(i % size) * view.strides[dim];
    i /= size;
  }
  return offset;
}

// Copies in logical order between tensors of different shapes.
void copy_reshaped(const Tensor& in, Tensor& out) {
  View from(in);
  View to(out);
  if (is_contiguous(in)) {
    from.shape = to.shape;
    strides_of(to.shape, nullptr, from.strides);
  } else if (is_contiguous(out)) {
    to.shape = from.shape;
    strides_of(from.shape, nullptr, to.strides);
  } else {
    const ptrdiff_t size = static_cast<ptrdiff_t>(from.element_size);
    for (size_t i = 0; i < static_cast<size_t>(in.numel()); ++i) {
      copy_run(to.data + offset_of(to, i) * size, 0, from.data + offset_of(from, i) * size, 0, 1, from.element_size);
    }
    return;
  }
  copy_view(to, from);
}

Tensor& view_copy_out(KernelRuntimeContext& ctx, const Tensor& in, IntList size, Tensor& out) {
  Shape sizes;
  WICK_REQUIRE(ctx, size.size() <= kMaxDims, out, "view: %zu dimensions are too many", size.size());
  const int64_t numel = static_cast<int64_t>(in.numel());
  int64_t known = 1;
  size_t inferred = kMaxDims;
  for (size_t i = 0; i < size.size(); ++i) {
    int64_t n = size[i];
    if (n == -1 && inferred == kMaxDims) {
      inferred = i;
      n = 1;
    }
    WICK_REQUIRE(ctx, n >= 0 && n <= INT32_MAX, out, "view: size %zu is out of range", i);
    known = known * n <= INT32_MAX ? known * n : -1;
    WICK_REQUIRE(ctx, known >= 0, out, "view: the sizes have more elements than the input's %d",
                 static_cast<int>(numel));
    sizes.push(static_cast<SizesType>(n));
  }
  if (inferred != kMaxDims) {
    WICK_REQUIRE(ctx, known > 0 && numel % known == 0, out, "view: %d elements do not divide by the given sizes",
                 static_cast<int>(numel));
    sizes[inferred] = static_cast<SizesType>(numel / known);
    known = numel;
  }
  WICK_REQUIRE(ctx, known == numel, out, "view: the sizes do not have the input's %d elements",
               static_cast<int>(numel));
  if (require_same_dtype(ctx, in, out) && resize(ctx, out, sizes)) {
    copy_reshaped(in, out);
  }
  return out;
}

Tensor& squeeze(KernelRuntimeContext& ctx, const Tensor& in, uint32_t dims, Tensor& out) {
  View view(in);
  for (size_t dim = view.dim(); dim-- > 0;) {
    if (((dims >> dim) & 1) != 0 && view.shape[dim] == 1) {
      view.remove(dim);
    }
  }
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

Tensor& squeeze_copy_dim_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, Tensor& out) {
  return wrap_dim(ctx, dim, static_cast<size_t>(in.dim())) ? squeeze(ctx, in, 1u << dim, out) : out;
}

Tensor& squeeze_copy_dims_out(KernelRuntimeContext& ctx, const Tensor& in, IntList dims, Tensor& out) {
  uint32_t set = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t dim = dims[i];
    if (!wrap_dim(ctx, dim, static_cast<size_t>(in.dim()))) {
      return out;
    }
    set |= 1u << dim;
  }
  return squeeze(ctx, in, set, out);
}

Tensor& unsqueeze_copy_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim, Tensor& out) {
  if (wrap_dim(ctx, dim, static_cast<size_t>(in.dim()) + 1)) {
    View view(in);
    view.insert(static_cast<size_t>(dim), 1, 0);
    copy_to(ctx, view, in.scalar_type(), out);
  }
  return out;
}

Tensor& expand_copy_out(KernelRuntimeContext& ctx, const Tensor& in, IntList sizes, bool implicit, Tensor& out) {
  View view(in);
  WICK_REQUIRE(ctx, !implicit && sizes.size() >= view.dim() && sizes.size() <= kMaxDims, out,
               "expand: %zu sizes for a tensor of %zu dimensions", sizes.size(), view.dim());
  const size_t added = sizes.size() - view.dim();
  for (size_t i = 0; i < added; ++i) {
    view.insert(0, 1, 0);
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t size = sizes[i] == -1 && i >= added ? view.shape[i] : sizes[i];
    WICK_REQUIRE(ctx, size >= 0 && size <= INT32_MAX && (view.shape[i] == 1 || view.shape[i] == size), out,
                 "expand: dimension %zu of %d items does not become %d", i, static_cast<int>(view.shape[i]),
                 static_cast<int>(size));
    if (view.shape[i] != size) {
      view.shape[i] = static_cast<SizesType>(size);
      view.strides[i] = 0;
    }
  }
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

Tensor& view_as_real_copy_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  const ScalarType type = in.scalar_type();
  const bool complex =
      type == ScalarType::ComplexHalf || type == ScalarType::ComplexFloat || type == ScalarType::ComplexDouble;
  WICK_REQUIRE(ctx, complex, out, "view_as_real: the input is not complex");
  View view(in);
  view.element_size /= 2;
  for (size_t i = 0; i < view.dim(); ++i) {
    view.strides[i] *= 2;
  }
  view.insert(view.dim(), 2, 1);
  const ScalarType real = type == ScalarType::ComplexHalf    ? ScalarType::Half
                          : type == ScalarType::ComplexFloat ? ScalarType::Float
                                                             : ScalarType::Double;
  copy_to(ctx, view, real, out);
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_view_copy_out, wick::portable::view_copy_out)
WICK_KERNEL(aten_squeeze_copy_dim_out, wick::portable::squeeze_copy_dim_out)
WICK_KERNEL(aten_squeeze_copy_dims_out, wick::portable::squeeze_copy_dims_out)
WICK_KERNEL(aten_unsqueeze_copy_out, wick::portable::unsqueeze_copy_out)
WICK_KERNEL(aten_expand_copy_out, wick::portable::expand_copy_out)
WICK_KERNEL(aten_view_as_real_copy_out, wick::portable::view_as_real_copy_out)
