// SPDX-License-Identifier: BSD-3-Clause
//
// A matrix product is the tiles' own shape; all that is left to do here is the offset of the second operand, which adds
// b_offset * sum(row of a) to every sum of a row.
#include "src/kernels/cortex_m/matmul.h"

#include "src/kernels/cortex_m/tiles.h"

namespace wick::cortex_m {

void multiply(const Product& p) {
  const int32_t factor = p.folded ? 0 : folded_offset(p.a_offset);
  const int32_t offset = p.folded ? 0 : packed_offset(p.a_offset);
  const int32_t step = p.b_offset != 0 ? 1 : p.rows;  // rows at a time
  Chunk chunk;
  for (int32_t first = 0; first < p.columns; first += chunk.channels.count) {
    chunk.prepare(p.rescale, p.b + first * p.k, p.k, first, p.columns, factor);
    int32_t added = 0;
    for (int32_t row = 0; row < p.rows; row += step) {
      const int8_t* a = p.a + row * p.k;
      if (p.b_offset != 0) {  // each row has its own addition to the bias
        const int32_t extra = p.b_offset * (simd::isa::sum(a, p.k) + (p.folded ? 0 : p.k * p.a_offset));
        chunk.add_to_bias(extra - added);
        added = extra;
        chunk.channels.plain = false;
      }
      dot_direct(chunk.channels, a, p.k, step, offset, nullptr, 0, p.output + row * p.columns + first, p.columns);
    }
  }
  limit(p.output, p.rows * p.columns, p.rescale.min, p.rescale.max);
}

}  // namespace wick::cortex_m
