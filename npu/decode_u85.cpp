// SPDX-License-Identifier: BSD-3-Clause
// The operation decoder of U85.
#include "command.h"
#include "decode.h"

namespace wick::npu {
namespace {

enum AccumulatorInput : std::uint32_t { kReset = 0, kKeep = 1, kIfm2 = 2 };

ScaleParameters scale_of(const Context& context, std::uint32_t code, std::uint32_t rounding_bits) {
  const std::uint32_t parameter = context.parameter(code);
  ScaleParameters p;
  p.scale = context.payload(code) & 0x7FFFFFFF;
  p.shift = static_cast<std::uint8_t>(parameter & 63);
  p.double_round = static_cast<std::uint8_t>(parameter >> 6 & 31);
  p.rounding = static_cast<Rounding>(parameter >> 13 & rounding_bits);
  return p;
}

bool check_scales(Context& context, const Operation& operation) {
  return operation.ofm_scale.rounding <= Rounding::kFloor ||
         context.fail(Fault::kCommand, "unknown rounding mode in OFM_SCALE");
}

// Depth of the microblock that ACC_FORMAT names, for this part. Zero: not a microblock of this part.
std::uint8_t microblock_depth(std::uint16_t macs, std::uint32_t shape) {
  enum : std::uint32_t { k1x1 = 0, k1x2 = 1, k1x4 = 2, k2x2 = 3, k2x4 = 4, k4x4 = 5 };
  switch (macs) {
    case 128:
      return shape == k1x1 ? 16 : 8;
    case 256:
      return shape == k1x2 ? 16 : 8;
    case 512:
      return 16;
    case 1024:
      return shape == k2x4 ? 16 : 32;
    default:
      return shape == k4x4 ? 16 : 64;
  }
}

bool decode_activation(Context& context, Operation& operation) {
  Activation& a = operation.activation;
  const FeatureMap& ofm = operation.ofm;
  const std::uint32_t bits = context.get(reg::kActivation);
  const std::uint32_t function = bits & 31, table = bits >> 5 & 7;
  const bool clip = (bits >> 12 & 1) == 0;
  std::uint32_t table_bytes = 0;
  FeatureMap input;  // type that the function takes, which is what the limits are for
  input.bytes = ofm.bytes;
  input.is_signed = ofm.is_signed;
  switch (function) {
    case 0:
      break;
    case 1:
    case 4:
      a.function = Function::kTable8;
      input.bytes = 1;
      input.is_signed = function == 4;
      table_bytes = 256;
      break;
    case 5:
    case 7:
      a.function = function == 5 ? Function::kTable8To16 : Function::kTable8To32;
      input.bytes = 1;
      input.is_signed = true;
      table_bytes = function == 5 ? 512 : 1024;
      break;
    case 8:
    case 10:
    case 11:
      a.function = function == 8 ? Function::kTable16 : function == 10 ? Function::kTanh : Function::kSigmoid;
      input.bytes = 2;
      input.is_signed = true;
      table_bytes = function == 8 ? 2048 : 0;
      break;
    case 9:
      return context.fail(Fault::kUnsupported, "the table function from 16 to 32 bits");
    default:
      return context.fail(Fault::kCommand, "unknown function in ACTIVATION");
  }
  a.index_signed = input.is_signed;
  a.table = table * table_bytes;
  if (a.table + table_bytes > kTableBytes)
    return context.fail(Fault::kCommand, "the table passes the end of its memory");
  decode_limits(context, input, clip && input.bytes <= 2, a);
  return true;
}

bool decode_weights(Context& context, Operation& operation) {
  const Config& config = context.config;
  const std::uint32_t format = context.get(reg::kWeightFormat);
  operation.sparse_weights = (format & 0x10) != 0;
  operation.fast_weights = (format & 1) != 0;
  const std::uint8_t bytes = operation.ifm.map.bytes;
  if (operation.kernel.part_kernel_first) {
    operation.ifm_block_depth = 16;
  } else if (operation.sparse_weights && bytes == 1) {
    operation.ifm_block_depth = 128;
  } else if (bytes >= 4 || (config.macs <= 256 && operation.microblock_depth == 16 && !operation.sparse_weights)) {
    operation.ifm_block_depth = 32;
  } else {
    operation.ifm_block_depth = 64;
  }
  if (operation.sparse_weights && operation.kind == Kind::kDepthwise) {
    return context.fail(Fault::kCommand, "sparse depthwise weights");
  }
  operation.streams = config.weight_decoders;
  const std::uint16_t bases[4] = {wide::kWeightBase, wide::kWeight1Base, wide::kScale1Base, wide::kWeight3Base};
  const int streams = operation.fast_weights ? 1 : operation.streams;
  for (int i = 0; i < streams; ++i) {
    if (!decode_stream(context, reg::kWeightRegion, bases[i], static_cast<std::uint16_t>(bases[i] + 1),
                       operation.weights[i], Channel::kWeightRead)) {
      return false;
    }
  }
  return true;
}

bool decode_records(Context& context, Operation& operation) {
  operation.records = true;
  return decode_stream(context, reg::kScaleRegion, wide::kScaleBase, wide::kScaleLength, operation.scales[0],
                       Channel::kScaleRead);
}

void decode_broadcast(const Context& context, std::uint16_t code, Operand& operand) {
  const std::uint32_t bits = context.get(code);
  operand.broadcast_h = (bits & 1) != 0;
  operand.broadcast_w = (bits & 2) != 0;
  operand.broadcast_c = (bits & 4) != 0;
  operand.scalar = (bits & 0x100) != 0 || operand.map.storage == Storage::kNone;
  operand.scalar_value = static_cast<std::int32_t>(context.payload(wide::kOpScalar));
}

bool known_elementwise(std::uint32_t mode) {
  return mode <= 11 || (mode >= 16 && mode <= 19) || (mode >= 33 && mode <= 36) || mode == 42;
}

bool decode_elementwise(Context& context, std::uint32_t parameter, Operation& operation) {
  const std::uint32_t mode = parameter & 63;
  if (!known_elementwise(mode)) return context.fail(Fault::kCommand, "unknown elementwise mode");
  operation.elementwise = static_cast<Elementwise>(mode);
  operation.ifm_shape = operation.ofm_shape;
  operation.upscale = Upscale::kNone;
  decode_broadcast(context, reg::kIfmBroadcast, operation.ifm);
  if (!is_unary(operation.elementwise)) {
    if (!decode_ifm_map(context, reg::kIfm2Offset, operation.ifm2.map)) return false;
    decode_broadcast(context, reg::kIfm2Broadcast, operation.ifm2);
    operation.ifm2_shape = operation.ofm_shape;
  }
  const bool product = operation.elementwise == Elementwise::kMul || operation.elementwise == Elementwise::kDiv;
  operation.operand_scaling = product ? OperandScaling::kNone : OperandScaling::kBoth;
  operation.scale_a = scale_of(context, wide::kOpaScale, 1);
  operation.scale_b = scale_of(context, wide::kOpbScale, 1);
  return true;
}

// The accumulator's start and end, for the operations that have one.
bool decode_accumulator(Context& context, Operation& operation) {
  const std::uint32_t format = context.get(reg::kAccFormat);
  const std::uint32_t input = format >> 4 & 3;
  operation.ofm_disabled = (format >> 6 & 1) != 0;
  operation.acc_keep = input == kKeep;
  operation.acc_from_ifm2 = input == kIfm2;
  if (input == 3) return context.fail(Fault::kCommand, "unknown accumulator input in ACC_FORMAT");
  if (!operation.acc_from_ifm2) return true;
  if (operation.matmul) return context.fail(Fault::kCommand, "IFM2 is both the weights and the accumulator's start");
  operation.ifm2_shape = operation.ofm_shape;
  return decode_ifm_map(context, reg::kIfm2Offset, operation.ifm2.map);
}

bool decode_conv(Context& context, std::uint32_t parameter, Operation& operation) {
  operation.matmul = operation.kind == Kind::kConv && (parameter & 1) != 0;
  if (operation.kind == Kind::kDepthwise) operation.ifm_shape.depth = operation.ofm_shape.depth;
  if (!decode_accumulator(context, operation)) return false;
  if (operation.matmul) {
    if (!decode_ifm_map(context, reg::kIfm2Offset, operation.ifm2.map)) return false;
    if (operation.kernel.height * operation.kernel.width != 1) {
      return context.fail(Fault::kCommand, "matrix product with a kernel other than 1x1");
    }
    operation.ifm2_shape = {1, operation.ofm_shape.depth, operation.ifm_shape.depth};
  } else if (!decode_weights(context, operation)) {
    return false;
  }
  return operation.global_scale || decode_records(context, operation);
}

bool decode_pool(Context& context, std::uint32_t parameter, Operation& operation) {
  operation.pool = static_cast<Pool>(parameter & 7);
  if (operation.pool >= Pool::kArgmaxX) return context.fail(Fault::kUnsupported, "ARGMAX pooling");
  if (!decode_accumulator(context, operation)) return false;
  if (operation.pool == Pool::kNone) {  // only the accumulator's start
    operation.ifm = Operand();
    operation.ifm.scalar = true;
  }
  if (operation.pool == Pool::kReduceSum) {
    if (operation.kernel.height * operation.kernel.width != 1 || operation.ofm_shape.depth != 1) {
      return context.fail(Fault::kCommand, "REDUCE_SUM needs a 1x1 kernel and an OFM depth of 1");
    }
  } else {
    operation.ifm_shape.depth = operation.ofm_shape.depth;
  }
  return operation.global_scale || decode_records(context, operation);
}

bool decode_resize(Context& context, std::uint32_t parameter, Operation& operation) {
  if ((parameter & 3) == 3) return context.fail(Fault::kCommand, "unknown resize mode");
  operation.resize = static_cast<Resize>(parameter & 3);
  if (operation.resize == Resize::kReplicate) return context.fail(Fault::kUnsupported, "RESIZE by replication");
  const auto signed12 = [](std::uint32_t bits) { return static_cast<std::int32_t>((bits & 0xFFF) ^ 0x800) - 0x800; };
  const auto step = [&](std::uint32_t code, std::int32_t n) {
    return static_cast<std::int32_t>(context.parameter(code) & 15) * n +
           static_cast<std::int32_t>(context.payload(code) & 0x7FF);
  };
  operation.resize_n_x = (context.get(reg::kResizeXScaleNM1) & 0x7FF) + 1;
  operation.resize_n_y = (context.get(reg::kResizeYScaleNM1) & 0x7FF) + 1;
  operation.resize_offset_x = signed12(context.get(reg::kResizeXOffset));
  operation.resize_offset_y = signed12(context.get(reg::kResizeYOffset));
  operation.resize_d_x = step(wide::kResizeX, operation.resize_n_x);
  operation.resize_d_y = step(wide::kResizeY, operation.resize_n_y);
  operation.ifm_shape = {context.get(reg::kKernelHeightM1) + 1, context.get(reg::kKernelWidthM1) + 1,
                         operation.ofm_shape.depth};
  operation.upscale = Upscale::kNone;
  return operation.global_scale || decode_records(context, operation);
}

}  // namespace

bool decode_u85(Context& context, std::uint32_t code, std::uint32_t parameter, Operation& operation) {
  if (!decode_ifm_map(context, 0, operation.ifm.map) || !decode_ofm(context, operation)) return false;
  decode_kernel(context, operation);
  const std::uint32_t upscale = context.get(reg::kIfmUpscale) & 3;
  if (upscale > 2) return context.fail(Fault::kCommand, "unknown IFM_UPSCALE");
  operation.upscale = static_cast<Upscale>(upscale);
  operation.ifm_shape.depth = context.get(reg::kIfmDepthM1) + 1;

  const std::uint32_t precision = context.get(reg::kOfmPrecision), format = context.get(reg::kAccFormat);
  operation.global_scale = (precision >> 8 & 1) != 0;
  operation.ofm_reverse = precision >> 9 & 3;
  operation.ofm_transpose = precision >> 11 & 7;
  if (operation.ofm_transpose == 4 || operation.ofm_transpose == 5) {
    return context.fail(Fault::kCommand, "unknown OFM transpose");
  }
  operation.ofm_scale = scale_of(context, wide::kOfmScale, 7);
  operation.long_records = (format & 3) == 1;
  operation.microblock_depth = microblock_depth(context.config.macs, format >> 8 & 7);
  if (!check_scales(context, operation) || !decode_activation(context, operation)) return false;

  switch (code) {
    case op::kConv:
    case op::kDepthwise:
      operation.kind = code == op::kConv ? Kind::kConv : Kind::kDepthwise;
      return derive_ifm_shape(context, operation) && decode_conv(context, parameter, operation);
    case op::kPool:
      operation.kind = Kind::kPool;
      return derive_ifm_shape(context, operation) && decode_pool(context, parameter, operation);
    case op::kResize:
      operation.kind = Kind::kResize;
      return decode_resize(context, parameter, operation);
    default:
      operation.kind = Kind::kElementwise;
      return decode_elementwise(context, parameter, operation);
  }
}

}  // namespace wick::npu
