// SPDX-License-Identifier: BSD-3-Clause
// What `wick verify` prints: a line per failure and skip on stdout, progress on stderr when that is a terminal, and the
// closing line `N passed, N failed, N skipped`. The same as JSON.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "tools/verify/judge.h"

namespace wick::tools {

class Report {
 public:
  /// `total` items will be reported; `place` is "host" or the board.
  Report(size_t total, std::string place, std::FILE* out, std::FILE* progress, bool show_progress)
      : total_(total), place_(std::move(place)), out_(out), progress_(progress), show_progress_(show_progress) {}

  void add(const Item& item, const Verdict& verdict);

  /// Prints the closing line; returns the exit status: 0, or 1 when anything failed.
  int close();

  /// Writes the whole report.
  void write_json(const std::string& path) const;

  /// "N passed, N failed, N skipped"
  std::string summary() const;

 private:
  struct Row {
    std::string name;
    Verdict verdict;
  };
  void clear_progress();
  void print_progress(const std::string& current);

  size_t total_;
  std::string place_;
  std::FILE* out_;
  std::FILE* progress_;
  bool show_progress_;
  bool progress_shown_ = false;
  size_t passed_ = 0;
  size_t failed_ = 0;
  size_t skipped_ = 0;
  std::vector<Row> rows_;
};

}  // namespace wick::tools
