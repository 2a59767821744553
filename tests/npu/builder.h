// SPDX-License-Identifier: BSD-3-Clause
// Hand-made command streams for tests: registers by name, tensors laid out as the test wants them.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "npu/command.h"
#include "npu/machine.h"

namespace wick::npu::test {

class Stream {
 public:
  Stream& set(std::uint32_t code, std::int64_t value) { return word(code | static_cast<std::uint32_t>(value) << 16); }
  Stream& wide(std::uint32_t code, std::uint64_t value) {
    word(code | 1u << 14 | static_cast<std::uint32_t>(value >> 32 & 0xFFFF) << 16);
    return word(static_cast<std::uint32_t>(value));
  }
  Stream& scale(std::uint32_t code, std::uint32_t scale, std::uint32_t parameter) {
    return wide(code, scale | static_cast<std::uint64_t>(parameter) << 32);
  }
  Stream& operation(std::uint32_t code, std::uint32_t parameter = 0) { return set(code, parameter); }
  Stream& stop() { return operation(op::kStop, 0xFFFF); }
  Stream& word(std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes_.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    return *this;
  }
  Bytes bytes() const { return {bytes_.data(), bytes_.size()}; }
  std::vector<std::uint8_t> copy() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

// A tensor of plain values, and how it lies in memory.
struct Tensor {
  std::int32_t h = 1, w = 1, c = 1;
  int bits = 8;
  bool is_signed = true;
  std::int32_t zero_point = 0;
  bool brick = false;      // NHCWB16
  bool row_pairs = false;  // NHWC split into tiles 0 and 2 after split_h rows
  std::int32_t split_h = 1;
  std::vector<std::int64_t> v;  // h, w, c

  std::int64_t& at(std::int32_t y, std::int32_t x, std::int32_t z) {
    return v[static_cast<std::size_t>((y * w + x) * c + z)];
  }
  std::int64_t at(std::int32_t y, std::int32_t x, std::int32_t z) const {
    return v[static_cast<std::size_t>((y * w + x) * c + z)];
  }
  std::int64_t low() const { return is_signed ? -(std::int64_t{1} << (bits - 1)) : 0; }
  std::int64_t high() const { return is_signed ? (std::int64_t{1} << (bits - 1)) - 1 : (std::int64_t{1} << bits) - 1; }
  std::int64_t bytes() const { return bits / 8; }
  std::int64_t row() const {
    return brick ? std::int64_t{(c + 15) / 16} * 16 * w * bytes() : std::int64_t{w} * c * bytes();
  }
  std::size_t size() const { return static_cast<std::size_t>(row() * h); }
  // Byte offset of an element from the tensor's start, by the definition of its layout.
  std::size_t offset(std::int32_t y, std::int32_t x, std::int32_t z) const {
    if (brick) return static_cast<std::size_t>(y * row() + (z / 16) * 16 * w * bytes() + (16 * x + z % 16) * bytes());
    return static_cast<std::size_t>(y * row() + (std::int64_t{x} * c + z) * bytes());
  }
};

inline Tensor make_tensor(std::int32_t h, std::int32_t w, std::int32_t c, int bits = 8, bool is_signed = true) {
  Tensor t;
  t.h = h;
  t.w = w;
  t.c = c;
  t.bits = bits;
  t.is_signed = is_signed;
  t.v.resize(static_cast<std::size_t>(h) * static_cast<std::size_t>(w) * static_cast<std::size_t>(c));
  return t;
}

inline void fill(Tensor& t, std::mt19937& random) {
  std::uniform_int_distribution<std::int64_t> all(t.low(), t.high());
  for (std::int64_t& value : t.v) value = all(random);
}

inline void put(const Tensor& t, std::vector<std::uint8_t>& memory, std::size_t base) {
  for (std::int32_t y = 0; y < t.h; ++y) {
    for (std::int32_t x = 0; x < t.w; ++x) {
      for (std::int32_t z = 0; z < t.c; ++z) {
        for (int i = 0; i < t.bits / 8; ++i) {
          memory.at(base + t.offset(y, x, z) + static_cast<std::size_t>(i)) =
              static_cast<std::uint8_t>(t.at(y, x, z) >> (8 * i));
        }
      }
    }
  }
}

inline void get(Tensor& t, const std::vector<std::uint8_t>& memory, std::size_t base) {
  for (std::int32_t y = 0; y < t.h; ++y) {
    for (std::int32_t x = 0; x < t.w; ++x) {
      for (std::int32_t z = 0; z < t.c; ++z) {
        std::uint64_t value = 0;
        for (int i = 0; i < t.bits / 8; ++i) {
          value |= static_cast<std::uint64_t>(memory.at(base + t.offset(y, x, z) + static_cast<std::size_t>(i)))
                   << (8 * i);
        }
        const int drop = 64 - t.bits;
        t.at(y, x, z) =
            t.is_signed ? static_cast<std::int64_t>(value << drop) >> drop : static_cast<std::int64_t>(value);
      }
    }
  }
}

inline std::uint32_t size_code(const Tensor& t) { return t.bits == 8 ? 0 : t.bits == 16 ? 1 : t.bits == 32 ? 2 : 3; }

// Sets the IFM (or with `offset` reg::kIfm2Offset the IFM2) to a tensor in region 1.
inline void set_ifm(Stream& s, const Tensor& t, std::size_t base, std::uint32_t offset = 0, std::uint32_t extra = 0) {
  s.set(reg::kIfmPrecision + offset,
        (t.is_signed ? 1 : 0) | static_cast<std::int64_t>(size_code(t)) << 2 | (t.brick ? 1 << 6 : 0) | extra);
  s.set(reg::kIfmZeroPoint + offset, t.zero_point);
  const std::int32_t top = t.row_pairs ? t.split_h : t.h;
  s.set(reg::kIfmWidth0M1 + offset, t.w - 1)
      .set(reg::kIfmHeight0M1 + offset, top - 1)
      .set(reg::kIfmHeight1M1 + offset, top - 1);
  s.wide(wide::kIfmBase0 + offset, base).wide(wide::kIfmBase0 + 1 + offset, 0);
  s.wide(wide::kIfmBase0 + 2 + offset, t.row_pairs ? base + static_cast<std::size_t>(top * t.row()) : 0);
  s.wide(wide::kIfmBase0 + 3 + offset, 0);
  s.wide(wide::kIfmStrideX + offset, static_cast<std::uint64_t>(t.c * t.bytes()));
  s.wide(wide::kIfmStrideY + offset, static_cast<std::uint64_t>(t.row()));
  s.wide(wide::kIfmStrideC + offset, static_cast<std::uint64_t>(16 * t.w * t.bytes()));
  s.set(reg::kIfmRegion + offset, 1);
  if (offset == 0) s.set(reg::kIfmDepthM1, t.c - 1).set(reg::kIfmUpscale, 0);
}

inline void set_ofm(Stream& s, const Tensor& t, std::size_t base, std::uint32_t extra) {
  s.set(reg::kOfmPrecision,
        (t.is_signed ? 1 : 0) | static_cast<std::int64_t>(size_code(t)) << 1 | (t.brick ? 1 << 6 : 0) | extra);
  s.set(reg::kOfmZeroPoint, t.zero_point);
  s.set(reg::kOfmWidthM1, t.w - 1).set(reg::kOfmHeightM1, t.h - 1).set(reg::kOfmDepthM1, t.c - 1);
  s.set(reg::kOfmWidth0M1, t.w - 1).set(reg::kOfmHeight0M1, t.h - 1).set(reg::kOfmHeight1M1, t.h - 1);
  for (std::uint32_t i = 0; i < 4; ++i) s.wide(wide::kOfmBase0 + i, i == 0 ? base : 0);
  s.wide(wide::kOfmStrideX, static_cast<std::uint64_t>(t.c * t.bytes()));
  s.wide(wide::kOfmStrideY, static_cast<std::uint64_t>(t.row()));
  s.wide(wide::kOfmStrideC, static_cast<std::uint64_t>(16 * t.w * t.bytes()));
  s.set(reg::kOfmRegion, 1);
  s.set(reg::kActivation, 0)
      .set(reg::kActivationMin, t.bits >= 32 ? -32768 : t.low())
      .set(reg::kActivationMax, t.bits >= 32 ? 32767 : t.high());
}

constexpr std::uint32_t kGlobalScale = 1u << 8;
constexpr std::uint32_t kRoundDouble = 0, kRoundTruncate = 1u << 14, kRoundNatural = 2u << 14;

inline Config part(const char* name) {
  Config config;
  config_from_name(name, config);
  return config;
}

}  // namespace wick::npu::test
