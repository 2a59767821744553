// SPDX-License-Identifier: BSD-3-Clause
// What the case runner needs of the place it runs on: files to read, memory that lives as long as one case, the two
// pools of a method, and a stream for records. The host and the boards implement it.
#pragma once

#include <executorch/runtime/core/memory_allocator.h>

#include <cstddef>
#include <cstdint>

namespace wick::runner {

class Port {
 public:
  /// Size of a file in bytes, or -1.
  virtual int64_t file_size(const char* path) = 0;
  /// Reads exactly `bytes` at `offset`; false on failure.
  virtual bool read_file(const char* path, uint64_t offset, void* to, size_t bytes) = 0;
  /// Memory until the next release(), zeroed, aligned to 64 bytes; null when there is not enough.
  virtual void* allocate(size_t bytes) = 0;
  /// Ends a session: frees what allocate() gave and empties both pools.
  virtual void release() = 0;
  virtual executorch::runtime::MemoryAllocator& method_pool() = 0;
  virtual executorch::runtime::MemoryAllocator& temp_pool() = 0;
  /// Appends to the record stream.
  virtual void write(const void* data, size_t bytes) = 0;
  /// Makes what was written so far visible even if the next case crashes.
  virtual void flush() = 0;

 protected:
  ~Port() = default;
};

}  // namespace wick::runner
