// SPDX-License-Identifier: BSD-3-Clause
// Arm MPS3 AN547 (Corstone-300): FPGA UART 0, and the system counter of the SSE-300 (64 bits, 32 MHz) as the clock. The
// core starts in the secure state, hence the secure addresses.

#include <wick/board.h>

#include "boards/common/cortex_m.h"

namespace {

using wick::boards::reg;

constexpr wick::boards::CmsdkUart kUart{0x59303000};
constexpr uintptr_t kCounter = 0x58100000;  // control frame: CNTCR, CNTSR, CNTCV low, CNTCV high

}  // namespace

void wick::boards::init_devices() {
  reg(0xE000ED14) = reg(0xE000ED14) | 1U << 19;  // CCR.LOB: low-overhead loops
  reg(kCounter) = 1;
  kUart.init();
}

const char* wick_board_name() { return "an547"; }

void wick_board_write(const char* text, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    kUart.write(text[i]);
  }
}

wick_board_memory_t wick_board_ram_more() {
  constexpr uintptr_t kDdr = 0x60000000;
  return {reinterpret_cast<void*>(kDdr), wick_board_model().bytes};
}

uint64_t wick_board_ticks() {
  uint32_t high = reg(kCounter + 0x0C);
  for (;;) {
    const uint32_t low = reg(kCounter + 0x08);
    const uint32_t again = reg(kCounter + 0x0C);
    if (again == high) {
      return (static_cast<uint64_t>(high) << 32) | low;
    }
    high = again;
  }
}

// 31.25 ns per tick, 64 ns per instruction.
uint64_t wick_board_ticks_to_instructions(uint64_t ticks) { return (ticks * 125U) >> 8; }
