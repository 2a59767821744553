// SPDX-License-Identifier: BSD-3-Clause
// What the C++ ABI wants of a firmware that does not unwind; the C++ library's own versions bring in its terminate
// handler and with it printf and malloc.

#include <wick/board.h>

extern "C" {

[[noreturn]] void __cxa_pure_virtual();
[[noreturn]] void __cxa_deleted_virtual();

void __cxa_pure_virtual() {
  wick_board_puts("pure virtual function called\n");
  wick_board_exit(134);
}

void __cxa_deleted_virtual() {
  wick_board_puts("deleted virtual function called\n");
  wick_board_exit(134);
}

}  // extern "C"
