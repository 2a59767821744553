// SPDX-License-Identifier: BSD-3-Clause
// DeviceAllocator: memory of a device that the CPU cannot address, and copies to and from it; one is registered per
// type. A chip whose NPU shares the CPU's memory has no use for it.
//
//     static MyAllocator allocator;
//     register_device_allocator(&allocator);

#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/memory_allocator.h>
#include <executorch/runtime/core/portable_type/device.h>
#include <executorch/runtime/core/result.h>
#include <wick/virtual_delete.h>

#include <cstddef>

namespace executorch::runtime {

class DeviceAllocator {
 public:
  WICK_DELETE_WITHOUT_HEAP

  static constexpr size_t kDefaultAlignment = MemoryAllocator::kDefaultAlignment;

  virtual ~DeviceAllocator() = default;

  /// `nbytes` of the device `index`, and their release.
  virtual Result<void*> allocate(size_t nbytes, etensor::DeviceIndex index, size_t alignment = kDefaultAlignment) = 0;
  virtual void deallocate(void* ptr, etensor::DeviceIndex index) = 0;

  /// Copies `nbytes`, complete when the call returns.
  virtual Error copy_host_to_device(void* dst, const void* src, size_t nbytes, etensor::DeviceIndex index) = 0;
  virtual Error copy_device_to_host(void* dst, const void* src, size_t nbytes, etensor::DeviceIndex index) = 0;

  virtual etensor::DeviceType device_type() const = 0;
};

/// The allocator of each device type. Register before the first load, then it is only read.
class DeviceAllocatorRegistry {
 public:
  static DeviceAllocatorRegistry& instance();

  /// Aborts when the allocator is null or its type has one already.
  void register_allocator(DeviceAllocator* alloc);
  /// Null when the type has none.
  DeviceAllocator* get_allocator(etensor::DeviceType type);

  DeviceAllocatorRegistry(const DeviceAllocatorRegistry&) = delete;
  DeviceAllocatorRegistry& operator=(const DeviceAllocatorRegistry&) = delete;

 private:
  constexpr DeviceAllocatorRegistry() = default;

  static DeviceAllocatorRegistry registry_;
  DeviceAllocator* allocators_[etensor::kNumDeviceTypes] = {};
};

/// The same with the one registry.
void register_device_allocator(DeviceAllocator* alloc);
DeviceAllocator* get_device_allocator(etensor::DeviceType type);

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::DeviceAllocator;
using ::executorch::runtime::DeviceAllocatorRegistry;
using ::executorch::runtime::get_device_allocator;
using ::executorch::runtime::register_device_allocator;
}  // namespace torch::executor
