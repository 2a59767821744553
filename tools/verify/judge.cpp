// SPDX-License-Identifier: BSD-3-Clause
// The verdict's order: a crash first, then what the case expects (an error, no crash, values), then values.
#include "tools/verify/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace wick::tools {
namespace {

bool is_report(const std::string& line) {
  return line.find("ERROR: ") != std::string::npos || line.find("runtime error: ") != std::string::npos;
}

/// The line of the log that says what went wrong: a sanitizer's report, else the first error that the runtime logged
/// (what follows is where it was met), else the last line.
std::string telling_line(const std::string& log) {
  std::istringstream lines(log);
  std::string line;
  std::string last;
  std::string error;
  while (std::getline(lines, line)) {
    if (is_report(line)) {
      error = line;
      break;
    }
    if (error.empty() && (line.rfind("E ", 0) == 0 || line.rfind("F ", 0) == 0)) {
      error = line;
    }
    last = line.empty() ? last : line;
  }
  const std::string& text = error.empty() ? last : error;
  return text.size() > 300 ? text.substr(0, 300) + "…" : text;
}

std::string with_log(std::string reason, const std::string& log) {
  const std::string line = telling_line(log);
  return line.empty() ? reason : fmt::format("{}; log: {}", reason, line);
}

Verdict failed(std::string reason) {
  Verdict verdict;
  verdict.status = Status::kFailed;
  verdict.reason = std::move(reason);
  return verdict;
}

std::string where(const Case& test, const PlannedCall& call) {
  return fmt::format("method {}, sample {}", test.methods[call.method].name, call.sample);
}

/// The worst mismatch of a call against one expected set, and the output it is in.
struct Worst {
  std::optional<Mismatch> mismatch;
  size_t output = 0;
};

Worst compare_call(const Case& test, const CallAnswer& answer, const std::vector<Value>& want, const Bytes& bin) {
  Worst worst;
  if (answer.outputs.size() != want.size()) {
    worst.mismatch.emplace();
    worst.mismatch->what = "count";
    worst.mismatch->text = fmt::format("got {} outputs, want {}", answer.outputs.size(), want.size());
    return worst;
  }
  for (size_t i = 0; i < want.size(); ++i) {
    auto mismatch = compare_output(answer.outputs[i], want[i], bin, test.tolerance, test.compares_shape_only(i));
    if (mismatch && (!worst.mismatch || mismatch->error > worst.mismatch->error)) {
      worst.mismatch = std::move(mismatch);
      worst.output = i;
    }
  }
  return worst;
}

/// Compares a call with the sets that count; passes when any of them agrees.
void judge_call(const Case& test, const PlannedCall& call, const CallAnswer& answer, const Bytes& bin,
                Verdict& verdict) {
  const Sample& sample = test.methods[call.method].samples[call.sample];
  const std::vector<std::string> sources = counting_sources(test, sample);
  if (sources.empty()) {
    const std::string reason =
        fmt::format("malformed case: {}: no expected values of '{}'", where(test, call), test.reference);
    if (verdict.status == Status::kPassed) {
      verdict = failed(reason);
    }
    return;
  }
  Worst first;
  std::string first_source;
  for (const std::string& source : sources) {
    Worst worst = compare_call(test, answer, sample.expected.at(source), bin);
    if (!worst.mismatch) {
      return;
    }
    if (!first.mismatch) {
      first = std::move(worst);
      first_source = source;
    }
  }
  if (verdict.status == Status::kFailed && (!verdict.mismatch || verdict.mismatch->error >= first.mismatch->error)) {
    return;
  }
  verdict.status = Status::kFailed;
  verdict.method = test.methods[call.method].name;
  verdict.sample = call.sample;
  verdict.output = first.output;
  verdict.reason =
      fmt::format("{}, output {}: {} ({})", where(test, call), first.output, first.mismatch->text, first_source);
  verdict.mismatch = std::move(first.mismatch);
}

const CallAnswer* find_call(const Answer& answer, size_t session, size_t call) {
  if (session >= answer.calls.size() || call >= answer.calls[session].size() || !answer.calls[session][call].done) {
    return nullptr;
  }
  return &answer.calls[session][call];
}

Verdict judge_values(const Item& item, const Plan& plan, const Execution& execution) {
  const Case& test = *item.test;
  Verdict verdict;
  if (!execution.answer.failures.empty()) {
    const Failure& failure = execution.answer.failures.front();
    std::string reason = failure_text(failure);
    if (failure.session < plan.sessions.size() && failure.call < plan.sessions[failure.session].size()) {
      reason = fmt::format("{}: {}", where(test, plan.sessions[failure.session][failure.call]), reason);
    }
    return failed(with_log(reason, execution.log));
  }
  const Bytes bin = read_file(test.bin);
  for (size_t s = 0; s < plan.sessions.size(); ++s) {
    for (size_t c = 0; c < plan.sessions[s].size(); ++c) {
      const CallAnswer* answer = find_call(execution.answer, s, c);
      if (answer == nullptr) {
        return failed(fmt::format("{}: no answer", where(test, plan.sessions[s][c])));
      }
      judge_call(test, plan.sessions[s][c], *answer, bin, verdict);
      if (verdict.status == Status::kPassed && answer->has_bundle_verdict && answer->bundle_error != 0) {
        verdict = failed(fmt::format("{}: verify_method_outputs of the bundle says error 0x{:x}, largest error {}",
                                     where(test, plan.sessions[s][c]), answer->bundle_error, answer->bundle_max_abs));
      }
    }
  }
  return verdict;
}

/// `expect: error`: every call must end in an error of execute.
Verdict judge_error(const Item& item, const Plan& plan, const Execution& execution) {
  for (size_t s = 0; s < plan.sessions.size(); ++s) {
    const auto& failures = execution.answer.failures;
    const auto failure =
        std::find_if(failures.begin(), failures.end(), [s](const Failure& f) { return f.session == s; });
    if (failure == failures.end()) {
      return failed(fmt::format("{}: execute succeeded, an error was expected",
                                plan.sessions[s].empty() ? "load" : where(*item.test, plan.sessions[s].front())));
    }
    if (failure->stage != runner::Stage::kExecute) {
      return failed(
          with_log(fmt::format("execute was expected to fail, but {}", failure_text(*failure)), execution.log));
    }
  }
  return Verdict();
}

/// The program cannot be computed: load_method must refuse it.
Verdict judge_refusal(const Execution& execution) {
  const auto& failures = execution.answer.failures;
  if (failures.empty()) {
    return failed("load_method was expected to refuse the program");
  }
  return failures.front().stage == runner::Stage::kMethod
             ? Verdict()
             : failed(with_log(fmt::format("load_method was expected to refuse the program, but {}",
                                           failure_text(failures.front())),
                               execution.log));
}

}  // namespace

Verdict judge(const Item& item, const Plan& plan, Execution execution) {
  Verdict verdict;
  if (execution.crashed) {
    verdict = failed(with_log(execution.crash, execution.log));
  } else if (!item.test || item.test->expect == Expect::kNoCrash) {
    // Anything but a crash.
  } else if (item.test->expect == Expect::kError) {
    verdict = judge_error(item, plan, execution);
  } else if (item.test->expect == Expect::kRefusal) {
    verdict = judge_refusal(execution);
  } else {
    verdict = judge_values(item, plan, execution);
  }
  verdict.seconds = execution.seconds;
  verdict.execution = std::move(execution);
  return verdict;
}

}  // namespace wick::tools
