// SPDX-License-Identifier: BSD-3-Clause
// Accumulator input and output, bias and scale per channel.
#include "accumulate.h"

#include "feature_map.h"

namespace wick::npu {
namespace {

std::int64_t* kept(Context& context, const Operation& operation, const Line& at) {
  const std::int64_t position = std::int64_t{at.y} * operation.ofm_shape.width + at.x;
  return context.accumulators + position * operation.ofm_shape.depth + at.c;
}

}  // namespace

void finish_line(Context& context, const Operation& operation, const Output& output, const ChannelScale* scales,
                 const Line& at, std::int64_t* line, std::int64_t* load) {
  const std::ptrdiff_t pitch = operation.ofm_shape.depth;
  if (operation.acc_from_ifm2) {
    load_line(operation.ifm2.map, at.y, at.x, at.nx, at.c, at.nc, load);
    for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{at.nx} * at.nc; ++i) line[i] = wrapping_add(line[i], load[i]);
  }
  if (operation.acc_keep) {
    const std::int64_t* from = kept(context, operation, at);
    for (std::int32_t p = 0; p < at.nx; ++p) {
      for (std::int32_t c = 0; c < at.nc; ++c) {
        line[p * at.nc + c] = wrapping_add(line[p * at.nc + c], from[p * pitch + c]);
      }
    }
  }
  if (operation.ofm_disabled) {
    std::int64_t* to = kept(context, operation, at);
    for (std::int32_t p = 0; p < at.nx; ++p) {
      for (std::int32_t c = 0; c < at.nc; ++c) to[p * pitch + c] = line[p * at.nc + c];
    }
    return;
  }
  std::int64_t* value = line;
  for (std::int32_t p = 0; p < at.nx; ++p) {
    for (std::int32_t c = 0; c < at.nc; ++c, ++value) {
      *value = scale_value(wrapping_add(*value, scales[c].bias), scales[c].scaler);
    }
  }
  output.store(line, at.y, at.x, at.nx, at.c, at.nc);
}

}  // namespace wick::npu
