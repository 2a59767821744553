// SPDX-License-Identifier: BSD-3-Clause
// What a kernel gets from the runtime: a way to report failure and memory for the length of the call.
//
//     Tensor& my_op_out(KernelRuntimeContext& context, const Tensor& in, Tensor& out) {
//       Result<void*> scratch = context.allocate_temp(in.nbytes());
//       if (!scratch.ok()) { context.fail(scratch.error()); return out; }

#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>

namespace executorch::runtime {

class KernelRuntimeContext {
 public:
  /// Both may be null; they must outlive the context.
  KernelRuntimeContext(EventTracer* event_tracer = nullptr, MemoryAllocator* temp_allocator = nullptr)
      : event_tracer_(event_tracer), temp_allocator_(temp_allocator) {}

  /// Says that the kernel failed; a kernel then returns at once, with its output in any state. The method's
  /// execute() returns the error.
  void fail(Error error) { failure_state_ = error; }

  /// Error::Ok unless fail() was called.
  ET_NODISCARD Error failure_state() const { return failure_state_; }

  /// For the code around kernels, not for kernels.
  EventTracer* internal_event_tracer() { return event_tracer_; }

  /// Memory of `size` bytes until the kernel returns. Error::NotFound if the program gave the method no temporary
  /// memory, Error::MemoryAllocationFailed if it is too small.
  Result<void*> allocate_temp(size_t size, size_t alignment = MemoryAllocator::kDefaultAlignment) {
    ET_CHECK_OR_RETURN_ERROR(temp_allocator_ != nullptr, NotFound,
                             "No temporary memory: give the MemoryManager a temp_allocator");
    void* memory = temp_allocator_->allocate(size, alignment);
    ET_CHECK_OR_RETURN_ERROR(memory != nullptr, MemoryAllocationFailed,
                             "The temp_allocator has no %zu bytes for a kernel: enlarge it", size);
    return memory;
  }

 private:
  EventTracer* event_tracer_ = nullptr;
  MemoryAllocator* temp_allocator_ = nullptr;
  Error failure_state_ = Error::Ok;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::KernelRuntimeContext;
using RuntimeContext = ::executorch::runtime::KernelRuntimeContext;
}  // namespace torch::executor
namespace executorch::aten {
// Deprecated name.
using RuntimeContext = ::executorch::runtime::KernelRuntimeContext;
}  // namespace executorch::aten
// Deprecated name.
namespace exec_aten = ::executorch::aten;
