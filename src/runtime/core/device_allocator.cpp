// SPDX-License-Identifier: BSD-3-Clause
// The registry of device allocators, a constant-initialised array, and buffers made from it.

#include <executorch/runtime/core/device_allocator.h>
#include <executorch/runtime/core/device_memory_buffer.h>

namespace executorch::runtime {

DeviceAllocatorRegistry DeviceAllocatorRegistry::registry_;

DeviceAllocatorRegistry& DeviceAllocatorRegistry::instance() { return registry_; }

void DeviceAllocatorRegistry::register_allocator(DeviceAllocator* alloc) {
  ET_CHECK_MSG(alloc != nullptr, "the allocator to register is null");
  const size_t index = static_cast<size_t>(alloc->device_type());
  ET_CHECK_MSG(index < etensor::kNumDeviceTypes, "no device type has number %zu", index);
  ET_CHECK_MSG(allocators_[index] == nullptr, "Allocator already registered for device type %zu", index);
  allocators_[index] = alloc;
}

DeviceAllocator* DeviceAllocatorRegistry::get_allocator(etensor::DeviceType type) {
  const size_t index = static_cast<size_t>(type);
  return index < etensor::kNumDeviceTypes ? allocators_[index] : nullptr;
}

void register_device_allocator(DeviceAllocator* alloc) {
  DeviceAllocatorRegistry::instance().register_allocator(alloc);
}

DeviceAllocator* get_device_allocator(etensor::DeviceType type) {
  return DeviceAllocatorRegistry::instance().get_allocator(type);
}

Result<DeviceMemoryBuffer> DeviceMemoryBuffer::create(size_t size, etensor::DeviceType type, etensor::DeviceIndex index,
                                                      size_t alignment) {
  DeviceAllocator* const allocator = get_device_allocator(type);
  ET_CHECK_OR_RETURN_ERROR(allocator != nullptr, NotFound,
                           "device type %d has no allocator: call register_device_allocator() first",
                           static_cast<int>(type));
  Result<void*> data = allocator->allocate(size, index, alignment);
  if (!data.ok()) {
    return data.error();
  }
  return DeviceMemoryBuffer(*data, size, allocator, index);
}

}  // namespace executorch::runtime
