// SPDX-License-Identifier: BSD-3-Clause
//
// Operators that only move values: padding and transposition.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick::cortex_m {

/// Frames a dense int8 tensor of four dimensions (memory order) with `value`.
void pad(const int8_t* input, const int32_t (&sizes)[4], const int32_t (&before)[4], const int32_t (&after)[4],
         int8_t value, int8_t* output);

constexpr int32_t kMostDims = 6;

/// Writes a dense tensor of `dims` dimensions of the given sizes, reading at `strides` (in elements of element_size
/// bytes).
void gather(const void* input, const int32_t* sizes, const int32_t* strides, int32_t dims, size_t element_size,
            void* output);

}  // namespace wick::cortex_m
