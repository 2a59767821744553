// SPDX-License-Identifier: BSD-3-Clause
//
// Operators that put elements elsewhere by a rule: flip, roll, repeat, pixel_shuffle, pixel_unshuffle, tril,
// repeat_interleave.
#include <cstring>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

Tensor& flip_out(KernelRuntimeContext& ctx, const Tensor& in, IntList dims, Tensor& out) {
  View view(in);
  uint32_t seen = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t dim = dims[i];
    if (!wrap_dim(ctx, dim, view.dim())) {
      return out;
    }
    WICK_REQUIRE(ctx, ((seen >> dim) & 1) == 0, out, "flip: dimension %d comes twice", static_cast<int>(dim));
    seen |= 1u << dim;
    if (view.dim() > 0) {
      view.reverse(static_cast<size_t>(dim));
    }
  }
  copy_to(ctx, view, in.scalar_type(), out);
  return out;
}

// Copies a view rolled along dimensions by shifts in [0, size): every dimension splits into two parts.
void copy_rolled(const View& from, const View& to, const int64_t* shifts) {
  size_t rolled[kMaxDims];
  size_t count = 0;
  for (size_t dim = 0; dim < from.dim(); ++dim) {
    if (shifts[dim] != 0) {
      rolled[count++] = dim;
    }
  }
  for (uint32_t part = 0; part < (1u << count); ++part) {
    View source = from;
    View target = to;
    for (size_t i = 0; i < count; ++i) {
      const size_t dim = rolled[i];
      const int64_t size = from.shape[dim];
      const int64_t shift = shifts[dim];
      const bool wraps = ((part >> i) & 1) != 0;  // the last `shift` items come first
      source.narrow(dim, wraps ? size - shift : 0, wraps ? shift : size - shift);
      target.narrow(dim, wraps ? 0 : shift, wraps ? shift : size - shift);
    }
    copy_view(target, source);
  }
}

int64_t wrap_shift(int64_t shift, int64_t size) {
  shift %= size;
  return shift < 0 ? shift + size : shift;
}

Tensor& roll_out(KernelRuntimeContext& ctx, const Tensor& in, IntList shifts, IntList dims, Tensor& out) {
  if (!require_same_dtype(ctx, in, out) || !resize_as(ctx, out, in) || in.numel() == 0) {
    return out;
  }
  View from(in);
  View to(out);
  int64_t by[kMaxDims] = {};
  if (dims.empty()) {
    WICK_REQUIRE(ctx, shifts.size() == 1, out, "roll: %zu shifts without dims", shifts.size());
    if (!is_contiguous(in) || !is_contiguous(out)) {  // row-major order is not one dimension of the memory
      const int64_t n = static_cast<int64_t>(in.numel());
      const int64_t shift = wrap_shift(shifts[0], n);
      for (int64_t i = 0; i < n; ++i) {
        int64_t source = i;
        int64_t target = (i + shift) % n;
        ptrdiff_t source_at = 0;
        ptrdiff_t target_at = 0;
        for (size_t dim = from.dim(); dim-- > 0;) {
          source_at += static_cast<ptrdiff_t>(source % from.shape[dim]) * from.strides[dim];
          target_at += static_cast<ptrdiff_t>(target % from.shape[dim]) * to.strides[dim];
          source /= from.shape[dim];
          target /= from.shape[dim];
        }
        const ptrdiff_t size = static_cast<ptrdiff_t>(from.element_size);
        copy_run(to.data + target_at * size, 0, from.data + source_at * size, 0, 1, from.element_size);
      }
      return out;
    }
    from.shape.dim = to.shape.dim = 1;
    from.shape[0] = to.shape[0] = static_cast<SizesType>(in.numel());
    from.strides[0] = to.strides[0] = 1;
    by[0] = wrap_shift(shifts[0], from.shape[0]);
  } else {
    WICK_REQUIRE(ctx, shifts.size() == dims.size(), out, "roll: %zu shifts for %zu dims", shifts.size(), dims.size());
    for (size_t i = 0; i < dims.size(); ++i) {
      int64_t dim = dims[i];
      WICK_REQUIRE(ctx, in.dim() > 0, out, "roll: the input has no dimensions");
      if (!wrap_dim(ctx, dim, from.dim())) {
        return out;
      }
      const int64_t size = from.shape[static_cast<size_t>(dim)];
      by[dim] = (by[dim] + wrap_shift(shifts[i], size)) % size;
    }
  }
  copy_rolled(from, to, by);
  return out;
}

Tensor& repeat_out(KernelRuntimeContext& ctx, const Tensor& in, IntList repeats, Tensor& out) {
  View from(in);
  WICK_REQUIRE(ctx, repeats.size() >= from.dim() && repeats.size() <= kMaxDims / 2, out,
               "repeat: %zu repeats for a tensor of %zu dimensions", repeats.size(), from.dim());
  while (from.dim() < repeats.size()) {
    from.insert(0, 1, 0);
  }
  Shape sizes(from.shape);
  for (size_t i = 0; i < repeats.size(); ++i) {
    const int64_t n = repeats[i];
    WICK_REQUIRE(ctx, n >= 0 && n <= INT32_MAX && n * sizes[i] <= INT32_MAX, out, "repeat: repeat %zu is out of range",
                 i);
    sizes[i] = static_cast<SizesType>(n * sizes[i]);
  }
  if (!require_same_dtype(ctx, in, out) || !resize(ctx, out, sizes) || out.numel() == 0) {
    return out;
  }
  // Each output dimension is seen as [repeats, size]; the input does not move along repeats.
  View to(out);
  for (size_t i = repeats.size(); i-- > 0;) {
    const SizesType size = from.shape[i];
    const ptrdiff_t stride = to.strides[i];
    to.shape[i] = size;
    to.insert(i, static_cast<SizesType>(repeats[i]), stride * size);
    from.insert(i, static_cast<SizesType>(repeats[i]), 0);
  }
  copy_view(to, from);
  return out;
}

// A view of [..., c * r * r, h, w] as [..., c, h, r, w, r], which is [..., c, h * r, w * r] shuffled.
void split_pixels(View& wide, View& tall, SizesType r) {
  const size_t channel = wide.dim() - 3;
  // [c * r * r, h, w] -> [c, h, r, w, r]
  wide.shape[channel] /= r * r;
  const ptrdiff_t stride = wide.strides[channel];
  wide.strides[channel] = stride * r * r;
  wide.insert(channel + 2, r, stride * r);
  wide.insert(channel + 4, r, stride);
  // [c, h * r, w * r] -> [c, h, r, w, r]
  for (size_t i = 0; i < 2; ++i) {
    const size_t dim = channel + 1 + 2 * i;
    const ptrdiff_t step = tall.strides[dim];
    tall.shape[dim] /= r;
    tall.strides[dim] = step * r;
    tall.insert(dim + 1, r, step);
  }
}

Tensor& pixel_shuffle_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t factor, Tensor& out) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx,
               rank >= 3 && rank + 2 <= kMaxDims && factor > 0 && factor < 32768 &&
                   in.size(static_cast<ssize_t>(rank) - 3) % (factor * factor) == 0,
               out, "pixel_shuffle: the channels do not divide by the square of the factor");
  const SizesType r = static_cast<SizesType>(factor);
  Shape sizes(in.sizes());
  sizes[rank - 3] /= r * r;
  sizes[rank - 2] *= r;
  sizes[rank - 1] *= r;
  if (require_same_dtype(ctx, in, out) && resize(ctx, out, sizes)) {
    View from(in);
    View to(out);
    split_pixels(from, to, r);
    copy_view(to, from);
  }
  return out;
}

Tensor& pixel_unshuffle_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t factor, Tensor& out) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx,
               rank >= 3 && rank + 2 <= kMaxDims && factor > 0 && factor < 32768 &&
                   in.size(static_cast<ssize_t>(rank) - 2) % factor == 0 &&
                   in.size(static_cast<ssize_t>(rank) - 1) % factor == 0,
               out, "pixel_unshuffle: height and width do not divide by the factor");
  const SizesType r = static_cast<SizesType>(factor);
  Shape sizes(in.sizes());
  sizes[rank - 3] *= r * r;
  sizes[rank - 2] /= r;
  sizes[rank - 1] /= r;
  if (require_same_dtype(ctx, in, out) && resize(ctx, out, sizes)) {
    View from(in);
    View to(out);
    split_pixels(to, from, r);
    copy_view(to, from);
  }
  return out;
}

Tensor& tril_out(KernelRuntimeContext& ctx, const Tensor& in, int64_t diagonal, Tensor& out) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx, rank >= 2, out, "tril: the input has %zu dimensions, at least 2 are needed", rank);
  if (!require_same_dtype(ctx, in, out) || !resize_as(ctx, out, in)) {
    return out;
  }
  copy_tensor(in, out);
  static const char kZeros[kComputeBytes] = {};
  const ptrdiff_t still[kMaxDims] = {};
  View to(out);
  const int64_t columns = to.shape[rank - 1];
  for (int64_t row = 0; row < to.shape[rank - 2]; ++row) {  // zero what is right of the diagonal
    const int64_t limit = diagonal >= columns ? columns : (diagonal < -row ? 0 : row + diagonal + 1);
    const int64_t first = limit < 0 ? 0 : (limit > columns ? columns : limit);
    View part = to;
    part.narrow(rank - 2, row, 1);
    part.narrow(rank - 1, first, columns - first);
    StridedLoop loop(part.shape);
    loop.add(part.data, part.element_size, part.strides);
    loop.add(kZeros, part.element_size, still);
    loop.start();
    while (loop.next()) {
      copy_run(loop.data(0), loop.step(0), loop.data(1), 0, loop.run(), part.element_size);
    }
  }
  return out;
}

Tensor& repeat_interleave_Tensor_out(KernelRuntimeContext& ctx, const Tensor& repeats,
                                     std::optional<int64_t> output_size, Tensor& out) {
  WICK_REQUIRE(ctx, repeats.dim() == 1, out, "repeat_interleave: the repeats must be a vector");
  if (!require_dtype(ctx, repeats, dtypes(ScalarType::Int, ScalarType::Long)) ||
      !require_same_dtype(ctx, repeats, out)) {
    return out;
  }
  const size_t size = static_cast<size_t>(repeats.element_size());
  const char* data = static_cast<const char*>(repeats.const_data_ptr());
  const size_t n = static_cast<size_t>(repeats.numel());
  int64_t total = 0;
  for (size_t i = 0; i < n; ++i) {
    const int64_t count = load_one<int64_t>(repeats.scalar_type(), data + i * size);
    WICK_REQUIRE(ctx, count >= 0 && count <= INT32_MAX && total <= INT32_MAX - count, out,
                 "repeat_interleave: repeat %zu is out of range", i);
    total += count;
  }
  WICK_REQUIRE(ctx, output_size.value_or(total) == total, out, "repeat_interleave: the repeats add up to %d",
               static_cast<int>(total));
  Shape sizes;
  sizes.push(static_cast<SizesType>(total));
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  char* to = static_cast<char*>(out.mutable_data_ptr());
  for (size_t i = 0; i < n; ++i) {
    for (int64_t count = load_one<int64_t>(repeats.scalar_type(), data + i * size); count > 0; --count, to += size) {
      store_one(out.scalar_type(), to, static_cast<int64_t>(i));
    }
  }
  return out;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_flip_out, wick::portable::flip_out)
WICK_KERNEL(aten_roll_out, wick::portable::roll_out)
WICK_KERNEL(aten_repeat_out, wick::portable::repeat_out)
WICK_KERNEL(aten_pixel_shuffle_out, wick::portable::pixel_shuffle_out)
WICK_KERNEL(aten_pixel_unshuffle_out, wick::portable::pixel_unshuffle_out)
WICK_KERNEL(aten_tril_out, wick::portable::tril_out)
WICK_KERNEL(aten_repeat_interleave_Tensor_out, wick::portable::repeat_interleave_Tensor_out)
