// SPDX-License-Identifier: BSD-3-Clause
// DeviceMemoryBuffer: memory of a device, given back at the end of its life.
// The address is the device's; the CPU must not follow it.
//
//     Result<DeviceMemoryBuffer> buffer = DeviceMemoryBuffer::create(1024, etensor::DeviceType::CUDA);

#pragma once

#include <executorch/runtime/core/device_allocator.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace executorch::runtime {

class DeviceMemoryBuffer final {
 public:
  /// NotFound when no allocator is registered for the type, or the allocator's error.
  static Result<DeviceMemoryBuffer> create(size_t size, etensor::DeviceType type, etensor::DeviceIndex index = 0,
                                           size_t alignment = DeviceAllocator::kDefaultAlignment);

  /// Empty.
  DeviceMemoryBuffer() = default;
  DeviceMemoryBuffer(DeviceMemoryBuffer&& other) noexcept { swap(other); }
  DeviceMemoryBuffer& operator=(DeviceMemoryBuffer&& other) noexcept {
    if (this != &other) {
      DeviceMemoryBuffer old;
      swap(old);
      swap(other);
    }
    return *this;
  }
  ~DeviceMemoryBuffer() {
    if (data_ != nullptr && allocator_ != nullptr) {
      allocator_->deallocate(data_, index_);
    }
  }

  DeviceMemoryBuffer(const DeviceMemoryBuffer&) = delete;
  DeviceMemoryBuffer& operator=(const DeviceMemoryBuffer&) = delete;

  void* data() const { return data_; }
  /// Size in bytes.
  size_t size() const { return size_; }
  Span<uint8_t> as_span() const { return {static_cast<uint8_t*>(data_), size_}; }

 private:
  DeviceMemoryBuffer(void* data, size_t size, DeviceAllocator* allocator, etensor::DeviceIndex index)
      : data_(data), size_(size), allocator_(allocator), index_(index) {}

  void swap(DeviceMemoryBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(allocator_, other.allocator_);
    std::swap(index_, other.index_);
  }

  void* data_ = nullptr;
  size_t size_ = 0;
  DeviceAllocator* allocator_ = nullptr;
  etensor::DeviceIndex index_ = 0;
};

}  // namespace executorch::runtime
