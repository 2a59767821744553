// SPDX-License-Identifier: BSD-3-Clause
// Executes the cases of a job (see job.h) with wick's runtime and writes their answers as records. It compares
// nothing: the host does, so that every board is judged by the same rules. No heap; used on the host and on boards.
#pragma once

#include "tools/runner/job.h"
#include "tools/runner/port.h"

namespace wick::runner {

/// Runs one case (the bytes after its length in the job) and writes its records to the port.
void run_case(Reader record, Port& port);

}  // namespace wick::runner
