// SPDX-License-Identifier: BSD-3-Clause
// What RP2040 and RP2350 have in common, at different addresses: crystal, system PLL, UART 0 on GPIO 0 and 1, timer.

#pragma once

#include "boards/common/cortex_m.h"

namespace wick::boards {

/// Base addresses, and the bits of the reset controller.
struct Rp2 {
  uintptr_t resets, xosc, clocks, pll_sys, io_bank0, pads_bank0, uart0, timer;
  uint32_t reset_bits;    ///< IO bank, pads, PLL, UART and timer
  uint32_t post_divider;  ///< of the 1500 MHz VCO: PRIM register

  static constexpr uintptr_t kClear = 0x3000;  ///< offset of a register's alias that clears bits

  /// Ends the resets of a set of blocks.
  void release(uint32_t bits) const {
    reg(resets + kClear) = bits;
    while ((reg(resets + 0x08) & bits) != bits) {
    }
  }

  /// The 12 MHz crystal for clk_ref and clk_peri, the PLL for clk_sys.
  void start_clocks() const {
    reg(xosc + 0x0C) = 47;                   // start-up delay: 1 ms
    reg(xosc) = 0xFABU << 12 | 0xAA0U;       // enable, 1 to 15 MHz
    while ((reg(xosc + 0x04) >> 31) == 0) {  // stable
    }
    reg(clocks + 0x3C) = 0;  // clk_sys from clk_ref
    while ((reg(clocks + 0x44) & 1U) == 0) {
    }
    reg(clocks + 0x30) = 2;  // clk_ref from the crystal
    while ((reg(clocks + 0x38) & 4U) == 0) {
    }
    release(reset_bits);
    reg(pll_sys) = 1;                                  // reference divider
    reg(pll_sys + 0x08) = 125;                         // VCO: 12 MHz * 125
    reg(pll_sys + 0x04 + kClear) = 1U << 0 | 1U << 5;  // power up, and the VCO
    while ((reg(pll_sys) >> 31) == 0) {                // locked
    }
    reg(pll_sys + 0x0C) = post_divider;
    reg(pll_sys + 0x04 + kClear) = 1U << 3;  // post dividers
    reg(clocks + 0x3C) = 1;                  // clk_sys from its auxiliary source, the PLL
    while ((reg(clocks + 0x44) & 2U) == 0) {
    }
    reg(clocks + 0x48) = 1U << 11 | 4U << 5;  // clk_peri from the crystal, enabled
  }

  /// UART 0 (PL011) at 115200 baud, 8N1.
  void start_uart() const {
    for (unsigned pin = 0; pin < 2; ++pin) {
      reg(pads_bank0 + 0x04 + 4 * pin) = 0x52;  // input enabled, 4 mA, Schmitt trigger; not isolated
      reg(io_bank0 + 0x04 + 8 * pin) = 2;       // function UART
    }
    reg(uart0 + 0x24) = 6;  // 12 MHz / (16 * 115200) = 6 + 33 / 64
    reg(uart0 + 0x28) = 33;
    reg(uart0 + 0x2C) = 3U << 5 | 1U << 4;            // 8 bits, FIFOs
    reg(uart0 + 0x30) = 1U << 0 | 1U << 8 | 1U << 9;  // enabled, transmitter, receiver
  }

  void write(char byte) const {
    while ((reg(uart0 + 0x18) & 1U << 5) != 0) {  // FIFO full
    }
    reg(uart0) = static_cast<uint8_t>(byte);
  }

  /// Microseconds since reset.
  uint64_t microseconds() const {
    for (;;) {
      const uint32_t high = reg(timer + 0x24);
      const uint32_t low = reg(timer + 0x28);
      if (reg(timer + 0x24) == high) {
        return static_cast<uint64_t>(high) << 32 | low;
      }
    }
  }
};

}  // namespace wick::boards
