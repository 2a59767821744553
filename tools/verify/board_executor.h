// SPDX-License-Identifier: BSD-3-Clause
// Executes cases on a board in QEMU with the runner firmware (tools/runner/firmware).
#pragma once

#include <memory>
#include <string>

#include "tools/common/boards.h"
#include "tools/verify/executor.h"

namespace wick::tools {

/// `jobs` emulators at a time, each booted once for its share of the cases and again after a case that faulted or made
/// no progress for `timeout` seconds of its processor time (or six times as long at all). Throws ToolError when the firmware does not exist.
std::unique_ptr<Executor> make_board_executor(const Board& board, const std::string& firmware, unsigned jobs,
                                              double timeout);

/// The runner image of a board: `given` if not empty, else the one that was built beside this program.
std::string find_runner(const Board& board, const std::string& given);

}  // namespace wick::tools
