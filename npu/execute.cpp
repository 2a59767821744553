// SPDX-License-Identifier: BSD-3-Clause
// One operation from cost check to result: chained operands, kept accumulators, dispatch.
#include <algorithm>
#include <cstring>

#include "context.h"
#include "output.h"
#include "weights.h"

namespace wick::npu {
namespace {

std::uint64_t elements(const Shape& s) {
  return static_cast<std::uint64_t>(s.height) * static_cast<std::uint64_t>(s.width) *
         static_cast<std::uint64_t>(s.depth);
}

bool same(const Shape& a, const Shape& b) { return a.height == b.height && a.width == b.width && a.depth == b.depth; }

bool covers(const Shape& a, const Shape& b) { return a.height >= b.height && a.width >= b.width && a.depth >= b.depth; }

// Elements and products that the operation costs the model.
std::uint64_t cost(const Operation& operation) {
  const std::uint64_t taps =
      static_cast<std::uint64_t>(operation.kernel.height) * static_cast<std::uint64_t>(operation.kernel.width);
  const std::uint64_t outputs = elements(operation.ofm_shape);
  switch (operation.kind) {
    case Kind::kConv: {
      const std::uint64_t products = saturating_multiply(saturating_multiply(outputs, taps),
                                                         static_cast<std::uint64_t>(operation.ifm_shape.depth));
      const std::uint64_t weights = operation.matmul ? 0 : WeightWalker::stream_weights(operation);
      return products + std::min(weights, UINT64_MAX - products);
    }
    case Kind::kDepthwise:
      return saturating_multiply(outputs, taps) + WeightWalker::stream_weights(operation);
    case Kind::kPool:
      return saturating_multiply(
          saturating_multiply(outputs, taps),
          operation.pool == Pool::kReduceSum ? static_cast<std::uint64_t>(operation.ifm_shape.depth) : 1);
    default:
      return outputs;
  }
}

FeatureMap dense(std::uint8_t* data, const Shape& shape, std::uint8_t bytes) {
  FeatureMap map;
  map.read = map.write = data;
  map.bytes = bytes;
  map.stride_x = std::int64_t{shape.depth} * bytes;
  map.stride_y = map.stride_x * shape.width;
  map.size = static_cast<std::uint64_t>(map.stride_y) * static_cast<std::uint64_t>(shape.height);
  map.width0 = shape.width;
  map.height0 = map.height1 = shape.height;
  return map;
}

bool is_chained(const Operand& operand) { return !operand.scalar && operand.map.storage == Storage::kChained; }

bool resolve_chained_input(Context& context, Operand& operand, const Shape& wanted) {
  if (!is_chained(operand)) return true;
  const ChainBuffer& buffer = context.chains[operand.map.chain];
  Shape needed = wanted;
  if (operand.broadcast_h) needed.height = 1;
  if (operand.broadcast_w) needed.width = 1;
  if (operand.broadcast_c) needed.depth = 1;
  if (buffer.data == nullptr || !covers(buffer.shape, needed)) {
    return context.fail(Fault::kCommand, "a chained operand whose buffer is empty or smaller");
  }
  const std::int32_t zero_point = operand.map.zero_point;
  operand.map = dense(buffer.data, buffer.shape, buffer.bytes);
  operand.map.is_signed = buffer.is_signed;
  operand.map.zero_point = zero_point;
  return true;
}

// Chained results live at the bottom of the workspace until the chain has ended and another begins.
bool resolve_chained_output(Context& context, Operation& operation, std::size_t& floor) {
  if (operation.ofm_disabled || operation.ofm.storage != Storage::kChained) return true;
  ChainBuffer& buffer = context.chains[operation.ofm.chain];
  const std::uint64_t bytes = saturating_multiply(elements(operation.ofm_shape), operation.ofm.bytes);
  if (bytes > SIZE_MAX / 2) return context.fail(Fault::kCommand, "a chained operand of absurd size");
  std::uint8_t* data = context.arena.take<std::uint8_t>(static_cast<std::size_t>(bytes));
  if (data == nullptr) return context.out_of_workspace();
  floor = context.arena.mark();
  buffer = {data, operation.ofm_shape, operation.ofm.bytes, operation.ofm.is_signed};
  const std::int32_t zero_point = operation.ofm.zero_point;
  operation.ofm = dense(data, operation.ofm_shape, operation.ofm.bytes);
  operation.ofm.is_signed = buffer.is_signed;
  operation.ofm.zero_point = zero_point;
  operation.ofm_transpose = operation.ofm_reverse = 0;
  return true;
}

bool resolve_accumulators(Context& context, const Operation& operation, std::size_t& floor) {
  const bool kept = context.accumulators != nullptr && same(context.accumulator_shape, operation.ofm_shape);
  if (operation.acc_keep && !kept) {
    return context.fail(Fault::kCommand, "kept accumulators of another shape, or none");
  }
  if (!operation.ofm_disabled || kept) return true;
  const std::uint64_t bytes = saturating_multiply(elements(operation.ofm_shape), sizeof(std::int64_t));
  if (bytes > SIZE_MAX / 2) return context.fail(Fault::kCommand, "accumulators of absurd size");
  std::int64_t* data = context.arena.take<std::int64_t>(static_cast<std::size_t>(bytes / sizeof(std::int64_t)));
  if (data == nullptr) return context.out_of_workspace();
  floor = context.arena.mark();
  context.accumulators = data;
  context.accumulator_shape = operation.ofm_shape;
  return true;
}

void forget_chains(Context& context) {
  for (ChainBuffer& buffer : context.chains) buffer = {};
  context.accumulators = nullptr;
  context.chain_open = false;
  context.arena.release(0);
}

bool dispatch(Context& context, const Operation& operation) {
  switch (operation.kind) {
    case Kind::kConv:
      return execute_conv(context, operation);
    case Kind::kDepthwise:
      return execute_depthwise(context, operation);
    case Kind::kPool:
      return execute_pool(context, operation);
    case Kind::kElementwise:
      return execute_elementwise(context, operation);
    case Kind::kResize:
      return execute_resize(context, operation);
  }
  return false;
}

}  // namespace

bool execute_operation(Context& context, Operation& operation) {
  if (!context.spend(cost(operation))) return false;
  OperationTrace trace;
  describe(context, operation, trace);
  context.result.cycles += trace.cycles;
  if (context.options.trace != nullptr) context.options.trace(context.options.trace_context, trace);
  if (!context.options.execute) return true;

  const bool two = operation.ifm2_shape.depth != 0;
  const bool makes = operation.ofm_disabled || operation.ofm.storage == Storage::kChained;
  const bool reads = operation.acc_keep || is_chained(operation.ifm) || (two && is_chained(operation.ifm2));
  // A chain's buffers outlive it until an operation has nothing to do with it, or starts the next one.
  if (!reads && !context.chain_open) forget_chains(context);
  std::size_t floor = context.arena.mark();
  if (!resolve_chained_input(context, operation.ifm, operation.ifm_shape) ||
      (two && !resolve_chained_input(context, operation.ifm2, operation.ifm2_shape)) ||
      !resolve_chained_output(context, operation, floor) || !resolve_accumulators(context, operation, floor)) {
    return false;
  }
  if (makes || reads) context.chain_open = makes;
  const bool good = dispatch(context, operation);
  context.arena.release(floor);
  return good;
}

}  // namespace wick::npu
