// SPDX-License-Identifier: BSD-3-Clause
//
// A DataSink in a file, for hosts: pieces of data one after the other, without gaps.
//
//   Result<FileDataSink> sink = FileDataSink::create("debug_buffer.bin");
#pragma once

#include <executorch/devtools/etdump/data_sinks/data_sink_base.h>

#include <cstdio>

namespace executorch {
namespace etdump {

class FileDataSink : public DataSinkBase {
 public:
  /// Creates the file, or empties it. Errors: AccessFailed.
  static ::executorch::runtime::Result<FileDataSink> create(const char* file_path);

  FileDataSink(const FileDataSink&) = delete;
  FileDataSink& operator=(const FileDataSink&) = delete;
  FileDataSink(FileDataSink&& other) noexcept : file_(other.file_), written_(other.written_) { other.file_ = nullptr; }
  FileDataSink& operator=(FileDataSink&& other) noexcept;
  ~FileDataSink() override { close(); }

  /// Errors: AccessFailed after close(), Internal when the system does not write it all.
  ::executorch::runtime::Result<size_t> write(const void* ptr, size_t size) override;

  size_t get_used_bytes() const override { return written_; }

  /// May be called again.
  void close();

 private:
  explicit FileDataSink(FILE* file) : file_(file) {}

  FILE* file_;
  size_t written_ = 0;
};

}  // namespace etdump
}  // namespace executorch
