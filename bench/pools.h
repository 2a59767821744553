// SPDX-License-Identifier: BSD-3-Clause
// Memory for the measured programs: pools cut from the board's large RAM, so that an image's static RAM shows only what
// the library itself needs.

#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/executor/method_meta.h>
#include <wick/board.h>

#include <new>

namespace wick::bench {

/// Cuts blocks off the board's large RAM.
class Ram {
 public:
  Ram() : next_(static_cast<uint8_t*>(wick_board_ram_large().base)), left_(wick_board_ram_large().bytes) {}

  /// A block of `bytes`, at a multiple of 16; null when the RAM is used up.
  uint8_t* take(size_t bytes) {
    const size_t whole = (bytes + 15U) & ~size_t{15};
    if (whole > left_) {
      return nullptr;
    }
    uint8_t* const block = next_;
    next_ += whole;
    left_ -= whole;
    return block;
  }

 private:
  uint8_t* next_;
  size_t left_;
};

constexpr size_t kMethodBytes = 128 * 1024;
constexpr size_t kTempBytes = 512 * 1024;
constexpr size_t kMostBuffers = 8;

/// The planned buffers of a method.
struct Planned {
  executorch::runtime::Span<uint8_t> buffers[kMostBuffers];
  size_t count = 0;
  size_t bytes = 0;

  /// False if the method plans more than the board has.
  bool take(const executorch::runtime::MethodMeta& meta, Ram& ram) {
    count = meta.num_memory_planned_buffers();
    for (size_t i = 0; i < count && i < kMostBuffers; ++i) {
      const auto size = static_cast<size_t>(meta.memory_planned_buffer_size(i).get());
      uint8_t* const block = ram.take(size);
      if (block == nullptr) {
        return false;
      }
      buffers[i] = {block, size};
      bytes += size;
    }
    return count <= kMostBuffers;
  }

  executorch::runtime::HierarchicalAllocator allocator() {
    return executorch::runtime::HierarchicalAllocator({buffers, count});
  }
};

/// An input tensor and what it points to; it must live as long as the method, which may alias it.
struct Input {
  executorch::aten::TensorImpl description;
  void* data;
};

/// An input as the program declares it, in `ram`; null when that is used up.
inline Input* make_input(const executorch::runtime::TensorInfo& info, Ram& ram) {
  using executorch::aten::TensorImpl;
  const size_t dimensions = info.sizes().size();
  auto* const sizes = reinterpret_cast<TensorImpl::SizesType*>(ram.take(dimensions * sizeof(TensorImpl::SizesType)));
  auto* const strides = reinterpret_cast<TensorImpl::StridesType*>(ram.take(dimensions * sizeof(*sizes)));
  TensorImpl::DimOrderType* const dim_order = ram.take(dimensions);
  uint8_t* const data = ram.take(info.nbytes());
  uint8_t* const room = ram.take(sizeof(Input));
  if (room == nullptr || data == nullptr) {
    return nullptr;
  }
  for (size_t d = 0; d < dimensions; ++d) {
    sizes[d] = info.sizes()[d];
    dim_order[d] = info.dim_order()[d];
  }
  int32_t stride = 1;
  for (size_t d = dimensions; d > 0; --d) {
    strides[dim_order[d - 1]] = stride;
    stride *= sizes[dim_order[d - 1]];
  }
  return new (room)
      Input{TensorImpl(info.scalar_type(), static_cast<ssize_t>(dimensions), sizes, data, dim_order, strides), data};
}

}  // namespace wick::bench
