// SPDX-License-Identifier: BSD-3-Clause
// board.h on a PC: standard output, the steady clock, and as "flash" the file that the environment variable WICK_MODEL
// names. There is no instruction counter and no reserved stack: those figures are 0.

#include <wick/board.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace {

constexpr size_t kFlashAlignment = 4096;

wick_board_memory_t load_flash() {
  const char* const path = std::getenv("WICK_MODEL");
  if (path == nullptr) {
    return {nullptr, 0};
  }
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) {
    std::fprintf(stderr, "WICK_MODEL=%s cannot be read\n", path);
    return {nullptr, 0};
  }
  const auto length = static_cast<size_t>(file.tellg());
  // As in erased flash, 0xFF follows the file.
  const size_t capacity = (length / kFlashAlignment + 1) * kFlashAlignment;
  void* const memory = std::aligned_alloc(kFlashAlignment, capacity);
  std::memset(memory, 0xFF, capacity);
  file.seekg(0);
  file.read(static_cast<char*>(memory), static_cast<std::streamsize>(length));
  return {memory, capacity};
}

}  // namespace

const char* wick_board_name() { return "host"; }

void wick_board_write(const char* text, size_t bytes) { std::fwrite(text, 1, bytes, stdout); }

void wick_board_puts(const char* text) { wick_board_write(text, std::strlen(text)); }

void wick_board_exit(int status) { std::exit(status); }

wick_board_memory_t wick_board_model() {
  static const wick_board_memory_t flash = load_flash();
  return flash;
}

wick_board_memory_t wick_board_ram_large() { return {nullptr, 0}; }

wick_board_memory_t wick_board_ram_more() { return {nullptr, 0}; }

uint64_t wick_board_ticks() {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

uint64_t wick_board_ticks_to_instructions(uint64_t) { return 0; }
uint64_t wick_board_instructions() { return 0; }
size_t wick_board_stack_size() { return 0; }
size_t wick_board_stack_paint() { return 0; }
size_t wick_board_stack_peak() { return 0; }
