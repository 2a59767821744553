// SPDX-License-Identifier: BSD-3-Clause
//
// A matrix product is the tiles' own shape; all that is left to do here is the offset of the second operand, which adds
// b_offset * sum(row of a) to every sum of a row.
#include "src/kernels/cortex_m/matmul.h"

#include "src/kernels/cortex_m/tiles.h"

namespace wick::cortex_m {
namespace {

/// The rows one by one, each with its own addition to the bias.
void multiply_rows(const Product& p, Chunk& chunk, int32_t offset, int8_t* out) {
  int32_t added = 0;
  for (int32_t row = 0; row < p.rows; ++row) {
    const int8_t* a = p.a + row * p.k;
    const int32_t extra = p.b_offset * (simd::isa::sum(a, p.k) + (p.folded ? 0 : p.k * p.a_offset));
    chunk.add_to_bias(extra - added);
    added = extra;
    chunk.channels.plain = false;
    dot_direct(chunk.channels, a, p.k, 1, offset, nullptr, 0, out + row * p.columns, p.columns);
  }
}

}  // namespace

void multiply(const Product& p) {
  const int32_t factor = p.folded ? 0 : folded_offset(p.a_offset);
  const int32_t offset = p.folded ? 0 : packed_offset(p.a_offset);
  Chunk chunk;
  for (int32_t first = 0; first < p.columns; first += chunk.channels.count) {
    chunk.prepare(p.rescale, p.b + first * p.k, p.k, first, p.columns, factor);
    if (p.b_offset != 0) {
      multiply_rows(p, chunk, offset, p.output + first);
    } else {
      dot_direct(chunk.channels, p.a, p.k, p.rows, offset, nullptr, 0, p.output + first, p.columns);
    }
  }
  limit(p.output, p.rows * p.columns, p.rescale.min, p.rescale.max);
}

}  // namespace wick::cortex_m
