// SPDX-License-Identifier: BSD-3-Clause
// Accumulator input and output, bias and scale per channel.
#include "accumulate.h"

#include <algorithm>

#include "dot.h"
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

void finish_quick(const Output& output, const QuickScales& scales, const Line& at, std::int32_t* line) {
  for (std::int32_t p = 0; p < at.nx; ++p) {
    scale_channels(line + std::ptrdiff_t{p} * at.nc, scales.bias, scales.scale, scales.shift, at.nc);
  }
  output.store(line, at.y, at.x, at.nx, at.c, at.nc);
}

namespace {

// Largest magnitude of a map's values less its zero point.
std::int64_t largest(const FeatureMap& map) {
  const std::int64_t range = map.bytes == 1 ? 256 : 65536;
  const std::int64_t zero = map.zero_point < 0 ? -std::int64_t{map.zero_point} : map.zero_point;
  return map.is_signed ? range / 2 + zero : std::max(range - 1, zero);
}

std::int64_t largest_product(const Operation& operation) {
  constexpr std::int64_t kWeight = 256;  // largest magnitude in a weight stream
  return largest(operation.ifm.map) * (operation.matmul ? largest(operation.ifm2.map) : kWeight);
}

}  // namespace

std::int64_t largest_sum(const Operation& operation, std::int64_t products) {
  return products * largest_product(operation);
}

std::int32_t safe_chunk(const Operation& operation) {
  if (!fits_int16(operation.ifm.map)) return 0;
  if (operation.matmul && !fits_int16(operation.ifm2.map)) return 0;
  return static_cast<std::int32_t>(INT32_MAX / largest_product(operation));
}

}  // namespace wick::npu
