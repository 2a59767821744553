// SPDX-License-Identifier: BSD-3-Clause
//
// FreeableBuffer's moves and releases: out of line, because many places have one.
#include <executorch/runtime/core/freeable_buffer.h>

#include <cstring>

namespace executorch::runtime {

FreeableBuffer::FreeableBuffer(FreeableBuffer&& other) noexcept {
  std::memcpy(static_cast<void*>(this), static_cast<const void*>(&other), sizeof(*this));
  other.forget();
}

void FreeableBuffer::Free() {
  if (is_pointer_) {
    if (data_.pointer != nullptr && free_pointer_ != nullptr) {
      free_pointer_(context_, const_cast<void*>(data_.pointer), size_);
    }
  } else if (data_.uint64 != 0 && free_uint64_ != nullptr) {
    free_uint64_(context_, data_.uint64, size_);
  }
  forget();
}

}  // namespace executorch::runtime
