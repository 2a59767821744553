// SPDX-License-Identifier: BSD-3-Clause
// Addressing of feature maps. Bounds are checked once per operation at the corners of each tile; lines are then moved
// in runs that lie in one tile, in loops that a compiler can vectorise.
#include "feature_map.h"

#include <algorithm>
#include <cstring>

namespace wick::npu {
namespace {

constexpr std::int32_t kBrick = 16;  // channels of a brick

// Where channel 0 of a position lies, and how many positions to the right share its tile.
struct TileRun {
  std::int64_t address;
  std::int32_t count;
};

std::int64_t step_x(const FeatureMap& map) {
  return map.layout == Layout::kNhwc ? map.stride_x : std::int64_t{kBrick} * map.bytes;
}

TileRun tile_run(const FeatureMap& map, std::int32_t y, std::int32_t x) {
  std::int32_t tile = 0, count = INT32_MAX;
  if (map.storage == Storage::kTile3x1) {
    if (y >= map.height1) {
      y -= map.height1;
      tile = 2;
    } else if (y >= map.height0) {
      y -= map.height0;
      tile = 1;
    }
  } else {
    if (x >= map.width0) {
      x -= map.width0;
      tile = 1;
    } else {
      count = map.width0 - x;
    }
    const std::int32_t height = tile != 0 ? map.height1 : map.height0;
    if (y >= height) {
      y -= height;
      tile += 2;
    }
  }
  return {static_cast<std::int64_t>(map.base[tile]) + y * map.stride_y + x * step_x(map), count};
}

// Lowest and one past the highest byte of `channels` channels at one position, relative to channel 0.
struct Extent {
  std::int64_t low = 0, high = 0;
};

Extent channel_extent(const FeatureMap& map, std::int32_t channels) {
  Extent e;
  const std::int64_t bytes = map.bytes;
  if (map.layout == Layout::kNhwc) {
    e.high = channels * bytes;
    return e;
  }
  const std::int32_t last = (channels - 1) / kBrick;
  const std::int64_t tail = (channels - last * kBrick) * bytes;
  e.low = std::min<std::int64_t>(0, last * map.stride_c);
  e.high = std::max(last > 0 ? kBrick * bytes : tail, last * map.stride_c + tail);
  if (last > 1) e.high = std::max(e.high, (last - 1) * map.stride_c + kBrick * bytes);
  return e;
}

bool tile_in_bounds(const FeatureMap& map, int tile, std::int32_t ny, std::int32_t nx, const Extent& channels) {
  if (ny <= 0 || nx <= 0) return true;
  const std::int64_t dy = (ny - 1) * map.stride_y, dx = (nx - 1) * step_x(map);
  const std::int64_t zero = 0;
  const std::int64_t base = static_cast<std::int64_t>(map.base[tile]);
  const std::int64_t low = base + std::min(zero, dy) + std::min(zero, dx) + channels.low;
  const std::int64_t high = base + std::max(zero, dy) + std::max(zero, dx) + channels.high;
  return low >= 0 && high >= low && static_cast<std::uint64_t>(high) <= map.size;
}

template <typename T>
T read_element(const std::uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

template <typename T, typename D>
void load_run(const std::uint8_t* p, std::int64_t step, std::int32_t positions, std::int32_t count, std::int32_t pitch,
              D zero_point, D* out) {
  if (count == kBrick) {
    for (std::int32_t x = 0; x < positions; ++x, p += step, out += pitch) {
      for (std::int32_t i = 0; i < kBrick; ++i) {
        out[i] = static_cast<D>(static_cast<D>(read_element<T>(p + i * static_cast<int>(sizeof(T)))) - zero_point);
      }
    }
    return;
  }
  for (std::int32_t x = 0; x < positions; ++x, p += step, out += pitch) {
    for (std::int32_t i = 0; i < count; ++i) {
      out[i] = static_cast<D>(static_cast<D>(read_element<T>(p + i * static_cast<int>(sizeof(T)))) - zero_point);
    }
  }
}

template <typename T, typename D>
void load_typed(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
                D* out) {
  constexpr std::int32_t kBytes = static_cast<std::int32_t>(sizeof(T));
  const D zero_point = static_cast<D>(map.zero_point);
  while (nx > 0) {
    const TileRun run = tile_run(map, y, x);
    const std::int32_t n = std::min(nx, run.count);
    if (map.layout == Layout::kNhwc) {
      const std::uint8_t* p = map.read + (run.address + std::int64_t{c} * kBytes);
      if (map.stride_x == std::int64_t{nc} * kBytes) {
        load_run<T>(p, 0, 1, n * nc, 0, zero_point, out);
      } else {
        load_run<T>(p, map.stride_x, n, nc, nc, zero_point, out);
      }
    } else {
      for (std::int32_t done = 0; done < nc;) {
        const std::int32_t channel = c + done, within = channel % kBrick;
        const std::int32_t count = std::min(kBrick - within, nc - done);
        const std::int64_t brick = (channel / kBrick) * map.stride_c + within * kBytes;
        load_run<T>(map.read + (run.address + brick), kBrick * kBytes, n, count, nc, zero_point, out + done);
        done += count;
      }
    }
    out += static_cast<std::ptrdiff_t>(n) * nc;
    x += n;
    nx -= n;
  }
}

template <typename D>
void load_narrow(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c,
                 std::int32_t nc, D* out) {
  if (map.bytes == 1) {
    map.is_signed ? load_typed<std::int8_t>(map, y, x, nx, c, nc, out)
                  : load_typed<std::uint8_t>(map, y, x, nx, c, nc, out);
  } else {
    map.is_signed ? load_typed<std::int16_t>(map, y, x, nx, c, nc, out)
                  : load_typed<std::uint16_t>(map, y, x, nx, c, nc, out);
  }
}

template <typename T, typename V>
void store_run(std::uint8_t* p, std::int64_t step, std::int32_t positions, std::int32_t count, std::int32_t pitch,
               const V* line) {
  for (std::int32_t x = 0; x < positions; ++x, p += step, line += pitch) {
    for (std::int32_t i = 0; i < count; ++i) {
      const T value = static_cast<T>(line[i]);
      std::memcpy(p + i * static_cast<int>(sizeof(T)), &value, sizeof value);
    }
  }
}

template <typename T, typename V>
void store_typed(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c,
                 std::int32_t nc, const V* line) {
  constexpr std::int32_t kBytes = static_cast<std::int32_t>(sizeof(T));
  while (nx > 0) {
    const TileRun run = tile_run(map, y, x);
    const std::int32_t n = std::min(nx, run.count);
    if (map.layout == Layout::kNhwc) {
      std::uint8_t* p = map.write + (run.address + std::int64_t{c} * kBytes);
      if (map.stride_x == std::int64_t{nc} * kBytes) {
        store_run<T>(p, 0, 1, n * nc, 0, line);
      } else {
        store_run<T>(p, map.stride_x, n, nc, nc, line);
      }
    } else {
      for (std::int32_t done = 0; done < nc;) {
        const std::int32_t channel = c + done, within = channel % kBrick;
        const std::int32_t count = std::min(kBrick - within, nc - done);
        const std::int64_t brick = (channel / kBrick) * map.stride_c + within * kBytes;
        store_run<T>(map.write + (run.address + brick), kBrick * kBytes, n, count, nc, line + done);
        done += count;
      }
    }
    line += static_cast<std::ptrdiff_t>(n) * nc;
    x += n;
    nx -= n;
  }
}

template <typename V>
void store_narrow(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c,
                  std::int32_t nc, const V* line) {
  if (map.bytes == 1) return store_typed<std::uint8_t>(map, y, x, nx, c, nc, line);
  if (map.bytes == 2) return store_typed<std::uint16_t>(map, y, x, nx, c, nc, line);
  store_typed<std::uint32_t>(map, y, x, nx, c, nc, line);
}

template <typename T>
void copy_position(const T* from, T* to, std::int32_t nc) {
  if (from != to) std::memmove(to, from, static_cast<std::size_t>(nc) * sizeof(T));
}

// Upscaled positions [ix, ix + n), all inside the visible row. Sources are loaded to the tail of `out` and spread
// forwards; the read position never falls behind the write position.
template <typename T>
void load_upscaled(const Operation& operation, std::int32_t iy, std::int32_t ix, std::int32_t n, std::int32_t c,
                   std::int32_t nc, T* out) {
  const FeatureMap& map = operation.ifm.map;
  const bool zeros = operation.upscale == Upscale::kZeros;
  const std::int32_t first = zeros ? (ix + 1) / 2 : ix / 2;
  const std::int32_t sources = (ix + n - 1) / 2 - first + 1;
  if (zeros && ((iy & 1) != 0 || sources <= 0)) {
    std::fill_n(out, static_cast<std::ptrdiff_t>(n) * nc, T{0});
    return;
  }
  const T* from = out + static_cast<std::ptrdiff_t>(n - sources) * nc;
  load_line(map, iy / 2, first, sources, c, nc, out + static_cast<std::ptrdiff_t>(n - sources) * nc);
  for (std::int32_t i = 0; i < n; ++i) {
    T* to = out + static_cast<std::ptrdiff_t>(i) * nc;
    if (zeros && ((ix + i) & 1) != 0) {
      std::fill_n(to, nc, T{0});
    } else {
      copy_position(from + static_cast<std::ptrdiff_t>((ix + i) / 2 - first) * nc, to, nc);
    }
  }
}

}  // namespace

bool in_bounds(const FeatureMap& map, const Shape& shape) {
  const Extent channels = channel_extent(map, shape.depth);
  if (map.storage == Storage::kTile3x1) {
    if (map.height1 < map.height0) return false;
    return tile_in_bounds(map, 0, std::min(shape.height, map.height0), shape.width, channels) &&
           tile_in_bounds(map, 1, std::min(shape.height, map.height1) - map.height0, shape.width, channels) &&
           tile_in_bounds(map, 2, shape.height - map.height1, shape.width, channels);
  }
  const std::int32_t left = std::min(shape.width, map.width0), right = shape.width - map.width0;
  return tile_in_bounds(map, 0, std::min(shape.height, map.height0), left, channels) &&
         tile_in_bounds(map, 1, std::min(shape.height, map.height1), right, channels) &&
         tile_in_bounds(map, 2, shape.height - map.height0, left, channels) &&
         tile_in_bounds(map, 3, shape.height - map.height1, right, channels);
}

void load_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
               std::int16_t* out) {
  load_narrow(map, y, x, nx, c, nc, out);
}

void load_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
               std::int32_t* out) {
  load_narrow(map, y, x, nx, c, nc, out);
}

void load_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
               std::int64_t* out) {
  if (map.bytes <= 2) {
    load_narrow(map, y, x, nx, c, nc, out);
  } else if (map.bytes == 4) {
    map.is_signed ? load_typed<std::int32_t>(map, y, x, nx, c, nc, out)
                  : load_typed<std::uint32_t>(map, y, x, nx, c, nc, out);
  } else {
    // The zero point of a 64-bit map is ignored: there is no wider type to subtract in, and none is ever set.
    FeatureMap plain = map;
    plain.zero_point = 0;
    load_typed<std::int64_t>(plain, y, x, nx, c, nc, out);
  }
}

void store_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
                const std::int64_t* line) {
  if (map.bytes == 8) return store_typed<std::uint64_t>(map, y, x, nx, c, nc, line);
  store_narrow(map, y, x, nx, c, nc, line);
}

void store_line(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc,
                const std::int32_t* line) {
  if (map.bytes == 8) return store_typed<std::int64_t>(map, y, x, nx, c, nc, line);
  store_narrow(map, y, x, nx, c, nc, line);
}

void store_element(const FeatureMap& map, std::int32_t y, std::int32_t x, std::int32_t c, std::int64_t value) {
  store_line(map, y, x, 1, c, 1, &value);
}

bool fits_int16(const FeatureMap& map) {
  if (map.bytes == 1) {
    const std::int32_t low = map.is_signed ? -128 : 0, high = map.is_signed ? 127 : 255;
    return low - map.zero_point >= INT16_MIN && high - map.zero_point <= INT16_MAX;
  }
  return map.bytes == 2 && map.is_signed && map.zero_point == 0;
}

template <typename T>
void load_window(const Operation& operation, std::int32_t iy, std::int32_t ix, std::int32_t n, std::int32_t c,
                 std::int32_t nc, T padding, T* out) {
  const Shape& visible = operation.ifm_shape;
  const std::int32_t begin = std::max<std::int32_t>(ix, 0), end = std::min(ix + n, visible.width);
  if (iy < 0 || iy >= visible.height || begin >= end) {
    std::fill_n(out, static_cast<std::ptrdiff_t>(n) * nc, padding);
    return;
  }
  std::fill_n(out, static_cast<std::ptrdiff_t>(begin - ix) * nc, padding);
  T* inside = out + static_cast<std::ptrdiff_t>(begin - ix) * nc;
  if (operation.upscale == Upscale::kNone) {
    load_line(operation.ifm.map, iy, begin, end - begin, c, nc, inside);
  } else {
    load_upscaled(operation, iy, begin, end - begin, c, nc, inside);
  }
  std::fill_n(out + static_cast<std::ptrdiff_t>(end - ix) * nc, static_cast<std::ptrdiff_t>(ix + n - end) * nc,
              padding);
}

template void load_window(const Operation&, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                          std::int16_t, std::int16_t*);
template void load_window(const Operation&, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                          std::int32_t, std::int32_t*);
template void load_window(const Operation&, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t,
                          std::int64_t, std::int64_t*);

}  // namespace wick::npu
