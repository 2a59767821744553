// SPDX-License-Identifier: BSD-3-Clause
//
// Where a method's memory comes from: the method pool (kept as long as the method), the planned buffers (activations
// and state) and the temporary pool (scratch of one call). Nothing here owns memory.
//
//   MemoryManager memory(&method_allocator, &planned_memory, &temp_allocator);
#pragma once

#include <executorch/runtime/core/hierarchical_allocator.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/portable_type/device.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/assert.h>

namespace executorch {
namespace runtime {

class MemoryManager final {
 public:
  /// The temporary allocator may be null: kernels that need scratch then fail with a message. It must not be the
  /// method allocator, because it is reset after every instruction.
  explicit MemoryManager(MemoryAllocator* method_allocator, HierarchicalAllocator* planned_memory = nullptr,
                         MemoryAllocator* temp_allocator = nullptr)
      : method_allocator_(method_allocator), planned_memory_(planned_memory), temp_allocator_(temp_allocator) {
    ET_CHECK_MSG(method_allocator != temp_allocator, "method and temp allocator cannot be the same");
  }

  ET_DEPRECATED MemoryManager(MemoryAllocator* /*constant_allocator*/, HierarchicalAllocator* non_constant_allocator,
                              MemoryAllocator* runtime_allocator, MemoryAllocator* temporary_allocator)
      : MemoryManager(runtime_allocator, non_constant_allocator, temporary_allocator) {}

  MemoryAllocator* method_allocator() const { return method_allocator_; }
  HierarchicalAllocator* planned_memory() const { return planned_memory_; }
  MemoryAllocator* temp_allocator() const { return temp_allocator_; }

  /// The device of each planned buffer; empty when all are on the CPU.
  Span<const etensor::Device> planned_buffer_devices() const {
    return planned_memory_ == nullptr ? Span<const etensor::Device>() : planned_memory_->planned_buffer_devices();
  }
  bool has_device_memory() const { return planned_buffer_devices().size() > 0; }

 private:
  MemoryAllocator* method_allocator_;
  HierarchicalAllocator* planned_memory_;
  MemoryAllocator* temp_allocator_;
};

}  // namespace runtime
}  // namespace executorch

namespace torch {
namespace executor {
using ::executorch::runtime::MemoryManager;
}  // namespace executor
}  // namespace torch
