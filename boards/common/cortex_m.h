// SPDX-License-Identifier: BSD-3-Clause
// Between the shared Cortex-M sources of boards/common and one board's own file: who provides what.

#pragma once

#include <stdint.h>

namespace wick::boards {

/// A register at an address.
inline volatile uint32_t& reg(uintptr_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

/// Console and counter of the board; called once before constructors. Provided by boards/<name>/board.cpp.
void init_devices();

/// Fills the unused part of the stack with a pattern; stack.cpp.
void paint_stack();

/// Gives memory, bus and usage faults their own exceptions where the core has them, and guards the stack by the MPU
/// where there is no stack limit register; fault.cpp.
void enable_fault_handlers();

/// Arm CMSDK APB UART: data, state (bit 0: transmitter full), control (bit 0: transmit), baud divider.
struct CmsdkUart {
  uintptr_t base;

  void init() const {
    reg(base + 0x10) = 16;
    reg(base + 0x08) = 1;
  }

  void write(char byte) const {
    while ((reg(base + 0x04) & 1U) != 0) {
    }
    reg(base) = static_cast<uint8_t>(byte);
  }
};

/// Arm CMSDK APB timer, a 32-bit down counter run as a free-running clock and extended to 64 bits by software.
class CmsdkTimer {
 public:
  constexpr explicit CmsdkTimer(uintptr_t base) : base_(base) {}

  void init() const {
    reg(base_ + 0x08) = 0xFFFFFFFFU;  // reload
    reg(base_ + 0x04) = 0xFFFFFFFFU;  // value
    reg(base_) = 1;                   // enable
  }

  uint64_t ticks() {
    const uint32_t low = 0xFFFFFFFFU - reg(base_ + 0x04);
    high_ += low < low_ ? 1U : 0U;
    low_ = low;
    return (static_cast<uint64_t>(high_) << 32) | low;
  }

 private:
  uintptr_t base_;
  uint32_t low_ = 0;
  uint32_t high_ = 0;
};

}  // namespace wick::boards
