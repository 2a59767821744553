// SPDX-License-Identifier: BSD-3-Clause
//
// What the quantized operators share: rounding, parameters of several dtypes, and the walk over elements that have the
// same scale and zero point.
#pragma once

#include <cmath>

#include "src/kernels/portable/elements.h"
#include "src/kernels/portable/views.h"

namespace wick {
namespace portable {

inline constexpr DtypeSet kQuantizedTypes = dtypes(ScalarType::Byte, ScalarType::Char, ScalarType::Short,
                                                   ScalarType::Int, ScalarType::UInt16, ScalarType::Bits16);

/// Halves go to the even neighbour. Single precision without a library call: adding 1.5 * 2^23 rounds to an integer.
inline float round_to_even(float x) {
  constexpr float kShift = 12582912.0f;
  if (!(std::fabs(x) < 4194304.0f)) {
    return x;  // an integer already, or NaN
  }
  const volatile float shifted = x + kShift;
  return shifted - kShift;
}
inline double round_to_even(double x) { return std::nearbyint(x); }

/// Bits16 is how older exporters name uint16.
inline ScalarType plain_type(ScalarType type) { return type == ScalarType::Bits16 ? ScalarType::UInt16 : type; }

/// Fails the context unless [low, high] is a range of numbers of the (quantised) dtype.
inline bool require_range(KernelRuntimeContext& ctx, int64_t low, int64_t high, ScalarType type) {
  const ScalarType plain = plain_type(type);
  const bool is_signed = is_in(plain, kInts) && plain != ScalarType::Byte;
  WICK_REQUIRE(ctx, low <= high && (is_signed || low >= 0), false, "the quantised range is empty or below the dtype's");
  return require_fit(ctx, Scalar(low), plain) && require_fit(ctx, Scalar(high), plain);
}

/// One item of a tensor of parameters (any real dtype), in row-major order.
inline double parameter(const Tensor& tensor, size_t i) {
  return load_one<double>(tensor.scalar_type(), static_cast<const char*>(tensor.const_data_ptr()) +
                                                    i * static_cast<size_t>(tensor.element_size()));
}

/// Clamps as PyTorch does: NaN stays.
template <typename C>
C clamp(C x, C low, C high) {
  return x < low ? low : (x > high ? high : x);
}

/// Calls function(values, count) on tiles of `from`, loaded as C, and stores what it makes of them to `to`.
template <typename C, typename Function>
void transform(const View& to, ScalarType to_type, const View& from, ScalarType from_type, Function function) {
  constexpr size_t kTile = 32;
  C values[kTile];
  StridedLoop loop(to.shape);
  loop.add(to.data, to.element_size, to.strides);
  loop.add(from.data, from.element_size, from.strides);
  loop.start();
  while (loop.next()) {
    for (size_t i = 0; i < loop.run(); i += kTile) {
      const size_t count = loop.run() - i < kTile ? loop.run() - i : kTile;
      const ptrdiff_t at = static_cast<ptrdiff_t>(i);
      load(from_type, loop.data(1) + at * loop.step(1), loop.step(1), count, values);
      function(values, count);
      store(to_type, loop.data(0) + at * loop.step(0), loop.step(0), count, values);
    }
  }
}

}  // namespace portable
}  // namespace wick
