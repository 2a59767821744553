// SPDX-License-Identifier: BSD-3-Clause
//
// A DataLoader over memory that it keeps alive: whoever holds the shared_ptr, the loader among them, shares the bytes.
// Loading copies nothing; what it returns are pointers into the memory.
//
//   SharedPtrDataLoader loader(std::shared_ptr<void>(std::malloc(size), std::free), size);
#pragma once

#include <executorch/extension/data_loader/buffer_data_loader.h>

#include <memory>
#include <utility>

namespace executorch {
namespace extension {

class SharedPtrDataLoader final : public executorch::runtime::DataLoader {
 public:
  /// `size` bytes at `data`; for a program 16-byte aligned.
  SharedPtrDataLoader(std::shared_ptr<void> data, size_t size) : data_(std::move(data)), bytes_(data_.get(), size) {}

  /// Errors: InvalidArgument if offset and size leave the memory.
  ET_NODISCARD executorch::runtime::Result<executorch::runtime::FreeableBuffer> load(
      size_t offset, size_t size, const DataLoader::SegmentInfo& segment_info) const override {
    return bytes_.load(offset, size, segment_info);
  }

  ET_NODISCARD executorch::runtime::Result<size_t> size() const override { return bytes_.size(); }

 private:
  const std::shared_ptr<void> data_;
  const BufferDataLoader bytes_;
};

}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
namespace util {
using ::executorch::extension::SharedPtrDataLoader;
}  // namespace util
}  // namespace executor
}  // namespace torch
