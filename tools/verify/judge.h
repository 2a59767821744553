// SPDX-License-Identifier: BSD-3-Clause
// From what an executor answered to a verdict.
#pragma once

#include <string>

#include "tools/verify/discover.h"
#include "tools/verify/executor.h"

namespace wick::tools {

enum class Status { kPassed, kFailed, kSkipped };

struct Verdict {
  Status status = Status::kPassed;
  std::string reason;  // one line; empty when passed
  /// The worst wrong output, when the failure is one of values.
  std::optional<Mismatch> mismatch;
  std::string method;
  size_t sample = 0;
  size_t output = 0;
  double seconds = 0;
  Execution execution;
};

/// Judges an executed item. `plan` is the one that its job was made from.
Verdict judge(const Item& item, const Plan& plan, Execution execution);

}  // namespace wick::tools
