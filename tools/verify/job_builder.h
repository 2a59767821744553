// SPDX-License-Identifier: BSD-3-Clause
// From cases to the jobs that executors run, and from their record stream back to outputs.
#pragma once

#include <string>
#include <vector>

#include "tools/verify/compare.h"

namespace wick::tools {

/// One call of a case: which sample was run, in which session.
struct PlannedCall {
  size_t method;
  size_t sample;
};

/// The sessions of a case, each on a freshly loaded program, with its calls in order. A session without calls only
/// loads all methods.
struct Plan {
  std::vector<std::vector<PlannedCall>> sessions;
};

/// What is executed: the program of the case, its bundle, or a file that may be malformed.
enum class Form { kProgram, kBundle, kSweep };

/// The order of calls that the case prescribes: its sequence; else, where it is stateful, each method's samples in
/// order; else every sample by itself.
Plan make_plan(const Case& test, Form form);

/// The case as bytes of a job (without the length in front). `index` comes back in its records.
Bytes case_job(const Case& test, Form form, const Plan& plan, uint32_t index);

/// The robustness run of one file as bytes of a job.
Bytes sweep_job(const std::filesystem::path& file, uint32_t max_instructions, uint32_t index);

/// A whole job of several cases.
Bytes join_job(const std::vector<Bytes>& cases);

struct CallAnswer {
  bool done = false;
  std::vector<Output> outputs;
  bool has_bundle_verdict = false;
  uint32_t bundle_error = 0;
  double bundle_max_abs = 0;
};

/// A failure as the executor reported it.
struct Failure {
  runner::Stage stage;
  uint32_t session;
  uint32_t call;
  uint32_t item;
  uint32_t error;  // ExecuTorch error code
};

/// Everything an executor said about one case.
struct Answer {
  bool begun = false;
  bool ended = false;
  std::vector<std::vector<CallAnswer>> calls;  // by session, call
  std::vector<Failure> failures;
  uint32_t method_bytes = 0;
  uint32_t temp_bytes = 0;
  uint32_t planned_bytes = 0;
};

/// Parses a record stream into answers by case index. A stream that was cut short (the executor died) is fine.
std::vector<Answer> parse_records(const Bytes& stream, size_t case_count);

/// The failure in words.
std::string failure_text(const Failure& failure);

}  // namespace wick::tools
