// SPDX-License-Identifier: BSD-3-Clause
// HierarchicalAllocator: offsets come from a file and are checked against the buffer without adding to an address.

#include <executorch/runtime/core/hierarchical_allocator.h>

namespace executorch::runtime {

Result<void*> HierarchicalAllocator::get_offset_address(uint32_t memory_id, size_t offset_bytes, size_t size_bytes) {
  size_t end = 0;
  ET_CHECK_OR_RETURN_ERROR(!c10::add_overflows(offset_bytes, size_bytes, &end), InvalidArgument,
                           "offset %zu and size %zu overflow", offset_bytes, size_bytes);
  const size_t count = allocators_ != nullptr ? n_allocators_ : buffers_.size();
  ET_CHECK_OR_RETURN_ERROR(memory_id < count, InvalidArgument, "planned buffer %" PRIu32 " requested, there are %zu",
                           memory_id, count);
  const Span<uint8_t> buffer = allocators_ != nullptr
                                   ? Span<uint8_t>(allocators_[memory_id].base_address(), allocators_[memory_id].size())
                                   : buffers_[memory_id];
  ET_CHECK_OR_RETURN_ERROR(end <= buffer.size(), MemoryAllocationFailed,
                           "planned buffer %" PRIu32 " has %zu bytes, but %zu are needed at offset %zu", memory_id,
                           buffer.size(), size_bytes, offset_bytes);
  return static_cast<void*>(buffer.data() + offset_bytes);
}

}  // namespace executorch::runtime
