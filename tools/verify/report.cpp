// SPDX-License-Identifier: BSD-3-Clause
// Lines, progress and JSON of a verification.
#include "tools/verify/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace wick::tools {
namespace {

using nlohmann::json;

const char* status_name(Status status) {
  return status == Status::kPassed ? "passed" : status == Status::kFailed ? "failed" : "skipped";
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') {
      c = ' ';
    }
  }
  return text;
}

json number(double value) {
  // JSON has no infinity.
  return std::isfinite(value) ? json(value) : json(fmt::format("{}", value));
}

json row_json(const std::string& name, const Verdict& verdict) {
  json row = {{"case", name}, {"status", status_name(verdict.status)}, {"seconds", verdict.seconds}};
  if (!verdict.reason.empty()) {
    row["reason"] = verdict.reason;
  }
  if (verdict.mismatch) {
    row["method"] = verdict.method;
    row["sample"] = verdict.sample;
    row["output"] = verdict.output;
    row["what"] = verdict.mismatch->what;
    row["largest_error"] = number(verdict.mismatch->error);
    row["index"] = verdict.mismatch->index;
    row["wrong_elements"] = verdict.mismatch->wrong;
    row["elements"] = verdict.mismatch->elements;
  }
  const Answer& answer = verdict.execution.answer;
  if (answer.ended) {
    row["ram"] = {{"planned", answer.planned_bytes}, {"method", answer.method_bytes}, {"temp", answer.temp_bytes}};
  }
  return row;
}

}  // namespace

void Report::add(const Item& item, const Verdict& verdict) {
  clear_progress();
  switch (verdict.status) {
    case Status::kPassed:
      ++passed_;
      break;
    case Status::kFailed:
      ++failed_;
      fmt::print(out_, "FAIL {}: {}\n", item.name, one_line(verdict.reason));
      break;
    case Status::kSkipped:
      ++skipped_;
      fmt::print(out_, "skip {}: {}\n", item.name, one_line(verdict.reason));
      break;
  }
  Row row{item.name, verdict};
  row.verdict.execution.answer.calls.clear();
  rows_.push_back(std::move(row));
  print_progress(item.name);
}

int Report::close() {
  clear_progress();
  fmt::print(out_, "{}\n", summary());
  std::fflush(out_);
  return failed_ == 0 ? 0 : 1;
}

std::string Report::summary() const {
  return fmt::format("{} passed, {} failed, {} skipped", passed_, failed_, skipped_);
}

void Report::write_json(const std::string& path) const {
  json root = {{"on", place_}, {"passed", passed_}, {"failed", failed_}, {"skipped", skipped_}};
  json cases = json::array();
  for (const Row& row : rows_) {
    cases.push_back(row_json(row.name, row.verdict));
  }
  root["cases"] = std::move(cases);
  write_file(path, root.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

void Report::clear_progress() {
  if (progress_shown_) {
    fmt::print(progress_, "\r\x1b[K");
    progress_shown_ = false;
  }
}

void Report::print_progress(const std::string& current) {
  if (!show_progress_ || total_ == 0) {
    return;
  }
  constexpr size_t kWidth = 24;
  const size_t filled = kWidth * rows_.size() / total_;
  fmt::print(progress_, "\r\x1b[K[{}{}] {}/{}  {} failed  {}", std::string(filled, '='),
             std::string(kWidth - filled, ' '), rows_.size(), total_, failed_, current.substr(0, 40));
  std::fflush(progress_);
  progress_shown_ = true;
}

}  // namespace wick::tools
