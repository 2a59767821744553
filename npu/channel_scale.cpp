// SPDX-License-Identifier: BSD-3-Clause
// Reading of scale records, 10 bytes each.
#include "channel_scale.h"

namespace wick::npu {
namespace {

constexpr std::size_t kRecordBytes = 10;

std::uint64_t little_endian(const std::uint8_t* p, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(p[i]) << (8 * i);
  return value;
}

std::int64_t sign_extend(std::uint64_t value, int bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

}  // namespace

bool channel_scales(Context& context, const Operation& operation, std::int32_t channel, std::int32_t count,
                    ChannelScale* out) {
  if (!operation.records) {
    const ChannelScale one = {0, make_scaler(operation.ofm_scale)};
    for (std::int32_t i = 0; i < count; ++i) out[i] = one;
    return true;
  }
  const bool u85 = context.config.product == Product::kU85;
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t streams = operation.scale_streams, o = channel + i;
    const Bytes& records = operation.scales[o % streams];
    const std::size_t offset = static_cast<std::size_t>(o / streams) * kRecordBytes;
    if (records.size < kRecordBytes || offset > records.size - kRecordBytes) {
      return context.fail(Fault::kBus, "fewer scale records than output channels", Channel::kScaleRead);
    }
    const std::uint8_t* p = records.data + offset;
    ScaleParameters scale = operation.ofm_scale;  // for its rounding
    if (!u85) {
      out[i].bias = sign_extend(little_endian(p, 5), 40);
      scale.scale = static_cast<std::uint32_t>(little_endian(p + 5, 4));
      scale.shift = p[9] & 63;
    } else if (operation.long_records) {
      out[i].bias = sign_extend(little_endian(p, 6), 48);
      scale.scale = static_cast<std::uint32_t>(little_endian(p + 6, 2)) & 0x7FFF;
      scale.shift = p[8] & 63;
    } else {
      out[i].bias = sign_extend(little_endian(p, 4), 32);
      scale.scale = static_cast<std::uint32_t>(little_endian(p + 4, 4)) & 0x7FFFFFFF;
      scale.shift = p[8] & 63;
    }
    out[i].scaler = make_scaler(scale);
  }
  return true;
}

bool QuickScales::take(Arena& arena, std::int32_t count) {
  bias = arena.take<std::int32_t>(static_cast<std::size_t>(count));
  scale = arena.take<std::int32_t>(static_cast<std::size_t>(count));
  shift = arena.take<std::int32_t>(static_cast<std::size_t>(count));
  return bias != nullptr && scale != nullptr && shift != nullptr;
}

bool QuickScales::fill(const ChannelScale* scales, std::int32_t count, std::int64_t largest) const {
  for (std::int32_t i = 0; i < count; ++i) {
    const ChannelScale& from = scales[i];
    std::uint64_t factor = from.scaler.scale;
    std::int32_t n = from.scaler.shift;
    const std::int64_t half = n == 0 ? 0 : std::int64_t{1} << (n - 1);
    const bool half_up = from.scaler.add_positive == half && from.scaler.add_negative == half;
    const std::int64_t magnitude = (from.bias < 0 ? -from.bias : from.bias) + largest;
    if (!half_up || magnitude >= std::int64_t{1} << 30) return false;
    for (; n < 33 && factor < std::uint64_t{1} << 30; ++n) factor *= 2;
    if (n < 33 || factor >= std::uint64_t{1} << 31) return false;
    bias[i] = static_cast<std::int32_t>(from.bias);
    scale[i] = static_cast<std::int32_t>(factor);
    shift[i] = n - 32;
  }
  return true;
}

}  // namespace wick::npu
