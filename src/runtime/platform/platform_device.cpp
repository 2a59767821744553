// SPDX-License-Identifier: BSD-3-Clause
// Defaults of the et_pal_* functions where there is no operating system: silent, without a clock, without a heap.
// A board overrides those it can do better. See platform.h.

#include <executorch/runtime/platform/platform.h>

#if !defined(__unix__) && !defined(__APPLE__) && !defined(_WIN32)

extern "C" {

ET_WEAK void et_pal_init(void) {}

ET_NORETURN ET_WEAK void et_pal_abort(void) { __builtin_trap(); }

ET_WEAK et_timestamp_t et_pal_current_ticks(void) { return 0; }

ET_WEAK et_tick_ratio_t et_pal_ticks_to_ns_multiplier(void) { return {1, 1}; }

ET_WEAK void et_pal_emit_log_message(et_timestamp_t, et_pal_log_level_t, const char*, const char*, size_t, const char*,
                                     size_t) {}

ET_WEAK void* et_pal_allocate(size_t) { return nullptr; }

ET_WEAK void et_pal_free(void*) {}

}  // extern "C"

#endif
