// SPDX-License-Identifier: BSD-3-Clause
//
// Elementwise operators on int8 values: quantised addition, product, quotient, table lookup, minimum and maximum.
#pragma once

#include <wick/dtypes.h>

#include <cstdint>

#include "src/kernels/simd/simd.h"

namespace wick::cortex_m {

using simd::generic::Binary;

/// How two operands of up to kMostBroadcast dimensions meet: a stride of 0 repeats the value along that dimension.
constexpr int32_t kMostBroadcast = 6;
struct Broadcast {
  int32_t dims;
  int32_t sizes[kMostBroadcast];       ///< of the output, in its memory order
  int32_t strides[2][kMostBroadcast];  ///< of each operand
  bool same;                           ///< no operand is broadcast and all have the same memory order

  int32_t count() const {
    int32_t n = 1;
    for (int32_t d = 0; d < dims; ++d) {
      n *= sizes[d];
    }
    return n;
  }
};

/// Whether operands of any operator that can broadcast do so in the image's programs, or lie differently.
constexpr bool kBroadcasts =
    ((selected_dtypes("cortex_m::quantized_add.out") | selected_dtypes("cortex_m::quantized_mul.out") |
      selected_dtypes("cortex_m::minimum.out") | selected_dtypes("cortex_m::maximum.out")) &
     kMixedShapes) != 0;

/// Calls function(a, b, out, n, a_step, b_step) for runs along the last dimension; the steps are in elements.
template <typename T, typename Function>
void for_each_run(const Broadcast& shape, const T* a, const T* b, T* out, Function function) {
  if (!kBroadcasts || shape.same) {
    function(a, b, out, shape.count(), 1, 1);
    return;
  }
  int32_t index[kMostBroadcast] = {};
  const int32_t last = shape.dims - 1;
  const int32_t run = shape.sizes[last];
  for (int32_t left = shape.count(); left > 0; left -= run) {
    function(a, b, out, run, shape.strides[0][last], shape.strides[1][last]);
    out += run;
    for (int32_t d = last - 1; d >= 0; --d) {
      a += shape.strides[0][d];
      b += shape.strides[1][d];
      if (++index[d] < shape.sizes[d]) {
        break;
      }
      a -= shape.sizes[d] * shape.strides[0][d];
      b -= shape.sizes[d] * shape.strides[1][d];
      index[d] = 0;
    }
  }
}

/// out = a + b, both brought to a common scale: see Binary.
void add(const Binary& p, const Broadcast& shape, const int8_t* a, const int8_t* b, int8_t* out, int32_t min,
         int32_t max);

/// out = a * b.
void multiply(const Binary& p, const Broadcast& shape, const int8_t* a, const int8_t* b, int8_t* out);

/// (a + offset) / (b + offset) * scale in float, rounded half to even; 0 where the divisor is 0. T is int8_t or
/// int16_t.
template <typename T>
void divide(int32_t a_offset, int32_t b_offset, int32_t output_offset, float scale, const T* a, const T* b, T* out,
            int32_t n);

/// out[i] = table[in[i] + 128].
void look_up(const int8_t* table, const int8_t* in, int8_t* out, int32_t n);

}  // namespace wick::cortex_m
