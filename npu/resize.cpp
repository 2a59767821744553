// SPDX-License-Identifier: BSD-3-Clause
// U85's RESIZE: bilinear without division, and nearest. Positions are fractions with the denominators resize_n_*.
#include <algorithm>

#include "accumulate.h"
#include "feature_map.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kLine = 512;
constexpr int kFractionBits = 16;  // the sum is shifted left by this before the OFM scale

// The two neighbours of an output position along one axis, and how far between them it lies.
struct Position {
  std::int32_t first, second, fraction;
};

Position position(std::int32_t out, std::int32_t d, std::int32_t offset, std::int32_t n, std::int32_t size) {
  const std::int64_t p = std::int64_t{out} * d + offset;
  const std::int64_t floor = p >= 0 ? p / n : -((-p + n - 1) / n);
  const auto inside = [&](std::int64_t i) {
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(i, 0, size - 1));
  };
  return {inside(floor), inside(floor + 1), static_cast<std::int32_t>(p - floor * n)};
}

}  // namespace

bool execute_resize(Context& context, const Operation& operation) {
  const Shape &ofm = operation.ofm_shape, &ifm = operation.ifm_shape;
  const FeatureMap& map = operation.ifm.map;
  const Output output(context, operation);
  const std::int32_t step = std::min(ofm.depth, kLine);
  const std::size_t room = static_cast<std::size_t>(step);
  std::int64_t* sum = context.arena.take<std::int64_t>(room);
  std::int64_t* tap = context.arena.take<std::int64_t>(room);
  ChannelScale* scales = context.arena.take<ChannelScale>(room);
  if (sum == nullptr || tap == nullptr || scales == nullptr) return context.out_of_workspace();
  const std::int32_t ny = operation.resize_n_y, nx = operation.resize_n_x;
  for (std::int32_t c = 0; c < ofm.depth; c += step) {
    const std::int32_t nc = std::min(step, ofm.depth - c);
    if (!channel_scales(context, operation, c, nc, scales)) return false;
    for (std::int32_t y = 0; y < ofm.height; ++y) {
      const Position py = position(y, operation.resize_d_y, operation.resize_offset_y, ny, ifm.height);
      for (std::int32_t x = 0; x < ofm.width; ++x) {
        const Position px = position(x, operation.resize_d_x, operation.resize_offset_x, nx, ifm.width);
        std::fill_n(sum, nc, std::int64_t{0});
        const auto add = [&](std::int32_t at_y, std::int32_t at_x, std::int64_t weight) {
          if (weight == 0) return;
          load_line(map, at_y, at_x, 1, c, nc, tap);
          for (std::int32_t i = 0; i < nc; ++i) {
            sum[i] = wrapping_add(sum[i], wrapping_multiply(tap[i], weight << kFractionBits));
          }
        };
        if (operation.resize == Resize::kNearest) {
          add(2 * py.fraction >= ny ? py.second : py.first, 2 * px.fraction >= nx ? px.second : px.first, 1);
        } else {
          add(py.first, px.first, std::int64_t{ny - py.fraction} * (nx - px.fraction));
          add(py.first, px.second, std::int64_t{ny - py.fraction} * px.fraction);
          add(py.second, px.first, std::int64_t{py.fraction} * (nx - px.fraction));
          add(py.second, px.second, std::int64_t{py.fraction} * px.fraction);
        }
        finish_line(context, operation, output, scales, {y, x, 1, c, nc}, sum, tap);
      }
    }
  }
  return true;
}

}  // namespace wick::npu
