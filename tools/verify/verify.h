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
  std::string board;    // empty: this machine
  unsigned jobs = 0;    // 0: as many as there are processors
  double timeout = 60;  // seconds a case may take on this machine
};

/// Returns the exit status: 0 when nothing failed, 1 otherwise. Throws ToolError for wrong usage.
int verify(const VerifyOptions& options);

}  // namespace wick::tools
