// SPDX-License-Identifier: BSD-3-Clause
// A chip with an NPU for tests of the driver: registers of the functional model, a bus on which memory has other
// addresses than for the processor, power that loses all registers, an interrupt line, and faults on demand.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "npu/register_file.h"
#include "wick/ethos_u.h"

namespace wick::ethos_u {

class Chip {
 public:
  static constexpr uintptr_t kBase = 0x48102000;

  explicit Chip(const char* part) : workspace_(size_t{1} << 20) {
    EXPECT_TRUE(npu::config_from_name(part, config_)) << part;
  }

  /// What goes wrong.
  bool answers = true;        ///< false: all registers read 0
  bool hangs = false;         ///< the NPU never ends
  bool allows_secure = true;  ///< false: the firmware is non-secure
  bool has_power = true;      ///< false: the power controller refuses
  bool hears_reset = true;    ///< false: STATUS.reset_status stays

  /// The interrupt line, called when it rises; unset: not connected.
  std::function<void()> interrupt;

  Settings settings() {
    Settings settings;
    settings.base = kBase;
    settings.port = port();
    return settings;
  }

  /// Ranges of cache maintenance, power and runs, in order: "power on", "clean 340", "run", "invalidate 1372", ...
  std::vector<std::string> events;
  /// The registers as the last run found them.
  std::map<uint32_t, uint32_t> at_run;

 private:
  static Chip& self(void* context) { return *static_cast<Chip*>(context); }

  Port port() {
    Port port;
    port.context = this;
    port.read32 = [](void* context, uintptr_t address) { return self(context).read(address); };
    port.write32 = [](void* context, uintptr_t address, uint32_t value) { self(context).write(address, value); };
    port.to_npu = [](void* context, const void* pointer, size_t bytes, int region) {
      return self(context).map(pointer, bytes, region);
    };
    port.clean = [](void* context, const void*, size_t bytes) { self(context).note("clean", bytes); };
    port.invalidate = [](void* context, void*, size_t bytes) { self(context).note("invalidate", bytes); };
    port.wake = [](void*) {};
    port.power = [](void* context, bool on) { return self(context).power(on); };
    return port;
  }

  void note(const char* what, size_t bytes) { events.push_back(what + (" " + std::to_string(bytes))); }

  bool power(bool on) {
    events.push_back(on ? "power on" : "power off");
    if (!has_power) return false;
    registers_.reset();
    if (on) registers_.emplace(config_, npu::Workspace{workspace_.data(), workspace_.size()}, lookup, this);
    return true;
  }

  uint32_t read(uintptr_t address) {
    EXPECT_TRUE(registers_.has_value()) << "read without power";
    const auto offset = static_cast<uint32_t>(address - kBase);
    if (!answers || !registers_) return 0;
    if (!hears_reset && offset == npu::kRegisterStatus) return 1U << 3;
    return registers_->read(offset);
  }

  void write(uintptr_t address, uint32_t value) {
    EXPECT_TRUE(registers_.has_value()) << "write without power";
    auto offset = static_cast<uint32_t>(address - kBase);
    if (!answers || !registers_) return;
    if (offset == npu::kRegisterReset && !allows_secure) value |= 2;
    if (offset == npu::kRegisterCmd && (value & 1) != 0) {
      events.push_back("run");
      for (uint32_t i = 0; i < 0xC0; i += 4) at_run[i] = registers_->read(i);
      if (hangs) return;
    }
    const bool before = registers_->interrupt();
    registers_->write(offset, value);
    if (!before && registers_->interrupt() && interrupt) interrupt();
  }

  // Each region at a bus address of its own, which the processor could not use.
  uint64_t map(const void* pointer, size_t bytes, int region) {
    const uint64_t address = 0x90000000 + 0x01000000 * static_cast<uint64_t>(region + 1);
    auto* data = const_cast<uint8_t*>(static_cast<const uint8_t*>(pointer));
    memory_[address] = region == 1 || region == 2 ? npu::read_write(data, bytes) : npu::read_only(data, bytes);
    return address;
  }

  static npu::Region lookup(void* context, uint64_t address) {
    const auto found = self(context).memory_.find(address);
    return found == self(context).memory_.end() ? npu::Region{} : found->second;
  }

  npu::Config config_;
  std::vector<uint8_t> workspace_;
  std::map<uint64_t, npu::Region> memory_;
  std::optional<npu::RegisterFile> registers_;
};

}  // namespace wick::ethos_u
