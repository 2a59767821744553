// SPDX-License-Identifier: BSD-3-Clause
// The host program of firmware builds, which CMake compiles by itself: only what such a build needs of `wick`.
#include <cstdio>
#include <exception>

#include "tools/firmware/command_line.h"

int main(int argc, char** argv) {
  try {
    return wick::tools::run_firmware_command({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wick: %s\n", error.what());
    return 2;
  }
}
