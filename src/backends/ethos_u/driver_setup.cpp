// SPDX-License-Identifier: BSD-3-Clause
// What the NPU is told before it runs: reset, bus settings, regions; and whether it is the one that the program wants.
#include <executorch/runtime/platform/log.h>

#include "src/backends/ethos_u/driver.h"
#include "src/backends/ethos_u/registers.h"

namespace wick::ethos_u {

using executorch::runtime::Error;

namespace {

constexpr uint32_t kAddressAlign = 16;

constexpr uint32_t axi_limit(uint32_t reads, uint32_t writes) { return (reads - 1) << 16 | (writes - 1) << 24; }

[[maybe_unused]] const char* name_of(uint32_t config) {
  constexpr const char* kNames[] = {"ethos-u55", "ethos-u65", "ethos-u85"};
  return product_of(config) <= kU85 ? kNames[product_of(config)] : "ethos-u (unknown)";
}

}  // namespace

// From power-on to registers that can be set.
Error Driver::start() {
  config_ = read(kConfig);
  const uint32_t id = read(kId);
  constexpr uint32_t kFewest = 32;
  constexpr uint32_t kMost = 2048;
  if (id == 0 || id == UINT32_MAX || product_of(config_) > kU85 || macs_of(config_) < kFewest ||
      macs_of(config_) > kMost) {
    ET_LOG(Error,
           "Ethos-U: nothing known answers at 0x%08x (ID 0x%08x, CONFIG 0x%08x): address, clock and power right?",
           static_cast<unsigned>(settings_.base), static_cast<unsigned>(id), static_cast<unsigned>(config_));
    return Error::NotFound;
  }
  return reset();
}

Error Driver::reset() const {
  constexpr int kMostReads = 100000;
  const uint32_t request = (settings_.privileged ? 1U : 0U) | (settings_.secure ? 0U : 2U);
  write(kReset, request);
  int reads = 0;
  while ((read(kStatus) & kResetPending) != 0) {
    if (++reads == kMostReads) {
      ET_LOG(Error, "Ethos-U: the reset does not end: is the NPU's clock on?");
      return Error::AccessFailed;
    }
  }
  if ((read(kProt) & 3) != request) {
    ET_LOG(Error, "Ethos-U: the NPU refuses to be %s and %s: set Settings::secure and privileged as the firmware runs",
           settings_.secure ? "secure" : "non-secure", settings_.privileged ? "privileged" : "unprivileged");
    return Error::AccessFailed;
  }
  write(kCmd, 0);  // powered until it is told otherwise
  set_bus();
  return Error::Ok;
}

void Driver::set_bus() const {
  const uint32_t product = product_of(config_);
  const uint32_t limit = product == kU55 ? axi_limit(32, 16) : axi_limit(64, 32);
  const uint32_t attributes[] = {0, 0, 1U << 2, 1U << 2};  // U85: 0, 1 the SRAM port, 2, 3 the external one
  uint32_t any = 0;
  for (const uint32_t value : settings_.bus) any |= value;
  for (uint32_t i = 0; i < 4; ++i) {
    write(kBus + 4 * i, any != 0 ? settings_.bus[i] : product == kU85 ? attributes[i] : limit);
  }
  if (product != kU85) return;
  constexpr uint32_t kLongBursts = 2;  // 256 bytes
  write(kAxiSram, axi_limit(12, 16) | kLongBursts);
  write(kAxiExt, axi_limit(64, 32) | kLongBursts);
}

// The same rules as the hardware's documentation gives for CONFIG and ID: product, MACs and version of the stream are
// equal; the architecture's major revision too, and its minor one is not older.
Error Driver::check(const CommandData& data) const {
  constexpr uint32_t kCustomDma = 1U << 27;
  constexpr uint32_t kStreamVersion = 0xF0;
  const uint32_t id = read(kId);
  const uint32_t u85_ports = product_of(config_) == kU85 ? 0x3700U : 0U;  // SRAM and external ports, weight decoders
  constexpr uint32_t kProductAndMacs = 0xF000000F;
  if (((config_ ^ data.config) & (kProductAndMacs | kStreamVersion | u85_ports)) != 0) {
    ET_LOG(Error, "Ethos-U: the program is compiled for %s-%u (CONFIG 0x%08x), this is %s-%u (CONFIG 0x%08x)",
           name_of(data.config), static_cast<unsigned>(macs_of(data.config)), static_cast<unsigned>(data.config),
           name_of(config_), static_cast<unsigned>(macs_of(config_)), static_cast<unsigned>(config_));
    return Error::DelegateInvalidCompatibility;
  }
  if ((data.config & kCustomDma & ~config_) != 0) {
    ET_LOG(Error, "Ethos-U: the program is compiled for an NPU with a custom DMA, this one has none");
    return Error::DelegateInvalidCompatibility;
  }
  if (id >> 28 != data.id >> 28 || (id >> 20 & 0xFF) < (data.id >> 20 & 0xFF)) {
    ET_LOG(Error, "Ethos-U: the program is compiled for architecture %u.%u, this NPU is %u.%u",
           static_cast<unsigned>(data.id >> 28), static_cast<unsigned>(data.id >> 20 & 0xFF),
           static_cast<unsigned>(id >> 28), static_cast<unsigned>(id >> 20 & 0xFF));
    return Error::DelegateInvalidCompatibility;
  }
  return Error::Ok;
}

// Two bits a region: 0 and 1 are the SRAM port, 2 and 3 the flash or DRAM port.
uint32_t Driver::region_config() const {
  constexpr uint32_t kOthers = 0x5555U & ~0x3FU;
  MemoryMode mode = settings_.memory_mode;
  if (mode == MemoryMode::kDefault) {
    mode = product_of(config_) == kU65 ? MemoryMode::kDedicatedSram : MemoryMode::kSharedSram;
  }
  const uint32_t weights = mode == MemoryMode::kSramOnly ? 1 : 3;
  const uint32_t scratch = mode == MemoryMode::kDedicatedSram ? 2 : 0;
  const uint32_t fast_scratch = 1;
  return kOthers | weights | scratch << 2 | fast_scratch << 4;
}

void Driver::write_address(uint32_t offset, uint64_t address) const {
  write(offset, static_cast<uint32_t>(address));
  if (product_of(config_) != kU55) write(offset + 4, static_cast<uint32_t>(address >> 32));
}

Error Driver::set_regions(const CommandData& data, const Inference& inference) const {
  const Port& port = settings_.port;
  const struct {
    const void* data;
    size_t bytes;
    int index;
  } regions[] = {{data.stream.data, data.stream.size, kCommandStream},
                 {inference.weights.data, inference.weights.size, 0},
                 {inference.scratch, inference.scratch_size, 1},
                 {inference.fast_scratch, inference.fast_scratch_size, 2}};
  const uint64_t most = product_of(config_) == kU55 ? UINT32_MAX : (uint64_t{1} << 40) - 1;
  for (const auto& region : regions) {
    if (region.data == nullptr) continue;
    const uint64_t address = port.to_npu(port.context, region.data, region.bytes, region.index);
    if (address % kAddressAlign != 0 || address > most) {
      ET_LOG(Error, "Ethos-U: region %d is at 0x%llx of the NPU's bus, which is %s", region.index,
             static_cast<unsigned long long>(address), address > most ? "out of its reach" : "not a multiple of 16");
      return Error::InvalidArgument;
    }
    if (region.index == kCommandStream) {
      write_address(kQbase, address);
    } else {
      write_address(kBasep + 8 * static_cast<uint32_t>(region.index), address);
    }
  }
  write(kQsize, static_cast<uint32_t>(data.stream.size));
  write(kQconfig, settings_.memory_mode == MemoryMode::kSramOnly ? 0 : 2);
  write(kRegionConfig, region_config());
  constexpr uint32_t kCountCycles = 1U << 31;
  write(kPmcr, 1U << 2 | 1U);  // counters on, cycles from 0
  write(kPmcntenset, kCountCycles);
  return Error::Ok;
}

}  // namespace wick::ethos_u
