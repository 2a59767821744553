// SPDX-License-Identifier: BSD-3-Clause
// Counts and the cycle estimate of an operation (docs/npu.md, "Estimate").
#include "npu/trace.h"

#include <algorithm>

#include "context.h"
#include "decode.h"
#include "weights.h"

namespace wick::npu {
namespace {

std::uint64_t up(std::int32_t size, std::int32_t step) { return static_cast<std::uint64_t>((size + step - 1) / step); }

std::uint64_t elements(const Shape& s) {
  return static_cast<std::uint64_t>(s.height) * static_cast<std::uint64_t>(s.width) *
         static_cast<std::uint64_t>(s.depth);
}

// Bytes per cycle of the memory ports together.
std::uint64_t bus_bytes(const Config& config) { return config.product == Product::kU55 ? 8 : 16; }

// Positions (height times width) that one weight is multiplied with in a cycle.
std::uint64_t positions_per_cycle(const Config& config, const Operation& operation, bool depthwise) {
  const std::uint64_t per_position = std::uint64_t{operation.microblock_depth} * (depthwise ? 2 : 8);
  return std::max<std::uint64_t>(1, config.macs / per_position);
}

const char* pool_name(Pool mode) {
  constexpr const char* kNames[] = {"POOL MAX",  "POOL AVERAGE", "POOL REDUCE_SUM", "POOL SUM",
                                    "POOL NONE", "POOL MIN",     "POOL ARGMAX_X",   "POOL ARGMAX_Y"};
  return kNames[static_cast<int>(mode)];
}

const char* elementwise_name(Elementwise mode) {
  switch (mode) {
    case Elementwise::kMul:
      return "ELEMENTWISE MUL";
    case Elementwise::kAdd:
      return "ELEMENTWISE ADD";
    case Elementwise::kSub:
      return "ELEMENTWISE SUB";
    case Elementwise::kMin:
      return "ELEMENTWISE MIN";
    case Elementwise::kMax:
      return "ELEMENTWISE MAX";
    case Elementwise::kLrelu:
      return "ELEMENTWISE LRELU";
    case Elementwise::kAbs:
      return "ELEMENTWISE ABS";
    case Elementwise::kClz:
      return "ELEMENTWISE CLZ";
    case Elementwise::kShr:
      return "ELEMENTWISE SHR";
    case Elementwise::kShl:
      return "ELEMENTWISE SHL";
    case Elementwise::kLsr:
      return "ELEMENTWISE LSR";
    case Elementwise::kDiv:
      return "ELEMENTWISE DIV";
    default:
      return "ELEMENTWISE LOGIC";
  }
}

const char* name_of(const Operation& operation) {
  switch (operation.kind) {
    case Kind::kConv:
      return operation.matmul ? "MATMUL" : "CONV";
    case Kind::kDepthwise:
      return "DEPTHWISE";
    case Kind::kPool:
      return pool_name(operation.pool);
    case Kind::kElementwise:
      return elementwise_name(operation.elementwise);
    case Kind::kResize:
      return "RESIZE";
  }
  return "";
}

std::uint64_t operand_bytes(const Operand& operand, Shape shape) {
  if (operand.scalar) return 0;
  if (operand.broadcast_h) shape.height = 1;
  if (operand.broadcast_w) shape.width = 1;
  if (operand.broadcast_c) shape.depth = 1;
  return saturating_multiply(elements(shape), operand.map.bytes);
}

// Cycles of the MAC array or the elementwise unit: counts over rates. The rates are fitted, by eye and round numbers,
// to Vela's own cycles of the corpus' networks (docs/npu.md has the comparison).
std::uint64_t compute_cycles(const Config& config, const Operation& operation, const OperationTrace& trace) {
  const Shape& ofm = operation.ofm_shape;
  const bool u85 = config.product == Product::kU85;
  const std::uint64_t outputs = elements(ofm);
  const std::uint64_t positions = static_cast<std::uint64_t>(ofm.height) * static_cast<std::uint64_t>(ofm.width);
  const std::uint64_t per_cycle_out = std::max<std::uint64_t>(1, config.macs / 32);
  switch (operation.kind) {
    case Kind::kConv: {
      // Each unit of 8 inputs times a microblock of outputs takes one cycle per group of positions.
      const std::uint64_t taps = static_cast<std::uint64_t>(operation.kernel.height * operation.kernel.width);
      const std::uint64_t inputs = operation.kernel.part_kernel_first
                                       ? up(operation.ifm_shape.depth, 8)
                                       : up(operation.ifm_shape.depth, operation.ifm_block_depth) *
                                             static_cast<std::uint64_t>(operation.ifm_block_depth / 8);
      const std::uint64_t units = taps * inputs * up(ofm.depth, operation.microblock_depth);
      const std::uint64_t together = positions_per_cycle(config, operation, false);
      const std::uint64_t wide = operation.ifm.map.bytes == 2 ? 2 : 1;
      const std::uint64_t full = (positions + together - 1) / together * units * wide;
      return std::max(full + full * 2 / 5, outputs / per_cycle_out);
    }
    case Kind::kDepthwise: {
      const std::uint64_t per_cycle = std::max<std::uint64_t>(1, config.macs / (u85 ? 16 : 24));
      return std::max(trace.macs * operation.ifm.map.bytes / per_cycle, outputs / per_cycle_out);
    }
    case Kind::kPool: {
      const std::uint64_t per_cycle = std::max<std::uint64_t>(1, config.macs / (u85 ? 64 : 16));
      return std::max(trace.macs / per_cycle, outputs / per_cycle_out);
    }
    default:
      return outputs * (operation.ifm.map.bytes == 4 ? 10 : 5) / 2 / per_cycle_out;
  }
}

}  // namespace

std::uint64_t estimate_dma(const Config& config, std::uint64_t bytes) { return bytes / bus_bytes(config) + 32; }

void describe(const Context& context, const Operation& operation, OperationTrace& trace) {
  const Shape& ofm = operation.ofm_shape;
  const std::uint64_t taps =
      static_cast<std::uint64_t>(operation.kernel.height) * static_cast<std::uint64_t>(operation.kernel.width);
  const bool windowed = operation.kind != Kind::kElementwise && operation.kind != Kind::kResize;
  trace.command_offset = operation.command_offset;
  trace.name = name_of(operation);
  trace.ifm = operation.ifm_shape;
  trace.ifm2 = operation.ifm2_shape;
  trace.ofm = ofm;
  trace.ofm_block = operation.block;
  if (windowed) {
    trace.kernel_height = operation.kernel.height;
    trace.kernel_width = operation.kernel.width;
    trace.stride_y = operation.kernel.stride_y;
    trace.stride_x = operation.kernel.stride_x;
  }
  trace.ifm_bits = static_cast<std::uint8_t>(operation.ifm.map.bytes * 8);
  trace.ofm_bits = static_cast<std::uint8_t>(operation.ofm.bytes * 8);
  trace.macs = elements(ofm) * (windowed ? taps : 1);
  if (operation.kind == Kind::kConv || (operation.kind == Kind::kPool && operation.pool == Pool::kReduceSum)) {
    trace.macs = saturating_multiply(trace.macs, static_cast<std::uint64_t>(operation.ifm_shape.depth));
  }
  const std::uint64_t passes = operation.kind == Kind::kConv ? up(ofm.depth, operation.block.depth) : 1;
  trace.ifm_bytes = saturating_multiply(operand_bytes(operation.ifm, operation.ifm_shape), passes);
  if (operation.ifm2_shape.depth != 0) trace.ifm_bytes += operand_bytes(operation.ifm2, operation.ifm2_shape);
  trace.ofm_bytes = operation.ofm_disabled ? 0 : saturating_multiply(elements(ofm), operation.ofm.bytes);
  for (const Bytes& stream : operation.weights) trace.weight_bytes += stream.size;
  for (const Bytes& stream : operation.scales) trace.weight_bytes += stream.size;
  const std::uint64_t memory = (trace.ifm_bytes + trace.ofm_bytes + trace.weight_bytes) / bus_bytes(context.config);
  trace.cycles = std::max(compute_cycles(context.config, operation, trace), memory) + 64;
}

}  // namespace wick::npu
