// SPDX-License-Identifier: BSD-3-Clause
//
// Matrix products for every operator that needs one. Matrices are strided views: a transposed operand (a weight
// [out, in], a permuted view of a constant) is read where it lies and costs no copy.
#pragma once

#include "src/kernels/portable/elements.h"

namespace wick {
namespace portable {

/// A matrix in memory: strides in elements between rows and between columns.
struct Matrix {
  const char* data = nullptr;
  ptrdiff_t row = 0;
  ptrdiff_t column = 0;
};

/// out = alpha * a * b + beta * add, with a [m, k], b [k, n], add and out [m, n]; all of one dtype.
struct MatrixProduct {
  ScalarType type;
  size_t m, n, k;
  Matrix a, b, add, out;  ///< add.data null: nothing is added
  Scalar alpha = int64_t{1};
  Scalar beta = int64_t{1};
};

/// Computes the product for a dtype in kTypes; instantiates the arithmetic of these dtypes only.
template <DtypeSet kTypes>
void multiply_matrices(const MatrixProduct& product);

namespace matmul {
void multiply_float(const MatrixProduct& product);
void multiply_half(const MatrixProduct& product);
void multiply_double(const MatrixProduct& product);
void multiply_int(const MatrixProduct& product);
void multiply_complex(const MatrixProduct& product);
}  // namespace matmul

template <DtypeSet kTypes>
void multiply_matrices(const MatrixProduct& product) {
  if constexpr (is_in(ScalarType::Float, kTypes)) {
    if (product.type == ScalarType::Float) {
      return matmul::multiply_float(product);
    }
  }
  if constexpr ((kHalfs & kTypes) != 0) {
    if (is_in(product.type, kHalfs)) {
      return matmul::multiply_half(product);
    }
  }
  if constexpr (is_in(ScalarType::Double, kTypes)) {
    if (product.type == ScalarType::Double) {
      return matmul::multiply_double(product);
    }
  }
  if constexpr ((kComplexes & kTypes) != 0) {
    if (is_in(product.type, kComplexes)) {
      return matmul::multiply_complex(product);
    }
  }
  if constexpr ((kIntegral & kTypes) != 0) {
    matmul::multiply_int(product);
  }
}

}  // namespace portable
}  // namespace wick
