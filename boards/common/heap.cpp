// SPDX-License-Identifier: BSD-3-Clause
// operator new and delete of a firmware with a heap (WICK_HEAP): malloc, and a plain message instead of an exception
// when it is exhausted.

#include <stdlib.h>
#include <wick/board.h>

#include <new>

void* operator new(size_t bytes) {
  void* const memory = malloc(bytes != 0 ? bytes : 1);
  if (memory == nullptr) {
    wick_board_puts("operator new: the heap is exhausted; give the firmware more HEAP (WICK_HEAP)\n");
    wick_board_exit(71);
  }
  return memory;
}
void* operator new[](size_t bytes) { return operator new(bytes); }
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, size_t) noexcept { free(memory); }
void operator delete[](void* memory, size_t) noexcept { free(memory); }
