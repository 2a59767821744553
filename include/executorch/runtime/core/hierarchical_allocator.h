// SPDX-License-Identifier: BSD-3-Clause
// HierarchicalAllocator: the buffers that the exporter planned a method's tensors into, by number.
// Several let a chip keep activations in fast memory and large buffers in slow memory.
//
//     Span<uint8_t> buffers[] = {{sram, sizeof(sram)}, {sdram, sizeof(sdram)}};
//     HierarchicalAllocator planned_memory({buffers, 2});

#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/portable_type/device.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/compiler.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

class HierarchicalAllocator final {
 public:
  /// Buffer 0 of the allocator is buffer 1 of the program's list, and so on. The array must outlive the allocator.
  explicit HierarchicalAllocator(Span<Span<uint8_t>> buffers) : buffers_(buffers) {}

  /// With the device of each buffer. Aborts when there are not as many.
  HierarchicalAllocator(Span<Span<uint8_t>> buffers, Span<const etensor::Device> planned_buffer_devices)
      : buffers_(buffers), planned_buffer_devices_(planned_buffer_devices) {
    ET_CHECK_MSG(planned_buffer_devices.size() == buffers.size(), "%zu devices for %zu buffers",
                 planned_buffer_devices.size(), buffers.size());
  }

  /// Deprecated: the buffers of allocators, which must outlive this one.
  ET_DEPRECATED HierarchicalAllocator(uint32_t n_allocators, MemoryAllocator* allocators)
      : allocators_(allocators), n_allocators_(n_allocators) {}

  /// The address `offset_bytes` into a buffer. InvalidArgument when there is no buffer of that number or the sum of
  /// offset and size overflows, MemoryAllocationFailed when `size_bytes` from there do not fit.
  ET_NODISCARD Result<void*> get_offset_address(uint32_t memory_id, size_t offset_bytes, size_t size_bytes);

  /// The device of each buffer; empty when all are of the CPU.
  Span<const etensor::Device> planned_buffer_devices() const { return planned_buffer_devices_; }

 private:
  Span<Span<uint8_t>> buffers_;
  Span<const etensor::Device> planned_buffer_devices_;
  // Set by the deprecated constructor only, in place of buffers_.
  const MemoryAllocator* allocators_ = nullptr;
  uint32_t n_allocators_ = 0;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::HierarchicalAllocator;
}  // namespace torch::executor
