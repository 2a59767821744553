// SPDX-License-Identifier: BSD-3-Clause
// `wick run`: executes one method of a program on this machine and prints its outputs.
#pragma once

#include <string>
#include <vector>

namespace wick::tools {

struct RunOptions {
  std::string program;              // .pte, or .bpte (its program, not its test sets)
  std::string method;               // empty: forward if there is one, else the first
  std::vector<std::string> inputs;  // raw little-endian tensor data in the program's dim order; missing ones are zeros
  std::vector<std::string> data;    // .ptd files
  size_t most_elements = 32;        // printed per output
};

/// Returns the exit status. Throws ToolError when an input does not fit the program.
int run_program(const RunOptions& options);

}  // namespace wick::tools
