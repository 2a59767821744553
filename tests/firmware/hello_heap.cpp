// SPDX-License-Identifier: BSD-3-Clause
// A firmware that asked for a heap: malloc, new, printf and a class with a virtual destructor work, and a request
// beyond the heap is refused.

#include <stdio.h>
#include <stdlib.h>
#include <wick/board.h>

namespace {

struct Base {
  virtual ~Base() = default;
  virtual int value() const = 0;
};

struct Derived : Base {
  int value() const override { return 42; }
};

}  // namespace

int main() {
  Base* const object = new Derived;
  const bool virtual_works = object->value() == 42;
  delete object;
  void* volatile block = malloc(32768);
  const bool block_works = block != nullptr;
  free(block);
  void* volatile large = malloc(1U << 20);
  const bool refused = large == nullptr;
  const bool stack_works = wick_board_stack_size() == 4096;
  printf("virtual %d, 32 KB %d, 1 MB refused %d, stack of 4096 %d\n", virtual_works, block_works, refused, stack_works);
  const bool good = virtual_works && block_works && refused && stack_works;
  puts(good ? "PASS" : "FAILED");
  return good ? 0 : 1;
}
