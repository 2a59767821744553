// SPDX-License-Identifier: BSD-3-Clause
// From registers to an Operation: the parts common to all products, and the bounds checks.
#include "decode.h"

#include <algorithm>

#include "command.h"
#include "feature_map.h"
#include "output.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kMaxKernel = 4096;  // taps

bool set_region(Context& context, std::uint32_t index, FeatureMap& map) {
  const Region& region = context.regions[index & 7];
  map.read = region.read;
  map.write = region.write;
  map.size = region.size;
  return true;
}

Layout layout_of(std::uint32_t precision) { return (precision >> 6 & 3) == 1 ? Layout::kBrick : Layout::kNhwc; }

void decode_tiles(const Context& context, std::uint16_t width0, std::uint16_t base0, FeatureMap& map) {
  map.width0 = context.get(width0) + 1;
  map.height0 = context.get(width0 + 1u) + 1;
  map.height1 = context.get(width0 + 2u) + 1;
  for (std::uint32_t i = 0; i < 4; ++i) map.base[i] = context.address(base0 + i);
  map.stride_x = context.stride(base0 + 4u);
  map.stride_y = context.stride(base0 + 5u);
  map.stride_c = context.stride(base0 + 6u);
}

}  // namespace

std::int64_t sign_or_zero_extend(std::uint32_t value, bool is_signed) {
  return is_signed ? static_cast<std::int16_t>(value) : static_cast<std::int64_t>(value & 0xFFFF);
}

bool is_unary(Elementwise mode) {
  return mode == Elementwise::kLrelu || mode == Elementwise::kAbs || mode == Elementwise::kClz ||
         mode == Elementwise::kNot;
}

bool decode_ifm_map(Context& context, std::uint16_t offset, FeatureMap& map) {
  const auto narrow = [&](std::uint32_t code) { return context.get(code + offset); };
  const std::uint32_t precision = narrow(reg::kIfmPrecision);
  const bool u85 = context.config.product == Product::kU85;
  const std::uint32_t size = precision >> 2 & 3;
  if (size == 3 && !u85) return context.fail(Fault::kCommand, "IFM element size is not 8, 16 or 32 bits");
  if ((precision >> 6 & 3) > 1) return context.fail(Fault::kCommand, "IFM layout is neither NHWC nor NHCWB16");
  map.bytes = static_cast<std::uint8_t>(1u << size);
  map.is_signed = (precision & 1) != 0;
  map.layout = layout_of(precision);
  map.storage = u85 ? static_cast<Storage>(precision >> 14 & 3) : Storage::kTile2x2;
  map.zero_point = static_cast<std::int32_t>(sign_or_zero_extend(narrow(reg::kIfmZeroPoint), map.is_signed));
  decode_tiles(context, static_cast<std::uint16_t>(reg::kIfmWidth0M1 + offset),
               static_cast<std::uint16_t>(wide::kIfmBase0 + offset), map);
  map.chain = narrow(reg::kIfmRegion) & 7;
  return set_region(context, narrow(reg::kIfmRegion), map);
}

bool decode_ofm(Context& context, Operation& operation) {
  FeatureMap& map = operation.ofm;
  const std::uint32_t precision = context.get(reg::kOfmPrecision);
  const bool u85 = context.config.product == Product::kU85;
  const std::uint32_t size = precision >> 1 & 3;
  if (size == 3 && !u85) return context.fail(Fault::kCommand, "OFM element size is not 8, 16 or 32 bits");
  if ((precision >> 6 & 3) > 1) return context.fail(Fault::kCommand, "OFM layout is neither NHWC nor NHCWB16");
  map.bytes = static_cast<std::uint8_t>(1u << size);
  map.is_signed = (precision & 1) != 0;
  map.layout = layout_of(precision);
  map.storage = u85 ? static_cast<Storage>(precision >> 14 & 3) : Storage::kTile2x2;
  map.zero_point = static_cast<std::int32_t>(sign_or_zero_extend(context.get(reg::kOfmZeroPoint), map.is_signed));
  decode_tiles(context, reg::kOfmWidth0M1, wide::kOfmBase0, map);
  map.chain = context.get(reg::kOfmRegion) & 7;
  operation.ofm_shape = {context.get(reg::kOfmHeightM1) + 1, context.get(reg::kOfmWidthM1) + 1,
                         context.get(reg::kOfmDepthM1) + 1};
  operation.block = {context.get(reg::kOfmBlkHeightM1) + 1, context.get(reg::kOfmBlkWidthM1) + 1,
                     context.get(reg::kOfmBlkDepthM1) + 1};
  return set_region(context, context.get(reg::kOfmRegion), map);
}

void decode_kernel(const Context& context, Operation& operation) {
  Kernel& k = operation.kernel;
  const std::uint32_t bits = context.get(reg::kKernelStride);
  k.stride_x = static_cast<std::int32_t>(1 + (bits & 1) + (bits >> 6 & 1) * 2);
  k.stride_y = static_cast<std::int32_t>(1 + (bits >> 1 & 1) + (bits >> 9 & 1) * 2);
  k.part_kernel_first = (bits >> 2 & 1) != 0;
  k.dilation_x = static_cast<std::int32_t>(1 + (bits >> 3 & 1));
  k.dilation_y = static_cast<std::int32_t>(1 + (bits >> 4 & 1));
  k.decomposition = (bits >> 5 & 1) != 0 ? 4 : 8;
  k.width = context.get(reg::kKernelWidthM1) / k.dilation_x + 1;
  k.height = context.get(reg::kKernelHeightM1) / k.dilation_y + 1;
  k.pad_top = context.get(reg::kIfmPadTop) & 0xFF;
  k.pad_left = context.get(reg::kIfmPadLeft) & 0xFF;
  k.pad_right = context.get(reg::kIfmPadRight) & 0xFF;
  k.pad_bottom = context.get(reg::kIfmPadBottom) & 0xFF;
}

bool derive_ifm_shape(Context& context, Operation& operation) {
  const Kernel& k = operation.kernel;
  if (static_cast<std::int64_t>(k.height) * k.width > kMaxKernel) {
    return context.fail(Fault::kCommand, "kernel has more than 4096 taps");
  }
  const Shape& ofm = operation.ofm_shape;
  operation.ifm_shape.height =
      (ofm.height - 1) * k.stride_y + context.get(reg::kKernelHeightM1) + 1 - k.pad_top - k.pad_bottom;
  operation.ifm_shape.width =
      (ofm.width - 1) * k.stride_x + context.get(reg::kKernelWidthM1) + 1 - k.pad_left - k.pad_right;
  if (operation.ifm_shape.height <= 0 || operation.ifm_shape.width <= 0) {
    return context.fail(Fault::kCommand, "padding covers the whole IFM");
  }
  return true;
}

bool decode_stream(Context& context, std::uint16_t region, std::uint16_t base, std::uint16_t length, Bytes& out,
                   Channel channel) {
  const Region& memory = context.regions[context.get(region) & 7];
  const std::uint64_t address = context.address(base), bytes = context.payload(length);
  if (bytes == 0) {
    out = {};
    return true;
  }
  if (memory.read == nullptr || address > memory.size || bytes > memory.size - address) {
    return context.fail(
        Fault::kBus,
        channel == Channel::kScaleRead ? "scale records lie outside their region" : "weights lie outside their region",
        channel);
  }
  out = {memory.read + address, static_cast<std::size_t>(bytes)};
  return true;
}

void decode_limits(const Context& context, const FeatureMap& ofm, bool use_registers, Activation& activation) {
  const int bits = ofm.bytes * 8;
  if (bits == 64) {
    activation.low = INT64_MIN / 2;
    activation.high = INT64_MAX / 2;
  } else if (ofm.is_signed || bits == 32) {
    activation.low = -(std::int64_t{1} << (bits - 1));
    activation.high = (std::int64_t{1} << (bits - 1)) - 1;
  } else {
    activation.low = 0;
    activation.high = (std::int64_t{1} << bits) - 1;
  }
  if (!use_registers) return;
  const std::int64_t low = sign_or_zero_extend(context.get(reg::kActivationMin), ofm.is_signed);
  const std::int64_t high = sign_or_zero_extend(context.get(reg::kActivationMax), ofm.is_signed);
  activation.low = std::clamp(low, activation.low, activation.high);
  activation.high = std::clamp(high, activation.low, activation.high);
}

bool check_bounds(Context& context, const Operation& operation) {
  const auto readable = [&](const Operand& operand, Shape shape) {
    if (operand.scalar || operand.map.storage == Storage::kChained) return true;
    if (operand.broadcast_h) shape.height = 1;
    if (operand.broadcast_w) shape.width = 1;
    if (operand.broadcast_c) shape.depth = 1;
    return operand.map.storage != Storage::kNone && operand.map.read != nullptr && in_bounds(operand.map, shape);
  };
  Shape ifm = operation.ifm_shape;
  if (operation.upscale != Upscale::kNone) {
    ifm.height = (ifm.height - 1) / 2 + 1;
    ifm.width = (ifm.width - 1) / 2 + 1;
  }
  if (!readable(operation.ifm, ifm)) {
    return context.fail(Fault::kBus, "the IFM leaves its region", Channel::kIfmRead);
  }
  if (operation.ifm2_shape.depth != 0 && !readable(operation.ifm2, operation.ifm2_shape)) {
    return context.fail(Fault::kBus, "the IFM2 leaves its region", Channel::kIfmRead);
  }
  if (operation.ofm_disabled || operation.ofm.storage == Storage::kChained) return true;
  const Shape ofm = transposed(operation.ofm_shape, operation.ofm_transpose);
  if (operation.ofm.write == nullptr || !in_bounds(operation.ofm, ofm)) {
    return context.fail(Fault::kBus, "the OFM leaves its region or the region is read-only", Channel::kOfmWrite);
  }
  return true;
}

bool decode_operation(Context& context, std::uint32_t code, std::uint32_t parameter, Operation& operation) {
  operation.command_offset = context.result.command_offset;
  const bool decoded = context.config.product == Product::kU85 ? decode_u85(context, code, parameter, operation)
                                                               : decode_u55(context, code, parameter, operation);
  return decoded && check_bounds(context, operation);
}

}  // namespace wick::npu
