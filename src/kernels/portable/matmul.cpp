// SPDX-License-Identifier: BSD-3-Clause
//
// aten::mm, addmm, bmm and linear: shapes and arguments; the arithmetic is matmul.h's.
#include "src/kernels/portable/matmul.h"

#include "src/kernels/portable/views.h"
#include "src/runtime/kernel/question.h"

namespace wick {
namespace portable {

namespace {

// The matrix of the last two dimensions of a view; a tensor of two dimensions.
Matrix matrix_of(const View& view) {
  const size_t rank = view.dim();
  return {view.data, view.strides[rank - 2], view.strides[rank - 1]};
}
Matrix matrix_of(const Tensor& tensor) {
  ptrdiff_t strides[2];
  strides_of(tensor, strides);
  return {static_cast<const char*>(tensor.const_data_ptr()), strides[0], strides[1]};
}

// The addend broadcast to [m, n]; false if its sizes do not allow that.
bool broadcast_add(const Tensor& add, size_t m, size_t n, Matrix& matrix) {
  const Sizes sizes = add.sizes();
  const size_t rank = sizes.size();
  if (rank > 2) {
    return false;
  }
  ptrdiff_t strides[2];
  strides_of(add, strides);
  const size_t rows = rank < 2 ? 1 : static_cast<size_t>(sizes[0]);
  const size_t columns = rank < 1 ? 1 : static_cast<size_t>(sizes[rank - 1]);
  matrix = {static_cast<const char*>(add.const_data_ptr()), rows == 1 ? 0 : strides[0],
            columns == 1 ? 0 : strides[rank - 1]};
  return (rows == 1 || rows == m) && (columns == 1 || columns == n);
}

bool same_dtypes(KernelRuntimeContext& ctx, const Tensor& a, const Tensor& b, const Tensor& out, DtypeSet allowed) {
  return require_dtype(ctx, a, allowed) && require_same_dtype(ctx, a, b) && require_same_dtype(ctx, a, out);
}

// Checks mm's and addmm's arguments (`add` may be null) and gives `out` its sizes.
bool plan(KernelRuntimeContext& ctx, const Tensor* add, const Tensor& a, const Tensor& b, Tensor& out, DtypeSet allowed,
          MatrixProduct& product) {
  if (!same_dtypes(ctx, a, b, out, allowed) || (add != nullptr && !require_same_dtype(ctx, a, *add))) {
    return false;
  }
  WICK_REQUIRE(ctx, a.dim() == 2 && b.dim() == 2 && a.sizes()[1] == b.sizes()[0], false,
               "a matrix product needs two matrices [m, k] and [k, n]");
  const SizesType sizes[] = {a.sizes()[0], b.sizes()[1]};
  product.type = a.scalar_type();
  product.m = static_cast<size_t>(sizes[0]);
  product.n = static_cast<size_t>(sizes[1]);
  product.k = static_cast<size_t>(a.sizes()[1]);
  WICK_REQUIRE(ctx, add == nullptr || broadcast_add(*add, product.m, product.n, product.add), false,
               "addmm: the addend does not broadcast to the product's sizes");
  if (!resize(ctx, out, {sizes, 2})) {
    return false;
  }
  product.a = matrix_of(a);
  product.b = matrix_of(b);
  product.out = matrix_of(out);
  return true;
}

Tensor& mm_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& mat2, Tensor& out) {
  constexpr DtypeSet kTypes = kRealHBF16 & selected_dtypes("aten::mm.out");
  MatrixProduct product;
  if (plan(ctx, nullptr, in, mat2, out, kTypes, product)) {
    multiply_matrices<kTypes>(product);
  }
  return out;
}

Tensor& addmm_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& mat1, const Tensor& mat2,
                  const Scalar& beta, const Scalar& alpha, Tensor& out) {
  constexpr DtypeSet kTypes = kRealHBF16 & selected_dtypes("aten::addmm.out");
  MatrixProduct product;
  if (plan(ctx, &in, mat1, mat2, out, kTypes, product)) {
    product.alpha = alpha;
    product.beta = beta;
    multiply_matrices<kTypes>(product);
  }
  return out;
}

Tensor& bmm_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& mat2, Tensor& out) {
  constexpr DtypeSet kTypes = (kRealHBF16 | kComplexes) & selected_dtypes("aten::bmm.out");
  WICK_REQUIRE(ctx, in.dim() == 3 && mat2.dim() == 3 && in.size(0) == mat2.size(0) && in.size(2) == mat2.size(1), out,
               "bmm needs batches of matrices [b, m, k] and [b, k, n]");
  if (!same_dtypes(ctx, in, mat2, out, kTypes)) {
    return out;
  }
  Shape sizes(in.sizes());
  sizes[2] = static_cast<SizesType>(mat2.size(2));
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  const View a(in);
  const View b(mat2);
  const View to(out);
  MatrixProduct product{in.scalar_type(),
                        static_cast<size_t>(sizes[1]),
                        static_cast<size_t>(sizes[2]),
                        static_cast<size_t>(in.size(2)),
                        matrix_of(a),
                        matrix_of(b),
                        {},
                        matrix_of(to)};
  const ptrdiff_t size = static_cast<ptrdiff_t>(to.element_size);
  for (SizesType i = 0; i < sizes[0]; ++i) {
    multiply_matrices<kTypes>(product);
    product.a.data += a.strides[0] * size;
    product.b.data += b.strides[0] * size;
    product.out.data += to.strides[0] * size;
  }
  return out;
}

// in [..., k] by weight [n, k]; bias [n]. Leading dimensions are walked, so that any dim order is right.
Tensor& linear_out(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& weight, const std::optional<Tensor>& bias,
                   Tensor& out) {
  constexpr DtypeSet kTypes = kRealHBF16 & selected_dtypes("aten::linear.out");
  const size_t rank = static_cast<size_t>(in.dim());
  WICK_REQUIRE(
      ctx,
      rank >= 1 && rank < kMaxDims && weight.dim() == 2 && in.size(static_cast<ssize_t>(rank) - 1) == weight.size(1),
      out, "linear: the weight [n, k] does not fit the input's last dimension");
  if (!same_dtypes(ctx, in, weight, out, kTypes)) {
    return out;
  }
  MatrixProduct product;
  const size_t n = static_cast<size_t>(weight.size(0));
  if (bias.has_value()) {
    WICK_REQUIRE(ctx, bias->scalar_type() == in.scalar_type() && broadcast_add(*bias, 1, n, product.add), out,
                 "linear: the bias must be a vector of %zu elements of the input's dtype", n);
  }
  Shape sizes(in.sizes());
  sizes[rank - 1] = static_cast<SizesType>(n);
  if (!resize(ctx, out, sizes)) {
    return out;
  }
  View a(in);
  View to(out);
  if (rank == 1) {
    a.insert(0, 1, 0);
    to.insert(0, 1, 0);
  }
  const View w(weight);
  const size_t last = a.dim() - 1;
  product.type = in.scalar_type();
  product.m = static_cast<size_t>(a.shape[last - 1]);
  product.n = n;
  product.k = static_cast<size_t>(a.shape[last]);
  product.b = {w.data, w.strides[1], w.strides[0]};
  Shape outer(a.shape);
  outer.dim = last - 1;
  StridedLoop loop(outer);
  loop.add(to.data, to.element_size, to.strides);
  loop.add(a.data, a.element_size, a.strides);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); ++i) {
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      product.out = {loop.data(0) + at * loop.step(0), to.strides[last - 1], to.strides[last]};
      product.a = {loop.data(1) + at * loop.step(1), a.strides[last - 1], a.strides[last]};
      multiply_matrices<kTypes>(product);
    }
  }
  return out;
}

// Where an operator's tensors have several dtypes in the image's programs, a call that mixes them is refused at load.
template <auto kFunction, DtypeSet kSelected>
void call_of_one_dtype(KernelRuntimeContext& ctx, Span<EValue*> args) {
  constexpr DtypeSet kTypes = kSelected & ~kMixedShapes;
  if constexpr ((kTypes & (kTypes - 1)) != 0) {
    if (args.data() == internal::question_arguments()) {
      static_cast<internal::Question&>(ctx).prepare = internal::require_one_dtype;
    }
  }
  internal::Boxed<kFunction>::call(ctx, args);
}

}  // namespace
}  // namespace portable

namespace kernels {
void aten_mm_out(KernelRuntimeContext& ctx, Span<EValue*> args);
void aten_addmm_out(KernelRuntimeContext& ctx, Span<EValue*> args);
void aten_bmm_out(KernelRuntimeContext& ctx, Span<EValue*> args);
void aten_linear_out(KernelRuntimeContext& ctx, Span<EValue*> args);

void aten_mm_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::call_of_one_dtype<portable::mm_out, selected_dtypes("aten::mm.out")>(ctx, args);
}
void aten_addmm_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::call_of_one_dtype<portable::addmm_out, selected_dtypes("aten::addmm.out")>(ctx, args);
}
void aten_bmm_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::call_of_one_dtype<portable::bmm_out, selected_dtypes("aten::bmm.out")>(ctx, args);
}
void aten_linear_out(KernelRuntimeContext& ctx, Span<EValue*> args) {
  portable::call_of_one_dtype<portable::linear_out, selected_dtypes("aten::linear.out")>(ctx, args);
}
}  // namespace kernels
}  // namespace wick
