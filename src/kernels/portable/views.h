// SPDX-License-Identifier: BSD-3-Clause
//
// A view: part of a tensor's memory seen with other sizes and strides. All operators that only move data describe what
// they do as a view of the input (or of the output) and copy it, whatever the dtype and the dim order.
//
//   View view(in);
//   view.narrow(dim, start, length, step);
//   copy_to(ctx, view, out);                 // gives out the view's sizes
#pragma once

#include "src/kernels/portable/common.h"

namespace wick {
namespace portable {

struct View {
  Shape shape;
  ptrdiff_t strides[kMaxDims] = {};  ///< in elements
  char* data = nullptr;
  size_t element_size = 0;

  explicit View(const Tensor& tensor);

  size_t dim() const { return shape.dim; }
  /// Keeps `length` items of a dimension from `start` on, every step-th. The caller has checked the range.
  void narrow(size_t dim, int64_t start, int64_t length, int64_t step = 1);
  /// Keeps one item of a dimension, which goes.
  void select(size_t dim, int64_t index);
  void remove(size_t dim);
  /// Puts a new dimension in front of `dim`.
  void insert(size_t dim, SizesType size, ptrdiff_t stride);
  /// Turns a dimension around.
  void reverse(size_t dim);
  void swap(size_t a, size_t b);
};

/// Copies the elements of `from` to `to`, which has the same sizes; the element sizes are equal.
void copy_view(const View& to, const View& from);

/// The same with a conversion of dtype, through the compute type of the source (in convert.cpp).
void convert_view(const View& to, ScalarType to_type, const View& from, ScalarType from_type);

/// Gives `out` the view's sizes and copies it. Fails the context if sizes or dtypes do not allow it.
void copy_to(KernelRuntimeContext& ctx, const View& from, ScalarType type, Tensor& out);

/// Copies all elements of `in` to `out` of the same dtype and sizes.
void copy_tensor(const Tensor& in, Tensor& out);

}  // namespace portable
}  // namespace wick
