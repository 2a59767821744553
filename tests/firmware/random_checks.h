// SPDX-License-Identifier: BSD-3-Clause
// What the tests of kernels on a board share: numbers that are the same in every run, and a first failure that is told.
#pragma once

#include <stdint.h>
#include <wick/board.h>

namespace {

uint32_t state = 1;
int32_t between(int32_t low, int32_t high) {
  state = state * 1664525U + 1013904223U;
  return low + static_cast<int32_t>((state >> 8) % static_cast<uint32_t>(high - low + 1));
}

bool failed = false;
void check(bool good, const char* what) {
  if (!good && !failed) {
    failed = true;
    wick_board_puts("FAIL: ");
    wick_board_puts(what);
    wick_board_puts("\n");
  }
}

}  // namespace
