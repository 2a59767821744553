// SPDX-License-Identifier: BSD-3-Clause
// The runtime's platform hooks by the Pico SDK: log lines on its console, the microsecond timer, panic().
#include <executorch/runtime/platform/platform.h>
#include <pico/stdlib.h>

#include <cstdio>

extern "C" {

void et_pal_init() {}

void et_pal_abort() { panic("wick: a check failed"); }

et_timestamp_t et_pal_current_ticks() { return time_us_64(); }

et_tick_ratio_t et_pal_ticks_to_ns_multiplier() { return {1000, 1}; }

void et_pal_emit_log_message(et_timestamp_t, et_pal_log_level_t level, const char*, const char*, size_t,
                             const char* message, size_t length) {
  std::printf("%c %.*s\n", static_cast<char>(level), static_cast<int>(length), message);
}

}  // extern "C"
