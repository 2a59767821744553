// SPDX-License-Identifier: BSD-3-Clause
// Clamp, tables and store of results.
#include "output.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "feature_map.h"

namespace wick::npu {
namespace {

// sigmoid(i / 24) in 0.16 fixed point, worked out by the compiler.
struct SigmoidTable {
  std::uint16_t value[256];
};

constexpr SigmoidTable make_sigmoid_table() {
  SigmoidTable table{};
  double step = 1.0, term = 1.0;  // exp(1/24) by its series
  for (int k = 1; k < 20; ++k) {
    term /= 24.0 * k;
    step += term;
  }
  double power = 1.0;  // exp(i/24)
  for (int i = 0; i < 256; ++i) {
    const double scaled = 65536.0 * power / (1.0 + power) + 0.5;
    table.value[i] = scaled >= 65535.0 ? std::uint16_t{65535} : static_cast<std::uint16_t>(scaled);
    power *= step;
  }
  return table;
}

constexpr SigmoidTable kSigmoid = make_sigmoid_table();

// Interpolated table value with `bits` fraction bits; `top` from the end of the table on.
std::uint32_t interpolate(std::uint32_t magnitude, std::uint32_t bits, std::uint32_t top) {
  const std::uint32_t index = magnitude >> bits;
  if (index >= 255) return top;
  const std::uint32_t a = kSigmoid.value[index], b = kSigmoid.value[index + 1];
  return (a << bits) + (magnitude & ((1u << bits) - 1)) * (b - a);
}

std::int64_t interpolate_table16(const std::uint8_t* table, std::int64_t value) {
  const std::int32_t position = static_cast<std::int32_t>(value) + 32768;
  const std::uint8_t* entry = table + (position >> 7) * 4;
  std::int16_t base, slope;
  std::memcpy(&base, entry, 2);
  std::memcpy(&slope, entry + 2, 2);
  return std::clamp<std::int64_t>(base + ((slope * (position & 127) + 64) >> 7), -32768, 32767);
}

}  // namespace

std::int32_t sigmoid_q15(std::int32_t value) {
  const std::uint32_t result = interpolate(static_cast<std::uint32_t>(std::abs(value)), 9, 0x7FFFu << 10);
  const std::uint32_t rounded = value >= 0 ? result + (1u << 9) : (1u << 25) - result + (1u << 9) - 1;
  return static_cast<std::int32_t>(rounded >> 10);
}

std::int32_t tanh_q15(std::int32_t value) {
  const std::int32_t result =
      static_cast<std::int32_t>(interpolate(static_cast<std::uint32_t>(std::abs(value)), 8, 0xFFFFu << 8));
  const std::int32_t rounded = value >= 0 ? result - (1 << 23) + (1 << 7) : -result + (1 << 23) + (1 << 7) - 1;
  return rounded >> 8;
}

Shape transposed(const Shape& s, std::uint8_t code) {
  switch (code) {
    case 1:
      return {s.width, s.height, s.depth};
    case 2:
      return {s.height, s.depth, s.width};
    case 3:
      return {s.width, s.depth, s.height};
    case 6:
      return {s.depth, s.height, s.width};
    case 7:
      return {s.depth, s.width, s.height};
    default:
      return s;
  }
}

Output::Output(const Context& context, const Operation& operation)
    : map_(operation.ofm),
      activation_(operation.activation),
      table_(context.table + operation.activation.table),
      shape_(operation.ofm_shape),
      zero_point_(operation.ofm.bytes == 8 ? 0 : operation.ofm.zero_point),
      low_(operation.activation.low - zero_point_),
      high_(operation.activation.high - zero_point_),
      transpose_(operation.ofm_transpose),
      reverse_(operation.ofm_reverse) {}

template <typename V>
void Output::apply_function(V* line, std::size_t count) const {
  const int offset = activation_.index_signed ? 128 : 0;
  switch (activation_.function) {
    case Function::kNone:
      break;
    case Function::kTanh:
      for (std::size_t i = 0; i < count; ++i) line[i] = tanh_q15(static_cast<std::int32_t>(line[i]));
      break;
    case Function::kSigmoid:
      for (std::size_t i = 0; i < count; ++i) line[i] = sigmoid_q15(static_cast<std::int32_t>(line[i]));
      break;
    case Function::kTable8:
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t value = table_[line[i] + offset];
        line[i] = offset != 0 ? static_cast<std::int8_t>(value) : value;
      }
      break;
    case Function::kTable8To16:
      for (std::size_t i = 0; i < count; ++i) {
        std::int16_t value;
        std::memcpy(&value, table_ + 2 * (line[i] + offset), sizeof value);
        line[i] = value;
      }
      break;
    case Function::kTable8To32:
      for (std::size_t i = 0; i < count; ++i) {
        std::int32_t value;
        std::memcpy(&value, table_ + 4 * (line[i] + offset), sizeof value);
        line[i] = value;
      }
      break;
    case Function::kTable16:
      for (std::size_t i = 0; i < count; ++i) line[i] = static_cast<V>(interpolate_table16(table_, line[i]));
      break;
  }
}

template <typename V>
void Output::store_permuted(const V* line, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c,
                            std::int32_t nc) const {
  for (std::int32_t i = 0; i < nx; ++i) {
    for (std::int32_t j = 0; j < nc; ++j) {
      const Shape at = transposed({y, x + i, c + j}, transpose_);
      const Shape full = transposed(shape_, transpose_);
      const std::int32_t h = reverse_ == 1 ? full.height - 1 - at.height : at.height;
      const std::int32_t w = reverse_ == 2 ? full.width - 1 - at.width : at.width;
      const std::int32_t d = reverse_ == 3 ? full.depth - 1 - at.depth : at.depth;
      store_element(map_, h, w, d, *line++);
    }
  }
}

template <typename V>
void Output::store(V* line, std::int32_t y, std::int32_t x, std::int32_t nx, std::int32_t c, std::int32_t nc) const {
  const std::size_t count = static_cast<std::size_t>(nx) * static_cast<std::size_t>(nc);
  // Limits beyond the line's type limit nothing.
  constexpr std::int64_t kLeast = std::numeric_limits<V>::min(), kMost = std::numeric_limits<V>::max();
  const V low = static_cast<V>(std::clamp(low_, kLeast, kMost)),
          high = static_cast<V>(std::clamp(high_, kLeast, kMost));
  const V zero_point = static_cast<V>(zero_point_);
  for (std::size_t i = 0; i < count; ++i) {
    const V value = line[i] < low ? low : line[i];
    line[i] = static_cast<V>((value > high ? high : value) + zero_point);
  }
  if (activation_.function != Function::kNone) apply_function(line, count);
  if (transpose_ == 0 && reverse_ == 0) {
    store_line(map_, y, x, nx, c, nc, line);
  } else {
    store_permuted(line, y, x, nx, c, nc);
  }
}

template void Output::store(std::int32_t*, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t) const;
template void Output::store(std::int64_t*, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t) const;

}  // namespace wick::npu
