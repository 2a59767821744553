// SPDX-License-Identifier: BSD-3-Clause
//
// Lookup of constants in the program.
#include "src/runtime/executor/constants.h"

#include <executorch/runtime/platform/log.h>

namespace wick {

using executorch::runtime::Error;

Constants::Constants(pte::Buffer& buffer, const void* segment, size_t size)
    : buffer_(buffer), segment_(static_cast<const uint8_t*>(segment)), size_(size) {
  pte::Table root = buffer.root();
  offsets_ = buffer.vector_field(buffer.table_field(root, pte::program::kConstantSegment), pte::subsegments::kOffsets, 8);
  inline_ = buffer.vector_field(root, pte::program::kConstantBuffer, 4);
}

Error Constants::find(size_t index, size_t nbytes, void** out) {
  const uint8_t* data = nullptr;
  size_t available = 0;
  if (index < offsets_.count) {
    uint64_t offset = buffer_.u64_item(offsets_, static_cast<uint32_t>(index));
    if (offset <= size_) {
      data = segment_ + static_cast<size_t>(offset);
      available = size_ - static_cast<size_t>(offset);
    }
  } else if (index < inline_.count) {
    pte::Vector storage =
        buffer_.vector_field(buffer_.table_item(inline_, static_cast<uint32_t>(index)), pte::kBytes, 1);
    data = buffer_.bytes(storage.at);
    available = storage.count;
  } else {
    ET_LOG(Error, "constant %" ET_PRIsize_t " is not in the program", index);
    return Error::InvalidArgument;
  }
  if (nbytes > available || data == nullptr || buffer_.bad()) {
    ET_LOG(Error, "constant %" ET_PRIsize_t " needs %" ET_PRIsize_t " bytes, the program holds %" ET_PRIsize_t, index,
           nbytes, available);
    return Error::InvalidProgram;
  }
  *out = const_cast<uint8_t*>(data);
  return Error::Ok;
}

}  // namespace wick
