// SPDX-License-Identifier: BSD-3-Clause
// How much stack was used: unused stack is painted, the deepest word that lost its paint marks the peak. The stack lies
// at the bottom of RAM, so that running out of it faults instead of overwriting data.

#include <wick/board.h>

#include "boards/common/cortex_m.h"

extern "C" {
extern uint32_t __wick_stack_limit[];
extern uint32_t __wick_stack_top[];
}

namespace {

constexpr uint32_t kPaint = 0xC0DEFACEU;

// Words below the stack pointer that are left alone: the compiler may push registers after the pointer was read.
constexpr int kMargin = 16;

uint32_t* stack_pointer() {
  uint32_t* pointer = nullptr;
  asm volatile("mov %0, sp" : "=r"(pointer));
  return pointer;
}

size_t bytes_above(const uint32_t* word) { return static_cast<size_t>(__wick_stack_top - word) * sizeof(uint32_t); }

}  // namespace

void wick::boards::paint_stack() {
  const uint32_t* const end = stack_pointer() - kMargin;
  for (uint32_t* word = __wick_stack_limit; word < end; ++word) {
    *word = kPaint;
  }
}

size_t wick_board_stack_size() { return bytes_above(__wick_stack_limit); }

size_t wick_board_stack_paint() {
  wick::boards::paint_stack();
  return bytes_above(stack_pointer());
}

size_t wick_board_stack_peak() {
  const uint32_t* word = __wick_stack_limit;
  while (word < __wick_stack_top && *word == kPaint) {
    ++word;
  }
  return bytes_above(word);
}
