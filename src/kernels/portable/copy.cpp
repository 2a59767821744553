// SPDX-License-Identifier: BSD-3-Clause
//
// Operators that copy all elements, to another dtype or dim order if asked: clone, copy, _to_copy, the dim_order_ops,
// and the aliases that eager PyTorch has as views.
#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

using OptionalDimOrder = std::optional<IntArrayRef>;

constexpr bool one_dtype(DtypeSet set) { return (set & (set - 1)) == 0; }

// Copies `from`, which has out's sizes, to out. kSelected: with one dtype only, nothing can need a conversion.
template <DtypeSet kSelected>
void copy_converting(KernelRuntimeContext& ctx, const View& from, ScalarType type, Tensor& out) {
  if constexpr (!one_dtype(kSelected)) {
    if (type != out.scalar_type()) {
      WICK_REQUIRE(ctx, is_in(type, kNumbers) && is_in(out.scalar_type(), kNumbers), ,
                   "copy: dtype %d does not convert to %d", static_cast<int>(type),
                   static_cast<int>(out.scalar_type()));
      convert_view(View(out), out.scalar_type(), from, type);
      return;
    }
  }
  copy_to(ctx, from, type, out);
}

// The whole of `in` to `out`, in whatever dim order out has.
template <DtypeSet kSelected>
Tensor& copy_all(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) {
  if (resize_as(ctx, out, in)) {
    copy_converting<kSelected>(ctx, View(in), in.scalar_type(), out);
  }
  return out;
}

// True if the output's dim order is the one that was asked for (dimensions of size 1 may stand anywhere).
bool check_dim_order(KernelRuntimeContext& ctx, const OptionalDimOrder& asked, Sizes sizes, const Tensor& out) {
  if (!asked.has_value()) {
    return true;
  }
  const size_t rank = sizes.size();
  DimOrderType order[kMaxDims] = {};
  uint32_t seen = 0;
  WICK_REQUIRE(ctx, asked->size() == rank && rank <= kMaxDims, false,
               "a dim order of %zu dimensions for a tensor of %zu", asked->size(), rank);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t dim = (*asked)[i];
    WICK_REQUIRE(ctx, dim >= 0 && dim < static_cast<int64_t>(rank), false, "the dim order names a dimension %d",
                 static_cast<int>(dim));
    order[i] = static_cast<DimOrderType>(dim);
    seen |= 1u << dim;
  }
  WICK_REQUIRE(ctx, seen == (1u << rank) - 1, false, "the dim order names a dimension twice");
  ptrdiff_t want[kMaxDims];
  ptrdiff_t have[kMaxDims];
  strides_of(sizes, order, want);
  strides_of(out, have);
  for (size_t i = 0; i < rank; ++i) {
    WICK_REQUIRE(ctx, sizes[i] <= 1 || out.numel() == 0 || want[i] == have[i], false,
                 "the output does not have the dim order that was asked for");
  }
  return true;
}

template <DtypeSet kSelected>
Tensor& dim_order_copy(KernelRuntimeContext& ctx, const Tensor& in, bool non_blocking,
                       const OptionalDimOrder& dim_order, Tensor& out) {
  WICK_REQUIRE(ctx, !non_blocking, out, "non_blocking copies are not supported");
  if (resize_as(ctx, out, in) && check_dim_order(ctx, dim_order, in.sizes(), out)) {
    copy_converting<kSelected>(ctx, View(in), in.scalar_type(), out);
  }
  return out;
}

Tensor& to_dim_order_copy_out(KernelRuntimeContext& ctx, const Tensor& in, bool non_blocking,
                              OptionalDimOrder dim_order, Tensor& out) {
  return dim_order_copy<selected_dtypes("dim_order_ops::_to_dim_order_copy.out")>(ctx, in, non_blocking, dim_order,
                                                                                  out);
}

Tensor& clone_dim_order_out(KernelRuntimeContext& ctx, const Tensor& in, bool non_blocking, OptionalDimOrder dim_order,
                            Tensor& out) {
  return require_same_dtype(ctx, in, out) ? dim_order_copy<0>(ctx, in, non_blocking, dim_order, out) : out;
}

Tensor& empty_dim_order_out(KernelRuntimeContext& ctx, IntList size, OptionalDimOrder dim_order, Tensor& out) {
  Shape sizes;
  for (size_t i = 0; i < size.size(); ++i) {
    WICK_REQUIRE(ctx, size[i] >= 0 && size[i] <= INT32_MAX, out, "empty: a size is out of range");
    sizes.push(static_cast<SizesType>(size[i]));
  }
  if (resize(ctx, out, sizes)) {
    check_dim_order(ctx, dim_order, sizes, out);
  }
  return out;
}

// The output lies as the exporter planned it; a format is only looked at.
bool is_memory_format(KernelRuntimeContext& ctx, const std::optional<MemoryFormat>& format) {
  const int number = static_cast<int>(format.value_or(MemoryFormat::Contiguous));
  WICK_REQUIRE(ctx, number >= 0 && number <= 3, false, "no memory format has number %d", number);
  return true;
}

Tensor& to_copy_out(KernelRuntimeContext& ctx, const Tensor& in, bool non_blocking, std::optional<MemoryFormat> format,
                    Tensor& out) {
  WICK_REQUIRE(ctx, !non_blocking, out, "non_blocking copies are not supported");
  if (!is_memory_format(ctx, format)) {
    return out;
  }
  return copy_all<selected_dtypes("aten::_to_copy.out")>(ctx, in, out);
}

Tensor& clone_out(KernelRuntimeContext& ctx, const Tensor& in, std::optional<MemoryFormat> format, Tensor& out) {
  return is_memory_format(ctx, format) ? copy_all<0>(ctx, in, out) : out;
}

// alias_copy, detach_copy, lift_fresh_copy, and copies between devices, of which there is one.
Tensor& plain_copy_out(KernelRuntimeContext& ctx, const Tensor& in, Tensor& out) { return copy_all<0>(ctx, in, out); }

// src broadcast to the shape of `in`.
template <DtypeSet kSelected>
void copy_broadcast(KernelRuntimeContext& ctx, const Tensor& src, Tensor& out) {
  const size_t rank = static_cast<size_t>(out.dim());
  View from(src);
  WICK_REQUIRE(ctx, from.dim() <= rank, , "copy: the source has more dimensions than the target");
  while (from.dim() < rank) {
    from.insert(0, 1, 0);
  }
  for (size_t i = 0; i < rank; ++i) {
    const SizesType size = static_cast<SizesType>(out.size(static_cast<ssize_t>(i)));
    WICK_REQUIRE(ctx, from.shape[i] == size || from.shape[i] == 1, ,
                 "copy: size %d of dimension %zu does not broadcast to %d", static_cast<int>(from.shape[i]), i,
                 static_cast<int>(size));
    if (from.shape[i] != size) {
      from.shape[i] = size;
      from.strides[i] = 0;
    }
  }
  copy_converting<kSelected>(ctx, from, src.scalar_type(), out);
}

Tensor& copy_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& src, bool non_blocking, Tensor& out) {
  WICK_REQUIRE(ctx, !non_blocking, out, "non_blocking copies are not supported");
  if (require_same_dtype(ctx, in, out) && resize_as(ctx, out, in)) {
    copy_broadcast<selected_dtypes("aten::copy.out")>(ctx, src, out);
  }
  return out;
}

Tensor& copy_(KernelRuntimeContext& ctx, Tensor& in, const Tensor& src, bool non_blocking) {
  WICK_REQUIRE(ctx, !non_blocking, in, "non_blocking copies are not supported");
  copy_broadcast<selected_dtypes("aten::copy_")>(ctx, src, in);
  return in;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(dim_order_ops__to_dim_order_copy_out, wick::portable::to_dim_order_copy_out)
WICK_KERNEL(dim_order_ops__clone_dim_order_out, wick::portable::clone_dim_order_out)
WICK_KERNEL(dim_order_ops__empty_dim_order_out, wick::portable::empty_dim_order_out)
WICK_KERNEL(aten__to_copy_out, wick::portable::to_copy_out)
WICK_KERNEL(aten_clone_out, wick::portable::clone_out)
WICK_KERNEL(aten_alias_copy_out, wick::portable::plain_copy_out)
WICK_KERNEL(aten_detach_copy_out, wick::portable::plain_copy_out)
WICK_KERNEL(aten_lift_fresh_copy_out, wick::portable::plain_copy_out)
WICK_KERNEL(et_copy__h2d_copy_out, wick::portable::plain_copy_out)
WICK_KERNEL(et_copy__d2h_copy_out, wick::portable::plain_copy_out)
WICK_KERNEL(aten_copy_out, wick::portable::copy_out)
WICK_KERNEL(aten_copy_, wick::portable::copy_)
