// SPDX-License-Identifier: BSD-3-Clause
//
// Pooling, a slice of channels at a time, so that sums fit a small buffer on the stack.
#include "src/kernels/cortex_m/pool.h"

namespace wick::cortex_m {
namespace {

constexpr int32_t kSlice = 64;

/// The part of a window that lies inside the image.
struct Window {
  int32_t y0, y1, x0, x1;
};

int32_t clip(int32_t v, int32_t size) { return v < 0 ? 0 : (v > size ? size : v); }

Window window_of(const Pool& p, int32_t oy, int32_t ox) {
  const int32_t y = oy * p.y.stride - p.y.padding;
  const int32_t x = ox * p.x.stride - p.x.padding;
  return {clip(y, p.in.height), clip(y + p.y.kernel, p.in.height), clip(x, p.in.width),
          clip(x + p.x.kernel, p.in.width)};
}

/// Calls function(pixel pointers' slice, window, output, channels) for every output pixel and slice of channels.
template <typename Function>
void for_each_slice(const Pool& p, Function function) {
  int8_t* out = p.output;
  for (int32_t n = 0; n < p.batch; ++n) {
    for (int32_t oy = 0; oy < p.out.height; ++oy) {
      for (int32_t ox = 0; ox < p.out.width; ++ox) {
        const Window window = window_of(p, oy, ox);
        for (int32_t c = 0; c < p.in.channels; c += kSlice, out += kSlice) {
          const int32_t count = p.in.channels - c < kSlice ? p.in.channels - c : kSlice;
          function(p.input + n * p.in.stride_n + c, window, out, count);
        }
        out -= (kSlice - p.in.channels % kSlice) % kSlice;
      }
    }
  }
}

/// Calls function(first pixel, number) for the lines of a window.
template <typename Function>
void for_each_line(const Pool& p, const int8_t* input, const Window& w, Function function) {
  for (int32_t y = w.y0; y < w.y1; ++y) {
    function(input + y * p.in.stride_y + w.x0 * p.in.channels, w.x1 - w.x0);
  }
}

}  // namespace

void average_pool(const Pool& p) {
  for_each_slice(p, [&p](const int8_t* input, const Window& w, int8_t* out, int32_t count) {
    alignas(16) int32_t sums[kSlice] = {};
    for_each_line(p, input, w,
                  [&](const int8_t* line, int32_t n) { simd::isa::accumulate(sums, line, p.in.channels, n, count); });
    const int32_t pixels = (w.y1 - w.y0) * (w.x1 - w.x0);
    for (int32_t c = 0; c < count; ++c) {
      const int32_t half = sums[c] > 0 ? pixels / 2 : -(pixels / 2);
      out[c] = pixels == 0 ? int8_t{0} : simd::saturate8((sums[c] + half) / pixels);
    }
    limit(out, count, p.min, p.max);
  });
}

void max_pool(const Pool& p) {
  for_each_slice(p, [&p](const int8_t* input, const Window& w, int8_t* out, int32_t count) {
    std::memset(out, -128, static_cast<size_t>(count));
    for_each_line(p, input, w, [&](const int8_t* line, int32_t n) {
      for (; n > 0; --n, line += p.in.channels) {
        simd::isa::keep_largest(out, line, count);
      }
    });
    limit(out, count, p.min, p.max);
  });
}

}  // namespace wick::cortex_m
