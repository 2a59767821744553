// SPDX-License-Identifier: BSD-3-Clause
//
// Memory used from both ends.
#include <executorch/runtime/platform/log.h>
#include <wick/arena.h>

namespace wick {

void Arena::assign(uint8_t* data, size_t bytes) {
  const size_t skip = (0 - reinterpret_cast<uintptr_t>(data)) & (kAlignment - 1);
  begin_ = data + (skip < bytes ? skip : bytes);
  end_ = data + bytes;
  front_ = begin_;
  back_ = end_;
  back_peak_ = 0;
  shortage_ = 0;
}

void* Arena::take_front(size_t bytes, size_t alignment) {
  const size_t padding = (0 - reinterpret_cast<uintptr_t>(front_)) & (alignment - 1);
  const size_t room = free_bytes();
  if (padding > room || bytes > room - padding) {
    shortage_ = bytes + padding - room;
    ET_LOG(Error, "the arena has no room for %zu bytes more: %zu are missing", bytes, shortage_);
    return nullptr;
  }
  uint8_t* const place = front_ + padding;
  front_ = place + bytes;
  return place;
}

void* Arena::take_back(size_t bytes, size_t alignment) {
  const size_t room = free_bytes();
  const size_t padding = (reinterpret_cast<uintptr_t>(back_) - bytes) & (alignment - 1);
  if (bytes > room || padding > room - bytes) {
    shortage_ = bytes + padding - room;
    ET_LOG(Error, "the arena has no room for %zu bytes of scratch: %zu are missing", bytes, shortage_);
    return nullptr;
  }
  back_ -= bytes + padding;
  const size_t used = back_used();
  back_peak_ = used > back_peak_ ? used : back_peak_;
  return back_;
}

}  // namespace wick
