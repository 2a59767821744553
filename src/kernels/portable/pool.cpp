// SPDX-License-Identifier: BSD-3-Clause
//
// Pooling over the last two dimensions: aten::avg_pool2d, _adaptive_avg_pool2d, max_pool2d_with_indices and its
// backward. Planes are walked by strides, so any dim order of input and output is right.
#include <limits>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

namespace {

// Both spatial axes of a pooling: [0] height, [1] width.
struct Window {
  ptrdiff_t size[2], kernel[2], stride[2], padding[2], dilation[2];
};

constexpr int64_t kLargestSize = int64_t{1} << 29;  // so that indices and padding fit 32 bits

// A range of input indices.
struct Span2 {
  ptrdiff_t begin[2], end[2];
};

int64_t item(IntArrayRef list, size_t axis, int64_t otherwise) {
  return list.empty() ? otherwise : (list.size() == 1 ? list[0] : list[axis]);
}

bool plan(KernelRuntimeContext& ctx, const Tensor& in, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
          IntArrayRef dilation, bool ceil_mode, Window& window, Shape& sizes) {
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx, rank == 3 || rank == 4, false, "a pooling needs [c, h, w] or [n, c, h, w], not %zu dimensions",
               rank);
  WICK_REQUIRE(
      ctx,
      (kernel.size() == 1 || kernel.size() == 2) && stride.size() <= 2 && padding.size() <= 2 && dilation.size() <= 2,
      false, "pooling: a list has more than 2 items");
  sizes = Shape(in.sizes());
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t size = in.size(static_cast<ssize_t>(rank - 2 + axis));
    const int64_t k = item(kernel, axis, 1);
    const int64_t s = item(stride, axis, k);
    const int64_t p = item(padding, axis, 0);
    const int64_t d = item(dilation, axis, 1);
    constexpr int64_t kLimit = int64_t{1} << 27;
    WICK_REQUIRE(ctx, k > 0 && s > 0 && p >= 0 && d > 0 && k < kLimit && s < kLimit && d < kLimit && p <= k / 2, false,
                 "pooling: kernel %d, stride %d, padding %d or dilation %d is out of range", static_cast<int>(k),
                 static_cast<int>(s), static_cast<int>(p), static_cast<int>(d));
    const int64_t free = size + 2 * p - d * (k - 1) - 1;
    WICK_REQUIRE(ctx, size > 0 && size < kLargestSize && (free >= 0 || (ceil_mode && free + s - 1 >= 0)), false,
                 "pooling: the kernel exceeds the padded input");
    const uint32_t steps = static_cast<uint32_t>(free + (ceil_mode ? s - 1 : 0)) / static_cast<uint32_t>(s);
    ptrdiff_t out = static_cast<ptrdiff_t>(steps) + 1;
    if (ceil_mode && (out - 1) * s >= size + p) {
      --out;  // the last window would begin in the padding
    }
    window.size[axis] = static_cast<ptrdiff_t>(size);
    window.kernel[axis] = static_cast<ptrdiff_t>(k);
    window.stride[axis] = static_cast<ptrdiff_t>(s);
    window.padding[axis] = static_cast<ptrdiff_t>(p);
    window.dilation[axis] = static_cast<ptrdiff_t>(d);
    sizes[rank - 2 + axis] = static_cast<SizesType>(out);
  }
  return true;
}

// A tensor as [n, c, h, w] planes.
View planes_of(const Tensor& tensor) {
  View view(tensor);
  if (view.dim() == 3) {
    view.insert(0, 1, 0);
  }
  return view;
}

char* at(const View& view, ptrdiff_t n, ptrdiff_t c, ptrdiff_t h, ptrdiff_t w) {
  const ptrdiff_t* s = view.strides;
  return view.data + (n * s[0] + c * s[1] + h * s[2] + w * s[3]) * static_cast<ptrdiff_t>(view.element_size);
}

// Sum of a window of a plane.
template <typename C>
C window_sum(const View& in, ScalarType type, ptrdiff_t n, ptrdiff_t c, const Span2& span) {
  C sum = 0;
  C values[16];
  for (ptrdiff_t h = span.begin[0]; h < span.end[0]; ++h) {
    for (ptrdiff_t w = span.begin[1]; w < span.end[1]; w += 16) {
      const size_t count = static_cast<size_t>(span.end[1] - w < 16 ? span.end[1] - w : 16);
      load(type, at(in, n, c, h, w), in.strides[3] * static_cast<ptrdiff_t>(in.element_size), count, values);
      for (size_t i = 0; i < count; ++i) {
        sum += values[i];
      }
    }
  }
  return sum;
}

// Writes the average of the windows that `span_of(y, x, divisor)` gives.
template <typename C, typename SpanOf>
void average(const Tensor& in, Tensor& out, SpanOf span_of) {
  const View from = planes_of(in);
  const View to = planes_of(out);
  for (SizesType n = 0; n < to.shape[0]; ++n) {
    for (SizesType c = 0; c < to.shape[1]; ++c) {
      for (SizesType y = 0; y < to.shape[2]; ++y) {
        for (SizesType x = 0; x < to.shape[3]; ++x) {
          int64_t divisor = 1;
          const Span2 span = span_of(y, x, divisor);
          const C sum = window_sum<C>(from, in.scalar_type(), n, c, span);
          store_one(out.scalar_type(), at(to, n, c, y, x), static_cast<C>(sum / from_int<C>(divisor)));
        }
      }
    }
  }
}

template <DtypeSet kTypes, typename SpanOf>
void average_any(const Tensor& in, Tensor& out, SpanOf span_of) {
  const Compute compute = compute_of(in.scalar_type());
  if constexpr ((kTypes & dtypes_of(Compute::kFloat)) != 0) {
    if (compute == Compute::kFloat) {
      return average<float>(in, out, span_of);
    }
  }
  if constexpr ((kTypes & dtypes_of(Compute::kDouble)) != 0) {
    if (compute == Compute::kDouble) {
      return average<double>(in, out, span_of);
    }
  }
  if constexpr ((kTypes & dtypes_of(Compute::kInt)) != 0) {
    average<int64_t>(in, out, span_of);
  }
}

Tensor& avg_pool2d_out(KernelRuntimeContext& ctx, const Tensor& in, IntArrayRef kernel_size, IntArrayRef stride,
                       IntArrayRef padding, bool ceil_mode, bool count_include_pad,
                       std::optional<int64_t> divisor_override, Tensor& out) {
  constexpr DtypeSet kTypes = (kFloating | dtypes(ScalarType::Long)) & selected_dtypes("aten::avg_pool2d.out");
  Window window;
  Shape sizes;
  if (!require_dtype(ctx, in, kTypes) || !require_same_dtype(ctx, in, out) ||
      !plan(ctx, in, kernel_size, stride, padding, {}, ceil_mode, window, sizes)) {
    return out;
  }
  WICK_REQUIRE(ctx, divisor_override.value_or(1) != 0, out, "avg_pool2d: the divisor is zero");
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  average_any<kTypes>(in, out, [&](ptrdiff_t y, ptrdiff_t x, int64_t& divisor) {
    const ptrdiff_t index[2] = {y, x};
    Span2 span;
    int64_t padded = 1;
    int64_t inside = 1;
    for (size_t axis = 0; axis < 2; ++axis) {
      const ptrdiff_t begin = index[axis] * window.stride[axis] - window.padding[axis];
      const ptrdiff_t limit = window.size[axis] + window.padding[axis];
      const ptrdiff_t end = begin + window.kernel[axis] < limit ? begin + window.kernel[axis] : limit;
      padded *= end - begin;
      span.begin[axis] = begin < 0 ? 0 : begin;
      span.end[axis] = end < window.size[axis] ? end : window.size[axis];
      inside *= span.end[axis] - span.begin[axis];
    }
    divisor = divisor_override.has_value() ? *divisor_override : (count_include_pad ? padded : inside);
    divisor = divisor == 0 ? 1 : divisor;
    return span;
  });
  return out;
}

Tensor& adaptive_avg_pool2d_out(KernelRuntimeContext& ctx, const Tensor& in, IntArrayRef output_size, Tensor& out) {
  constexpr DtypeSet kTypes = kFloating & selected_dtypes("aten::_adaptive_avg_pool2d.out");
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(ctx, (rank == 3 || rank == 4) && output_size.size() == 2, out,
               "adaptive_avg_pool2d needs [c, h, w] or [n, c, h, w] and two output sizes");
  if (!require_dtype(ctx, in, kTypes) || !require_same_dtype(ctx, in, out)) {
    return out;
  }
  Shape sizes(in.sizes());
  int64_t size[2];
  for (size_t axis = 0; axis < 2; ++axis) {
    size[axis] = in.size(static_cast<ssize_t>(rank - 2 + axis));
    WICK_REQUIRE(ctx, size[axis] > 0 && output_size[axis] >= 0 && output_size[axis] <= INT32_MAX, out,
                 "adaptive_avg_pool2d: a size is out of range");
    sizes[rank - 2 + axis] = static_cast<SizesType>(output_size[axis]);
  }
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  average_any<kTypes>(in, out, [&](ptrdiff_t y, ptrdiff_t x, int64_t& divisor) {
    const ptrdiff_t index[2] = {y, x};
    Span2 span;
    divisor = 1;
    for (size_t axis = 0; axis < 2; ++axis) {
      span.begin[axis] = static_cast<ptrdiff_t>(index[axis] * size[axis] / output_size[axis]);
      span.end[axis] =
          static_cast<ptrdiff_t>(((index[axis] + 1) * size[axis] + output_size[axis] - 1) / output_size[axis]);
      divisor *= span.end[axis] - span.begin[axis];
    }
    return span;
  });
  return out;
}

template <typename C>
void maximum(const Tensor& in, const Window& window, Tensor& out, Tensor& indices) {
  const View from = planes_of(in);
  const View to = planes_of(out);
  const View to_index = planes_of(indices);
  for (SizesType n = 0; n < to.shape[0]; ++n) {
    for (SizesType c = 0; c < to.shape[1]; ++c) {
      for (SizesType y = 0; y < to.shape[2]; ++y) {
        for (SizesType x = 0; x < to.shape[3]; ++x) {
          bool first = true;
          C largest = 0;
          int64_t index = 0;
          for (ptrdiff_t ky = 0; ky < window.kernel[0]; ++ky) {
            const ptrdiff_t h = y * window.stride[0] - window.padding[0] + ky * window.dilation[0];
            if (h < 0 || h >= window.size[0]) {
              continue;
            }
            for (ptrdiff_t kx = 0; kx < window.kernel[1]; ++kx) {
              const ptrdiff_t w = x * window.stride[1] - window.padding[1] + kx * window.dilation[1];
              if (w < 0 || w >= window.size[1]) {
                continue;
              }
              const C value = load_one<C>(in.scalar_type(), at(from, n, c, h, w));
              if (first || value > largest || value != value) {
                largest = value;
                index = h * window.size[1] + w;
                first = false;
              }
            }
          }
          store_one(out.scalar_type(), at(to, n, c, y, x), largest);
          *reinterpret_cast<int64_t*>(at(to_index, n, c, y, x)) = index;
        }
      }
    }
  }
}

Tensor& max_pool2d_with_indices_out(KernelRuntimeContext& ctx, const Tensor& in, IntArrayRef kernel_size,
                                    IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool ceil_mode,
                                    Tensor& out, Tensor& indices) {
  constexpr DtypeSet kTypes = kRealHBF16 & selected_dtypes("aten::max_pool2d_with_indices.out");
  Window window;
  Shape sizes;
  if (!require_dtype(ctx, in, kTypes) || !require_same_dtype(ctx, in, out) ||
      !require_dtype(ctx, indices, dtypes(ScalarType::Long)) ||
      !plan(ctx, in, kernel_size, stride, padding, dilation, ceil_mode, window, sizes) || !resize(ctx, out, sizes) ||
      !resize(ctx, indices, sizes)) {
    return out;
  }
  const Compute compute = compute_of(in.scalar_type());
  if constexpr ((kTypes & dtypes_of(Compute::kFloat)) != 0) {
    if (compute == Compute::kFloat) {
      maximum<float>(in, window, out, indices);
    }
  }
  if constexpr ((kTypes & dtypes_of(Compute::kDouble)) != 0) {
    if (compute == Compute::kDouble) {
      maximum<double>(in, window, out, indices);
    }
  }
  if constexpr ((kTypes & dtypes_of(Compute::kInt)) != 0) {
    if (compute == Compute::kInt) {
      maximum<int64_t>(in, window, out, indices);
    }
  }
  return out;
}

Tensor& max_pool2d_with_indices_backward_out(KernelRuntimeContext& ctx, const Tensor& grad_output, const Tensor& in,
                                             IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                                             IntArrayRef dilation, bool ceil_mode, const Tensor& indices,
                                             Tensor& grad_input) {
  Window window;
  Shape sizes;
  if (!require_dtype(ctx, grad_output, kFloating) || !require_same_dtype(ctx, grad_output, grad_input) ||
      !require_dtype(ctx, indices, dtypes(ScalarType::Long)) ||
      !plan(ctx, in, kernel_size, stride, padding, dilation, ceil_mode, window, sizes)) {
    return grad_input;
  }
  WICK_REQUIRE(ctx, grad_output.sizes().equals(sizes) && indices.sizes().equals(sizes), grad_input,
               "max_pool2d backward: gradient and indices do not have the pooling's sizes");
  if (!resize_as(ctx, grad_input, in)) {
    return grad_input;
  }
  // Every element counts at most as often as windows overlap: sums in the output's own dtype lose nothing that matters.
  for (size_t i = 0; i < static_cast<size_t>(grad_input.nbytes()); ++i) {
    static_cast<char*>(grad_input.mutable_data_ptr())[i] = 0;
  }
  const View from = planes_of(grad_output);
  const View index = planes_of(indices);
  const View to = planes_of(grad_input);
  const ScalarType type = grad_output.scalar_type();
  for (SizesType n = 0; n < from.shape[0]; ++n) {
    for (SizesType c = 0; c < from.shape[1]; ++c) {
      for (SizesType y = 0; y < from.shape[2]; ++y) {
        for (SizesType x = 0; x < from.shape[3]; ++x) {
          const int64_t where = *reinterpret_cast<const int64_t*>(at(index, n, c, y, x));
          WICK_REQUIRE(ctx, where >= 0 && where < window.size[0] * window.size[1], grad_input,
                       "max_pool2d backward: an index is outside of the plane");
          const ptrdiff_t place = static_cast<ptrdiff_t>(where);
          char* sum = at(to, n, c, place / window.size[1], place % window.size[1]);
          store_one(type, sum, load_one<double>(type, sum) + load_one<double>(type, at(from, n, c, y, x)));
        }
      }
    }
  }
  return grad_input;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_avg_pool2d_out, wick::portable::avg_pool2d_out)
WICK_KERNEL(aten__adaptive_avg_pool2d_out, wick::portable::adaptive_avg_pool2d_out)
WICK_KERNEL(aten_max_pool2d_with_indices_out, wick::portable::max_pool2d_with_indices_out)
WICK_KERNEL(aten_max_pool2d_with_indices_backward_grad_input, wick::portable::max_pool2d_with_indices_backward_out)
