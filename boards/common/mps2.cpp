// SPDX-License-Identifier: BSD-3-Clause
// Arm MPS2 AN385 (Cortex-M3) and AN386 (Cortex-M4), which differ in their core only: CMSDK UART 0 as the console, CMSDK
// timer 0 (25 MHz) as the clock.

#include <wick/board.h>

#include "boards/common/cortex_m.h"

namespace {

constexpr wick::boards::CmsdkUart kUart{0x40004000};
wick::boards::CmsdkTimer clock_timer(0x40000000);

}  // namespace

void wick::boards::init_devices() {
  clock_timer.init();
  kUart.init();
}

const char* wick_board_name() { return WICK_BOARD_NAME; }

void wick_board_write(const char* text, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    kUart.write(text[i]);
  }
}

uint64_t wick_board_ticks() { return clock_timer.ticks(); }

// 40 ns per tick, 64 ns per instruction.
uint64_t wick_board_ticks_to_instructions(uint64_t ticks) { return (ticks * 5U) >> 3; }
