// SPDX-License-Identifier: BSD-3-Clause
//
// A DataLoader that reads parts of a file into memory of their own (operator new). The file stays open as long as the
// loader lives.
//
//   Result<FileDataLoader> loader = FileDataLoader::from("model.pte");
#pragma once

#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>
#include <wick/open_file.h>

#include <cstddef>
#include <utility>

namespace executorch {
namespace extension {

class FileDataLoader final : public executorch::runtime::DataLoader {
 public:
  /// What load() returns starts at a multiple of `alignment` bytes, a power of two.
  /// Errors: InvalidArgument (alignment, no name), AccessFailed (the file), MemoryAllocationFailed.
  static executorch::runtime::Result<FileDataLoader> from(const char* file_name,
                                                          size_t alignment = alignof(std::max_align_t));

  /// The former name of from().
  ET_DEPRECATED static executorch::runtime::Result<FileDataLoader> From(const char* file_name,
                                                                        size_t alignment = alignof(std::max_align_t)) {
    return from(file_name, alignment);
  }

  FileDataLoader(FileDataLoader&& other) noexcept = default;
  FileDataLoader(const FileDataLoader&) = delete;
  FileDataLoader& operator=(const FileDataLoader&) = delete;
  FileDataLoader& operator=(FileDataLoader&&) = delete;
  ~FileDataLoader() override = default;

  /// Errors: InvalidState (moved from), InvalidArgument (outside the file), AccessFailed, MemoryAllocationFailed.
  ET_NODISCARD executorch::runtime::Result<executorch::runtime::FreeableBuffer> load(
      size_t offset, size_t size, const DataLoader::SegmentInfo& segment_info) const override;

  ET_NODISCARD executorch::runtime::Result<size_t> size() const override;

  /// Errors as load(); InvalidArgument also without a buffer.
  ET_NODISCARD executorch::runtime::Error load_into(size_t offset, size_t size, const SegmentInfo& segment_info,
                                                    void* buffer) const override;

 private:
  FileDataLoader(wick::internal::OpenFile&& file, size_t alignment) : file_(std::move(file)), alignment_(alignment) {}

  wick::internal::OpenFile file_;
  size_t alignment_;
};

}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
namespace util {
using ::executorch::extension::FileDataLoader;
}  // namespace util
}  // namespace executor
}  // namespace torch
