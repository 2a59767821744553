// SPDX-License-Identifier: BSD-3-Clause
// U85's weight streams: the fast format (FWD) and the order of weights over one, two or four decoders.
#include <algorithm>
#include <cstring>

#include "weights.h"

namespace wick::npu {
namespace {

constexpr std::int32_t kInputs = 8;
constexpr std::int32_t kGroup = 4;         // output channels that go to one decoder together
constexpr std::int32_t kMaxElements = 64;  // of a sub-kernel
constexpr std::int32_t kPadding = -1;

// The taps of one sub-kernel in stream order.
struct TapList {
  std::int32_t tap[kMaxElements];
  std::int32_t count = 0;
};

// Stride phases outermost, then rows; odd rows run backwards.
TapList taps_of(const Kernel& kernel, std::int32_t y0, std::int32_t x0, std::int32_t sh, std::int32_t sw,
                bool strided) {
  TapList list;
  const std::int32_t step_y = strided ? kernel.stride_y : 1, step_x = strided ? kernel.stride_x : 1;
  for (std::int32_t phase_y = 0; phase_y < step_y; ++phase_y) {
    for (std::int32_t phase_x = 0; phase_x < step_x; ++phase_x) {
      const std::int32_t rows = (sh - phase_y + step_y - 1) / step_y, columns = (sw - phase_x + step_x - 1) / step_x;
      for (std::int32_t ky = 0; ky < rows; ++ky) {
        for (std::int32_t i = 0; i < columns; ++i) {
          const std::int32_t kx = (ky & 1) != 0 ? columns - 1 - i : i;
          const std::int32_t y = y0 + phase_y + ky * step_y, x = x0 + phase_x + kx * step_x;
          list.tap[list.count++] = y * kernel.width + x;
        }
      }
    }
  }
  return list;
}

}  // namespace

void FwdReader::start(Bytes stream) {
  *this = FwdReader();
  bits_.start(stream);
}

bool FwdReader::read(std::int16_t* out, std::size_t count) {
  if (!started_) {
    raw_ = bits_.take(1) != 0;
    index_bits_ = bits_.take(1) != 0 ? 2 : 4;
    for (int reserved = 102; reserved > 0; reserved -= 17) bits_.take(17);
    adjust_ = static_cast<std::int8_t>(bits_.take(8));
    for (std::int16_t& entry : table_) {
      const std::uint32_t code = bits_.take(9);
      const std::int32_t magnitude = static_cast<std::int32_t>(code >> 1);
      entry = static_cast<std::int16_t>((code & 1) != 0 ? -magnitude : magnitude);
    }
    started_ = true;
  }
  if (raw_) {
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = static_cast<std::int16_t>(static_cast<std::int8_t>(bits_.take(8)) - adjust_);
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] = table_[bits_.take(index_bits_)];
  }
  return !bits_.overrun();
}

bool WeightWalker::block_u85(std::int32_t channel, std::int32_t count, const WeightSink& sink) {
  const Operation& operation = *operation_;
  const std::int32_t depth = operation.kind == Kind::kDepthwise ? 1 : operation.ifm_shape.depth;
  const std::int32_t step = operation.ifm_block_depth, passes = (depth + step - 1) / step;
  for (std::int32_t pass = 0; pass < passes; ++pass) {
    // Serpentine: the next OFM block begins with the IFM block that this one ends with.
    const std::int32_t ib = (now_->backwards ? passes - 1 - pass : pass) * step;
    if (!ifm_block_u85(channel, count, ib, sink)) return false;
  }
  now_->backwards = !now_->backwards;
  return true;
}

bool WeightWalker::ifm_block_u85(std::int32_t channel, std::int32_t count, std::int32_t ib, const WeightSink& sink) {
  const Operation& operation = *operation_;
  const Kernel& kernel = operation.kernel;
  const bool depthwise = operation.kind == Kind::kDepthwise, wide_ifm = operation.ifm.map.bytes == 2;
  const bool part = kernel.part_kernel_first && !depthwise, sparse = operation.sparse_weights;
  const std::int32_t depth = depthwise ? 1 : operation.ifm_shape.depth;
  const std::int32_t clipped = std::min(operation.ifm_block_depth, depth - ib);
  Unit unit;
  unit.inputs = depthwise ? 1 : part && wide_ifm && !sparse ? kInputs : operation.ifm_block_depth;
  unit.step = depthwise ? 1 : sparse ? 2 * kInputs : kInputs;
  unit.group = depthwise ? 10 : part ? (wide_ifm || sparse ? 10 : 5) : 1;
  unit.gap = !depthwise || (macs_ <= 256 && !wide_ifm) ? 0 : macs_ <= 512 ? 2 : 6;
  const std::int32_t sub_y = kernel.decomposition / kernel.dilation_y;
  const std::int32_t sub_x = kernel.decomposition / kernel.dilation_x;
  for (std::int32_t x0 = 0; x0 < kernel.width; x0 += sub_x) {
    for (std::int32_t y0 = 0; y0 < kernel.height; y0 += sub_y) {
      const TapList taps = taps_of(kernel, y0, x0, std::min(sub_y, kernel.height - y0),
                                   std::min(sub_x, kernel.width - x0), part || depthwise);
      for (std::int32_t outer = 0; outer < clipped; outer += unit.inputs) {
        for (std::int32_t ou = 0; ou < count; ou += operation.microblock_depth) {
          unit.input = ib + outer;
          unit.channel = channel + ou;
          unit.channels = std::min<std::int32_t>(operation.microblock_depth, count - ou);
          for (std::int32_t first = 0; first < taps.count; first += unit.group) {
            if (!unit_u85(unit, taps.tap + first, std::min(unit.group, taps.count - first), sink)) return false;
          }
        }
      }
    }
  }
  return true;
}

// One group of kernel elements of one microblock: each decoder's share in turn, then the padding.
bool WeightWalker::unit_u85(const Unit& unit, const std::int32_t* taps, std::int32_t count, const WeightSink& sink) {
  const Operation& operation = *operation_;
  const std::int32_t streams = operation.streams, depth = operation.ifm_shape.depth;
  const std::int32_t own = operation.microblock_depth / streams;
  const std::size_t share = static_cast<std::size_t>(own * unit.step);
  std::int16_t weights[256];
  for (std::int32_t k = 0; k < streams; ++k) {
    for (std::int32_t e = 0; e < unit.group + unit.gap; ++e) {
      const std::int32_t tap = e < count ? taps[e] : kPadding;
      for (std::int32_t inner = 0; inner < unit.inputs; inner += unit.step) {
        const bool good = operation.fast_weights ? now_->fwd.read(weights, share) : now_->mlw[k].read(weights, share);
        if (!good) return false;
        const std::int32_t i = unit.input + inner;
        if (tap == kPadding || (unit.step > 1 && i >= depth)) continue;
        const std::size_t run = static_cast<std::size_t>(unit.step > 1 ? std::min(unit.step, depth - i) : 1);
        for (std::int32_t j = 0; j < own; ++j) {
          const std::int32_t o = ((j / kGroup) * streams + k) * kGroup + j % kGroup;
          const std::int32_t target = unit.channel + o - sink.first;
          if (o >= unit.channels || target < 0 || target >= sink.count) continue;
          std::memcpy(sink.out + target * sink.per_channel + tap * sink.per_tap + i, weights + j * unit.step,
                      run * sizeof(std::int16_t));
        }
      }
    }
  }
  return true;
}

}  // namespace wick::npu
