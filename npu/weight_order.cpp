// SPDX-License-Identifier: BSD-3-Clause
// The order of weights in the streams of U55 and U65, and what the walkers of all products share.
#include <algorithm>
#include <cstring>
#include <new>

#include "weights.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kInputs = 8;  // input channels of a microblock

std::int32_t round_up(std::int32_t value, std::int32_t step) { return (value + step - 1) / step * step; }

std::uint64_t blocks(std::int32_t size, std::int32_t step) {
  return static_cast<std::uint64_t>((size + step - 1) / step);
}

// Kernel elements that a sub-kernel takes in the stream.
std::int32_t element_padding(const Operation& operation) {
  if (operation.kind == Kind::kDepthwise) return 4;
  if (!operation.kernel.part_kernel_first) return 1;
  return operation.ifm.map.bytes == 2 ? 2 : 4;
}

}  // namespace

WeightWalker* WeightWalker::make(Context& context, const Operation& operation) {
  void* place = context.arena.take<WeightWalker>(1);
  void* now = context.arena.take<State>(1);
  void* before = context.arena.take<State>(1);
  if (place == nullptr || now == nullptr || before == nullptr) return nullptr;
  WeightWalker* walker = new (place) WeightWalker();
  walker->operation_ = &operation;
  walker->u85_ = context.config.product == Product::kU85;
  walker->macs_ = context.config.macs;
  walker->now_ = new (now) State();
  walker->before_ = new (before) State();
  for (int i = 0; i < 4; ++i) walker->now_->mlw[i].start(operation.weights[i]);
  walker->now_->fwd.start(operation.weights[0]);
  return walker;
}

std::uint64_t WeightWalker::stream_weights(const Operation& operation) {
  // An upper bound on what the loops below read: every dimension rounded up to its step.
  const Kernel& k = operation.kernel;
  const std::uint64_t taps = static_cast<std::uint64_t>(k.height) * static_cast<std::uint64_t>(k.width);
  const std::uint64_t padded_taps = taps + 10 * (taps / 4 + 1);
  const std::uint64_t channels = blocks(operation.ofm_shape.depth, operation.block.depth) *
                                 (blocks(operation.block.depth, operation.microblock_depth) + 1) *
                                 operation.microblock_depth;
  if (operation.kind == Kind::kDepthwise) return saturating_multiply(channels * 2, padded_taps);
  const std::uint64_t inputs = blocks(operation.ifm_shape.depth, operation.ifm_block_depth) *
                               static_cast<std::uint64_t>(operation.ifm_block_depth);
  return saturating_multiply(saturating_multiply(channels, padded_taps), inputs);
}

void WeightWalker::rewind() { *now_ = *before_; }

bool WeightWalker::block(std::int32_t channel, std::int32_t count, const WeightSink& sink) {
  *before_ = *now_;
  return u85_ ? block_u85(channel, count, sink) : block_u55(channel, count, sink);
}

bool WeightWalker::block_u55(std::int32_t channel, std::int32_t count, const WeightSink& sink) {
  for (std::uint32_t core = 0; core < operation_->streams; ++core) {
    if (!block_core(core, channel, count, sink)) return false;
  }
  return true;
}

// One core's share of an OFM block: every streams-th channel, each core with a stream of its own.
bool WeightWalker::block_core(std::uint32_t core, std::int32_t channel, std::int32_t count, const WeightSink& sink) {
  const Operation& operation = *operation_;
  const Kernel& kernel = operation.kernel;
  const std::int32_t cores = operation.streams;
  const std::int32_t own = (count + cores - 1 - static_cast<std::int32_t>(core)) / cores;
  if (own == 0) return true;
  const bool depthwise = operation.kind == Kind::kDepthwise;
  const bool part = kernel.part_kernel_first && !depthwise;
  const std::int32_t depth = depthwise ? 1 : operation.ifm_shape.depth;
  const std::int32_t block_depth = operation.ifm_block_depth;
  const std::int32_t outputs = operation.microblock_depth, inputs = depthwise ? 1 : kInputs;
  const std::int32_t sub_y = kernel.decomposition / kernel.dilation_y;
  const std::int32_t sub_x = kernel.decomposition / kernel.dilation_x;
  const std::int32_t padding = element_padding(operation);
  const std::size_t unit = static_cast<std::size_t>(outputs * inputs);
  MlwReader& reader = now_->mlw[core];
  std::int16_t weights[64];

  for (std::int32_t ib = 0; ib < depth; ib += block_depth) {
    // Part-kernel: input microblocks outside the kernel elements and clipped; depth-first: inside and not clipped.
    const std::int32_t clipped = depthwise ? 1 : std::min(block_depth, depth - ib);
    const std::int32_t outer_end = part ? clipped : 1;
    const std::int32_t inner_end = part || depthwise ? 1 : block_depth;
    for (std::int32_t ky0 = 0; ky0 < kernel.height; ky0 += sub_y) {
      for (std::int32_t kx0 = 0; kx0 < kernel.width; kx0 += sub_x) {
        const std::int32_t sh = std::min(sub_y, kernel.height - ky0), sw = std::min(sub_x, kernel.width - kx0);
        const std::int32_t elements = round_up(sh * sw, padding);
        for (std::int32_t outer = 0; outer < outer_end; outer += kInputs) {
          for (std::int32_t ou = 0; ou < own; ou += outputs) {
            std::int32_t ky = 0, kx = 0;
            for (std::int32_t e = 0; e < elements; ++e) {
              const std::int32_t tap = (ky0 + ky) * kernel.width + kx0 + kx;
              for (std::int32_t inner = 0; inner < inner_end; inner += kInputs) {
                if (!reader.read(weights, unit)) return false;
                const std::int32_t i = ib + outer + inner;
                if (ky >= sh || i >= depth) continue;
                const std::size_t run = static_cast<std::size_t>(std::min(inputs, depth - i));
                for (std::int32_t o = 0; o < outputs && ou + o < own; ++o) {
                  const std::int32_t target = channel + (ou + o) * cores + static_cast<std::int32_t>(core) - sink.first;
                  if (target < 0 || target >= sink.count) continue;
                  std::memcpy(sink.out + target * sink.per_channel + tap * sink.per_tap + i, weights + o * inputs,
                              run * sizeof(std::int16_t));
                }
              }
              if (++kx == sw) {
                kx = 0;
                ++ky;
              }
            }
          }
        }
      }
    }
  }
  return true;
}

}  // namespace wick::npu
