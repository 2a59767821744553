// SPDX-License-Identifier: BSD-3-Clause
// Raspberry Pi Pico 2 (RP2350, Arm cores): 150 MHz from the crystal, UART 0 on GPIO 0 (TX) and 1 (RX), and the
// microsecond timer. The boot ROM sets the flash up itself; it looks for the block below in the first 4 KB of the
// image.

#include <wick/board.h>

#include "boards/pico/rp2.h"

namespace {

using wick::boards::reg;

constexpr wick::boards::Rp2 kChip{0x40020000,         0x40048000, 0x40010000,
                                  0x40050000,         0x40028000, 0x40038000,
                                  0x40070000,         0x400B0000, 1U << 6 | 1U << 9 | 1U << 14 | 1U << 23 | 1U << 26,
                                  5U << 16 | 2U << 12};
constexpr uintptr_t kTicksTimer0 = 0x40108018;

// A list of one item, IMAGE_TYPE: an executable for RP2350, Arm, secure. No further block (0).
[[gnu::section(".boot_block"), gnu::used]] const uint32_t boot_block[] = {0xFFFFDED3, 0x10210142, 0x000001FF, 0,
                                                                          0xAB123579};

}  // namespace

void wick::boards::init_devices() {
  kChip.start_clocks();
  reg(kTicksTimer0 + 4) = 12;  // the timer counts every 12th clock of the crystal
  reg(kTicksTimer0) = 1;
  kChip.start_uart();
}

const char* wick_board_name() { return "pico2"; }

void wick_board_write(const char* text, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    kChip.write(text[i]);
  }
}

uint64_t wick_board_ticks() { return kChip.microseconds(); }

// 64 ns per instruction, as on the emulated boards.
uint64_t wick_board_ticks_to_instructions(uint64_t ticks) { return ticks * 125U >> 3; }
