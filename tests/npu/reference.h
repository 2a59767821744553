// SPDX-License-Identifier: BSD-3-Clause
// The NPU's arithmetic stated once more, as plainly as possible and without a line of the model, for property tests.
#pragma once

#include <algorithm>
#include <cstdint>

#include "builder.h"

namespace wick::npu::test {

__extension__ typedef __int128 Wide;

enum class Round { kDouble, kTruncate, kNatural };

// floor((v * scale + rounding) / 2^shift), by division.
inline std::int64_t plain_scale(std::int64_t v, std::uint32_t scale, int shift, Round round) {
  const Wide divisor = static_cast<Wide>(1) << shift;
  Wide p = static_cast<Wide>(v) * scale;
  if (round == Round::kTruncate) return static_cast<std::int64_t>(p / divisor);
  if (shift > 0) p += divisor / 2;
  if (round == Round::kDouble && shift > 31) p += v >= 0 ? (1 << 30) : -(1 << 30);
  Wide q = p / divisor;
  if (p % divisor < 0) --q;
  return static_cast<std::int64_t>(q);
}

inline std::int64_t store_value(const Tensor& ofm, std::int64_t v) {
  return std::clamp(v + ofm.zero_point, ofm.low(), ofm.high());
}

struct Window {
  std::int32_t kh = 1, kw = 1, sy = 1, sx = 1, dy = 1, dx = 1, top = 0, left = 0, bottom = 0, right = 0;
};

// Output size of a window over an input.
inline std::int32_t output_size(std::int32_t in, std::int32_t k, std::int32_t s, std::int32_t d, std::int32_t before,
                                std::int32_t after) {
  return (in + before + after - ((k - 1) * d + 1)) / s + 1;
}

inline void set_window(Stream& s, const Window& w) {
  s.set(reg::kIfmPadTop, w.top)
      .set(reg::kIfmPadLeft, w.left)
      .set(reg::kIfmPadRight, w.right)
      .set(reg::kIfmPadBottom, w.bottom);
  s.set(reg::kKernelWidthM1, (w.kw - 1) * w.dx).set(reg::kKernelHeightM1, (w.kh - 1) * w.dy);
  s.set(reg::kKernelStride, ((w.sx - 1) & 1) | ((w.sy - 1) & 1) << 1 | (w.dx - 1) << 3 | (w.dy - 1) << 4 |
                                ((w.sx - 1) >> 1) << 6 | ((w.sy - 1) >> 1) << 9);
}

}  // namespace wick::npu::test
