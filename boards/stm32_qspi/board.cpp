// SPDX-License-Identifier: BSD-3-Clause
// ST B-L475E-IOT01A (STM32L475): 4 MHz from the internal oscillator as after reset, USART 1 on PB6 (to the debugger's
// serial port), QSPI flash on PE10 to PE15, mapped to 0x90000000 before main(). For another STM32: clocks and pins.

#include <wick/board.h>

#include "boards/common/cortex_m.h"

namespace {

using wick::boards::reg;

constexpr uintptr_t kRcc = 0x40021000;
constexpr uintptr_t kGpioB = 0x48000400;
constexpr uintptr_t kGpioE = 0x48001000;
constexpr uintptr_t kUsart1 = 0x40013800;
constexpr uintptr_t kQuadSpi = 0xA0001000;
constexpr uintptr_t kDemcr = 0xE000EDFC;
constexpr uintptr_t kDwt = 0xE0001000;

/// Gives a pin to a peripheral, at high speed.
void connect(uintptr_t port, unsigned pin, uint32_t function) {
  reg(port + 0x08) |= 2U << 2 * pin;
  volatile uint32_t& select = reg(port + 0x20 + 4 * (pin / 8));
  select = (select & ~(0xFU << 4 * (pin % 8))) | function << 4 * (pin % 8);
  reg(port) = (reg(port) & ~(3U << 2 * pin)) | 2U << 2 * pin;
}

void start_uart() {
  connect(kGpioB, 6, 7);
  reg(kUsart1 + 0x0C) = 35;          // 4 MHz / 115200 baud
  reg(kUsart1) = 1U << 0 | 1U << 3;  // enabled, transmitter
}

/// Fast read (0x0B: one line, a 24-bit address, 8 dummy cycles), which every flash knows without being configured. For
/// four lines take 0x6B with DMODE 3, and set the flash's QE bit first.
void map_flash() {
  for (unsigned pin = 10; pin < 16; ++pin) {
    connect(kGpioE, pin, 10);
  }
  constexpr uint32_t kSize = 22;  // 2^(22 + 1) bytes
  reg(kQuadSpi + 0x04) = kSize << 16 | 1U << 8;
  reg(kQuadSpi) = 0U << 24 | 1U << 4 | 1U;         // clock undivided, sampled half a cycle later, enabled
  while ((reg(kQuadSpi + 0x08) & 1U << 5) != 0) {  // busy
  }
  constexpr uint32_t kMemoryMapped = 3U << 26;
  reg(kQuadSpi + 0x14) = kMemoryMapped | 1U << 24 | 8U << 18 | 2U << 12 | 1U << 10 | 1U << 8 | 0x0B;
}

}  // namespace

void wick::boards::init_devices() {
  reg(kRcc + 0x4C) |= 1U << 1 | 1U << 4;  // GPIO B and E
  reg(kRcc + 0x50) |= 1U << 8;            // QUADSPI
  reg(kRcc + 0x60) |= 1U << 14;           // USART 1
  start_uart();
  map_flash();
  reg(kDemcr) |= 1U << 24;  // the cycle counter
  reg(kDwt) |= 1U;
}

const char* wick_board_name() { return "stm32_qspi"; }

void wick_board_write(const char* text, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    while ((reg(kUsart1 + 0x1C) & 1U << 7) == 0) {  // not empty yet
    }
    reg(kUsart1 + 0x28) = static_cast<uint8_t>(text[i]);
  }
}

uint64_t wick_board_ticks() { return reg(kDwt + 0x04); }

// Cycles stand for instructions here.
uint64_t wick_board_ticks_to_instructions(uint64_t ticks) { return ticks; }
