// SPDX-License-Identifier: BSD-3-Clause
// MallocMemoryAllocator: a MemoryAllocator that takes each piece from the heap, for hosts and devices that have one.
// Everything is given back by reset() and at the end of its life.
//
//     MallocMemoryAllocator method_allocator;
//     MemoryManager memory(&method_allocator, &planned_memory);

#pragma once

#include <executorch/extension/memory_allocator/memory_allocator_utils.h>
#include <executorch/runtime/core/memory_allocator.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace executorch {
namespace extension {

class MallocMemoryAllocator : public executorch::runtime::MemoryAllocator {
 public:
  MallocMemoryAllocator() : MemoryAllocator(0, nullptr) {}
  ~MallocMemoryAllocator() override { release(); }

  /// Null when the alignment is no power of 2, or the heap has no room.
  void* allocate(size_t size, size_t alignment = kDefaultAlignment) override {
    if (!isPowerOf2(alignment)) {
      ET_LOG(Error, "an alignment of %zu is no power of 2", alignment);
      return nullptr;
    }
    const runtime::Result<size_t> bytes = utils::get_aligned_size(size, alignment);
    void* const piece = bytes.ok() ? std::malloc(bytes.get()) : nullptr;
    if (piece == nullptr) {
      ET_LOG(Error, "the heap has no room for %zu bytes", size);
      return nullptr;
    }
    pieces_.push_back(piece);
    EXECUTORCH_TRACK_ALLOCATION(prof_id(), bytes.get());
    return alignPointer(piece, alignment);
  }

  void reset() override { release(); }

 private:
  void release() {
    for (void* piece : pieces_) {
      std::free(piece);
    }
    pieces_.clear();
  }

  std::vector<void*> pieces_;
};

}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
namespace util {
// Deprecated name.
using ::executorch::extension::MallocMemoryAllocator;
}  // namespace util
}  // namespace executor
}  // namespace torch
