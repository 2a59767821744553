// SPDX-License-Identifier: BSD-3-Clause
// The run-time limit of instructions per execute().
#pragma once

#include <cstdint>

namespace wick::tools {

/// Instructions that one execute() may take before it ends with an error; 0 restores the default.
void set_instruction_limit(uint32_t count);

}  // namespace wick::tools
