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

class FileDataLoader final : public wick::internal::OpenFileLoader {
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

 private:
  using OpenFileLoader::OpenFileLoader;
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
