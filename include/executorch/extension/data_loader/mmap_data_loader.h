// SPDX-License-Identifier: BSD-3-Clause
//
// A DataLoader that maps parts of a file into memory, for systems with mmap(): what flash in place is to a
// microcontroller. Each part has its own mapping, which ends with the FreeableBuffer.
//
//   Result<MmapDataLoader> loader = MmapDataLoader::from("model.pte", MmapDataLoader::MlockConfig::NoMlock);
#pragma once

#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>
#include <wick/open_file.h>

#include <cstddef>
#include <utility>

namespace executorch {
namespace extension {

class MmapDataLoader final : public executorch::runtime::DataLoader {
 public:
  /// Whether what is mapped is also read at once and kept in memory.
  enum class MlockConfig {
    /// Pages are read when they are touched.
    NoMlock,
    /// Pages are locked; load() fails when that is not allowed.
    UseMlock,
    /// Pages are locked where that is allowed.
    UseMlockIgnoreErrors,
    /// The system is told that the pages will be read soon and in order, and may still drop them.
    UseMadvise,
  };

  /// Errors: AccessFailed (the file), MemoryAllocationFailed.
  static executorch::runtime::Result<MmapDataLoader> from(const char* file_name,
                                                          MlockConfig mlock_config = MlockConfig::UseMlock);

  /// The former name of from().
  ET_DEPRECATED static executorch::runtime::Result<MmapDataLoader> From(
      const char* file_name, MlockConfig mlock_config = MlockConfig::UseMlock) {
    return from(file_name, mlock_config);
  }
  ET_DEPRECATED static executorch::runtime::Result<MmapDataLoader> From(const char* file_name, bool use_mlock) {
    return from(file_name, use_mlock ? MlockConfig::UseMlock : MlockConfig::NoMlock);
  }

  MmapDataLoader(MmapDataLoader&& other) noexcept = default;
  MmapDataLoader(const MmapDataLoader&) = delete;
  MmapDataLoader& operator=(const MmapDataLoader&) = delete;
  MmapDataLoader& operator=(MmapDataLoader&&) = delete;
  ~MmapDataLoader() override = default;

  /// Errors: InvalidState (moved from), InvalidArgument (outside the file), AccessFailed (mmap), NotSupported (mlock).
  ET_NODISCARD executorch::runtime::Result<executorch::runtime::FreeableBuffer> load(
      size_t offset, size_t size, const DataLoader::SegmentInfo& segment_info) const override;

  ET_NODISCARD executorch::runtime::Result<size_t> size() const override;

  /// Errors: InvalidArgument (no buffer, outside the file), InvalidState (moved from), AccessFailed.
  ET_NODISCARD executorch::runtime::Error load_into(size_t offset, size_t size, const SegmentInfo& segment_info,
                                                    void* buffer) const override;

 private:
  MmapDataLoader(wick::internal::OpenFile&& file, size_t page_size, MlockConfig mlock_config)
      : file_(std::move(file)), page_size_(page_size), mlock_config_(mlock_config) {}

  executorch::runtime::Error keep_in_memory(void* pages, size_t size) const;

  wick::internal::OpenFile file_;
  size_t page_size_;
  MlockConfig mlock_config_;
};

}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
namespace util {
using ::executorch::extension::MmapDataLoader;
}  // namespace util
}  // namespace executor
}  // namespace torch
