// SPDX-License-Identifier: BSD-3-Clause
// Raspberry Pi Pico (RP2040): 125 MHz from the crystal, UART 0 on GPIO 0 (TX) and 1 (RX), and the microsecond timer.

#include <wick/board.h>

#include "boards/pico/rp2.h"

namespace {

using wick::boards::reg;

constexpr wick::boards::Rp2 kChip{0x4000C000,         0x40024000, 0x40008000,
                                  0x40028000,         0x40014000, 0x4001C000,
                                  0x40034000,         0x40054000, 1U << 5 | 1U << 8 | 1U << 12 | 1U << 21 | 1U << 22,
                                  6U << 16 | 2U << 12};
constexpr uintptr_t kWatchdogTick = 0x4005802C;

}  // namespace

void wick::boards::init_devices() {
  kChip.start_clocks();
  reg(kWatchdogTick) = 1U << 9 | 12U;  // the timer counts every 12th clock of the crystal
  kChip.start_uart();
}

const char* wick_board_name() { return "pico"; }

void wick_board_write(const char* text, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    kChip.write(text[i]);
  }
}

uint64_t wick_board_ticks() { return kChip.microseconds(); }

// 64 ns per instruction, as on the emulated boards.
uint64_t wick_board_ticks_to_instructions(uint64_t ticks) { return ticks * 125U >> 3; }
