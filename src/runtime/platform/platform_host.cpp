// SPDX-License-Identifier: BSD-3-Clause
// Defaults of the et_pal_* functions under a desktop operating system: messages with the time since start on stderr,
// a nanosecond clock, malloc. The clock starts by itself: logging before runtime_init() is no mistake.

#include <executorch/runtime/platform/platform.h>

#if defined(__unix__) || defined(__APPLE__) || defined(_WIN32)

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

std::atomic<int64_t> start{0};  // 0: not yet

/// Nanoseconds since the first call.
int64_t since_start() {
  const int64_t now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  int64_t first = 0;
  start.compare_exchange_strong(first, now);
  return first == 0 ? 0 : now - first;
}

}  // namespace

extern "C" {

ET_WEAK void et_pal_init(void) { since_start(); }

ET_NORETURN ET_WEAK void et_pal_abort(void) { std::abort(); }

ET_WEAK et_timestamp_t et_pal_current_ticks(void) { return static_cast<et_timestamp_t>(since_start()); }

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
