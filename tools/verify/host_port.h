// SPDX-License-Identifier: BSD-3-Clause
// The case runner's port on this machine. Every allocation is its own heap block, so that a sanitizer sees an access
// outside it.
#pragma once

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

#include "tools/common/bytes.h"
#include "tools/runner/port.h"

namespace wick::tools {

/// A memory pool without a fixed size: each allocation is a heap block, up to `limit` bytes in total.
class HeapPool final : public executorch::runtime::MemoryAllocator {
 public:
  explicit HeapPool(size_t limit) : MemoryAllocator(0, nullptr), limit_(limit) {}
  ~HeapPool() override { HeapPool::reset(); }
  void* allocate(size_t size, size_t alignment = kDefaultAlignment) override;
  uint32_t size() const override { return static_cast<uint32_t>(limit_); }
  size_t used_size() const override { return most_used_; }
  size_t free_size() const override { return limit_ - used_; }
  void reset() override;
  /// Forgets the high-water mark, too.
  void forget();

 private:
  size_t limit_;
  size_t used_ = 0;
  size_t most_used_ = 0;
  std::vector<void*> blocks_;
};

class HostPort final : public runner::Port {
 public:
  /// Records go to the file descriptor `out`.
  explicit HostPort(int out) : out_(out) {}
  ~HostPort();

  int64_t file_size(const char* path) override;
  bool read_file(const char* path, uint64_t offset, void* to, size_t bytes) override;
  void* allocate(size_t bytes) override;
  void release() override;
  executorch::runtime::MemoryAllocator& method_pool() override { return method_; }
  executorch::runtime::MemoryAllocator& temp_pool() override { return temp_; }
  void write(const void* data, size_t bytes) override;
  void flush() override;

 private:
  int out_;
  Bytes pending_;
  size_t used_ = 0;
  std::vector<void*> blocks_;
  HeapPool method_{256u << 20};
  HeapPool temp_{256u << 20};
};

}  // namespace wick::tools
