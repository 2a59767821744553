// SPDX-License-Identifier: BSD-3-Clause
// The order of a verification: find, sort out what cannot be run, execute, judge, report.
#include "tools/verify/verify.h"

#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "tools/verify/board_executor.h"
#include "tools/verify/discover.h"
#include "tools/verify/executor.h"
#include "tools/verify/fits.h"
#include "tools/verify/needs.h"
#include "tools/verify/report.h"

namespace wick::tools {
namespace {

// A malformed program may hold a jump back onto itself.
constexpr uint32_t kSweepInstructions = 100000;

/// A verdict that needs no execution. `board` is null for this machine.
bool settle(const Item& item, const Board* board, Verdict& verdict) {
  if (!item.malformed.empty()) {
    verdict.status = Status::kFailed;
    verdict.reason = item.malformed;
    return true;
  }
  const std::vector<std::string> missing = missing_needs(item);
  if (!missing.empty()) {
    verdict.status = Status::kSkipped;
    verdict.reason = fmt::format("not in this build: {}", fmt::join(missing, ", "));
    return true;
  }
  verdict.reason = board != nullptr ? too_big_for(*board, item) : std::string();
  if (!verdict.reason.empty()) {
    verdict.status = Status::kSkipped;
    return true;
  }
  return false;
}

std::unique_ptr<Executor> make_executor(const VerifyOptions& options, const Board* board) {
  const unsigned jobs = options.jobs != 0 ? options.jobs : std::thread::hardware_concurrency();
  if (board == nullptr) {
    return make_host_executor(jobs, options.timeout > 0 ? options.timeout : 60);
  }
  return make_board_executor(*board, find_runner(*board, options.runner), jobs,
                             options.timeout > 0 ? options.timeout : 10);
}

struct Work {
  std::vector<size_t> items;  // by position in the batch
  std::vector<Plan> plans;
  std::vector<Bytes> jobs;
};

void add_work(Work& work, const Item& item, size_t number) {
  const auto position = static_cast<uint32_t>(work.jobs.size());
  Plan plan;
  Bytes job;
  if (item.form == Form::kSweep) {
    job = sweep_job(item.path, kSweepInstructions, position);
  } else {
    plan = make_plan(*item.test, item.form);
    job = case_job(*item.test, item.form, plan, position);
  }
  work.items.push_back(number);
  work.plans.push_back(std::move(plan));
  work.jobs.push_back(std::move(job));
}

}  // namespace

int verify(const VerifyOptions& options) {
  const std::vector<Item> items = discover(options.paths, options.filter);
  if (items.empty()) {
    fmt::print(stderr, "wick verify: no case below the paths{}\n",
               options.filter.empty() ? std::string() : fmt::format(" matches '{}'", options.filter));
  }
  const Board* board = options.board.empty() ? nullptr : &find_board(options.board);
  const auto executor = make_executor(options, board);
  Report report(items.size(), board != nullptr ? board->name : "host", stdout, stderr, isatty(STDERR_FILENO) != 0);
  Work work;
  for (size_t i = 0; i < items.size(); ++i) {
    Verdict verdict;
    if (settle(items[i], board, verdict)) {
      report.add(items[i], verdict);
    } else {
      add_work(work, items[i], i);
    }
  }
  executor->run(work.jobs, [&](size_t position, Execution execution) {
    const Item& item = items[work.items[position]];
    report.add(item, judge(item, work.plans[position], std::move(execution)));
  });
  if (!options.json.empty()) {
    report.write_json(options.json);
  }
  return report.close();
}

}  // namespace wick::tools
