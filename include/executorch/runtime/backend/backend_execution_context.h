// SPDX-License-Identifier: BSD-3-Clause
// What a backend gets when a delegate runs: temporary memory, the event tracer, the method's name.
//
//     void* scratch = context.allocate(bytes, 16);
//     if (scratch == nullptr) { return Error::MemoryAllocationFailed; }

#pragma once

#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/memory_allocator.h>

namespace executorch::runtime {

class BackendExecutionContext final {
 public:
  /// All may be null; they must outlive the context.
  BackendExecutionContext(EventTracer* event_tracer = nullptr, MemoryAllocator* temp_allocator = nullptr,
                          const char* method_name = nullptr)
      : event_tracer_(event_tracer), temp_allocator_(temp_allocator), method_name_(method_name) {}

  /// May be null; pass it to the functions of event_tracer_hooks_delegate.h, which accept that.
  EventTracer* event_tracer() { return event_tracer_; }

  /// Memory until the delegate returns; null if there is not enough or no temporary memory at all.
  void* allocate(size_t size, size_t alignment = MemoryAllocator::kDefaultAlignment) {
    return temp_allocator_ != nullptr ? temp_allocator_->allocate(size, alignment) : nullptr;
  }

  /// The allocator behind allocate(); may be null.
  MemoryAllocator* get_temp_allocator() { return temp_allocator_; }

  /// The method that runs.
  const char* get_method_name() const { return method_name_; }

 private:
  EventTracer* event_tracer_ = nullptr;
  MemoryAllocator* temp_allocator_ = nullptr;
  const char* method_name_ = nullptr;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::BackendExecutionContext;
}  // namespace torch::executor
