// SPDX-License-Identifier: BSD-3-Clause
// Defaults of the et_pal_* functions under a desktop operating system: messages with the time since start on stderr,
// a nanosecond clock, malloc. The clock starts by itself: logging before runtime_init() is no mistake.

#include <executorch/runtime/platform/platform.h>

#if defined(__unix__) || defined(__APPLE__) || defined(_WIN32)

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

std::chrono::nanoseconds since_start() {
  static const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  return std::chrono::steady_clock::now() - start;
}

}  // namespace

extern "C" {

ET_WEAK void et_pal_init(void) { since_start(); }

ET_NORETURN ET_WEAK void et_pal_abort(void) { std::abort(); }

ET_WEAK et_timestamp_t et_pal_current_ticks(void) { return static_cast<et_timestamp_t>(since_start().count()); }

ET_WEAK et_tick_ratio_t et_pal_ticks_to_ns_multiplier(void) { return {1, 1}; }

ET_WEAK void et_pal_emit_log_message(et_timestamp_t timestamp, et_pal_log_level_t level, const char* filename,
                                     const char*, size_t line, const char* message, size_t) {
  const unsigned long long microseconds = timestamp / 1000;
  const unsigned long long seconds = microseconds / 1000000;
  std::fprintf(stderr, "%c %02llu:%02llu:%02llu.%06llu executorch:%s:%zu] %s\n", static_cast<int>(level),
               seconds / 3600, seconds / 60 % 60, seconds % 60, microseconds % 1000000, filename, line, message);
  std::fflush(stderr);
}

ET_WEAK void* et_pal_allocate(size_t size) { return std::malloc(size); }

ET_WEAK void et_pal_free(void* ptr) { std::free(ptr); }

}  // extern "C"

#endif
