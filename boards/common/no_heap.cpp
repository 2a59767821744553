// SPDX-License-Identifier: BSD-3-Clause
// operator new and delete of a firmware without a heap. A class with a virtual destructor refers to operator delete
// even if nobody deletes it, and the C++ library's own would bring in free and malloc.

#include <wick/board.h>

#include <new>

namespace {

[[noreturn]] void no_heap() {
  wick_board_puts("operator new: this firmware has no heap; give it one with HEAP (WICK_HEAP)\n");
  wick_board_exit(71);
}

}  // namespace

void* operator new(size_t) { no_heap(); }
void* operator new[](size_t) { no_heap(); }
void operator delete(void*) noexcept {}
void operator delete[](void*) noexcept {}
void operator delete(void*, size_t) noexcept {}
void operator delete[](void*, size_t) noexcept {}
