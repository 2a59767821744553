// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes, strides and the strided walk that all portable operators share (see common.h).
#include "src/kernels/portable/common.h"

#include <cstring>

namespace wick {
namespace portable {

Shape::Shape(Sizes from) {
  for (SizesType size : from) {
    push(size);
  }
}

void Shape::push(SizesType size) {
  if (dim < kMaxDims) {
    sizes[dim] = size;
  }
  ++dim;
}

size_t product(Sizes sizes, size_t from, size_t to) {
  size_t result = 1;
  for (size_t i = from; i < to; ++i) {
    result *= static_cast<size_t>(sizes[i]);
  }
  return result;
}

void strides_of(Sizes sizes, ArrayRef<DimOrderType> dim_order, ptrdiff_t* strides) {
  ptrdiff_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    const size_t dim = dim_order.data() == nullptr || dim_order.empty() ? i : dim_order[i];
    strides[dim] = stride;
    stride *= sizes[dim];
  }
}

void strides_of(const Tensor& tensor, ptrdiff_t* strides) { strides_of(tensor.sizes(), tensor.dim_order(), strides); }

bool is_contiguous(const Tensor& tensor) {
  const ArrayRef<DimOrderType> order = tensor.dim_order();
  if (order.data() == nullptr || tensor.numel() == 0) {
    return true;
  }
  int last = -1;  // dims larger than 1 must come in rising order
  for (size_t i = 0; i < order.size(); ++i) {
    if (tensor.size(order[i]) != 1) {
      if (order[i] < last) {
        return false;
      }
      last = order[i];
    }
  }
  return true;
}

bool same_layout(const Tensor& a, const Tensor& b) {
  if (a.dim() != b.dim() || static_cast<size_t>(a.dim()) > kMaxDims) {
    return false;
  }
  ptrdiff_t a_strides[kMaxDims];
  ptrdiff_t b_strides[kMaxDims];
  strides_of(a, a_strides);
  strides_of(b, b_strides);
  for (ssize_t i = 0; i < a.dim(); ++i) {
    if (a.size(i) != b.size(i) || (a.size(i) != 1 && a_strides[i] != b_strides[i])) {
      return false;
    }
  }
  return true;
}

bool resize(KernelRuntimeContext& ctx, Tensor& out, Sizes sizes) {
  if (sizes.size() > kMaxDims || executorch::runtime::resize_tensor(out, sizes) != Error::Ok) {
    ET_LOG(Error, "the output cannot take the result's shape of %zu dimensions", sizes.size());
    ctx.fail(Error::InvalidArgument);
    return false;
  }
  return true;
}

bool broadcast(KernelRuntimeContext& ctx, Shape& shape, Sizes other) {
  WICK_REQUIRE(ctx, shape.dim <= kMaxDims && other.size() <= kMaxDims, false, "more than %zu dimensions", kMaxDims);
  if (other.size() > shape.dim) {
    const size_t shift = other.size() - shape.dim;
    for (size_t i = shape.dim; i-- > 0;) {
      shape[i + shift] = shape[i];
    }
    for (size_t i = 0; i < shift; ++i) {
      shape[i] = 1;
    }
    shape.dim = other.size();
  }
  const size_t shift = shape.dim - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    SizesType& size = shape[i + shift];
    if (size == 1) {
      size = other[i];
    } else {
      WICK_REQUIRE(ctx, other[i] == size || other[i] == 1, false, "sizes %d and %d of dimension %zu do not broadcast",
                   static_cast<int>(size), static_cast<int>(other[i]), i + shift);
    }
  }
  return true;
}

bool resize_broadcast(KernelRuntimeContext& ctx, Tensor& out, const Tensor& a, const Tensor& b) {
  Shape shape(a.sizes());
  return broadcast(ctx, shape, b.sizes()) && resize(ctx, out, shape);
}

bool wrap_dim(KernelRuntimeContext& ctx, int64_t& dim, size_t rank) {
  const int64_t bound = rank == 0 ? 1 : static_cast<int64_t>(rank);
  WICK_REQUIRE(ctx, dim >= -bound && dim < bound, false, "dim %d is out of range for a tensor of %d dimensions",
               static_cast<int>(dim), static_cast<int>(rank));
  if (dim < 0) {
    dim += bound;
  }
  return true;
}

bool require_dtype(KernelRuntimeContext& ctx, const Tensor& tensor, DtypeSet allowed) {
  WICK_REQUIRE(ctx, (dtype_bit(tensor.scalar_type()) & allowed) != 0, false, "dtype %d is not supported here",
               static_cast<int>(tensor.scalar_type()));
  return true;
}

bool require_same_dtype(KernelRuntimeContext& ctx, const Tensor& a, const Tensor& b) {
  WICK_REQUIRE(ctx, a.scalar_type() == b.scalar_type(), false, "dtypes %d and %d differ",
               static_cast<int>(a.scalar_type()), static_cast<int>(b.scalar_type()));
  return true;
}

StridedLoop::StridedLoop(Sizes shape) {
  empty_ = shape.size() > kMaxDims;
  for (size_t i = 0; i < shape.size() && !empty_; ++i) {
    sizes_[dims_++] = shape[i];
  }
  for (size_t i = 0; i < dims_; ++i) {
    empty_ = empty_ || sizes_[i] <= 0;
  }
}

void StridedLoop::add(const Tensor& tensor) {
  add(tensor.const_data_ptr(), static_cast<size_t>(tensor.element_size()), tensor.sizes(), tensor.dim_order());
}

void StridedLoop::add(const void* data, size_t element_size, const ptrdiff_t* strides) {
  set_data(operands_, data);
  for (size_t i = 0; i < dims_; ++i) {
    strides_[operands_][i] = strides[i] * static_cast<ptrdiff_t>(element_size);
  }
  ++operands_;
}

void StridedLoop::add(const void* data, size_t element_size, Sizes sizes, ArrayRef<DimOrderType> dim_order) {
  ptrdiff_t own[kMaxDims];
  ptrdiff_t strides[kMaxDims] = {};
  if (sizes.size() > dims_) {
    empty_ = true;
  } else {
    strides_of(sizes, dim_order, own);
    const size_t shift = dims_ - sizes.size();
    for (size_t i = 0; i < sizes.size(); ++i) {
      strides[i + shift] = sizes[i] == 1 ? 0 : own[i];
    }
  }
  add(data, element_size, strides);
}

// Sorts dimensions by the strides of the first operand (ties: of the next), smallest first; those of size 1 go.
void StridedLoop::order() {
  size_t sorted[kMaxDims];
  size_t count = 0;
  for (size_t dim = dims_; dim-- > 0;) {
    if (sizes_[dim] == 1) {
      continue;
    }
    size_t at = count++;
    for (; at > 0; --at) {
      const size_t other = sorted[at - 1];
      size_t operand = 0;
      while (operand + 1 < operands_ && strides_[operand][other] == strides_[operand][dim]) {
        ++operand;
      }
      if (strides_[operand][other] <= strides_[operand][dim]) {
        break;
      }
      sorted[at] = other;
    }
    sorted[at] = dim;
  }
  SizesType sizes[kMaxDims];
  ptrdiff_t strides[kMaxDims];
  memcpy(sizes, sizes_, sizeof(sizes));
  for (size_t i = 0; i < count; ++i) {
    sizes_[i] = sizes[sorted[i]];
  }
  for (size_t operand = 0; operand < operands_; ++operand) {
    memcpy(strides, strides_[operand], sizeof(strides));
    for (size_t i = 0; i < count; ++i) {
      strides_[operand][i] = strides[sorted[i]];
    }
  }
  dims_ = count;
}

// Joins a dimension to the one inside it where every operand continues without a gap.
void StridedLoop::merge() {
  size_t last = 0;
  for (size_t dim = 1; dim < dims_; ++dim) {
    bool dense = true;
    for (size_t operand = 0; operand < operands_; ++operand) {
      dense = dense && strides_[operand][dim] == strides_[operand][last] * sizes_[last];
    }
    if (dense) {
      sizes_[last] *= sizes_[dim];
      continue;
    }
    ++last;
    sizes_[last] = sizes_[dim];
    for (size_t operand = 0; operand < operands_; ++operand) {
      strides_[operand][last] = strides_[operand][dim];
    }
  }
  dims_ = last + 1;
}

void StridedLoop::start() {
  order();
  if (dims_ == 0) {  // one element
    dims_ = 1;
    sizes_[0] = 1;
    for (size_t operand = 0; operand < operands_; ++operand) {
      strides_[operand][0] = 0;
    }
  } else {
    merge();
  }
  restart();
}

void StridedLoop::restart() {
  fresh_ = true;
  for (size_t i = 0; i < dims_; ++i) {
    index_[i] = 0;
  }
}

bool StridedLoop::next() {
  if (fresh_) {
    fresh_ = false;
    for (size_t operand = 0; operand < operands_; ++operand) {
      data_[operand] = base_[operand];
    }
    return !empty_;
  }
  for (size_t dim = 1; dim < dims_; ++dim) {
    const bool carry = ++index_[dim] == sizes_[dim];
    for (size_t operand = 0; operand < operands_; ++operand) {
      data_[operand] += carry ? -strides_[operand][dim] * (sizes_[dim] - 1) : strides_[operand][dim];
    }
    if (!carry) {
      return true;
    }
    index_[dim] = 0;
  }
  return false;
}

namespace {

template <typename T>
void copy_elements(char* out, ptrdiff_t out_step, const char* in, ptrdiff_t in_step, size_t n) {
  for (; n > 0; --n, out += out_step, in += in_step) {
    memcpy(out, in, sizeof(T));
  }
}

struct Sixteen {
  uint64_t words[2];
};

}  // namespace

void copy_run(char* out, ptrdiff_t out_step, const char* in, ptrdiff_t in_step, size_t n, size_t size) {
  if (out_step == static_cast<ptrdiff_t>(size) && in_step == out_step) {
    memmove(out, in, n * size);
    return;
  }
  switch (size) {
    case 1:
      return copy_elements<uint8_t>(out, out_step, in, in_step, n);
    case 2:
      return copy_elements<uint16_t>(out, out_step, in, in_step, n);
    case 4:
      return copy_elements<uint32_t>(out, out_step, in, in_step, n);
    case 8:
      return copy_elements<uint64_t>(out, out_step, in, in_step, n);
    default:
      return copy_elements<Sixteen>(out, out_step, in, in_step, n);
  }
}

void copy_strided(Tensor& out, const void* in, const ptrdiff_t* in_strides) {
  const size_t size = static_cast<size_t>(out.element_size());
  StridedLoop loop(out.sizes());
  loop.add(out);
  loop.add(in, size, in_strides);
  loop.start();
  while (loop.next()) {
    copy_run(loop.data(0), loop.step(0), loop.data(1), loop.step(1), loop.run(), size);
  }
}

}  // namespace portable
}  // namespace wick
