// SPDX-License-Identifier: BSD-3-Clause
// The memory-mapped front end: the NPU's registers as a driver sees them. A write of CMD.run executes the whole stream
// before it returns and raises the interrupt; nothing runs in the background.
//   wick::npu::RegisterFile npu(config, {workspace, sizeof workspace}, lookup, &memory_map);
//   npu.write(wick::npu::kRegisterCmd, 1);   // run
//   if (npu.interrupt()) handler();
#pragma once

#include <cstdint>

#include "npu/machine.h"

namespace wick::npu {

// Offsets of the registers that a driver uses (docs/npu.md lists all that answer).
enum RegisterOffset : std::uint32_t {
  kRegisterId = 0x000,
  kRegisterStatus = 0x004,
  kRegisterCmd = 0x008,
  kRegisterReset = 0x00C,
  kRegisterQbase = 0x010,
  kRegisterQbaseHigh = 0x014,
  kRegisterQread = 0x018,
  kRegisterQconfig = 0x01C,
  kRegisterQsize = 0x020,
  kRegisterProt = 0x024,
  kRegisterConfig = 0x028,
  kRegisterLock = 0x02C,
  kRegisterRegionConfig = 0x03C,
  kRegisterBasep0 = 0x080,  // low word; high word 4 above; 8 regions, 8 bytes apart
};

// What lies at a bus address: the memory from there to the end of its block. A null `read` means nothing answers.
using BusLookup = Region (*)(void* context, std::uint64_t address);

class RegisterFile {
 public:
  RegisterFile(const Config& config, Workspace workspace, BusLookup lookup, void* lookup_context,
               const Options& options = {});

  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value);

  // Level of the interrupt line.
  bool interrupt() const { return (status_ & kIrqRaised) != 0; }
  // How the last run ended, with the fault in words.
  const Result& result() const { return result_; }

 private:
  static constexpr std::uint32_t kIrqRaised = 1u << 1;
  void reset(std::uint32_t request);
  void command(std::uint32_t value);
  void run_stream();
  std::uint32_t stored(std::uint32_t offset) const { return words_[offset / 4]; }

  const Config config_;
  const Workspace workspace_;
  const BusLookup lookup_;
  void* const lookup_context_;
  const Options options_;
  Result result_;
  std::uint32_t status_ = 0, command_ = 0, protection_ = 0;
  std::uint64_t cycle_counter_ = 0;
  std::uint32_t words_[0xC0 / 4] = {};  // 0x000 to 0x0BF
  std::uint32_t pmu_control_ = 0;
};

}  // namespace wick::npu
