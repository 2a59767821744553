// SPDX-License-Identifier: BSD-3-Clause
// Files of a PC for the data loaders. See wick/open_file.h.

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/platform/log.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wick/open_file.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace wick::internal {

using executorch::runtime::Error;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::Result;

namespace {

/// Some systems refuse to read more at once.
constexpr size_t kLargestRead = 0x7FFFF000;

void free_aligned(void* context, void* data, size_t /*size*/) {
  ::operator delete(data, static_cast<std::align_val_t>(reinterpret_cast<uintptr_t>(context)));
}

}  // namespace

Result<OpenFile> OpenFile::open(const char* name) {
  const int descriptor = name == nullptr ? -1 : ::open(name, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    ET_LOG(Error, "%s cannot be opened: %s", name == nullptr ? "a file without a name" : name,
           name == nullptr ? "pass its path" : std::strerror(errno));
    return Error::AccessFailed;
  }
  return adopt(descriptor, name);
}

Result<OpenFile> OpenFile::adopt(int descriptor, const char* name) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0) {
    ET_LOG(Error, "the size of %s cannot be found: %s", name, std::strerror(errno));
    ::close(descriptor);
    return Error::AccessFailed;
  }
  char* copy = ::strdup(name);
  if (copy == nullptr) {
    ::close(descriptor);
    return Error::MemoryAllocationFailed;
  }
  return OpenFile(descriptor, static_cast<size_t>(status.st_size), copy);
}

OpenFile::OpenFile(OpenFile&& other) noexcept : name_(other.name_), size_(other.size_), descriptor_(other.descriptor_) {
  other.name_ = nullptr;
  other.size_ = 0;
  other.descriptor_ = -1;
}

OpenFile::~OpenFile() {
  std::free(name_);
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

Result<size_t> OpenFile::size() const {
  ET_CHECK_OR_RETURN_ERROR(descriptor_ >= 0, InvalidState, "this loader was moved into another: use that one");
  return size_;
}

Error OpenFile::check_range(size_t offset, size_t size) const {
  ET_CHECK_OR_RETURN_ERROR(descriptor_ >= 0, InvalidState, "this loader was moved into another: use that one");
  ET_CHECK_OR_RETURN_ERROR(offset <= size_ && size <= size_ - offset, InvalidArgument,
                           "%s: %zu bytes at offset %zu were asked for, the file has %zu", name_, size, offset, size_);
  return Error::Ok;
}

Error OpenFile::read(size_t offset, size_t size, void* buffer) const {
  ET_CHECK_OK_OR_RETURN_ERROR(check_range(offset, size));
  ET_CHECK_OR_RETURN_ERROR(buffer != nullptr, InvalidArgument, "%s: no buffer to read into", name_);
  for (size_t done = 0; done < size;) {
    const ssize_t count = ::pread(descriptor_, static_cast<uint8_t*>(buffer) + done,
                                  std::min(size - done, kLargestRead), static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    ET_CHECK_OR_RETURN_ERROR(count > 0, AccessFailed, "%s: reading %zu bytes at offset %zu failed after %zu: %s", name_,
                             size, offset, done, count == 0 ? "the file ends" : std::strerror(errno));
    done += static_cast<size_t>(count);
  }
  return Error::Ok;
}

Result<FreeableBuffer> OpenFile::load(size_t offset, size_t size, size_t alignment) const {
  ET_CHECK_OK_OR_RETURN_ERROR(check_range(offset, size));
  if (size == 0) {
    return FreeableBuffer(nullptr, 0, nullptr);
  }
  void* context = reinterpret_cast<void*>(static_cast<uintptr_t>(alignment));
  void* memory = ::operator new(size, static_cast<std::align_val_t>(alignment), std::nothrow);
  ET_CHECK_OR_RETURN_ERROR(memory != nullptr, MemoryAllocationFailed, "%s: no memory for %zu bytes of it", name_, size);
  FreeableBuffer buffer(memory, size, free_aligned, context);
  ET_CHECK_OK_OR_RETURN_ERROR(read(offset, size, memory));
  return buffer;
}

Error OpenFile::check_alignment(size_t alignment) {
  ET_CHECK_OR_RETURN_ERROR(alignment != 0 && (alignment & (alignment - 1)) == 0, InvalidArgument,
                           "an alignment of %zu is no power of two", alignment);
  return Error::Ok;
}

}  // namespace wick::internal
