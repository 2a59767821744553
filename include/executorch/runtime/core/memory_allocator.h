// SPDX-License-Identifier: BSD-3-Clause
// MemoryAllocator: hands out pieces of one buffer, front to back; reset() takes all of them back at once.
// Subclasses may get memory elsewhere. A request that does not fit gives null, never an abort.
//
//     static uint8_t pool[8 * 1024];
//     MemoryAllocator method_allocator(sizeof(pool), pool);
//     float* scratch = method_allocator.allocateList<float>(64);

#pragma once

#include <c10/util/safe_numerics.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/profiler.h>
#include <wick/virtual_delete.h>

#include <cinttypes>
#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

class MemoryAllocator {
 public:
  WICK_DELETE_WITHOUT_HEAP

  static constexpr size_t kDefaultAlignment = alignof(void*);

  /// Hands out the `size` bytes at `base_address`. Aborts when the address is null and the size is not 0, or when the
  /// buffer goes past the end of the address space.
  MemoryAllocator(uint32_t size, uint8_t* base_address);
  virtual ~MemoryAllocator() = default;

  /// `size` bytes at a multiple of `alignment`, a power of two. Null when there is no room.
  /// (Inline, like every virtual function here: a class derived with RTTI then links to a library without.)
  virtual void* allocate(size_t size, size_t alignment = kDefaultAlignment) { return take(size, alignment); }

  /// Memory for one T, or for `size` of them, not initialised. Null when there is no room.
  template <typename T>
  T* allocateInstance(size_t alignment = alignof(T)) {
    return static_cast<T*>(this->allocate(sizeof(T), alignment));
  }
  template <typename T>
  T* allocateList(size_t size, size_t alignment = alignof(T)) {
    size_t bytes = 0;
    if (c10::mul_overflows(size, sizeof(T), &bytes)) {
      ET_LOG(Error, "%zu elements of %zu bytes are more than the address space holds", size, sizeof(T));
      return nullptr;
    }
    return static_cast<T*>(this->allocate(bytes, alignment));
  }

  /// The buffer, its size in bytes, and how many of them are handed out and left. Padding counts as handed out.
  virtual uint8_t* base_address() const { return begin_; }
  virtual uint32_t size() const { return size_; }
  virtual size_t used_size() const { return static_cast<size_t>(next_ - begin_); }
  virtual size_t free_size() const { return size_ - static_cast<size_t>(next_ - begin_); }

  /// Takes everything back.
  virtual void reset() { next_ = begin_; }

  /// Counts allocations under this name in the profile (see platform/profiler.h).
  void enable_profiling(ET_UNUSED const char* name) {
    prof_id_ = static_cast<int32_t>(EXECUTORCH_TRACK_ALLOCATOR(name));
  }

 protected:
  int32_t prof_id() const { return prof_id_; }

  static constexpr bool isPowerOf2(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

  /// The first multiple of `alignment`, a power of two, at or after the pointer.
  static uint8_t* alignPointer(void* ptr, size_t alignment) {
    return static_cast<uint8_t*>(ptr) + ((0 - reinterpret_cast<uintptr_t>(ptr)) & (alignment - 1));
  }

 private:
  void* take(size_t size, size_t alignment);

  uint8_t* const begin_;
  uint8_t* next_;
  uint32_t const size_;
  int32_t prof_id_ = -1;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::MemoryAllocator;
}  // namespace torch::executor
