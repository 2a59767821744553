// SPDX-License-Identifier: BSD-3-Clause
// wick's own sources: which kernel is defined where, and what a selection of operators needs of them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/firmware/needs.h"

namespace wick::tools {

struct KernelSources {
  std::map<std::string, std::string> symbols;  // operator to symbol, of those selected that exist
  std::vector<std::string> missing;            // operators without a kernel
  std::vector<std::filesystem::path> files;    // kernels and what their rooms share, sorted
};

/// Reads src/kernels/*/kernels.def and the sources below `root`, wick's folder. Throws ToolError when it is not there.
KernelSources find_kernels(const std::filesystem::path& root, const Selection& selection);

/// The sources of the runtime itself, for builds without CMake; with those of the Ethos-U delegate if asked for.
std::vector<std::filesystem::path> runtime_sources(const std::filesystem::path& root, bool ethos_u);

}  // namespace wick::tools
