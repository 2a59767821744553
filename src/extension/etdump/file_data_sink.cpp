// SPDX-License-Identifier: BSD-3-Clause
// Tensors of an ETDump in a file.

#include <executorch/devtools/etdump/data_sinks/file_data_sink.h>
#include <executorch/runtime/platform/log.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace executorch {
namespace etdump {

using ::executorch::runtime::Error;
using ::executorch::runtime::Result;

Result<FileDataSink> FileDataSink::create(const char* file_path) {
  FILE* file = std::fopen(file_path, "wb");
  ET_CHECK_OR_RETURN_ERROR(file != nullptr, AccessFailed, "%s cannot be written: %s", file_path, std::strerror(errno));
  return FileDataSink(file);
}

FileDataSink& FileDataSink::operator=(FileDataSink&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(written_, other.written_);
  return *this;
}

Result<size_t> FileDataSink::write(const void* ptr, size_t size) {
  ET_CHECK_OR_RETURN_ERROR(file_ != nullptr, AccessFailed, "the file for tensors was closed");
  const size_t offset = written_;
  const size_t count = size == 0 ? 0 : std::fwrite(ptr, 1, size, file_);
  written_ += count;
  ET_CHECK_OR_RETURN_ERROR(count == size, Internal, "%zu of %zu bytes of a tensor were written: %s", count, size,
                           std::strerror(errno));
  return offset;
}

void FileDataSink::close() {
  if (file_ != nullptr) {
    std::fclose(file_);
    file_ = nullptr;
  }
}

}  // namespace etdump
}  // namespace executorch
