// SPDX-License-Identifier: BSD-3-Clause
// The commands of firmware builds, with nothing but the C++ library, so that every build can compile them for itself
// (tools/firmware/CMakeLists.txt). The program `wick` has them, too.
#pragma once

#include <string>
#include <vector>

namespace wick::tools {

/// Runs `embed`, `check`, `size` or `uf2` with the words that follow it. Returns the exit status; throws ToolError.
int run_firmware_command(const std::vector<std::string>& words);

/// One line per command.
extern const char* const kFirmwareUsage;

}  // namespace wick::tools
