// SPDX-License-Identifier: BSD-3-Clause
// The runner firmware of `wick verify --on BOARD`: executes the cases of a job file and appends their records to a
// result file, both on the emulator's host. Arguments: job file, result file, number of the first case to execute.
// Ends with 0 when the job is done; when a case faults, the host starts it again behind that case.
#include <wick/board.h>
#include <wick/semihosting.h>

#include <cstdlib>
#include <cstring>

#include "tools/runner/firmware/board_port.h"
#include "tools/runner/run_case.h"

namespace {

using wick::runner::BoardPort;
using wick::runner::Reader;

constexpr int kUsage = 2;

/// Cuts the next word off a line.
char* next_word(char*& line) {
  while (*line == ' ') {
    ++line;
  }
  char* word = line;
  while (*line != ' ' && *line != '\0') {
    ++line;
  }
  if (*line == ' ') {
    *line++ = '\0';
  }
  return word;
}

int fail(const char* text) {
  wick_board_puts("runner: ");
  wick_board_puts(text);
  wick_board_puts("\n");
  return kUsage;
}

int run_job(BoardPort& port, const char* path, unsigned long first) {
  const uint8_t* data = nullptr;
  size_t bytes = 0;
  if (!port.keep_file(path, data, bytes)) {
    return fail("the job file cannot be read");
  }
  Reader job(data, bytes);
  if (job.u32() != wick::runner::kJobMagic) {
    return fail("the job file is none");
  }
  const uint32_t count = job.u32();
  for (uint32_t i = 0; i < count && job.ok(); ++i) {
    const size_t length = job.u32();
    const uint8_t* at = job.take(length);
    if (at != nullptr && i >= first) {
      wick::runner::run_case(Reader(at, length), port);
    }
  }
  return job.ok() ? 0 : fail("the job file is cut short");
}

}  // namespace

int main() {
  static char line[1024];
  if (!wick::semihosting::command_line(line, sizeof(line))) {
    return fail("no arguments; start it by wick verify --on BOARD");
  }
  char* rest = line;
  const char* job = next_word(rest);
  const char* results = next_word(rest);
  const unsigned long first = std::strtoul(next_word(rest), nullptr, 10);
  static BoardPort port(results);
  if (!port.ready()) {
    return fail("the result file cannot be opened");
  }
  return run_job(port, job, first);
}
