// SPDX-License-Identifier: BSD-3-Clause
// Tests a board: console, constructors, model memory, instruction counter, stack measure; and on request each way to go
// wrong, which must end in a report and a status. The command line word says which.

#include <stdlib.h>
#include <string.h>
#include <wick/board.h>
#include <wick/semihosting.h>

#include <new>

namespace {

int constructed = 0;
volatile int zeroed_data[64];
volatile int initialised_data = 0x1234;

struct Constructed {
  Constructed() { constructed += 1; }
};
const Constructed first;
const Constructed second;

bool failed = false;

void check(bool good, const char* what) {
  if (!good) {
    failed = true;
    wick_board_puts("FAIL: ");
    wick_board_puts(what);
    wick_board_puts("\n");
  }
}

int finish() {
  wick_board_puts(failed ? "FAILED\n" : "PASS\n");
  return failed ? 1 : 0;
}

void print_number(const char* name, uint64_t value) {
  char digits[24];
  size_t from = sizeof(digits);
  digits[--from] = '\0';
  auto rest = static_cast<uint32_t>(value);
  do {
    digits[--from] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  wick_board_puts(name);
  wick_board_puts(digits + from);
  wick_board_puts("\n");
}

bool all_zero() {
  for (const volatile int& value : zeroed_data) {
    if (value != 0) {
      return false;
    }
  }
  return true;
}

/// memcpy, memmove and memset, which a board may bring, against loops: all sizes up to some vectors, at any place.
bool memory_functions_work() {
  static unsigned char got[128];
  static unsigned char want[128];
  for (size_t bytes = 0; bytes < 50; ++bytes) {
    for (size_t from = 0; from < 60; from += 7) {
      for (size_t i = 0; i < sizeof(got); ++i) {
        got[i] = want[i] = static_cast<unsigned char>(3 * i);
      }
      for (size_t i = 0; i < bytes; ++i) {
        want[30 + i] = static_cast<unsigned char>(3 * (from + i));
      }
      memmove(got + 30, got + from, bytes);
      if (memcmp(got, want, sizeof(got)) != 0) {
        return false;
      }
      memset(got + from, 0x101 * 5, bytes);
      for (size_t i = 0; i < bytes; ++i) {
        want[from + i] = 5;
      }
      if (memcmp(got, want, sizeof(got)) != 0) {
        return false;
      }
      for (size_t i = 0; i < bytes; ++i) {
        want[1 + from + i] = static_cast<unsigned char>(i + 100);
      }
      memcpy(got + 1 + from, want + 1 + from, bytes);
      if (memcmp(got, want, sizeof(got)) != 0) {
        return false;
      }
    }
  }
  return true;
}

__attribute__((noinline)) void use_stack() {
  volatile char block[1024];
  for (size_t i = 0; i < sizeof(block); ++i) {
    block[i] = 1;
  }
}

int checks() {
  wick_board_puts("hello from ");
  wick_board_puts(wick_board_name());
  wick_board_puts("\n");
  check(constructed == 2, "constructors of static objects run once each before main");
  check(all_zero(), ".bss is zero at start");
  check(initialised_data == 0x1234, ".data is initialised");
  check(memory_functions_work(), "memcpy, memmove and memset do what they say");
  const wick_board_memory_t model = wick_board_model();
  check(model.bytes >= 8U << 20 && memcmp(model.base, "model memory", 12) == 0, "a loaded file lies in model memory");
  const wick_board_memory_t large = wick_board_ram_large();
  check(large.bytes >= 1U << 20, "there is large RAM");
  auto* const last = static_cast<volatile char*>(large.base) + large.bytes - 1;
  *last = 42;
  check(*last == 42, "large RAM keeps a value");
  const wick_board_memory_t more = wick_board_ram_more();
  auto* const end = static_cast<volatile char*>(more.base) + more.bytes - 1;
  *end = 43;
  check(*end == 43, "further RAM keeps a value");
  const size_t before = wick_board_stack_paint();
  check(before < 512, "little stack is in use in main");
  use_stack();
  const size_t used = wick_board_stack_peak() - before;
  print_number("stack of a 1024-byte block: ", used);
  check(used >= 1024 && used < 1200, "the peak shows a 1024-byte block");
  check(wick_board_stack_size() == 8192, "the stack has the size of board.json");
  return finish();
}

// The loop takes 3 instructions per round on every core (subs, cmp or none, branch), so bounds are enough.
int counter() {
  const uint64_t start = wick_board_ticks();
  const uint64_t empty = wick_board_ticks_to_instructions(wick_board_ticks() - start);
  print_number("empty measurement: ", empty);
  check(empty >= 1 && empty <= 24, "an empty measurement is a few instructions");
  const uint64_t before = wick_board_instructions();
  uint32_t rounds = 1000000;
  asm volatile(
      ".syntax unified\n"
      "1: subs %0, %0, #1\n"
      "   bne 1b\n"
      : "+l"(rounds)
      :
      : "cc");
  const uint64_t counted = wick_board_instructions() - before;
  print_number("a loop of 2000000 instructions: ", counted);
  check(counted >= 2000000 && counted <= 2000064, "a loop of 2000000 instructions is counted as such");
  return finish();
}

__attribute__((noinline)) int overflow(int depth) {
  volatile int block[64];
  for (int& value : const_cast<int(&)[64]>(block)) {
    value = depth;
  }
  return depth == 0 ? 0 : overflow(depth - 1) + block[depth % 64];
}

using Function = void (*)();

}  // namespace

int main() {
  char words[64];
  wick::semihosting::command_line(words, sizeof(words));
  if (strcmp(words, "checks") == 0) {
    return checks();
  }
  if (strcmp(words, "counter") == 0) {
    return counter();
  }
  if (strncmp(words, "exit ", 5) == 0) {
    return atoi(words + 5);
  }
  if (strcmp(words, "bad_address") == 0) {
    return *reinterpret_cast<volatile int*>(0x3F000004);
  }
  if (strcmp(words, "undefined") == 0) {
    asm volatile("udf #0");
  }
  if (strcmp(words, "jump") == 0) {
    volatile uintptr_t address = 0x20;
    reinterpret_cast<Function>(address)();
  }
  if (strcmp(words, "overflow") == 0) {
    check(overflow(100000) == 0, "survived");
    wick_board_puts("survived\n");
  }
  if (strcmp(words, "new") == 0) {
    volatile int* const number = new int(1);
    return *number;
  }
  wick_board_puts("unknown words: ");
  wick_board_puts(words);
  wick_board_puts("\n");
  return 2;
}
