// SPDX-License-Identifier: BSD-3-Clause
// The functions of the platform in use: the board's et_pal_* or what register_pal() put in their place.

#include <executorch/runtime/platform/log.h>
#include <executorch/runtime/platform/platform.h>

namespace executorch::runtime {
namespace {

// What register_pal() brought; null: the board's. Constructors of globals may log and register.
PalImpl replacement;
bool replaced = false;

template <typename Function>
void replace(Function& function, Function by) {
  if (by != nullptr) function = by;
}

/// Each function asks for itself, so that an image carries only those of the board that something calls.
template <typename Function>
Function in_use(Function registered, Function of_board) {
  return registered != nullptr ? registered : of_board;
}

}  // namespace

PalImpl PalImpl::create(pal_emit_log_message_method emit_log_message, const char* source_filename) {
  return create(nullptr, nullptr, nullptr, nullptr, emit_log_message, nullptr, nullptr, source_filename);
}

PalImpl PalImpl::create(pal_init_method init, pal_abort_method abort, pal_current_ticks_method current_ticks,
                        pal_ticks_to_ns_multiplier_method ticks_to_ns_multiplier,
                        pal_emit_log_message_method emit_log_message, pal_allocate_method allocate,
                        pal_free_method free, const char* source_filename) {
  return PalImpl{init, abort, current_ticks, ticks_to_ns_multiplier, emit_log_message, allocate, free, source_filename};
}

bool register_pal(PalImpl impl) {
  if (replaced) {
    ET_LOG(Error, "The platform functions registered by %s are replaced by those of %s: register_pal() ran twice",
           replacement.source_filename != nullptr ? replacement.source_filename : "an unnamed file",
           impl.source_filename != nullptr ? impl.source_filename : "an unnamed file");
  }
  replaced = true;
  replace(replacement.init, impl.init);
  replace(replacement.abort, impl.abort);
  replace(replacement.current_ticks, impl.current_ticks);
  replace(replacement.ticks_to_ns_multiplier, impl.ticks_to_ns_multiplier);
  replace(replacement.emit_log_message, impl.emit_log_message);
  replace(replacement.allocate, impl.allocate);
  replace(replacement.free, impl.free);
  replacement.source_filename = impl.source_filename;
  if (impl.init != nullptr) impl.init();
  return true;
}

const PalImpl* get_pal_impl() {
  static PalImpl all;
  all = {in_use(replacement.init, et_pal_init),
         in_use(replacement.abort, et_pal_abort),
         in_use(replacement.current_ticks, et_pal_current_ticks),
         in_use(replacement.ticks_to_ns_multiplier, et_pal_ticks_to_ns_multiplier),
         in_use(replacement.emit_log_message, et_pal_emit_log_message),
         in_use(replacement.allocate, et_pal_allocate),
         in_use(replacement.free, et_pal_free),
         replacement.source_filename};
  return &all;
}

void pal_init() { in_use(replacement.init, et_pal_init)(); }

ET_NORETURN void pal_abort() {
  in_use<pal_abort_method>(replacement.abort, et_pal_abort)();
  __builtin_trap();  // a replacement may return, which its type does not forbid
}

et_timestamp_t pal_current_ticks() { return in_use(replacement.current_ticks, et_pal_current_ticks)(); }

et_tick_ratio_t pal_ticks_to_ns_multiplier() {
  return in_use(replacement.ticks_to_ns_multiplier, et_pal_ticks_to_ns_multiplier)();
}

void pal_emit_log_message(et_timestamp_t timestamp, et_pal_log_level_t level, const char* filename,
                          const char* function, size_t line, const char* message, size_t length) {
  in_use(replacement.emit_log_message, et_pal_emit_log_message)(timestamp, level, filename, function, line, message,
                                                                length);
}

void* pal_allocate(size_t size) { return in_use(replacement.allocate, et_pal_allocate)(size); }

void pal_free(void* ptr) { in_use(replacement.free, et_pal_free)(ptr); }

}  // namespace executorch::runtime
