// SPDX-License-Identifier: BSD-3-Clause
// Device: the memory in which a tensor's data lies. On a microcontroller that is CPU, index 0.
// Values of another device are only carried along.
//
//     if (!tensor.device().is_cpu()) { return Error::NotSupported; }

#pragma once

#include <cstddef>
#include <cstdint>

namespace executorch::runtime::etensor {

/// A kind of device; the numbers are part of the program format.
enum class DeviceType : int8_t {
  CPU = 0,
  CUDA = 1,
};

constexpr size_t kNumDeviceTypes = 2;

/// Which device of its kind.
using DeviceIndex = int8_t;

struct Device final {
  using Type = DeviceType;

  /* implicit */ constexpr Device(DeviceType type, DeviceIndex index = 0) : type_(type), index_(index) {}

  constexpr DeviceType type() const noexcept { return type_; }
  constexpr bool is_cpu() const noexcept { return type_ == DeviceType::CPU; }
  constexpr DeviceIndex index() const noexcept { return index_; }

  constexpr bool operator==(const Device& other) const noexcept {
    return type_ == other.type_ && index_ == other.index_;
  }
  constexpr bool operator!=(const Device& other) const noexcept { return !(*this == other); }

 private:
  DeviceType type_;
  DeviceIndex index_;
};

}  // namespace executorch::runtime::etensor

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::etensor::Device;
using ::executorch::runtime::etensor::DeviceType;
}  // namespace torch::executor
