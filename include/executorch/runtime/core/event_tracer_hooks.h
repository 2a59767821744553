// SPDX-License-Identifier: BSD-3-Clause
// How the runtime calls an EventTracer, which may be null: through these, and never directly.
// Without ET_EVENT_TRACER_ENABLED every one of them is nothing, whatever tracer is passed.
//
//     internal::EventTracerProfileMethodScope scope(event_tracer, "Method::execute");

#pragma once

#include <executorch/runtime/core/event_tracer.h>

// What is compiled with tracing and what is compiled without have different names, so that both may be in one image.
#ifdef ET_EVENT_TRACER_ENABLED
#define WICK_EVENT_TRACING traced
#else
#define WICK_EVENT_TRACING untraced
#endif

namespace executorch::runtime::internal {
inline namespace WICK_EVENT_TRACING {

/// Whether this build traces events.
constexpr bool event_tracer_enabled() {
#ifdef ET_EVENT_TRACER_ENABLED
  return true;
#else
  return false;
#endif
}

/// `event_tracer`, or null when tracing is compiled out: the compiler then drops what a test of it guards.
constexpr EventTracer* event_tracer_if_enabled(EventTracer* event_tracer) {
  return event_tracer_enabled() ? event_tracer : nullptr;
}

#ifdef ET_EVENT_TRACER_ENABLED

/// Times the scope in which it lives, unless the tracer wants methods only.
class EventTracerProfileOpScope final {
 public:
  EventTracerProfileOpScope(EventTracer* event_tracer, const char* name)
      : event_tracer_(event_tracer_if_enabled(event_tracer)) {
    if (wanted()) entry_ = event_tracer_->start_profiling(name);
  }

  ~EventTracerProfileOpScope() {
    if (wanted()) event_tracer_->end_profiling(entry_);
  }

  EventTracerProfileOpScope(const EventTracerProfileOpScope&) = delete;
  EventTracerProfileOpScope& operator=(const EventTracerProfileOpScope&) = delete;

 private:
  bool wanted() const {
    return event_tracer_ != nullptr &&
           event_tracer_->event_tracer_profiling_level() > EventTracerProfilingLevel::kProfileMethodOnly;
  }

  EventTracer* event_tracer_;
  EventTracerEntry entry_{};
};

using EventTracerProfileScope = EventTracerProfileOpScope;

/// Times the scope in which it lives.
class EventTracerProfileMethodScope final {
 public:
  EventTracerProfileMethodScope(EventTracer* event_tracer, const char* name)
      : event_tracer_(event_tracer_if_enabled(event_tracer)) {
    if (event_tracer_ != nullptr) entry_ = event_tracer_->start_profiling(name);
  }

  ~EventTracerProfileMethodScope() {
    if (event_tracer_ != nullptr) event_tracer_->end_profiling(entry_);
  }

  EventTracerProfileMethodScope(const EventTracerProfileMethodScope&) = delete;
  EventTracerProfileMethodScope& operator=(const EventTracerProfileMethodScope&) = delete;

 private:
  EventTracer* event_tracer_;
  EventTracerEntry entry_{};
};

/// Attributes the events of the scope in which it lives to one instruction.
class EventTracerProfileInstructionScope final {
 public:
  EventTracerProfileInstructionScope(EventTracer* event_tracer, ChainID chain_idx, DebugHandle debug_handle)
      : event_tracer_(event_tracer_if_enabled(event_tracer)) {
    if (event_tracer_ != nullptr) event_tracer_->set_chain_debug_handle(chain_idx, debug_handle);
  }

  ~EventTracerProfileInstructionScope() {
    if (event_tracer_ != nullptr) event_tracer_->set_chain_debug_handle(kUnsetChainId, kUnsetDebugHandle);
  }

  EventTracerProfileInstructionScope(const EventTracerProfileInstructionScope&) = delete;
  EventTracerProfileInstructionScope& operator=(const EventTracerProfileInstructionScope&) = delete;

 private:
  EventTracer* event_tracer_;
};

#else

// Without tracing, scopes are empty: no state, no destructor to call.
struct EventTracerProfileOpScope final {
  EventTracerProfileOpScope(EventTracer*, const char*) {}
  EventTracerProfileOpScope(const EventTracerProfileOpScope&) = delete;
  EventTracerProfileOpScope& operator=(const EventTracerProfileOpScope&) = delete;
};
struct EventTracerProfileMethodScope final {
  EventTracerProfileMethodScope(EventTracer*, const char*) {}
  EventTracerProfileMethodScope(const EventTracerProfileMethodScope&) = delete;
  EventTracerProfileMethodScope& operator=(const EventTracerProfileMethodScope&) = delete;
};
struct EventTracerProfileInstructionScope final {
  EventTracerProfileInstructionScope(EventTracer*, ChainID, DebugHandle) {}
  EventTracerProfileInstructionScope(const EventTracerProfileInstructionScope&) = delete;
  EventTracerProfileInstructionScope& operator=(const EventTracerProfileInstructionScope&) = delete;
};
using EventTracerProfileScope = EventTracerProfileOpScope;

#endif

inline void event_tracer_create_event_block(EventTracer* event_tracer, char const* name) {
  if (EventTracer* tracer = event_tracer_if_enabled(event_tracer)) tracer->create_event_block(name);
}

inline EventTracerEntry event_tracer_begin_profiling_event(EventTracer* event_tracer, char const* name) {
  EventTracer* tracer = event_tracer_if_enabled(event_tracer);
  return tracer != nullptr ? tracer->start_profiling(name) : EventTracerEntry();
}

/// `event` is what event_tracer_begin_profiling_event() returned.
inline void event_tracer_end_profiling_event(EventTracer* event_tracer, EventTracerEntry event) {
  if (EventTracer* tracer = event_tracer_if_enabled(event_tracer)) tracer->end_profiling(event);
}

inline AllocatorID event_tracer_track_allocator(EventTracer* event_tracer, const char* name) {
  EventTracer* tracer = event_tracer_if_enabled(event_tracer);
  return tracer != nullptr ? tracer->track_allocator(name) : 0;
}

inline void event_tracer_track_allocation(EventTracer* event_tracer, AllocatorID id, size_t size) {
  if (EventTracer* tracer = event_tracer_if_enabled(event_tracer)) tracer->track_allocation(id, size);
}

/// Logs the result of an operator, if the tracer wants such values.
inline void event_tracer_log_evalue(EventTracer* event_tracer, EValue& evalue) {
  EventTracer* tracer = event_tracer_if_enabled(event_tracer);
  if (tracer != nullptr && tracer->event_tracer_debug_level() >= EventTracerDebugLogLevel::kIntermediateOutputs) {
    (void)tracer->log_evalue(evalue, LoggedEValueType::kIntermediateOutput);
  }
}

/// Logs an output of the method, if the tracer wants such values.
inline void event_tracer_log_evalue_output(EventTracer* event_tracer, const EValue& evalue) {
  EventTracer* tracer = event_tracer_if_enabled(event_tracer);
  if (tracer != nullptr && tracer->event_tracer_debug_level() >= EventTracerDebugLogLevel::kProgramOutputs) {
    (void)tracer->log_evalue(evalue, LoggedEValueType::kProgramOutput);
  }
}

inline void event_tracer_set_bundled_input_index(EventTracer* event_tracer, int bundled_input_index) {
  if (EventTracer* tracer = event_tracer_if_enabled(event_tracer)) {
    tracer->set_bundled_input_index(bundled_input_index);
  }
}

}  // namespace WICK_EVENT_TRACING
}  // namespace executorch::runtime::internal

namespace torch::executor::internal {
// Deprecated names.
using ::executorch::runtime::internal::event_tracer_begin_profiling_event;
using ::executorch::runtime::internal::event_tracer_create_event_block;
using ::executorch::runtime::internal::event_tracer_end_profiling_event;
using ::executorch::runtime::internal::event_tracer_log_evalue;
using ::executorch::runtime::internal::event_tracer_log_evalue_output;
using ::executorch::runtime::internal::event_tracer_set_bundled_input_index;
using ::executorch::runtime::internal::event_tracer_track_allocation;
using ::executorch::runtime::internal::event_tracer_track_allocator;
using ::executorch::runtime::internal::EventTracerProfileInstructionScope;
using ::executorch::runtime::internal::EventTracerProfileMethodScope;
using ::executorch::runtime::internal::EventTracerProfileOpScope;
using ::executorch::runtime::internal::EventTracerProfileScope;
}  // namespace torch::executor::internal
