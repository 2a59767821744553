// SPDX-License-Identifier: BSD-3-Clause
// Registers of the Ethos-U that the driver uses, by offset, and their bits.
#pragma once

#include <cstdint>

namespace wick::ethos_u {

enum Register : uint32_t {
  kId = 0x000,
  kStatus = 0x004,
  kCmd = 0x008,
  kReset = 0x00C,
  kQbase = 0x010,
  kQread = 0x018,
  kQconfig = 0x01C,
  kQsize = 0x020,
  kProt = 0x024,
  kConfig = 0x028,
  kPowerControl = 0x038,  // U85
  kRegionConfig = 0x03C,
  kBus = 0x040,      // AXI_LIMIT0..3; U85: MEM_ATTR0..3
  kAxiSram = 0x050,  // U85
  kAxiExt = 0x054,   // U85
  kBasep = 0x080,    // eight, low and high word
  kPmcr = 0x180,
  kPmccntr = 0x1A0,  // 48 bits
  kPmcntenset = 0x184,
};

enum StatusBits : uint32_t {
  kIrqRaised = 1U << 1,
  kBusFault = 1U << 2,
  kResetPending = 1U << 3,
  kParseError = 1U << 4,
  kEndReached = 1U << 5,
  kWeightFault = 1U << 7,
  kEccFault = 1U << 8,
  kBranchFault = 1U << 9,  // U85
  kFaults = kBusFault | kParseError | kWeightFault | kEccFault | kBranchFault,
};
constexpr uint32_t kFaultChannelShift = 12;

enum CmdBits : uint32_t { kRun = 1U << 0, kClearIrq = 1U << 1, kMayPowerDown = 3U << 2 };

enum ProductNumber : uint32_t { kU55 = 0, kU65 = 1, kU85 = 2 };
constexpr uint32_t product_of(uint32_t config) { return config >> 28; }
constexpr uint32_t macs_of(uint32_t config) { return 1U << (config & 15); }

}  // namespace wick::ethos_u
