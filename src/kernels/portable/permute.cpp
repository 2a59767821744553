// SPDX-License-Identifier: BSD-3-Clause
//
// aten::permute_copy, transpose_copy and t_copy: dimensions in another order. Asked by the loader, they have it look
// whether the call copies a constant that can be viewed instead. Selected for no type, as wick embed does for programs
// whose calls all become views, they copy nothing.
#include "src/kernels/portable/views.h"
#include "src/runtime/kernel/question.h"

namespace wick {
namespace portable {

namespace {

Tensor& permute_copy_out(KernelRuntimeContext& ctx, const Tensor& in, IntList dims, Tensor& out) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx, dims.size() == rank && rank <= kMaxDims, out, "permute: %zu dims for a tensor of %zu dimensions",
               dims.size(), rank);
  const View from(in);
  View view = from;
  uint32_t seen = 0;
  for (size_t i = 0; i < rank; ++i) {
    int64_t dim = dims[i];
    if (!wrap_dim(ctx, dim, rank)) {
      return out;
    }
    view.shape[i] = from.shape[static_cast<size_t>(dim)];
    view.strides[i] = from.strides[dim];
    seen |= 1u << dim;
  }
  WICK_REQUIRE(ctx, seen == (1u << rank) - 1, out, "permute: a dimension comes twice");
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

Tensor& transpose_copy_int_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t dim0, int64_t dim1, Tensor& out) {
  const size_t rank = static_cast<size_t>(in.dim());
  if (!wrap_dim(ctx, dim0, rank) || !wrap_dim(ctx, dim1, rank)) {
    return out;
  }
  View view(in);
  if (rank > 0) {
    view.swap(static_cast<size_t>(dim0), static_cast<size_t>(dim1));
  }
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

Tensor& t_copy_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  WICK_REQUIRE(ctx, in.dim() <= 2, out, "t: the input has %zu dimensions, at most 2 can be transposed",
               static_cast<size_t>(in.dim()));
  View view(in);
  if (view.dim() == 2) {
    view.swap(0, 1);
  }
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

template <auto kFunction, DtypeSet kTypes>
void call_unless_viewed(KernelRuntimeContext& ctx, Span<EValue*> args) {
  const bool asked = args.data() == internal::question_arguments();
  if (asked) {
    static_cast<internal::Question&>(ctx).prepare = internal::view_constant;
  }
  if constexpr (kTypes != 0) {
    internal::Boxed<kFunction>::call(ctx, args);
  } else if (internal::accept_arguments(ctx, args.data(), args.size(), internal::Boxed<kFunction>::kParameters) &&
             !asked) {
    ET_LOG(Error,
           "this image has the operator for views of constants only, as its program needed when it was built: build it "
           "for this program, or name the operator among its further kernels");
    ctx.fail(Error::NotSupported);
  }
}

}  // namespace
}  // namespace portable

namespace kernels {
void aten_permute_copy_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::call_unless_viewed<portable::permute_copy_out, selected_dtypes("aten::permute_copy.out")>(ctx, args);
}
void aten_transpose_copy_int_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::call_unless_viewed<portable::transpose_copy_int_out, selected_dtypes("aten::transpose_copy.int_out")>(ctx,
                                                                                                                  args);
}
void aten_t_copy_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::call_unless_viewed<portable::t_copy_out, selected_dtypes("aten::t_copy.out")>(ctx, args);
}
}  // namespace kernels
}  // namespace wick
