// SPDX-License-Identifier: BSD-3-Clause
// Memory of a case: two bump regions; programs and tensors go where they fit first.
#include "tools/runner/firmware/board_port.h"

#include <wick/board.h>
#include <wick/ethos_u.h>
#include <wick/semihosting.h>

#include <cstring>

namespace wick::runner {
namespace {

constexpr size_t kAlignment = 64;
constexpr int kJunk = 0xA5;
constexpr size_t kFastScratch = 384 * 1024;  // of NPU programs for Dedicated_Sram

// Both pools lie in the board's main RAM, where a product would have them. What one delegate or kernel wants beyond
// that, such as the scratch of a large NPU program, comes from the larger memories.
alignas(16) uint8_t method_memory[128 * 1024];
alignas(16) uint8_t temp_memory[256 * 1024];
MeasuredPool method_measured(method_memory, sizeof(method_memory));
MeasuredPool temp_measured(temp_memory, sizeof(temp_memory));

}  // namespace

void* MeasuredPool::allocate(size_t bytes, size_t alignment) {
  void* block = nullptr;
  if (larger_ != nullptr && bytes > free_size() && alignment <= kAlignment) {
    block = larger_->allocate_spilled(bytes);
    beyond_ += block != nullptr ? bytes : 0;
  } else {
    block = MemoryAllocator::allocate(bytes, alignment);
  }
  const size_t used = MemoryAllocator::used_size() + beyond_;
  most_used_ = used > most_used_ ? used : most_used_;
  return block;
}

void MeasuredPool::reset() {
  MemoryAllocator::reset();
  if (larger_ != nullptr) {
    larger_->release_spilled();
  }
  beyond_ = 0;
}

void MeasuredPool::forget() {
  std::memset(base_address(), kJunk, most_used_ < size() ? most_used_ : size());
  reset();
  most_used_ = 0;
}

BoardPort::BoardPort(const char* results) : out_(semihosting::open(results, "ab")) {
  const wick_board_memory_t large = wick_board_ram_large();
  const wick_board_memory_t more = wick_board_ram_more();
  regions_[0] = {static_cast<uint8_t*>(large.base), large.bytes, 0, 0, 0};
  regions_[1] = {static_cast<uint8_t*>(more.base), more.bytes, 0, 0, 0};
  regions_[1].bytes -= kFastScratch;
  ethosu_fast_scratch = regions_[1].base + regions_[1].bytes;
  ethosu_fast_scratch_size = kFastScratch;
  temp_measured.spill_to(this);
}

int64_t BoardPort::file_size(const char* path) {
  const int file = semihosting::open(path, "rb");
  if (file < 0) {
    return -1;
  }
  const int64_t length = semihosting::length(file);
  semihosting::close(file);
  return length;
}

bool BoardPort::read_file(const char* path, uint64_t offset, void* to, size_t bytes) {
  const int file = semihosting::open(path, "rb");
  if (file < 0) {
    return false;
  }
  const bool read = semihosting::seek(file, static_cast<size_t>(offset)) && semihosting::read(file, to, bytes) == bytes;
  semihosting::close(file);
  return read;
}

void* BoardPort::allocate(size_t bytes) {
  for (Region& region : regions_) {
    const size_t start = (region.used + kAlignment - 1) & ~(kAlignment - 1);
    if (start <= region.bytes && bytes <= region.bytes - start) {
      region.used = start + bytes;
      std::memset(region.base + start, 0, bytes);
      return region.base + start;
    }
  }
  return nullptr;
}

void* BoardPort::allocate_spilled(size_t bytes) {
  for (Region& region : regions_) {
    region.before_spill = spilled_ ? region.before_spill : region.used;
  }
  spilled_ = true;
  void* block = allocate(bytes);
  if (block != nullptr) {
    std::memset(block, kJunk, bytes);
  }
  return block;
}

void BoardPort::release_spilled() {
  for (Region& region : regions_) {
    region.used = spilled_ ? region.before_spill : region.used;
  }
  spilled_ = false;
}

void BoardPort::release() {
  method_measured.forget();
  temp_measured.forget();
  for (Region& region : regions_) {
    region.used = region.kept;
  }
}

executorch::runtime::MemoryAllocator& BoardPort::method_pool() { return method_measured; }

executorch::runtime::MemoryAllocator& BoardPort::temp_pool() { return temp_measured; }

void BoardPort::write(const void* data, size_t bytes) {
  if (bytes > sizeof(buffer_) - pending_) {
    flush();
  }
  if (bytes > sizeof(buffer_)) {
    semihosting::write(out_, data, bytes);
    return;
  }
  std::memcpy(buffer_ + pending_, data, bytes);
  pending_ += bytes;
}

void BoardPort::flush() {
  if (pending_ > 0) {
    semihosting::write(out_, buffer_, pending_);
    pending_ = 0;
  }
}

bool BoardPort::keep_file(const char* path, const uint8_t*& data, size_t& bytes) {
  const int64_t length = file_size(path);
  if (length < 0) {
    return false;
  }
  bytes = static_cast<size_t>(length);
  auto* memory = static_cast<uint8_t*>(allocate(bytes));
  if (memory == nullptr || !read_file(path, 0, memory, bytes)) {
    return false;
  }
  data = memory;
  for (Region& region : regions_) {
    region.kept = region.used;
  }
  return true;
}

}  // namespace wick::runner
