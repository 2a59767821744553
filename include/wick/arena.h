// SPDX-License-Identifier: BSD-3-Clause
//
// One piece of memory that is used from both ends: what lasts from the front, scratch from the back. Neither needs to
// know how much the other takes. Part of wick::Model, usable on its own.
//
//   Arena arena;  arena.assign(memory, sizeof(memory));
//   FrontAllocator method_pool(arena);  BackAllocator temp(arena);
#pragma once

#include <executorch/runtime/core/memory_allocator.h>

#include <cstddef>
#include <cstdint>

namespace wick {

class Arena {
 public:
  static constexpr size_t kAlignment = 16;  ///< of the first byte that is handed out

  /// Starts afresh with a piece of memory; its first bytes are left out if it is not aligned.
  void assign(uint8_t* data, size_t bytes);

  /// Null when there is no room; what is missing is added up in shortage().
  void* take_front(size_t bytes, size_t alignment);
  void* take_back(size_t bytes, size_t alignment);
  void release_back() { back_ = end_; }

  size_t size() const { return static_cast<size_t>(end_ - begin_); }
  size_t front_used() const { return static_cast<size_t>(front_ - begin_); }
  size_t back_used() const { return static_cast<size_t>(end_ - back_); }
  size_t back_peak() const { return back_peak_; }
  size_t free_bytes() const { return static_cast<size_t>(back_ - front_); }
  /// Bytes that the last refused request lacked; 0 if none was refused.
  size_t shortage() const { return shortage_; }

 private:
  uint8_t* begin_ = nullptr;
  uint8_t* front_ = nullptr;
  uint8_t* back_ = nullptr;
  uint8_t* end_ = nullptr;
  size_t back_peak_ = 0;
  size_t shortage_ = 0;
};

/// Takes from the front of an arena. reset() gives nothing back.
class FrontAllocator final : public executorch::runtime::MemoryAllocator {
 public:
  explicit FrontAllocator(Arena& arena) : MemoryAllocator(0, nullptr), arena_(arena) {}
  void* allocate(size_t size, size_t alignment = kDefaultAlignment) override {
    return arena_.take_front(size, alignment);
  }
  uint32_t size() const override { return static_cast<uint32_t>(arena_.size()); }
  size_t used_size() const override { return arena_.front_used(); }
  size_t free_size() const override { return arena_.free_bytes(); }
  void reset() override {}

 private:
  Arena& arena_;
};

/// Takes from the back of an arena; reset() gives all of it back.
class BackAllocator final : public executorch::runtime::MemoryAllocator {
 public:
  explicit BackAllocator(Arena& arena) : MemoryAllocator(0, nullptr), arena_(arena) {}
  void* allocate(size_t size, size_t alignment = kDefaultAlignment) override {
    return arena_.take_back(size, alignment);
  }
  uint32_t size() const override { return static_cast<uint32_t>(arena_.free_bytes() + arena_.back_used()); }
  size_t used_size() const override { return arena_.back_used(); }
  size_t free_size() const override { return arena_.free_bytes(); }
  void reset() override { arena_.release_back(); }

 private:
  Arena& arena_;
};

}  // namespace wick
