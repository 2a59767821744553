// SPDX-License-Identifier: BSD-3-Clause
//
// Padding: aten::constant_pad_nd, where negative amounts crop, and the reflection and replication pads.
#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

// Writes one value to all elements of a tensor.
void fill(const Tensor& out, const void* value) {
  const ptrdiff_t still[kMaxDims] = {};
  View view(out);
  StridedLoop loop(view.shape);
  loop.add(view.data, view.element_size, view.strides);
  loop.add(value, view.element_size, still);
  loop.start();
  while (loop.next()) {
    copy_run(loop.data(0), loop.step(0), loop.data(1), 0, loop.run(), view.element_size);
  }
}

Tensor& constant_pad_nd_out(KernelRuntimeContext& ctx, const Tensor& in, IntList pad, const Scalar& value,
                            Tensor& out) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx, pad.size() % 2 == 0 && pad.size() / 2 <= rank, out, "pad: %zu amounts for %zu dimensions",
               pad.size(), rank);
  if (!require_same_dtype(ctx, in, out) || !require_fit(ctx, value, in.scalar_type())) {
    return out;
  }
  View from(in);
  Shape sizes(in.sizes());
  int64_t start[kMaxDims] = {};  // where the input begins in the output
  for (size_t i = 0; i < pad.size() / 2; ++i) {
    const size_t dim = rank - 1 - i;
    const int64_t before = pad[2 * i];
    const int64_t after = pad[2 * i + 1];
    const int64_t size = from.shape[dim];
    constexpr int64_t kLimit = INT32_MAX / 4;
    WICK_REQUIRE(ctx, before > -kLimit && before < kLimit && after > -kLimit && after < kLimit && size < 2 * kLimit,
                 out, "pad: an amount is out of range");
    WICK_REQUIRE(ctx, size + before + after >= 0, out, "pad: more is cropped than dimension %zu has", dim);
    sizes[dim] = static_cast<SizesType>(size + before + after);
    const int64_t crop = before < 0 ? (-before < size ? -before : size) : 0;
    const int64_t kept = size - crop + (after < 0 ? after : 0);
    start[dim] = before < 0 ? 0 : before;
    from.narrow(dim, crop, kept > 0 ? kept : 0);
  }
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  alignas(16) char element[kComputeBytes];
  store_scalar(out.scalar_type(), value, element);
  fill(out, element);
  View to(out);
  for (size_t dim = 0; dim < rank; ++dim) {
    if (from.shape[dim] == 0) {
      return out;
    }
    to.narrow(dim, start[dim], from.shape[dim]);
  }
  copy_view(to, from);
  return out;
}

// Index of the input item shown at position `i` of a padded dimension.
using Source = int64_t (*)(int64_t i, int64_t size);

int64_t reflected(int64_t i, int64_t size) {
  i = i < 0 ? -i : i;
  return i >= size ? 2 * (size - 1) - i : i;
}

int64_t replicated(int64_t i, int64_t size) { return i < 0 ? 0 : (i >= size ? size - 1 : i); }

// Pads the last `axes` dimensions of in, which may have a batch dimension besides its channels.
void pad_by_source(KernelRuntimeContext& ctx, const Tensor& in, IntList pad, size_t axes, Source source, Tensor& out) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx, (rank == axes + 1 || rank == axes + 2) && pad.size() == 2 * axes, ,
               "pad: %zu amounts for a tensor of %zu dimensions", pad.size(), rank);
  if (!require_same_dtype(ctx, in, out)) {
    return;
  }
  Shape sizes(in.sizes());
  int64_t before[3] = {};
  for (size_t axis = 0; axis < axes; ++axis) {
    const size_t dim = rank - axes + axis;
    const int64_t size = sizes[dim];
    before[axis] = pad[2 * (axes - 1 - axis)];
    const int64_t after = pad[2 * (axes - 1 - axis) + 1];
    const int64_t limit = source == reflected ? size : INT32_MAX / 4;
    WICK_REQUIRE(ctx,
                 size > 0 && before[axis] < limit && after < limit && before[axis] > -INT32_MAX / 4 &&
                     after > -INT32_MAX / 4 && size + before[axis] + after > 0,
                 , "pad: amounts of dimension %zu do not fit its size %d", dim, static_cast<int>(size));
    sizes[dim] = static_cast<SizesType>(size + before[axis] + after);
  }
  if (!resize(ctx, out, sizes)) {
    return;
  }
  // Lines along the last dimension are made element by element, all other dimensions select whole lines.
  const View from(in);
  const View to(out);
  const size_t last = rank - 1;
  const ptrdiff_t size = static_cast<ptrdiff_t>(to.element_size);
  const size_t lines = product(sizes, 0, last);
  for (size_t line = 0; line < lines; ++line) {
    size_t rest = line;
    char* to_line = to.data;
    const char* from_line = from.data;
    for (size_t dim = last; dim-- > 0;) {
      const int64_t i = static_cast<int64_t>(rest % static_cast<size_t>(sizes[dim]));
      rest /= static_cast<size_t>(sizes[dim]);
      const size_t axis = dim + axes - rank;
      const int64_t j = dim < rank - axes ? i : source(i - before[axis], from.shape[dim]);
      to_line += static_cast<ptrdiff_t>(i) * to.strides[dim] * size;
      from_line += static_cast<ptrdiff_t>(j) * from.strides[dim] * size;
    }
    for (int64_t i = 0; i < sizes[last]; ++i) {
      const int64_t j = source(i - before[axes - 1], from.shape[last]);
      copy_run(to_line + static_cast<ptrdiff_t>(i) * to.strides[last] * size, size,
               from_line + static_cast<ptrdiff_t>(j) * from.strides[last] * size, size, 1, to.element_size);
    }
  }
}

template <size_t kAxes, Source kSource>
Tensor& pad_out(KernelRuntimeContext& ctx, const Tensor& in, IntList pad, Tensor& out) {
  pad_by_source(ctx, in, pad, kAxes, kSource, out);
  return out;
}

constexpr auto reflection_pad1d_out = pad_out<1, reflected>;
constexpr auto reflection_pad2d_out = pad_out<2, reflected>;
constexpr auto reflection_pad3d_out = pad_out<3, reflected>;
constexpr auto replication_pad1d_out = pad_out<1, replicated>;
constexpr auto replication_pad2d_out = pad_out<2, replicated>;
constexpr auto replication_pad3d_out = pad_out<3, replicated>;

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_constant_pad_nd_out, wick::portable::constant_pad_nd_out)
WICK_KERNEL(aten_reflection_pad1d_out, (*wick::portable::reflection_pad1d_out))
WICK_KERNEL(aten_reflection_pad2d_out, (*wick::portable::reflection_pad2d_out))
WICK_KERNEL(aten_reflection_pad3d_out, (*wick::portable::reflection_pad3d_out))
WICK_KERNEL(aten_replication_pad1d_out, (*wick::portable::replication_pad1d_out))
WICK_KERNEL(aten_replication_pad2d_out, (*wick::portable::replication_pad2d_out))
WICK_KERNEL(aten_replication_pad3d_out, (*wick::portable::replication_pad3d_out))
