// SPDX-License-Identifier: BSD-3-Clause
//
// printf to the board's console, by the formatter that wick's log uses: no libc printf, no heap.
#pragma once

#include <wick/board.h>
#include <wick/format.h>

#include <cstdarg>

__attribute__((format(printf, 1, 2))) inline void print(const char* format, ...) {
  char line[160];
  va_list args;
  va_start(args, format);
  wick::format_va(line, sizeof(line), format, args);
  va_end(args);
  wick_board_puts(line);
}
