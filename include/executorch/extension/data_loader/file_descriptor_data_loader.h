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

class FileDescriptorDataLoader final : public wick::internal::OpenFileLoader {
 public:
  /// `file_descriptor_uri` is "fd:///" and the descriptor's number. What load() returns starts at a multiple of
  /// `alignment` bytes, a power of two.
  /// Errors: InvalidArgument (alignment, text), AccessFailed (no open file), MemoryAllocationFailed.
  static executorch::runtime::Result<FileDescriptorDataLoader> fromFileDescriptorUri(
      const char* file_descriptor_uri, size_t alignment = alignof(std::max_align_t));

 private:
  using OpenFileLoader::OpenFileLoader;
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
