// SPDX-License-Identifier: BSD-3-Clause
// Runs the program `wick` as a user does.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "tests/tools/case_folder.h"

namespace wick::tools {

inline std::string text_of(const std::filesystem::path& path) {
  const Bytes bytes = read_file(path);
  return std::string(bytes.begin(), bytes.end());
}

/// The exit status; stdout is in `output`, and stderr too if `errors`.
inline int run_wick(const CaseFolder& folder, const std::string& arguments, std::string& output, bool errors = false) {
  const std::string out = folder.path() / "stdout";
  const std::string command = std::string(WICK_TOOL) + " " + arguments + " > " + out;
  const int status = std::system((command + (errors ? " 2>&1" : " 2> /dev/null")).c_str());
  output = text_of(out);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace wick::tools
