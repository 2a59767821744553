// SPDX-License-Identifier: BSD-3-Clause
//
// Tensors made from numbers: fill, full, ones, zeros, empty, arange, scalar_tensor, and random numbers (rand, randn).
#include <cmath>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/random.h"

namespace wick {
namespace portable {
namespace {

bool resize_to(KernelRuntimeContext& ctx, Tensor& out, IntArrayRef sizes) {
  Shape shape;
  for (int64_t size : sizes) {
    WICK_REQUIRE(ctx, size >= 0 && size <= INT32_MAX, false, "a size is negative or too large");
    shape.push(static_cast<SizesType>(size));
  }
  return resize(ctx, out, shape);
}

// All elements, in whatever order they lie, become the number as the output's dtype has it.
void fill_with(KernelRuntimeContext& ctx, const Scalar& value, Tensor& out) {
  const ScalarType type = out.scalar_type();
  if (!require_dtype(ctx, out, kNumbers) || !require_fit(ctx, value, type)) {
    return;
  }
  alignas(16) char element[kComputeBytes];
  store_scalar(type, value, element);
  const size_t size = static_cast<size_t>(out.element_size());
  copy_run(static_cast<char*>(out.mutable_data_ptr()), static_cast<ptrdiff_t>(size), element, 0,
           static_cast<size_t>(out.numel()), size);
}

Tensor& fill_scalar_out(KernelRuntimeContext& ctx, const Tensor& in, const Scalar& value, Tensor& out) {
  if (require_same_dtype(ctx, in, out) && resize_as(ctx, out, in)) {
    fill_with(ctx, value, out);
  }
  return out;
}

Tensor& fill_tensor_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& value, Tensor& out) {
  WICK_REQUIRE(ctx, value.dim() == 0, out, "fill takes a tensor without dimensions, not of %zd", value.dim());
  if (!require_same_dtype(ctx, in, out) || !require_dtype(ctx, value, kIntegral | kFloating) ||
      !resize_as(ctx, out, in)) {
    return out;
  }
  const ScalarType type = value.scalar_type();
  if (is_in(type, kIntegral)) {
    fill_with(ctx, Scalar(load_one<int64_t>(type, value.const_data_ptr())), out);
  } else {
    fill_with(ctx, Scalar(load_one<double>(type, value.const_data_ptr())), out);
  }
  return out;
}

Tensor& full_out(KernelRuntimeContext& ctx, IntArrayRef sizes, const Scalar& value, Tensor& out) {
  if (resize_to(ctx, out, sizes)) {
    fill_with(ctx, value, out);
  }
  return out;
}

Tensor& full_like_out(KernelRuntimeContext& ctx, const Tensor& in, const Scalar& value,
                      const std::optional<MemoryFormat>&, Tensor& out) {
  if (resize_as(ctx, out, in)) {
    fill_with(ctx, value, out);
  }
  return out;
}

Tensor& ones_out(KernelRuntimeContext& ctx, IntArrayRef sizes, Tensor& out) {
  return full_out(ctx, sizes, Scalar(int64_t{1}), out);
}
Tensor& zeros_out(KernelRuntimeContext& ctx, IntArrayRef sizes, Tensor& out) {
  return full_out(ctx, sizes, Scalar(int64_t{0}), out);
}

Tensor& empty_out(KernelRuntimeContext& ctx, IntArrayRef sizes, const std::optional<MemoryFormat>&, Tensor& out) {
  resize_to(ctx, out, sizes);
  return out;
}

Tensor& scalar_tensor_out(KernelRuntimeContext& ctx, const Scalar& value, Tensor& out) {
  return full_out(ctx, IntArrayRef(), value, out);
}

// start, start + step, ... below end (above, if step is negative). Integers are exact.
Tensor& arange_start_out(KernelRuntimeContext& ctx, const Scalar& start, const Scalar& end, const Scalar& step,
                         Tensor& out) {
  const double from = scalar_to_double(start);
  const double by = scalar_to_double(step);
  const double length = std::ceil((scalar_to_double(end) - from) / by);
  WICK_REQUIRE(ctx, by != 0 && length >= 0 && length <= INT32_MAX, out,
               "arange: the step must lead from start to end in a countable number of steps");
  WICK_REQUIRE(ctx, is_in(out.scalar_type(), (kIntegral | kFloating) & ~kBoolean), out, "arange: unsupported dtype %d",
               static_cast<int>(out.scalar_type()));
  const int64_t size = static_cast<int64_t>(length);
  if (!resize_to(ctx, out, IntArrayRef(&size, 1))) {
    return out;
  }
  char* to = static_cast<char*>(out.mutable_data_ptr());
  const bool whole = is_in(out.scalar_type(), kIntegral);
  for (int64_t i = 0; i < size; ++i, to += out.element_size()) {
    if (whole) {
      store_one(out.scalar_type(), to, scalar_to_int(start) + i * scalar_to_int(step));
    } else {
      store_one(out.scalar_type(), to, from + static_cast<double>(i) * by);
    }
  }
  return out;
}

Tensor& arange_out(KernelRuntimeContext& ctx, const Scalar& end, Tensor& out) {
  return arange_start_out(ctx, Scalar(int64_t{0}), end, Scalar(int64_t{1}), out);
}

template <bool kNormal>
Tensor& random_out(KernelRuntimeContext& ctx, IntArrayRef sizes, Tensor& out) {
  if (!require_dtype(ctx, out, kFloating) || !resize_to(ctx, out, sizes)) {
    return out;
  }
  Random random;
  char* to = static_cast<char*>(out.mutable_data_ptr());
  for (ssize_t i = 0; i < out.numel(); ++i, to += out.element_size()) {
    float value = random.uniform();
    if (kNormal) {  // Box and Muller, 1958
      value = std::sqrt(-2.0f * std::log(1.0f - value)) * std::cos(6.28318531f * random.uniform());
    }
    store_one(out.scalar_type(), to, value);
  }
  return out;
}

}  // namespace
}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_fill_Scalar_out, portable::fill_scalar_out)
WICK_KERNEL(aten_fill_Tensor_out, portable::fill_tensor_out)
WICK_KERNEL(aten_full_out, portable::full_out)
WICK_KERNEL(aten_full_like_out, portable::full_like_out)
WICK_KERNEL(aten_ones_out, portable::ones_out)
WICK_KERNEL(aten_zeros_out, portable::zeros_out)
WICK_KERNEL(aten_empty_out, portable::empty_out)
WICK_KERNEL(aten_scalar_tensor_out, portable::scalar_tensor_out)
WICK_KERNEL(aten_arange_out, portable::arange_out)
WICK_KERNEL(aten_arange_start_out, portable::arange_start_out)
WICK_KERNEL(aten_rand_out, portable::random_out<false>)
WICK_KERNEL(aten_randn_out, portable::random_out<true>)
