// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of matrix products (see matmul.h): dot products where both operands are dense along the common dimension,
// register tiles otherwise; blocks that are not dense enough, or of another dtype, are packed first. Images whose
// programs have dense products only do without the tiles.
#include "src/kernels/portable/matmul.h"
#include "src/kernels/simd/float_line.h"

namespace wick {
namespace portable {
namespace matmul {

namespace {

constexpr bool kTiles =
    (selected("aten::mm.out", "aten::addmm.out", "aten::bmm.out", "aten::linear.out") & kMixedShapes) != 0;

template <typename C>
C scalar_as(const Scalar& scalar) {
  if constexpr (std::is_same_v<C, int64_t>) {
    return scalar_to_int(scalar);
  } else {
    return static_cast<C>(scalar_to_double(scalar));
  }
}

// C: compute type; kSame: the matrices hold elements of it.
template <typename C, bool kSame>
class Product {
 public:
  explicit Product(const MatrixProduct& product)
      : p_(product),
        size_(static_cast<ptrdiff_t>(element_size(product.type))),
        alpha_(scalar_as<C>(product.alpha)),
        beta_(scalar_as<C>(product.beta)) {
    adds_ = product.add.data != nullptr && beta_ != C(0);
  }

  void run() {
    if (kSame && (p_.b.row == 1 || p_.k == 1) && (p_.a.column == 1 || p_.k == 1)) {
      for (size_t i = 0; i < p_.m; ++i) {
        dot_row(i);
      }
      return;
    }
    if constexpr (kTiles && kSame && std::is_same_v<C, float> && kRows > 2) {
      if (p_.m < kRows && p_.b.column == 1) {
        for (size_t i = 0; i < p_.m; ++i) {
          combine_rows(i);
        }
        return;
      }
    }
    if constexpr (kTiles) {
      for (size_t j = 0; j < p_.n; j += kColumns) {
        for (size_t i = 0; i < p_.m; i += kRows) {
          tile(i, j);
        }
      }
    } else {
      for (size_t i = 0; i < p_.m; ++i) {
        for (size_t j = 0; j < p_.n; ++j) {
          dot(i, j);
        }
      }
    }
  }

 private:
  static constexpr size_t kRows = simd::kTileRows;
  static constexpr size_t kColumns = simd::kTileColumns;

  const char* at(const Matrix& matrix, size_t i, size_t j) const {
    return matrix.data + (static_cast<ptrdiff_t>(i) * matrix.row + static_cast<ptrdiff_t>(j) * matrix.column) * size_;
  }
  C get(const char* element) const {
    if constexpr (kSame) {
      return *reinterpret_cast<const C*>(element);
    } else {
      return load_one<C>(p_.type, element);
    }
  }
  void put(size_t i, size_t j, C sum) const {
    C value = simd::multiply_add(C(0), alpha_, sum);
    if (adds_) {
      value = simd::multiply_add(value, beta_, get(at(p_.add, i, j)));
    }
    char* out = const_cast<char*>(at(p_.out, i, j));
    if constexpr (kSame) {
      *reinterpret_cast<C*>(out) = value;
    } else {
      store_one(p_.type, out, value);
    }
  }

  void dot_row(size_t i) const {
    const C* x = reinterpret_cast<const C*>(at(p_.a, i, 0));
    C sums[simd::kDotRows];
    size_t columns = simd::kDotRows;
    for (size_t j = 0; j < p_.n; j += columns) {
      columns = p_.n - j < simd::kDotRows ? 1 : simd::kDotRows;  // one by one at the end
      const ptrdiff_t step = columns == 1 ? 0 : p_.b.column;
      simd::dot_rows<C>(reinterpret_cast<const C*>(at(p_.b, 0, j)), step, x, p_.k, sums);
      for (size_t c = 0; c < columns; ++c) {
        put(i, j + c, sums[c]);
      }
    }
  }

  // One element of the result, whatever the strides.
  void dot(size_t i, size_t j) const {
    C sum{};
    for (size_t k = 0; k < p_.k; ++k) {
      sum = simd::multiply_add(sum, get(at(p_.a, i, k)), get(at(p_.b, k, j)));
    }
    put(i, j, sum);
  }

  // A row of the result as a combination of rows of b: for few rows, of which a tile of four would waste most.
  void combine_rows(size_t i) const {
    constexpr size_t kWidth = 64;
    float sums[kWidth];
    for (size_t j = 0; j < p_.n; j += kWidth) {
      const size_t width = p_.n - j < kWidth ? p_.n - j : kWidth;
      simd::fill_line(sums, 0.0f, width);
      size_t k = 0;
      for (; k + 3 <= p_.k; k += 3) {
        simd::ThreeLines lines;
        for (size_t l = 0; l < 3; ++l) {
          lines.in[l] = reinterpret_cast<const float*>(at(p_.b, k + l, j));
          lines.weight[l] = get(at(p_.a, i, k + l));
        }
        simd::accumulate_three(sums, lines, width);
      }
      for (; k < p_.k; ++k) {
        simd::accumulate_line(sums, reinterpret_cast<const float*>(at(p_.b, k, j)), get(at(p_.a, i, k)), width);
      }
      for (size_t c = 0; c < width; ++c) {
        put(i, j + c, sums[c]);
      }
    }
  }

  void tile(size_t i, size_t j) const {
    const size_t rows = p_.m - i < kRows ? p_.m - i : kRows;
    const size_t columns = p_.n - j < kColumns ? p_.n - j : kColumns;
    const bool direct_a = kSame && (rows == kRows || rows == 1) && p_.a.column == 1;
    const ptrdiff_t lda = !direct_a ? static_cast<ptrdiff_t>(simd::kTileDepth) : rows == 1 ? 0 : p_.a.row;
    const bool direct_b = kSame && columns == kColumns && p_.b.column == 1;
    const size_t step = direct_a && direct_b ? p_.k : simd::kTileDepth;
    C a[kRows * simd::kTileDepth];
    C b[kColumns * simd::kTileDepth];
    C sums[kRows * kColumns] = {};
    for (size_t k = 0; k < p_.k; k += step) {
      const size_t depth = p_.k - k < step ? p_.k - k : step;
      const C* a_block = direct_a ? reinterpret_cast<const C*>(at(p_.a, i, k)) : a;
      const C* b_block = direct_b ? reinterpret_cast<const C*>(at(p_.b, k, j)) : b;
      for (size_t r = 0; r < kRows && !direct_a; ++r) {
        for (size_t d = 0; d < depth; ++d) {
          a[r * simd::kTileDepth + d] = r < rows ? get(at(p_.a, i + r, k + d)) : C(0);
        }
      }
      for (size_t d = 0; d < depth && !direct_b; ++d) {
        for (size_t c = 0; c < kColumns; ++c) {
          b[d * kColumns + c] = c < columns ? get(at(p_.b, k + d, j + c)) : C(0);
        }
      }
      simd::multiply_tile<C>(a_block, lda, b_block, direct_b ? p_.b.row : static_cast<ptrdiff_t>(kColumns), depth,
                             nullptr, sums, static_cast<ptrdiff_t>(kColumns));
    }
    for (size_t r = 0; r < rows; ++r) {
      for (size_t c = 0; c < columns; ++c) {
        put(i + r, j + c, sums[r * kColumns + c]);
      }
    }
  }

  const MatrixProduct& p_;
  ptrdiff_t size_;
  C alpha_, beta_;
  bool adds_;
};

}  // namespace

void multiply_float(const MatrixProduct& product) { Product<float, true>(product).run(); }
void multiply_half(const MatrixProduct& product) { Product<float, false>(product).run(); }
void multiply_double(const MatrixProduct& product) { Product<double, true>(product).run(); }
void multiply_int(const MatrixProduct& product) { Product<int64_t, false>(product).run(); }
void multiply_complex(const MatrixProduct& product) { Product<Complex, false>(product).run(); }

}  // namespace matmul
}  // namespace portable
}  // namespace wick
