// SPDX-License-Identifier: BSD-3-Clause
//
// Elementwise operators: long runs go to the tiles of the instruction set, broadcast ones value by value.
#include "src/kernels/cortex_m/elementwise.h"

#include "src/kernels/cortex_m/quantize.h"

namespace wick::cortex_m {

void add(const Binary& p, const Broadcast& shape, const int8_t* a, const int8_t* b, int8_t* out, int32_t min,
         int32_t max) {
  for_each_run(shape, a, b, out,
               [&p](const int8_t* x, const int8_t* y, int8_t* to, int32_t n, int32_t x_step, int32_t y_step) {
                 if (x_step == 1 && y_step == 1) {
                   simd::isa::add(p, x, y, to, n);
                 } else {
                   for (int32_t i = 0; i < n; ++i) {
                     to[i] = simd::generic::add_one(p, x[i * x_step], y[i * y_step]);
                   }
                 }
               });
  if (min > -128 || max < 127) {
    simd::isa::clamp(out, shape.count(), min, max);
  }
}

void multiply(const Binary& p, const Broadcast& shape, const int8_t* a, const int8_t* b, int8_t* out) {
  for_each_run(shape, a, b, out,
               [&p](const int8_t* x, const int8_t* y, int8_t* to, int32_t n, int32_t x_step, int32_t y_step) {
                 if (x_step == 1 && y_step == 1) {
                   simd::isa::multiply(p, x, y, to, n);
                 } else {
                   for (int32_t i = 0; i < n; ++i) {
                     to[i] = simd::generic::multiply_one(p, x[i * x_step], y[i * y_step]);
                   }
                 }
               });
}

template <typename T>
void divide(int32_t a_offset, int32_t b_offset, int32_t output_offset, float scale, const T* a, const T* b, T* out,
            int32_t n) {
  constexpr int32_t kMin = sizeof(T) == 1 ? INT8_MIN : INT16_MIN;
  constexpr int32_t kMax = sizeof(T) == 1 ? INT8_MAX : INT16_MAX;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t divisor = b[i] + b_offset;
    const float quotient = static_cast<float>(a[i] + a_offset) / static_cast<float>(divisor == 0 ? 1 : divisor);
    out[i] = static_cast<T>(round_to_even(divisor == 0 ? 0.0f : quotient * scale, output_offset, kMin, kMax));
  }
}
template void divide(int32_t, int32_t, int32_t, float, const int8_t*, const int8_t*, int8_t*, int32_t);
template void divide(int32_t, int32_t, int32_t, float, const int16_t*, const int16_t*, int16_t*, int32_t);

void look_up(const int8_t* table, const int8_t* in, int8_t* out, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    out[i] = table[in[i] + 128];
  }
}

}  // namespace wick::cortex_m
