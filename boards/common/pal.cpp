// SPDX-License-Identifier: BSD-3-Clause
// The runtime's platform hooks on a board: log lines on the console, the board's clock, a status when it aborts. Weak,
// as all such hooks: a program may define its own.

#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/platform.h>
#include <wick/board.h>

#ifndef ET_LOG_ENABLED
#define ET_LOG_ENABLED 1
#endif

ET_WEAK void et_pal_abort() { wick_board_exit(134); }

ET_WEAK et_timestamp_t et_pal_current_ticks() { return wick_board_ticks(); }

// Under QEMU with -icount shift=6 an instruction takes 64 ns of emulated time, so the boards' ticks are real time
// there.
ET_WEAK et_tick_ratio_t et_pal_ticks_to_ns_multiplier() {
  return {wick_board_ticks_to_instructions(64000) * 64, 64000};
}

#if ET_LOG_ENABLED
ET_WEAK void et_pal_emit_log_message(et_timestamp_t, et_pal_log_level_t level, const char*, const char*, size_t,
                                     const char* message, size_t length) {
  const char prefix[] = {static_cast<char>(level), ' '};
  wick_board_write(prefix, sizeof(prefix));
  wick_board_write(message, length);
  wick_board_write("\n", 1);
}
#endif
