// SPDX-License-Identifier: BSD-3-Clause
//
// Padding copies whole rows; transposition walks over the output and reads with strides.
#include "src/kernels/cortex_m/layout.h"

#include <cstring>

#include "src/kernels/simd/simd.h"

namespace wick::cortex_m {
namespace {

/// A writer that fills and copies in memory order.
struct Writer {
  int8_t* out;
  int8_t value;
  void fill(int32_t n) {
    simd::isa::fill(out, value, n);
    out += n;
  }
  void copy(const int8_t* from, int32_t n) {
    simd::isa::copy(out, from, n);
    out += n;
  }
};

}  // namespace

void pad(const int8_t* input, const int32_t (&sizes)[4], const int32_t (&before)[4], const int32_t (&after)[4],
         int8_t value, int8_t* output) {
  // Dimensions behind the last padded one are copied as a whole.
  const int32_t width = before[3] + sizes[3] + after[3];
  const bool whole = width == sizes[3];
  const int32_t left = whole ? before[2] * width : before[3], right = whole ? after[2] * width : after[3];
  const int32_t row = whole ? sizes[2] * width : sizes[3];
  const int32_t top = whole ? 0 : before[2], lines = whole ? 1 : sizes[2], bottom = whole ? 0 : after[2];
  const auto is_inside = [](int32_t at, int32_t size) {
    return static_cast<uint32_t>(at) < static_cast<uint32_t>(size);
  };
  Writer writer = {output, value};
  for (int32_t n = -before[0]; n < sizes[0] + after[0]; ++n) {
    for (int32_t p = -before[1]; p < sizes[1] + after[1]; ++p) {
      for (int32_t l = -top; l < lines + bottom; ++l) {
        if (is_inside(n, sizes[0]) && is_inside(p, sizes[1]) && is_inside(l, lines)) {
          writer.fill(left);
          writer.copy(input, row);
          writer.fill(right);
          input += row;
        } else {
          writer.fill(left + row + right);
        }
      }
    }
  }
}

void gather(const void* input, const int32_t* sizes, const int32_t* strides, int32_t dims, size_t element_size,
            void* output) {
  const uint8_t* from = static_cast<const uint8_t*>(input);
  uint8_t* to = static_cast<uint8_t*>(output);
  int32_t index[kMostDims] = {};
  const int32_t last = dims - 1;
  const int32_t count = dims == 0 ? 1 : sizes[last];
  const int32_t step = dims == 0 ? 1 : strides[last];
  for (int32_t d = 0; d < dims; ++d) {
    if (sizes[d] == 0) {
      return;
    }
  }
  for (int32_t base = 0;;) {
    if (element_size == 1) {
      const uint8_t* source = from + base;
      for (int32_t i = 0; i < count; ++i, source += step) {
        *to++ = *source;
      }
    } else {
      for (int32_t i = 0; i < count; ++i, to += element_size) {
        std::memcpy(to, from + static_cast<size_t>(base + i * step) * element_size, element_size);
      }
    }
    int32_t d = last - 1;
    for (; d >= 0; --d) {
      base += strides[d];
      if (++index[d] < sizes[d]) {
        break;
      }
      base -= sizes[d] * strides[d];
      index[d] = 0;
    }
    if (d < 0) {
      return;
    }
  }
}

}  // namespace wick::cortex_m
