// SPDX-License-Identifier: BSD-3-Clause
//
// Shapes, strides and the strided walk that all portable operators share (see common.h).
#include "src/kernels/portable/common.h"

#include <cstring>
#include <utility>

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

void describe(const Tensor& tensor, ShapedData& shaped) {
  shaped.data = tensor.const_data_ptr();
  shaped.sizes = tensor.sizes().data();
  shaped.rank = tensor.sizes().size();
  shaped.dim_order = tensor.dim_order().data();
  shaped.strides = nullptr;
}

size_t product(Sizes sizes, size_t from, size_t to) {
  size_t result = 1;
  for (size_t i = from; i < to; ++i) {
    result *= static_cast<size_t>(sizes[i]);
  }
  return result;
}

void strides_of(Sizes sizes, const DimOrderType* dim_order, ptrdiff_t* strides) {
  ptrdiff_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    const size_t dim = dim_order == nullptr ? i : dim_order[i];
    strides[dim] = stride;
    stride *= sizes[dim];
  }
}

void strides_of(const Tensor& tensor, ptrdiff_t* strides) {
  strides_of(tensor.sizes(), tensor.dim_order().data(), strides);
}

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
  const size_t rank = shape.dim > other.size() ? shape.dim : other.size();
  WICK_REQUIRE(ctx, rank <= kMaxDims, false, "more than %zu dimensions", kMaxDims);
  const size_t own = shape.dim;
  shape.dim = rank;
  for (size_t i = 1; i <= rank; ++i) {  // from the last dimension on, in place
    const SizesType a = i <= own ? shape[own - i] : 1;
    const SizesType b = i <= other.size() ? other[other.size() - i] : 1;
    WICK_REQUIRE(ctx, a == b || a == 1 || b == 1, false, "sizes %d and %d of dimension %zu do not broadcast",
                 static_cast<int>(a), static_cast<int>(b), rank - i);
    shape[rank - i] = a == 1 ? b : a;
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

StridedLoop::StridedLoop(Sizes shape, const DimOrderType* dim_order) {
  bool empty = shape.size() > kMaxDims;
  dims_ = empty ? 0 : shape.size();
  for (size_t i = 0; i < dims_; ++i) {
    const size_t outer = dims_ - 1 - i;
    const size_t dim = dim_order == nullptr ? outer : dim_order[outer];
    place_[dim] = static_cast<uint8_t>(i);
    sizes_[i] = shape[dim];
    empty |= shape[dim] <= 0;
  }
  empty_ = empty;
}

void StridedLoop::add(const Tensor& tensor) {
  ShapedData shaped;
  describe(tensor, shaped);
  add(shaped, static_cast<size_t>(tensor.element_size()));
}

void StridedLoop::add(const void* data, size_t element_size, const ptrdiff_t* strides) {
  for (size_t i = 0; i < dims_; ++i) {
    strides_[place_[i]][operands_] = strides[i] * static_cast<ptrdiff_t>(element_size);
  }
  set_data(operands_++, data);
}

void StridedLoop::add(const ShapedData& shaped, size_t element_size) {
  if (shaped.rank > dims_) {
    empty_ = true;
    return;
  }
  const size_t operand = operands_++;
  set_data(operand, shaped.data);
  for (size_t i = 0; i < dims_; ++i) {
    strides_[i][operand] = 0;
  }
  const size_t shift = dims_ - shaped.rank;
  ptrdiff_t dense = 1;
  for (size_t i = shaped.rank; i-- > 0;) {
    const size_t dim = shaped.dim_order == nullptr ? i : shaped.dim_order[i];
    const ptrdiff_t stride = shaped.strides == nullptr ? dense : shaped.strides[dim];
    if (shaped.sizes[dim] != 1) {
      strides_[place_[shift + dim]][operand] = stride * static_cast<ptrdiff_t>(element_size);
    }
    dense *= shaped.sizes[dim];
  }
}

// True if a dimension of strides a belongs inside of one of b: by the first operand that tells them apart.
bool StridedLoop::inside(const ptrdiff_t* a, const ptrdiff_t* b) const {
  const ptrdiff_t* const last = a + operands_ - 1;
  while (a != last && *a == *b) {
    ++a;
    ++b;
  }
  return *a < *b;
}

// True if every operand goes on from the end of the inner dimension to the outer's next item without a gap.
bool StridedLoop::continues(const ptrdiff_t* inner, ptrdiff_t size, const ptrdiff_t* outer) const {
  const ptrdiff_t* const end = inner + operands_;
  while (inner != end && *outer == *inner * size) {
    ++inner;
    ++outer;
  }
  return inner == end;
}

void StridedLoop::start() {
  for (size_t i = 1; i < dims_; ++i) {  // insertion sort
    for (size_t j = i; j > 0 && inside(strides_[j], strides_[j - 1]); --j) {
      std::swap(sizes_[j], sizes_[j - 1]);
      std::swap(strides_[j], strides_[j - 1]);
    }
  }
  start_in_order();
}

void StridedLoop::start_in_order() {
  size_t count = 0;
  for (size_t i = 0; i < dims_; ++i) {
    if (sizes_[i] == 1) {
      continue;  // does not move anything
    }
    if (count > 0 && continues(strides_[count - 1], sizes_[count - 1], strides_[i])) {
      sizes_[count - 1] *= sizes_[i];
    } else {
      index_[count] = 0;  // as at the end of each walk
      sizes_[count] = sizes_[i];
      memcpy(strides_[count++], strides_[i], sizeof(strides_[i]));
    }
  }
  dims_ = count;
  restart();
}

void StridedLoop::restart() {
  fresh_ = true;
  if (dims_ == 0) {  // one element
    dims_ = 1;
    sizes_[0] = 1;
  }
}

bool StridedLoop::next() {
  if (fresh_) {
    fresh_ = false;
    memcpy(data_, base_, sizeof(data_));
    return !empty_;
  }
  for (size_t i = 1; i < dims_; ++i) {
    const bool carry = ++index_[i] == sizes_[i];
    const ptrdiff_t steps = carry ? 1 - sizes_[i] : 1;
    for (size_t operand = 0; operand < operands_; ++operand) {
      data_[operand] += strides_[i][operand] * steps;
    }
    if (!carry) {
      return true;
    }
    index_[i] = 0;
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
