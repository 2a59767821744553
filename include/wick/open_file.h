// SPDX-License-Identifier: BSD-3-Clause
// A file that the data loaders of a PC read from: its descriptor, which it owns, its size, and its name for messages.
// For systems with POSIX files; reads at different places may happen on several threads.

#pragma once

#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/result.h>

#include <cstddef>
#include <utility>

namespace wick::internal {

class OpenFile {
 public:
  /// Errors: AccessFailed if the file does not open or has no size, MemoryAllocationFailed.
  static executorch::runtime::Result<OpenFile> open(const char* name);

  /// Takes over `descriptor`, also when it fails. Errors as open().
  static executorch::runtime::Result<OpenFile> adopt(int descriptor, const char* name);

  OpenFile(OpenFile&& other) noexcept;
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;

  const char* name() const { return name_; }
  int descriptor() const { return descriptor_; }

  /// In bytes. InvalidState after the file was moved elsewhere, as in all that follows.
  executorch::runtime::Result<size_t> size() const;

  /// InvalidArgument unless `size` bytes at `offset` lie within the file.
  executorch::runtime::Error check_range(size_t offset, size_t size) const;

  /// Reads `size` bytes at `offset` into `buffer`. Errors: those of check_range(), InvalidArgument without a buffer,
  /// AccessFailed.
  executorch::runtime::Error read(size_t offset, size_t size, void* buffer) const;

  /// The same into memory of its own, aligned to `alignment` bytes. Also MemoryAllocationFailed.
  executorch::runtime::Result<executorch::runtime::FreeableBuffer> load(size_t offset, size_t size,
                                                                        size_t alignment) const;

  /// InvalidArgument unless `alignment` is a power of two.
  static executorch::runtime::Error check_alignment(size_t alignment);

 private:
  OpenFile(int descriptor, size_t size, char* name) : name_(name), size_(size), descriptor_(descriptor) {}

  char* name_;
  size_t size_;
  int descriptor_;
};

/// A data loader that reads an open file, whoever opened it. (Inline, like every virtual function that others derive
/// from: a class with RTTI then links to a library without.)
class OpenFileLoader : public executorch::runtime::DataLoader {
 public:
  OpenFileLoader(OpenFileLoader&& other) noexcept = default;
  OpenFileLoader(const OpenFileLoader&) = delete;
  OpenFileLoader& operator=(const OpenFileLoader&) = delete;
  OpenFileLoader& operator=(OpenFileLoader&&) = delete;

  /// Errors: InvalidState (moved from), InvalidArgument (outside the file), AccessFailed, MemoryAllocationFailed.
  ET_NODISCARD executorch::runtime::Result<executorch::runtime::FreeableBuffer> load(
      size_t offset, size_t size, const SegmentInfo&) const override {
    return file_.load(offset, size, alignment_);
  }

  ET_NODISCARD executorch::runtime::Result<size_t> size() const override { return file_.size(); }

  /// Errors as load(); InvalidArgument also without a buffer.
  ET_NODISCARD executorch::runtime::Error load_into(size_t offset, size_t size, const SegmentInfo&,
                                                    void* buffer) const override {
    return file_.read(offset, size, buffer);
  }

 protected:
  OpenFileLoader(OpenFile&& file, size_t alignment) : file_(std::move(file)), alignment_(alignment) {}

 private:
  OpenFile file_;
  size_t alignment_;
};

}  // namespace wick::internal
