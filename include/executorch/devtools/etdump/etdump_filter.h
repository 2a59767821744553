// SPDX-License-Identifier: BSD-3-Clause
//
// ETDumpFilter: which intermediate results of delegates an ETDump leaves out, by name (RE2 expressions) or by number.
// As upstream, all of them as long as nothing is set. For hosts: it uses the heap, and a program that includes it links
// re2.
//
//   ETDumpFilter filter;  filter.add_regex("conv.*");  filter.set_debug_handle_range(10, 20);
//   etdump.set_delegation_intermediate_output_filter(&filter);
#pragma once

#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/platform.h>
#include <re2/re2.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace executorch::etdump {

using ::executorch::runtime::Result;
using std::string_view;

class ETDumpFilter : public ::executorch::runtime::EventTracerFilterBase {
 public:
  ETDumpFilter() = default;

  /// Names that match `pattern` as a whole are chosen from now on, besides those of earlier patterns. Error:
  /// InvalidArgument (no valid RE2 expression).
  Result<bool> add_regex(string_view pattern) {
    auto regex = std::make_unique<re2::RE2>(re2::StringPiece(pattern.data(), pattern.size()), re2::RE2::Quiet);
    if (!regex->ok()) {
      return ::executorch::runtime::Error::InvalidArgument;
    }
    patterns_.push_back(std::move(regex));
    return true;
  }

  /// Numbers from `start` up to, but without, `end` are chosen. Error: InvalidArgument (an empty range).
  Result<bool> set_debug_handle_range(size_t start, size_t end) {
    if (start >= end) {
      return ::executorch::runtime::Error::InvalidArgument;
    }
    start_ = start;
    end_ = end;
    return true;
  }

  /// Whether a result is chosen, by the one of name and number that is given; true as long as nothing is set for it.
  /// Error: InvalidArgument (both or neither given).
  Result<bool> filter(const char* name, ::executorch::runtime::DelegateDebugIntId delegate_debug_index) override {
    const bool has_number = delegate_debug_index != ::executorch::runtime::kUnsetDelegateDebugIntId;
    if ((name != nullptr) == has_number) {
      return ::executorch::runtime::Error::InvalidArgument;
    }
    return has_number ? in_range(delegate_debug_index) : matches(name);
  }

  size_t get_n_regex() const { return patterns_.size(); }

 private:
  bool matches(const char* name) const {
    for (const auto& pattern : patterns_) {
      if (re2::RE2::FullMatch(name, *pattern)) {
        return true;
      }
    }
    return patterns_.empty();
  }
  bool in_range(::executorch::runtime::DelegateDebugIntId number) const {
    return end_ == 0 || (number >= 0 && static_cast<size_t>(number) >= start_ && static_cast<size_t>(number) < end_);
  }

  std::vector<std::unique_ptr<re2::RE2>> patterns_;
  size_t start_ = 0;
  size_t end_ = 0;  ///< 0: no range is set
};

}  // namespace executorch::etdump
