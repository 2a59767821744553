// SPDX-License-Identifier: BSD-3-Clause
//
// Lookup of constants in the program.
#include "src/runtime/executor/constants.h"

#include <executorch/runtime/platform/log.h>

namespace wick {

using executorch::runtime::Error;

Constants::Constants(pte::Buffer& buffer, const void* segment, size_t size)
    : buffer_(buffer), segment_(static_cast<const uint8_t*>(segment)), size_(size) {
  offsets_ = buffer.vector_field(buffer.table_field(buffer.root(), pte::program::kConstantSegment),
                                 pte::subsegments::kOffsets, 8);
}

Error Constants::find(size_t index, size_t nbytes, void** out) {
  const uint8_t* data = nullptr;
  size_t available = 0;
  if (index < offsets_.count) {
    const size_t offset = buffer_.size_item(offsets_, static_cast<uint32_t>(index));
    if (offset <= size_) {
      data = segment_ + offset;
      available = size_ - offset;
    }
  } else {
    const pte::Vector tables = buffer_.vector_field(buffer_.root(), pte::program::kConstantBuffer, 4);
    if (index >= tables.count) {
      ET_LOG(Error, "constant %" ET_PRIsize_t " is not in the program", index);
      return Error::InvalidArgument;
    }
    const pte::Vector storage =
        buffer_.vector_field(buffer_.table_item(tables, static_cast<uint32_t>(index)), pte::kBytes, 1);
    data = buffer_.bytes(storage.at);
    available = storage.count;
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
