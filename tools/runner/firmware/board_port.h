// SPDX-License-Identifier: BSD-3-Clause
// The case runner's port on a board: host files by semihosting, memory from the board's large RAM and model memory.
#pragma once

#include "tools/runner/port.h"

namespace wick::runner {

class BoardPort;

/// A bump pool that remembers how full it has been. What does not fit comes from a port, until reset().
class MeasuredPool final : public executorch::runtime::MemoryAllocator {
 public:
  MeasuredPool(uint8_t* base, uint32_t bytes) : MemoryAllocator(bytes, base) {}
  void spill_to(BoardPort* larger) { larger_ = larger; }
  void* allocate(size_t bytes, size_t alignment = kDefaultAlignment) override;
  void reset() override;
  size_t used_size() const override { return most_used_; }
  /// Empties the pool, fills what was used with junk, and forgets the mark.
  void forget();

 private:
  BoardPort* larger_ = nullptr;
  size_t beyond_ = 0;
  size_t most_used_ = 0;
};

class BoardPort final : public Port {
 public:
  /// Records go to the host's file `results`, appended.
  explicit BoardPort(const char* results);

  /// False when the record file cannot be opened.
  bool ready() const { return out_ >= 0; }

  int64_t file_size(const char* path) override;
  bool read_file(const char* path, uint64_t offset, void* to, size_t bytes) override;
  void* allocate(size_t bytes) override;
  void release() override;
  executorch::runtime::MemoryAllocator& method_pool() override;
  executorch::runtime::MemoryAllocator& temp_pool() override;
  void write(const void* data, size_t bytes) override;
  void flush() override;

  /// Memory that release_spilled() takes back: nothing else may be allocated in between.
  void* allocate_spilled(size_t bytes);
  void release_spilled();

  /// The job file in memory that release() keeps; false when it cannot be read.
  bool keep_file(const char* path, const uint8_t*& data, size_t& bytes);

 private:
  struct Region {
    uint8_t* base;
    size_t bytes;
    size_t kept;
    size_t used;
    size_t before_spill;
  };

  int out_;
  Region regions_[2];
  bool spilled_ = false;
  size_t pending_ = 0;
  uint8_t buffer_[4096];
};

}  // namespace wick::runner
