// SPDX-License-Identifier: BSD-3-Clause
// Tensors of an ETDump in a buffer.

#include <executorch/devtools/etdump/data_sinks/buffer_data_sink.h>
#include <executorch/runtime/platform/log.h>

#include <cstring>

namespace executorch {
namespace etdump {

using ::executorch::runtime::Error;
using ::executorch::runtime::Result;

Result<BufferDataSink> BufferDataSink::create(::executorch::runtime::Span<uint8_t> buffer, size_t alignment) noexcept {
  ET_CHECK_OR_RETURN_ERROR(alignment != 0 && (alignment & (alignment - 1)) == 0, InvalidArgument,
                           "an alignment of %zu is no power of two", alignment);
  return BufferDataSink(buffer, alignment);
}

Result<BufferDataSink> BufferDataSink::create(void* ptr, size_t size, size_t alignment) noexcept {
  return create({static_cast<uint8_t*>(ptr), size}, alignment);
}

Result<size_t> BufferDataSink::store(const void* ptr, size_t size) {
  if (size == 0) {
    return used_;
  }
  const uintptr_t end = reinterpret_cast<uintptr_t>(buffer_.data()) + used_;
  const size_t gap = static_cast<size_t>(0 - end) & (alignment_ - 1);
  const size_t left = buffer_.size() - used_;
  ET_CHECK_OR_RETURN_ERROR(gap <= left && size <= left - gap, OutOfResources,
                           "the debug buffer of %zu bytes is full: %zu are left, a tensor needs %zu", buffer_.size(),
                           left, size + gap);
  std::memset(buffer_.data() + used_, 0, gap);
  std::memcpy(buffer_.data() + used_ + gap, ptr, size);
  used_ += gap + size;
  return used_ - size;
}

}  // namespace etdump
}  // namespace executorch
