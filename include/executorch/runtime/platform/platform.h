// SPDX-License-Identifier: BSD-3-Clause
// What the runtime needs from a board: the et_pal_* functions. Each has a weak default, so a board defines
// only those it has something to say for; register_pal() replaces them at run time instead.
//
//     extern "C" void et_pal_emit_log_message(et_timestamp_t, et_pal_log_level_t, const char*, const char*,
//                                             size_t, const char* message, size_t length) {
//       uart_write(message, length);
//     }

#pragma once

#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/types.h>
#include <stddef.h>
#include <stdint.h>

// Attribute of the declarations below. Nothing in wick sets it: the defaults are weak where they are defined.
#ifndef ET_INTERNAL_PLATFORM_WEAKNESS
#define ET_INTERNAL_PLATFORM_WEAKNESS
#endif

extern "C" {

/// Nanoseconds per tick, as a fraction: nanoseconds = ticks * numerator / denominator.
typedef struct {
  uint64_t numerator;
  uint64_t denominator;
} et_tick_ratio_t;

/// How serious a message is; each value is a printable character.
typedef enum {
  kDebug = 'D',
  kInfo = 'I',
  kError = 'E',
  kFatal = 'F',
  kUnknown = '?',
} et_pal_log_level_t;

/// Prepares console and clock. May be called more than once. Default: nothing.
void et_pal_init(void) ET_INTERNAL_PLATFORM_WEAKNESS;

/// Stops for good. Default: the compiler's trap on a device, abort() on a host.
ET_NORETURN void et_pal_abort(void) ET_INTERNAL_PLATFORM_WEAKNESS;

/// Ticks of a clock that never runs backwards. Default: 0 on a device; nanoseconds since et_pal_init() on a host.
et_timestamp_t et_pal_current_ticks(void) ET_INTERNAL_PLATFORM_WEAKNESS;

/// Nanoseconds per tick. Default: 1/1.
et_tick_ratio_t et_pal_ticks_to_ns_multiplier(void) ET_INTERNAL_PLATFORM_WEAKNESS;

/// Shows a message. `message` is NUL-terminated, `length` is without the NUL, and there is no newline.
/// Default: nothing on a device; a line on stderr on a host.
void et_pal_emit_log_message(et_timestamp_t timestamp, et_pal_log_level_t level, const char* filename,
                             const char* function, size_t line, const char* message,
                             size_t length) ET_INTERNAL_PLATFORM_WEAKNESS;

/// Memory for PlatformMemoryAllocator, or null. The library itself calls it nowhere else.
/// Default: null on a device, malloc() on a host.
void* et_pal_allocate(size_t size) ET_INTERNAL_PLATFORM_WEAKNESS;

/// Gives back what et_pal_allocate() returned.
void et_pal_free(void* ptr) ET_INTERNAL_PLATFORM_WEAKNESS;

typedef et_timestamp_t (*et_pal_current_ticks_t)(void);
using pal_init_method = void (*)();
using pal_abort_method = void (*)();
using pal_current_ticks_method = et_timestamp_t (*)();
using pal_ticks_to_ns_multiplier_method = et_tick_ratio_t (*)();
using pal_emit_log_message_method = void (*)(et_timestamp_t timestamp, et_pal_log_level_t level, const char* filename,
                                             const char* function, size_t line, const char* message, size_t length);
using pal_allocate_method = void* (*)(size_t size);
using pal_free_method = void (*)(void* ptr);

}  // extern "C"

namespace executorch::runtime {

/// The functions of a platform; a null one keeps what was there. An aggregate: the table must be ready before
/// any constructor of the program runs.
struct PalImpl {
  /// Replaces the console only.
  static PalImpl create(pal_emit_log_message_method emit_log_message, const char* source_filename);

  static PalImpl create(pal_init_method init, pal_abort_method abort, pal_current_ticks_method current_ticks,
                        pal_ticks_to_ns_multiplier_method ticks_to_ns_multiplier,
                        pal_emit_log_message_method emit_log_message, pal_allocate_method allocate,
                        pal_free_method free, const char* source_filename);

  pal_init_method init = nullptr;
  pal_abort_method abort = nullptr;
  pal_current_ticks_method current_ticks = nullptr;
  pal_ticks_to_ns_multiplier_method ticks_to_ns_multiplier = nullptr;
  pal_emit_log_message_method emit_log_message = nullptr;
  pal_allocate_method allocate = nullptr;
  pal_free_method free = nullptr;
  /// The file that registered this, for the message about a second registration. May be null.
  const char* source_filename = nullptr;
};

/// Replaces the functions that are not null in `impl`, then calls its init if it has one. A second call is logged
/// and wins. Returns true always, so that it can initialise a global.
bool register_pal(PalImpl impl);

/// The functions in use; none is null.
const PalImpl* get_pal_impl();

// The functions in use, by name.
void pal_init();
ET_NORETURN void pal_abort();
et_timestamp_t pal_current_ticks();
et_tick_ratio_t pal_ticks_to_ns_multiplier();
void pal_emit_log_message(et_timestamp_t timestamp, et_pal_log_level_t level, const char* filename,
                          const char* function, size_t line, const char* message, size_t length);
void* pal_allocate(size_t size);
void pal_free(void* ptr);

}  // namespace executorch::runtime
