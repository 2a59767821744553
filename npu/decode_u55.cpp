// SPDX-License-Identifier: BSD-3-Clause
// The operation decoder of U55 and U65.
#include "command.h"
#include "decode.h"

namespace wick::npu {
namespace {

Rounding rounding_of(std::uint32_t bits) {
  constexpr Rounding kModes[4] = {Rounding::kDoubleSymmetric, Rounding::kToZero, Rounding::kNatural,
                                  Rounding::kNatural};
  return kModes[bits & 3];
}

bool decode_activation(Context& context, Operation& operation) {
  Activation& a = operation.activation;
  const FeatureMap& ofm = operation.ofm;
  const std::uint32_t bits = context.get(reg::kActivation);
  const std::uint32_t function = bits & 31, range = bits >> 12 & 7;
  decode_limits(context, ofm, ofm.bytes <= 2, a);
  const auto force = [&](std::int64_t low, std::int64_t high) {
    a.low = a.low < low ? low : a.low > high ? high : a.low;
    a.high = a.high > high ? high : a.high < low ? low : a.high;
  };
  a.index_signed = ofm.is_signed;
  if (range == 2 || range == 3) a.index_signed = range == 3;
  if (range == 2) force(0, 255);
  if (range == 3) force(-128, 127);
  if (range == 5) force(INT16_MIN, INT16_MAX);
  if (range != 0 && range != 2 && range != 3 && range != 5) {
    return context.fail(Fault::kCommand, "unknown clip range in ACTIVATION");
  }
  if (function == 0) return true;
  if (function == 3 || function == 4) {
    if (ofm.bytes != 2) return context.fail(Fault::kUnsupported, "TANH and SIGMOID are modelled for 16-bit OFM only");
    force(INT16_MIN, INT16_MAX);
    a.function = function == 3 ? Function::kTanh : Function::kSigmoid;
    return true;
  }
  if (function < 16 || function > 23) return context.fail(Fault::kCommand, "unknown function in ACTIVATION");
  std::uint32_t table_bytes = 256;
  a.table = (function - 16) * 256;
  if (ofm.bytes == 1) {
    a.function = Function::kTable8;
  } else if (ofm.bytes == 2) {
    a.function = Function::kTable16;
    force(INT16_MIN, INT16_MAX);
    table_bytes = 2048;
  } else {
    a.function = Function::kTable8To32;
    table_bytes = 1024;
  }
  if (a.function != Function::kTable16) a.index_signed ? force(-128, 127) : force(0, 255);
  if (a.table + table_bytes > kTableBytes)
    return context.fail(Fault::kCommand, "the table passes the end of its memory");
  return true;
}

bool decode_weights(Context& context, Operation& operation) {
  const Config& config = context.config;
  const bool depthwise = operation.kind == Kind::kDepthwise;
  operation.microblock_depth = config.product == Product::kU55 && config.macs == 32 ? 4 : 8;
  operation.ifm_block_depth = operation.kernel.part_kernel_first || operation.ifm.map.bytes == 2 ? 16 : 32;
  const bool two = config.cores == 2 && context.get(reg::kParallelMode) == 1;
  operation.streams = operation.scale_streams = two ? 2 : 1;
  if (two && operation.block.depth % 2 != 0) {
    return context.fail(Fault::kCommand, "OFM block depth must be even with two cores");
  }
  if (operation.ifm.map.bytes > 2) return context.fail(Fault::kCommand, "convolution of a 32-bit IFM");
  if (depthwise) operation.ifm_shape.depth = operation.ofm_shape.depth;
  return decode_stream(context, reg::kWeightRegion, wide::kWeightBase, wide::kWeightLength, operation.weights[0],
                       Channel::kWeightRead) &&
         (!two || decode_stream(context, reg::kWeightRegion, wide::kWeight1Base, wide::kWeight1Length,
                                operation.weights[1], Channel::kWeightRead));
}

bool decode_records(Context& context, Operation& operation) {
  operation.records = true;
  return decode_stream(context, reg::kScaleRegion, wide::kScaleBase, wide::kScaleLength, operation.scales[0],
                       Channel::kScaleRead) &&
         (operation.scale_streams == 1 || decode_stream(context, reg::kScaleRegion, wide::kScale1Base,
                                                        wide::kScale1Length, operation.scales[1], Channel::kScaleRead));
}

bool decode_elementwise(Context& context, std::uint32_t parameter, Operation& operation) {
  const std::uint32_t mode = parameter & 63;
  if (mode > static_cast<std::uint32_t>(Elementwise::kShl)) {
    return context.fail(Fault::kCommand, "unknown elementwise mode");
  }
  operation.elementwise = static_cast<Elementwise>(mode);
  operation.ifm_shape = operation.ofm_shape;
  operation.upscale = Upscale::kNone;
  const std::uint32_t precision = context.get(reg::kIfmPrecision);
  if (!is_unary(operation.elementwise)) {
    Operand& ifm2 = operation.ifm2;
    if (!decode_ifm_map(context, reg::kIfm2Offset, ifm2.map)) return false;
    const std::uint32_t broadcast = context.get(reg::kIfm2Broadcast);
    ifm2.broadcast_h = (broadcast & 1) != 0;
    ifm2.broadcast_w = (broadcast & 2) != 0;
    ifm2.broadcast_c = (broadcast & 4) != 0;
    operation.swapped = (broadcast & 64) != 0;
    ifm2.scalar = (broadcast & 128) != 0;
    ifm2.scalar_value = sign_or_zero_extend(context.get(reg::kIfm2Scalar), ifm2.map.is_signed);
    operation.ifm2_shape = operation.ofm_shape;
  }
  const bool additive = operation.elementwise == Elementwise::kAdd || operation.elementwise == Elementwise::kSub;
  if (additive) {
    const std::uint32_t scale_mode = precision >> 8 & 3;
    if (scale_mode == 3) return context.fail(Fault::kCommand, "unknown operand scaling in IFM_PRECISION");
    constexpr OperandScaling kModes[3] = {OperandScaling::kMultiply, OperandScaling::kScaleA, OperandScaling::kScaleB};
    operation.operand_scaling = kModes[scale_mode];
    operation.scale_a.scale = context.payload(wide::kOpaScale);
    operation.scale_a.shift = static_cast<std::uint8_t>(context.parameter(wide::kOpaScale) & 63);
    operation.scale_a.rounding = rounding_of(precision >> 14);
    operation.scale_b.scale = context.payload(wide::kOpbScale) & 0xFFFF;
    operation.fixed_shift = operation.ifm.map.bytes == 1 ? 19 : 14;
    if (scale_mode == 0) {
      operation.scale_a.scale &= 0xFFFF;
    } else if (operation.ifm.map.bytes > 2) {
      return context.fail(Fault::kUnsupported, "operand scaling of a 32-bit IFM is not documented");
    }
  }
  operation.shift_only = operation.ifm.map.bytes == 4 || operation.ofm.bytes == 4;
  return true;
}

bool decode_pool(Context& context, std::uint32_t parameter, Operation& operation) {
  const std::uint32_t mode = parameter & 7;
  if (mode > 2) return context.fail(Fault::kCommand, "unknown pooling mode");
  operation.pool = static_cast<Pool>(mode);
  if (operation.pool == Pool::kReduceSum) {
    if (operation.kernel.height != 1 || operation.kernel.width != 1 || operation.ofm_shape.depth != 1) {
      return context.fail(Fault::kCommand, "REDUCE_SUM needs a 1x1 kernel and an OFM depth of 1");
    }
  } else {
    operation.ifm_shape.depth = operation.ofm_shape.depth;
  }
  if (operation.global_scale) return true;
  // Without the global scale: MAX and the padded AVERAGE of Vela's older path are unscaled, the rest has records.
  const bool plain = operation.pool == Pool::kMax || (operation.pool == Pool::kAverage && operation.kernel.padded());
  if (plain) {
    operation.global_scale = true;
    operation.ofm_scale = {1, 0, 0, operation.ofm_scale.rounding};
    return true;
  }
  return decode_records(context, operation);
}

}  // namespace

bool decode_u55(Context& context, std::uint32_t code, std::uint32_t parameter, Operation& operation) {
  if (!decode_ifm_map(context, 0, operation.ifm.map) || !decode_ofm(context, operation)) return false;
  decode_kernel(context, operation);
  const std::uint32_t upscale = context.get(reg::kIfmUpscale) & 3;
  if (upscale > 2) return context.fail(Fault::kCommand, "unknown IFM_UPSCALE");
  operation.upscale = static_cast<Upscale>(upscale);
  operation.ifm_shape.depth = context.get(reg::kIfmDepthM1) + 1;

  const std::uint32_t precision = context.get(reg::kOfmPrecision);
  operation.global_scale = (precision >> 8 & 1) != 0;
  operation.ofm_scale.scale = context.payload(wide::kOfmScale);
  operation.ofm_scale.shift = static_cast<std::uint8_t>(context.parameter(wide::kOfmScale) & 63);
  operation.ofm_scale.rounding = rounding_of(precision >> 14);
  if (!decode_activation(context, operation)) return false;
  if ((context.get(reg::kAccFormat) & 3) == 2) return context.fail(Fault::kUnsupported, "fp16 accumulators");

  switch (code) {
    case op::kConv:
    case op::kDepthwise:
      operation.kind = code == op::kConv ? Kind::kConv : Kind::kDepthwise;
      return derive_ifm_shape(context, operation) && decode_weights(context, operation) &&
             (operation.global_scale || decode_records(context, operation));
    case op::kPool:
      operation.kind = Kind::kPool;
      return derive_ifm_shape(context, operation) && decode_pool(context, parameter, operation);
    default:
      operation.kind = Kind::kElementwise;
      return decode_elementwise(context, parameter, operation);
  }
}

}  // namespace wick::npu
