// SPDX-License-Identifier: BSD-3-Clause
// Replaces the platform for one test and keeps what it was told.

#pragma once

#include <executorch/runtime/platform/platform.h>

#include <string>
#include <vector>

struct LoggedMessage {
  et_timestamp_t timestamp;
  et_pal_log_level_t level;
  std::string filename;
  std::string function;
  size_t line;
  std::string text;
};

class RecordedPlatform {
 public:
  RecordedPlatform() : original_(*executorch::runtime::get_pal_impl()) {
    messages().clear();
    install(executorch::runtime::PalImpl::create(nullptr, nullptr, now, nullptr, record, nullptr, nullptr, __FILE__));
    messages().clear();  // without the remark that a platform was replaced before
  }

  ~RecordedPlatform() {
    original_.init = nullptr;
    install(original_);
  }

  RecordedPlatform(const RecordedPlatform&) = delete;
  RecordedPlatform& operator=(const RecordedPlatform&) = delete;

  static constexpr et_timestamp_t kNow = 4711;

  static std::vector<LoggedMessage>& messages() {
    static std::vector<LoggedMessage> all;
    return all;
  }

 private:
  static void install(const executorch::runtime::PalImpl& impl) { executorch::runtime::register_pal(impl); }
  static et_timestamp_t now() { return kNow; }
  static void record(et_timestamp_t timestamp, et_pal_log_level_t level, const char* filename, const char* function,
                     size_t line, const char* message, size_t length) {
    messages().push_back({timestamp, level, filename, function, line, std::string(message, length)});
  }

  executorch::runtime::PalImpl original_;
};
