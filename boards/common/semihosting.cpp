// SPDX-License-Identifier: BSD-3-Clause
// Arm semihosting by BKPT 0xAB. Numbers and blocks are those of Arm's semihosting specification.

#include <wick/semihosting.h>

namespace wick::semihosting {
namespace {

constexpr int kOpen = 0x01;
constexpr int kClose = 0x02;
constexpr int kWrite = 0x05;
constexpr int kRead = 0x06;
constexpr int kSeek = 0x0A;
constexpr int kFileLength = 0x0C;
constexpr int kGetCommandLine = 0x15;
constexpr int kExitExtended = 0x20;
constexpr uintptr_t kApplicationExit = 0x20026;

size_t text_length(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') {
    ++length;
  }
  return length;
}

uintptr_t address_of(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// fopen's modes in the order of the specification: r, rb, r+, r+b, w, wb, w+, w+b, a, ab, a+, a+b.
uintptr_t mode_number(const char* mode) {
  uintptr_t number = mode[0] == 'w' ? 4U : mode[0] == 'a' ? 8U : 0U;
  for (const char* letter = mode + 1; *letter != '\0'; ++letter) {
    number += *letter == 'b' ? 1U : *letter == '+' ? 2U : 0U;
  }
  return number;
}

}  // namespace

int call(int operation, const void* block) {
  register int r0 asm("r0") = operation;
  register const void* r1 asm("r1") = block;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

int open(const char* path, const char* mode) {
  const uintptr_t block[] = {address_of(path), mode_number(mode), text_length(path)};
  return call(kOpen, block);
}

bool close(int file) {
  const uintptr_t block[] = {static_cast<uintptr_t>(file)};
  return call(kClose, block) == 0;
}

size_t read(int file, void* buffer, size_t bytes) {
  const uintptr_t block[] = {static_cast<uintptr_t>(file), address_of(buffer), bytes};
  const int missing = call(kRead, block);
  return missing < 0 ? 0 : bytes - static_cast<size_t>(missing);
}

size_t write(int file, const void* buffer, size_t bytes) {
  const uintptr_t block[] = {static_cast<uintptr_t>(file), address_of(buffer), bytes};
  const int missing = call(kWrite, block);
  return missing < 0 ? 0 : bytes - static_cast<size_t>(missing);
}

bool seek(int file, size_t position) {
  const uintptr_t block[] = {static_cast<uintptr_t>(file), position};
  return call(kSeek, block) == 0;
}

int64_t length(int file) {
  const uintptr_t block[] = {static_cast<uintptr_t>(file)};
  return call(kFileLength, block);
}

bool command_line(char* buffer, size_t bytes) {
  uintptr_t block[] = {address_of(buffer), bytes};
  if (call(kGetCommandLine, block) != 0) {
    buffer[0] = '\0';
    return false;
  }
  // The program's name comes first; keep what follows the first space.
  size_t from = 0;
  while (buffer[from] != '\0' && buffer[from] != ' ') {
    ++from;
  }
  while (buffer[from] == ' ') {
    ++from;
  }
  size_t to = 0;
  while (buffer[from] != '\0') {
    buffer[to++] = buffer[from++];
  }
  buffer[to] = '\0';
  return to != 0;
}

void exit(int status) {
  const uintptr_t block[] = {kApplicationExit, static_cast<uintptr_t>(status)};
  for (;;) {
    call(kExitExtended, block);
  }
}

}  // namespace wick::semihosting
