// SPDX-License-Identifier: BSD-3-Clause
// `wick doctor`: loads a file step by step, as a device would, and says what is wrong with it and what to do.
#pragma once

#include <string>
#include <vector>

namespace wick::tools {

struct Diagnosis {
  bool healthy = true;
  std::string text;  // one finding per line; what is wrong begins with "BAD"
};

/// Examines a .pte, .bpte or .ptd; `data` are the .ptd files that the program's weights come from. A file that cannot
/// be read is a diagnosis, too.
Diagnosis diagnose(const std::string& path, const std::vector<std::string>& data);

}  // namespace wick::tools
