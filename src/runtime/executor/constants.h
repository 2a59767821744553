// SPDX-License-Identifier: BSD-3-Clause
//
// Where a program's constants lie: in a segment with a list of offsets (exporters since 0.4, and most before), or
// inline, a table each (0.2, 0.3). The list of offsets is looked up once.
#pragma once

#include <executorch/runtime/core/error.h>

#include "src/pte/schema.h"

namespace wick {

class Constants {
 public:
  /// `segment`, `size`: the loaded constant segment, if there is one. The buffer must outlive this.
  Constants(pte::Buffer& buffer, const void* segment, size_t size);

  /// `nbytes` bytes of constant `index`, in place (and to be read only). Errors: InvalidArgument (no such constant),
  /// InvalidProgram.
  executorch::runtime::Error find(size_t index, size_t nbytes, void** out);

  /// The same of a constant that is in the segment; null for all others.
  void* in_segment(uint32_t index, size_t nbytes) const {
    if (index == 0 || index >= offsets_.count) {
      return nullptr;
    }
    const uint64_t offset = buffer_.u64_item(offsets_, index);
    return offset <= size_ && nbytes <= size_ - offset ? const_cast<uint8_t*>(segment_) + offset : nullptr;
  }

 private:
  pte::Buffer& buffer_;
  pte::Vector offsets_;  ///< into the segment, if any
  const uint8_t* segment_;
  size_t size_;
};

}  // namespace wick
