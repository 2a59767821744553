// SPDX-License-Identifier: BSD-3-Clause
// The parts of board.h that are the same on every Cortex-M board: text output, memory map from the linker script.

#include <wick/board.h>

extern "C" {
extern char __wick_model_start[];
extern char __wick_model_bytes[];
extern char __wick_ram_large_start[];
extern char __wick_ram_large_bytes[];
}

void wick_board_puts(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') {
    ++length;
  }
  wick_board_write(text, length);
}

// Sizes are symbols' addresses: the linker has no other way to give a number to a program.
wick_board_memory_t wick_board_model() { return {__wick_model_start, reinterpret_cast<uintptr_t>(__wick_model_bytes)}; }

wick_board_memory_t wick_board_ram_large() {
  return {__wick_ram_large_start, reinterpret_cast<uintptr_t>(__wick_ram_large_bytes)};
}

__attribute__((weak)) wick_board_memory_t wick_board_ram_more() { return wick_board_model(); }

uint64_t wick_board_instructions() { return wick_board_ticks_to_instructions(wick_board_ticks()); }
