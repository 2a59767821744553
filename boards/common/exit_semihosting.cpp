// SPDX-License-Identifier: BSD-3-Clause
// wick_board_exit() for boards that run in an emulator or under a debugger.

#include <wick/board.h>
#include <wick/semihosting.h>

void wick_board_exit(int status) { wick::semihosting::exit(status); }
