// SPDX-License-Identifier: BSD-3-Clause
// Where cases are executed: a child process on this machine, or a board. An executor answers a batch of cases in order
// and survives the crash of any of them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/verify/job_builder.h"

namespace wick::tools {

/// How the execution of a case ended, besides its records.
struct Execution {
  Answer answer;
  bool crashed = false;  // it died, hung, or a sanitizer reported
  std::string crash;     // how, in words
  std::string log;       // what the runtime printed
  double seconds = 0;
};

/// Called when the case with this position in the batch is finished.
using OnFinished = std::function<void(size_t position, Execution execution)>;

class Executor {
 public:
  virtual ~Executor() = default;
  /// Executes the cases, each given as the bytes of its job with its position as index. Every case is reported once.
  virtual void run(const std::vector<Bytes>& cases, const OnFinished& finished) = 0;
};

/// Child processes of this program, one per case, `jobs` at a time, each ended after `timeout` seconds.
std::unique_ptr<Executor> make_host_executor(unsigned jobs, double timeout);

}  // namespace wick::tools
