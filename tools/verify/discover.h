// SPDX-License-Identifier: BSD-3-Clause
// Finding the work below the paths that the user names.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/verify/case.h"
#include "tools/verify/job_builder.h"

namespace wick::tools {

/// One thing to verify: a case, its bundle, or a file of a robustness manifest.
struct Item {
  std::string name;            // path relative to the PATH given: what --filter searches and reports print
  std::filesystem::path path;  // the JSON, the .bpte, or the malformed file
  Form form = Form::kProgram;
  std::string malformed;     // why the case cannot be run; empty when it can
  std::optional<Case> test;  // absent for a robustness file
};

/// Everything below `paths` whose name matches `filter` (an ECMAScript regular expression, searched; empty: all), in
/// the order of names. Throws ToolError for a path that does not exist or a filter that is not a regular expression.
std::vector<Item> discover(const std::vector<std::string>& paths, const std::string& filter);

}  // namespace wick::tools
