// SPDX-License-Identifier: BSD-3-Clause
//
// aten::cat and stack: every input is copied to its part of the output, converted to the output's dtype if need be.
#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

// A vector without elements counts as nothing, whatever the others' rank.
bool counts(const Tensor& tensor) { return !(tensor.dim() == 1 && tensor.numel() == 0); }

Tensor& cat_out(KernelRuntimeContext& ctx, ArrayRef<Tensor> tensors, int64_t dim, Tensor& out) {
  WICK_REQUIRE(ctx, tensors.size() > 0, out, "cat: no tensors");
  const Tensor* like = &tensors[0];
  for (size_t i = 0; i < tensors.size(); ++i) {
    WICK_REQUIRE(ctx, can_cast(tensors[i].scalar_type(), out.scalar_type()), out,
                 "cat: dtype %d of tensor %zu does not convert to the output's %d",
                 static_cast<int>(tensors[i].scalar_type()), i, static_cast<int>(out.scalar_type()));
    like = counts(*like) ? like : &tensors[i];
  }
  Shape sizes(like->sizes());
  WICK_REQUIRE(ctx, sizes.dim > 0, out, "cat: tensors without dimensions cannot be joined");
  if (!wrap_dim(ctx, dim, sizes.dim)) {
    return out;
  }
  const size_t axis = static_cast<size_t>(dim);
  int64_t total = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    if (!counts(tensor)) {
      continue;
    }
    WICK_REQUIRE(ctx, static_cast<size_t>(tensor.dim()) == sizes.dim, out,
                 "cat: tensor %zu has %zu dimensions, not %zu", i, static_cast<size_t>(tensor.dim()), sizes.dim);
    for (size_t d = 0; d < sizes.dim; ++d) {
      WICK_REQUIRE(ctx, d == axis || tensor.size(static_cast<ssize_t>(d)) == sizes[d], out,
                   "cat: size %d of dimension %zu of tensor %zu differs from %d",
                   static_cast<int>(tensor.size(static_cast<ssize_t>(d))), d, i, static_cast<int>(sizes[d]));
    }
    total += tensor.size(static_cast<ssize_t>(dim));
    WICK_REQUIRE(ctx, total <= INT32_MAX, out, "cat: the result is too large");
  }
  sizes[axis] = static_cast<SizesType>(total);
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  int64_t at = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i];
    if (counts(tensor)) {
      View part(out);
      const int64_t length = tensor.size(static_cast<ssize_t>(dim));
      part.narrow(axis, at, length);
      convert_view(part, out.scalar_type(), View(tensor), tensor.scalar_type());
      at += length;
    }
  }
  return out;
}

Tensor& stack_out(KernelRuntimeContext& ctx, ArrayRef<Tensor> tensors, int64_t dim, Tensor& out) {
  WICK_REQUIRE(ctx, tensors.size() > 0, out, "stack: no tensors");
  View view(tensors[0]);
  if (!wrap_dim(ctx, dim, view.dim() + 1)) {
    return out;
  }
  const size_t axis = static_cast<size_t>(dim);
  view.insert(axis, static_cast<SizesType>(tensors.size()), 0);
  for (size_t i = 0; i < tensors.size(); ++i) {
    WICK_REQUIRE(ctx,
                 tensors[i].sizes().equals(tensors[0].sizes()) && can_cast(tensors[i].scalar_type(), out.scalar_type()),
                 out, "stack: tensor %zu differs in sizes or does not convert to the output's dtype", i);
  }
  if (!resize(ctx, out, view.shape)) {
    return out;
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    View part(out);
    part.select(axis, static_cast<int64_t>(i));
    convert_view(part, out.scalar_type(), View(tensors[i]), tensors[i].scalar_type());
  }
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_cat_out, wick::portable::cat_out)
WICK_KERNEL(aten_stack_out, wick::portable::stack_out)
