// SPDX-License-Identifier: BSD-3-Clause
// wick_board_exit() for boards without a debugger: the end is a sleep.

#include <wick/board.h>

void wick_board_exit(int) {
  for (;;) {
    asm volatile("wfi");
  }
}
