// SPDX-License-Identifier: BSD-3-Clause
//
// Operators that the exporter puts around tensors: et_view, which gives a tensor another tensor's memory, and
// et_copy_index, which collects the results of a loop along the first dimension.
#include <cstdint>

#include "src/kernels/portable/common.h"

namespace wick {
namespace prim {
namespace {

using executorch::aten::SizesType;
using portable::kMaxDims;
using portable::Shape;

// Reads the sizes, with at most one -1 that stands for what is left.
bool view_shape(KernelRuntimeContext& ctx, IntList sizes, int64_t numel, Shape& shape) {
  size_t inferred = kMaxDims;
  int64_t known = 1;
  WICK_REQUIRE(ctx, sizes.size() <= kMaxDims, false, "more than %zu dimensions", kMaxDims);
  for (size_t i = 0; i < sizes.size(); ++i) {
    const int64_t size = sizes[i];
    WICK_REQUIRE(ctx, size >= -1 && size <= INT32_MAX, false, "size %zu of a view is out of range", i);
    shape.push(static_cast<SizesType>(size));
    if (size == -1) {
      WICK_REQUIRE(ctx, inferred == kMaxDims, false, "at most one size of a view can be -1");
      inferred = i;
      continue;
    }
    WICK_REQUIRE(ctx, size == 0 || known <= INT32_MAX / size, false, "the sizes of a view are too large");
    known *= size;
  }
  if (inferred < kMaxDims) {
    WICK_REQUIRE(ctx, known > 0 && numel % known == 0, false, "the -1 of a view cannot be inferred");
    shape[inferred] = static_cast<SizesType>(numel / known);
    known = numel;
  }
  WICK_REQUIRE(ctx, known == numel, false, "a view must hold as many elements as its tensor");
  return true;
}

void et_view(KernelRuntimeContext& ctx, const Tensor& self, IntList sizes, Tensor& out) {
  Shape shape;
  if (!portable::require_same_dtype(ctx, self, out) || !view_shape(ctx, sizes, self.numel(), shape)) {
    return;
  }
  WICK_REQUIRE(ctx, shape.dim == static_cast<size_t>(out.dim()), , "a view of %zu dimensions into a tensor of %zd",
               shape.dim, out.dim());
  if (!portable::resize(ctx, out, shape)) {
    return;
  }
  WICK_REQUIRE(ctx, (portable::is_contiguous(self) && portable::is_contiguous(out)) || portable::same_layout(self, out),
               , "the memory of a tensor in this dim order cannot be seen with other sizes");
  const Error error =
      executorch::runtime::internal::set_tensor_data(out, self.mutable_data_ptr(), static_cast<size_t>(out.nbytes()));
  if (error != Error::Ok) {
    ctx.fail(error);
  }
}

void et_copy_index(KernelRuntimeContext& ctx, Tensor& to, const Tensor& from, int64_t index) {
  WICK_REQUIRE(ctx, index >= 0 && index < INT32_MAX, , "the index to copy to is out of range");
  WICK_REQUIRE(ctx, to.dim() == from.dim() + 1 && to.element_size() == from.element_size(), ,
               "a tensor of %zd dimensions cannot collect tensors of %zd dimensions", to.dim(), from.dim());
  Shape shape;
  shape.push(static_cast<SizesType>(index + 1));
  for (ssize_t i = 0; i < from.dim(); ++i) {
    WICK_REQUIRE(ctx, to.size(i + 1) == from.size(i), , "the collected tensors must all have the same sizes");
    shape.push(static_cast<SizesType>(from.size(i)));
  }
  if (!portable::resize(ctx, to, shape) || from.numel() == 0) {
    return;
  }
  ptrdiff_t to_strides[kMaxDims];
  ptrdiff_t from_strides[kMaxDims];
  portable::strides_of(to, to_strides);
  portable::strides_of(from, from_strides);
  WICK_REQUIRE(ctx, index == 0 || to_strides[0] == static_cast<ptrdiff_t>(from.numel()), ,
               "results can be collected only along the outermost dimension");
  const size_t size = static_cast<size_t>(from.element_size());
  char* data = static_cast<char*>(to.mutable_data_ptr()) +
               static_cast<ptrdiff_t>(index) * to_strides[0] * static_cast<ptrdiff_t>(size);
  portable::StridedLoop loop(from.sizes());
  loop.add(data, size, to_strides + 1);
  loop.add(from.const_data_ptr(), size, from_strides);
  loop.start();
  while (loop.next()) {
    portable::copy_run(loop.data(0), loop.step(0), loop.data(1), loop.step(1), loop.run(), size);
  }
}

}  // namespace
}  // namespace prim
}  // namespace wick

WICK_KERNEL(prim_et_view_default, prim::et_view)
WICK_KERNEL(prim_et_copy_index_tensor, prim::et_copy_index)
