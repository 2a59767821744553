// SPDX-License-Identifier: BSD-3-Clause
// The robustness run of a file that may be malformed.
#pragma once

#include "tools/runner/port.h"

namespace wick::runner {

/// Loads the program and every method it names, and executes each on zero inputs, for at most `max_instructions`
/// instructions (0: the runtime's own limit). Errors are fine; the point is that
/// nothing crashes, hangs or reads outside the file.
void sweep(const char* path, uint32_t max_instructions, Port& port);

}  // namespace wick::runner
