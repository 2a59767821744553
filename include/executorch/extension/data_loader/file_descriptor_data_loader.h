// SPDX-License-Identifier: BSD-3-Clause
//
// A DataLoader like FileDataLoader, for a process that may not open files itself: it is given a file descriptor, which
// it then owns.
//
//   Result<FileDescriptorDataLoader> loader = FileDescriptorDataLoader::fromFileDescriptorUri("fd:///3");
#pragma once

#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>
#include <wick/open_file.h>

#include <cstddef>
#include <utility>

namespace executorch {
namespace extension {

class FileDescriptorDataLoader final : public executorch::runtime::DataLoader {
 public:
  /// `file_descriptor_uri` is "fd:///" and the descriptor's number. What load() returns starts at a multiple of
  /// `alignment` bytes, a power of two.
  /// Errors: InvalidArgument (alignment, text), AccessFailed (no open file), MemoryAllocationFailed.
  static executorch::runtime::Result<FileDescriptorDataLoader> fromFileDescriptorUri(
      const char* file_descriptor_uri, size_t alignment = alignof(std::max_align_t));

  FileDescriptorDataLoader(FileDescriptorDataLoader&& other) noexcept = default;
  FileDescriptorDataLoader(const FileDescriptorDataLoader&) = delete;
  FileDescriptorDataLoader& operator=(const FileDescriptorDataLoader&) = delete;
  FileDescriptorDataLoader& operator=(FileDescriptorDataLoader&&) = delete;
  ~FileDescriptorDataLoader() override = default;

  /// Errors: InvalidState (moved from), InvalidArgument (outside the file), AccessFailed, MemoryAllocationFailed.
  ET_NODISCARD executorch::runtime::Result<executorch::runtime::FreeableBuffer> load(
      size_t offset, size_t size, const DataLoader::SegmentInfo& segment_info) const override;

  ET_NODISCARD executorch::runtime::Result<size_t> size() const override;

  /// Errors as load(); InvalidArgument also without a buffer.
  ET_NODISCARD executorch::runtime::Error load_into(size_t offset, size_t size, const SegmentInfo& segment_info,
                                                    void* buffer) const override;

 private:
  FileDescriptorDataLoader(wick::internal::OpenFile&& file, size_t alignment)
      : file_(std::move(file)), alignment_(alignment) {}

  wick::internal::OpenFile file_;
  size_t alignment_;
};

}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
namespace util {
using ::executorch::extension::FileDescriptorDataLoader;
}  // namespace util
}  // namespace executor
}  // namespace torch
