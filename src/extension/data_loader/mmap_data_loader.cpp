// SPDX-License-Identifier: BSD-3-Clause
// A data loader that maps a file into memory.

#include <executorch/extension/data_loader/mmap_data_loader.h>
#include <executorch/runtime/platform/log.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace executorch {
namespace extension {

using executorch::runtime::Error;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::Result;
using wick::internal::OpenFile;

namespace {

/// The mapping of a part starts at the page that the part starts in.
void unmap(void* context, void* data, size_t size) {
  const uintptr_t lead = reinterpret_cast<uintptr_t>(data) & (reinterpret_cast<uintptr_t>(context) - 1);
  if (::munmap(static_cast<uint8_t*>(data) - lead, size + lead) != 0) {
    ET_LOG(Error, "%zu bytes at %p cannot be unmapped: %s", size, data, std::strerror(errno));
  }
}

}  // namespace

Result<MmapDataLoader> MmapDataLoader::from(const char* file_name, MlockConfig mlock_config) {
  Result<OpenFile> file = OpenFile::open(file_name);
  if (!file.ok()) {
    return file.error();
  }
  const long page_size = ::sysconf(_SC_PAGESIZE);
  ET_CHECK_OR_RETURN_ERROR(page_size > 0, AccessFailed, "the system does not tell its page size: %s",
                           std::strerror(errno));
  return MmapDataLoader(std::move(*file), static_cast<size_t>(page_size), mlock_config);
}

Error MmapDataLoader::keep_in_memory(void* pages, size_t size) const {
  if (mlock_config_ == MlockConfig::UseMadvise) {
    (void)::madvise(pages, size, MADV_WILLNEED);  // advice: nothing depends on it
    (void)::madvise(pages, size, MADV_SEQUENTIAL);
  } else if (mlock_config_ != MlockConfig::NoMlock && ::mlock(pages, size) != 0 &&
             mlock_config_ == MlockConfig::UseMlock) {
    ET_LOG(Error,
           "%s: %zu bytes cannot be locked in memory: %s. Raise the limit (ulimit -l) or use another MlockConfig",
           file_.name(), size, std::strerror(errno));
    return Error::NotSupported;
  }
  return Error::Ok;
}

Result<FreeableBuffer> MmapDataLoader::load(size_t offset, size_t size, const DataLoader::SegmentInfo&) const {
  ET_CHECK_OK_OR_RETURN_ERROR(file_.check_range(offset, size));
  if (size == 0) {
    return FreeableBuffer(nullptr, 0, nullptr);  // an empty mapping is an error
  }
  const size_t lead = offset & (page_size_ - 1);
  void* pages =
      ::mmap(nullptr, size + lead, PROT_READ, MAP_SHARED, file_.descriptor(), static_cast<off_t>(offset - lead));
  ET_CHECK_OR_RETURN_ERROR(pages != MAP_FAILED, AccessFailed, "%s: %zu bytes at offset %zu cannot be mapped: %s",
                           file_.name(), size, offset, std::strerror(errno));
  FreeableBuffer buffer(static_cast<uint8_t*>(pages) + lead, size, unmap, reinterpret_cast<void*>(page_size_));
  ET_CHECK_OK_OR_RETURN_ERROR(keep_in_memory(pages, size + lead));
  return buffer;
}

Result<size_t> MmapDataLoader::size() const { return file_.size(); }

Error MmapDataLoader::load_into(size_t offset, size_t size, const SegmentInfo&, void* buffer) const {
  ET_CHECK_OR_RETURN_ERROR(buffer != nullptr, InvalidArgument, "no buffer to read into");
  return file_.read(offset, size, buffer);  // one copy either way, and no mapping to set up
}

}  // namespace extension
}  // namespace executorch
