// SPDX-License-Identifier: BSD-3-Clause
// A case at an Ethos-U delegate's boundary: the payload alone on the NPU model, without a program around it.
#pragma once

#include "tools/runner/records.h"

namespace wick::runner {

/// Bits of a delegate session's options.
enum DelegateOption : uint32_t {
  /// The scratch is zeroed before the run; otherwise it is filled with junk.
  kZeroedScratch = 1,
  /// The payload is one of those whose activation table lies one past the SHRAM (see npu::Options).
  kTablePastShram = 2,
};

/// Consumes a session {payload offset, payload bytes, fast scratch bytes, options, calls}, where a call is
/// {inputs as elsewhere, outputs {scalar type, dims, sizes}}, and writes its records.
void run_delegate(Reader& session, uint32_t number, const char* payload_path, const char* bin_path, Port& port,
                  Records& records);

}  // namespace wick::runner
