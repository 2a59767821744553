// SPDX-License-Identifier: BSD-3-Clause
// `wick verify`: runs conformance cases and says which answers are wrong.
#pragma once

#include <string>
#include <vector>

namespace wick::tools {

struct VerifyOptions {
  std::vector<std::string> paths;
  std::string filter;
  std::string json;
  std::string board;   // empty: this machine
  std::string runner;  // firmware image for the board; empty: the one beside the program
  unsigned jobs = 0;   // 0: as many as there are processors
  double timeout = 0;  // seconds without progress after which a case hangs; 0: 60 here, 10 on a board
};

/// Returns the exit status: 0 when nothing failed, 1 otherwise. Throws ToolError for wrong usage.
int verify(const VerifyOptions& options);

}  // namespace wick::tools
