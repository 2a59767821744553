// SPDX-License-Identifier: BSD-3-Clause
// Feature maps in memory: tiles, NHWC and NHCWB16 layouts, bounds, and lines of elements in and out.
// A line is nx positions of one row times nc channels, stored position by position.
#pragma once

#include <cstdint>

#include "operation.h"

namespace wick::npu {

// Whether every byte of `shape` lies in the map's region. After this, loads and stores need no checks.
bool in_bounds(const FeatureMap& map, const Shape& shape);

// Reads a line and subtracts the zero point. Line of int16 or int32: for 8- and 16-bit maps only.
void load_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
               std::int16_t* out);
void load_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
               std::int32_t* out);
void load_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
               std::int64_t* out);

// Writes the low bytes of a line.
void store_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
                const std::int64_t* line);
void store_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
                const std::int32_t* line);

// Writes one element at any coordinates.
void store_element(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t c, std::int64_t value);

// Whether values of this map less its zero point always fit 16 bits.
bool fits_int16(const FeatureMap& map);

// Loads `n` positions from (iy, ix) in upscaled coordinates, where the row or some positions may be padding: those read
// as `padding`, and the zeros of zero-insertion as 0.
template <typename T>
void load_window(const Operation& operation, std::int32_t iy, std::int32_t ix, std::int32_t n, std::int32_t c,
                 std::int32_t nc, T padding, T* out);

extern template void load_window(const Operation&, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                                 std::int16_t, std::int16_t*);
extern template void load_window(const Operation&, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                                 std::int32_t, std::int32_t*);
extern template void load_window(const Operation&, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                                 std::int64_t, std::int64_t*);

}  // namespace wick::npu
