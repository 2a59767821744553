// SPDX-License-Identifier: BSD-3-Clause
//
// Views of tensors and their copying (see views.h).
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

View::View(const Tensor& tensor)
    : shape(tensor.sizes()),
      data(static_cast<char*>(const_cast<void*>(tensor.const_data_ptr()))),
      element_size(static_cast<size_t>(tensor.element_size())) {
  strides_of(tensor, strides);
}

void View::narrow(size_t dim, int64_t start, int64_t length, int64_t step) {
  data += static_cast<ptrdiff_t>(start) * strides[dim] * static_cast<ptrdiff_t>(element_size);
  shape[dim] = static_cast<SizesType>(length);
  strides[dim] *= length > 1 ? static_cast<ptrdiff_t>(step) : 1;  // a step past the end may be as large as it likes
}

void View::select(size_t dim, int64_t index) {
  narrow(dim, index, 1);
  remove(dim);
}

void View::remove(size_t dim) {
  --shape.dim;
  for (size_t i = dim; i < shape.dim; ++i) {
    shape[i] = shape[i + 1];
    strides[i] = strides[i + 1];
  }
}

void View::insert(size_t dim, SizesType size, ptrdiff_t stride) {
  if (shape.dim < kMaxDims) {
    for (size_t i = shape.dim; i > dim; --i) {
      shape[i] = shape[i - 1];
      strides[i] = strides[i - 1];
    }
    shape[dim] = size;
    strides[dim] = stride;
  }
  ++shape.dim;
}

void View::reverse(size_t dim) {
  if (shape[dim] > 0) {
    narrow(dim, shape[dim] - 1, shape[dim], -1);
  }
}

void View::swap(size_t a, size_t b) {
  const SizesType size = shape[a];
  shape[a] = shape[b];
  shape[b] = size;
  const ptrdiff_t stride = strides[a];
  strides[a] = strides[b];
  strides[b] = stride;
}

void copy_view(const View& to, const View& from) {
  StridedLoop loop(to.shape);
  loop.add(to.data, to.element_size, to.strides);
  loop.add(from.data, from.element_size, from.strides);
  loop.start();
  while (loop.next()) {
    copy_run(loop.data(0), loop.step(0), loop.data(1), loop.step(1), loop.run(), to.element_size);
  }
}

void copy_to(KernelRuntimeContext& ctx, const View& from, ScalarType type, Tensor& out) {
  if (type != out.scalar_type()) {
    ET_LOG(Error, "the output has dtype %d, not the input's %d", static_cast<int>(out.scalar_type()),
           static_cast<int>(type));
    ctx.fail(Error::InvalidArgument);
    return;
  }
  if (resize(ctx, out, from.shape)) {
    copy_view(View(out), from);
  }
}

void copy_tensor(const Tensor& in, Tensor& out) { copy_view(View(out), View(in)); }

}  // namespace portable
}  // namespace wick
