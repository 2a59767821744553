// SPDX-License-Identifier: BSD-3-Clause
//
// A DataLoader over memory: an array, or memory-mapped flash (QSPI, XIP). Loading copies nothing; what it returns are
// pointers into the memory, which must stay readable as long as the program lives.
//
//   BufferDataLoader loader(p, sz_real);
//   Result<Program> program = Program::load(&loader);
#pragma once

#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/log.h>

#include <cstring>

namespace executorch {
namespace extension {

class BufferDataLoader final : public executorch::runtime::DataLoader {
 public:
  /// `size` bytes at `data`; for a program 16-byte aligned. wick::pte_size() tells a program's real size.
  BufferDataLoader(const void* data, size_t size) : data_(static_cast<const uint8_t*>(data)), size_(size) {}

  /// Errors: InvalidArgument if offset and size leave the memory.
  ET_NODISCARD executorch::runtime::Result<executorch::runtime::FreeableBuffer> load(
      size_t offset, size_t size, ET_UNUSED const SegmentInfo& segment_info) const override {
    if (!holds(offset, size)) {
      return executorch::runtime::Error::InvalidArgument;
    }
    return executorch::runtime::FreeableBuffer(data_ + offset, size, nullptr);
  }

  ET_NODISCARD executorch::runtime::Error load_into(size_t offset, size_t size,
                                                    ET_UNUSED const SegmentInfo& segment_info,
                                                    void* buffer) const override {
    if (!holds(offset, size) || buffer == nullptr) {
      return executorch::runtime::Error::InvalidArgument;
    }
    std::memcpy(buffer, data_ + offset, size);
    return executorch::runtime::Error::Ok;
  }

  ET_NODISCARD executorch::runtime::Result<size_t> size() const override { return size_; }

 private:
  bool holds(size_t offset, size_t size) const {
    const bool inside = offset <= size_ && size <= size_ - offset;
    if (!inside) {
      ET_LOG(Error, "%" ET_PRIsize_t " bytes at offset %" ET_PRIsize_t " were asked for, %" ET_PRIsize_t " are there",
             size, offset, size_);
    }
    return inside;
  }

  const uint8_t* const data_;
  const size_t size_;
};

}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
namespace util {
using ::executorch::extension::BufferDataLoader;
}  // namespace util
}  // namespace executor
}  // namespace torch
