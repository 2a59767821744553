// SPDX-License-Identifier: BSD-3-Clause
//
// A DataSink in a buffer of the caller's.
//
//   Result<BufferDataSink> sink = BufferDataSink::create(debug_buffer, sizeof(debug_buffer));
//   etdump.set_data_sink(&*sink);
#pragma once

#include <executorch/devtools/etdump/data_sinks/data_sink_base.h>
#include <executorch/runtime/core/span.h>

#include <cstdint>

namespace executorch {
namespace etdump {

class BufferDataSink : public DataSinkBase {
 public:
  /// Each piece of data starts at an address that is a multiple of `alignment` bytes.
  /// Errors: InvalidArgument if that is no power of two.
  static ::executorch::runtime::Result<BufferDataSink> create(::executorch::runtime::Span<uint8_t> buffer,
                                                              size_t alignment = 64) noexcept;
  static ::executorch::runtime::Result<BufferDataSink> create(void* ptr, size_t size, size_t alignment = 64) noexcept;

  /// Without room for anything.
  BufferDataSink() = default;
  BufferDataSink(const BufferDataSink&) = delete;
  BufferDataSink& operator=(const BufferDataSink&) = delete;
  BufferDataSink(BufferDataSink&&) = default;
  BufferDataSink& operator=(BufferDataSink&&) = default;
  ~BufferDataSink() override = default;

  /// Errors: OutOfResources when the buffer is full.
  ::executorch::runtime::Result<size_t> write(const void* ptr, size_t size) override { return store(ptr, size); }

  /// Bytes of the whole buffer.
  ::executorch::runtime::Result<size_t> get_storage_size() const { return buffer_.size(); }

  size_t get_used_bytes() const override { return used_; }

 private:
  BufferDataSink(::executorch::runtime::Span<uint8_t> buffer, size_t alignment)
      : buffer_(buffer), alignment_(alignment) {}
  ::executorch::runtime::Result<size_t> store(const void* ptr, size_t size);

  ::executorch::runtime::Span<uint8_t> buffer_;
  size_t used_ = 0;
  size_t alignment_ = 1;
};

}  // namespace etdump
}  // namespace executorch
