// SPDX-License-Identifier: BSD-3-Clause
// MemoryAllocator: sizes are compared with what is left, never added to an address, so nothing can wrap.

#include <executorch/runtime/core/memory_allocator.h>

namespace executorch::runtime {

MemoryAllocator::MemoryAllocator(uint32_t size, uint8_t* base_address)
    : begin_(base_address), next_(base_address), size_(size) {
  ET_CHECK_MSG(base_address != nullptr || size == 0, "no buffer, but a size of %" PRIu32, size);
  ET_CHECK_MSG(size <= UINTPTR_MAX - reinterpret_cast<uintptr_t>(base_address),
               "%" PRIu32 " bytes at %p go past the end of the address space", size, static_cast<void*>(base_address));
}

void* MemoryAllocator::take(size_t size, size_t alignment) {
  if (!isPowerOf2(alignment)) {
    ET_LOG(Error, "alignment %zu is not a power of 2", alignment);
    return nullptr;
  }
  const size_t available = size_ - static_cast<size_t>(next_ - begin_);
  const size_t padding = (0 - reinterpret_cast<uintptr_t>(next_)) & (alignment - 1);
  if (padding > available || size > available - padding) {
    ET_LOG(Error, "pool of %" PRIu32 " bytes is too small: %zu requested (and %zu to align them), %zu left", size_,
           size, padding, available);
    return nullptr;
  }
  EXECUTORCH_TRACK_ALLOCATION(prof_id_, static_cast<uint32_t>(padding + size));
  uint8_t* const start = next_ + padding;
  next_ = start + size;
  return start;
}

}  // namespace executorch::runtime
