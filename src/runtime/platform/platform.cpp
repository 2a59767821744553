// SPDX-License-Identifier: BSD-3-Clause
// The functions of the platform in use: the board's et_pal_* or what register_pal() put in their place.

#include <executorch/runtime/platform/log.h>
#include <executorch/runtime/platform/platform.h>

namespace executorch::runtime {
namespace {

// Initialised by the linker, so that constructors of globals may log and register.
PalImpl active = {et_pal_init,
                  et_pal_abort,
                  et_pal_current_ticks,
                  et_pal_ticks_to_ns_multiplier,
                  et_pal_emit_log_message,
                  et_pal_allocate,
                  et_pal_free,
                  nullptr};
bool replaced = false;

template <typename Function>
void replace(Function& function, Function replacement) {
  if (replacement != nullptr) function = replacement;
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
           active.source_filename != nullptr ? active.source_filename : "an unnamed file",
           impl.source_filename != nullptr ? impl.source_filename : "an unnamed file");
  }
  replaced = true;
  replace(active.init, impl.init);
  replace(active.abort, impl.abort);
  replace(active.current_ticks, impl.current_ticks);
  replace(active.ticks_to_ns_multiplier, impl.ticks_to_ns_multiplier);
  replace(active.emit_log_message, impl.emit_log_message);
  replace(active.allocate, impl.allocate);
  replace(active.free, impl.free);
  active.source_filename = impl.source_filename;
  if (impl.init != nullptr) impl.init();
  return true;
}

const PalImpl* get_pal_impl() { return &active; }

void pal_init() { active.init(); }

ET_NORETURN void pal_abort() {
  active.abort();
  __builtin_trap();  // a replacement may return, which its type does not forbid
}

et_timestamp_t pal_current_ticks() { return active.current_ticks(); }

et_tick_ratio_t pal_ticks_to_ns_multiplier() { return active.ticks_to_ns_multiplier(); }

void pal_emit_log_message(et_timestamp_t timestamp, et_pal_log_level_t level, const char* filename,
                          const char* function, size_t line, const char* message, size_t length) {
  active.emit_log_message(timestamp, level, filename, function, line, message, length);
}

void* pal_allocate(size_t size) { return active.allocate(size); }

void pal_free(void* ptr) { active.free(ptr); }

}  // namespace executorch::runtime
