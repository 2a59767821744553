// SPDX-License-Identifier: BSD-3-Clause
// How a backend reports what happens inside its delegate. The tracer may be null, and without
// ET_EVENT_TRACER_ENABLED every call is nothing, so they can stay in production code.
//
//     auto event = event_tracer_start_profiling_delegate(context.event_tracer(), "conv", kUnsetDelegateDebugIntId);
//     run();
//     event_tracer_end_profiling_delegate(context.event_tracer(), event);

#pragma once

#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/event_tracer_hooks.h>

#include <type_traits>

namespace executorch::runtime {
inline namespace WICK_EVENT_TRACING {

/// Begins an event. A part of the delegate is named either by text or, with a null name, by number.
inline EventTracerEntry event_tracer_start_profiling_delegate(EventTracer* event_tracer, const char* name,
                                                              DelegateDebugIntId delegate_debug_id) {
  EventTracer* tracer = internal::event_tracer_if_enabled(event_tracer);
  return tracer != nullptr ? tracer->start_profiling_delegate(name, delegate_debug_id) : EventTracerEntry();
}

/// Ends an event; `metadata` is stored with it as it is.
inline void event_tracer_end_profiling_delegate(EventTracer* event_tracer, EventTracerEntry event_tracer_entry,
                                                const void* metadata = nullptr, size_t metadata_len = 0) {
  if (EventTracer* tracer = internal::event_tracer_if_enabled(event_tracer)) {
    tracer->end_profiling_delegate(event_tracer_entry, metadata, metadata_len);
  }
}

/// Reports an event that is over, with its times in ticks: for hardware that tells them afterwards.
inline void event_tracer_log_profiling_delegate(EventTracer* event_tracer, const char* name,
                                                DelegateDebugIntId delegate_debug_id, et_timestamp_t start_time,
                                                et_timestamp_t end_time, const void* metadata = nullptr,
                                                size_t metadata_len = 0) {
  if (EventTracer* tracer = internal::event_tracer_if_enabled(event_tracer)) {
    tracer->log_profiling_delegate(name, delegate_debug_id, start_time, end_time, metadata, metadata_len);
  }
}

/// Logs an intermediate result: int, bool, double, Tensor or ArrayRef<Tensor>.
template <typename T>
inline void event_tracer_log_output_delegate(EventTracer* event_tracer, const char* name,
                                             DelegateDebugIntId delegate_debug_id, const T& output) {
  if constexpr (internal::event_tracer_enabled()) {
    static_assert(std::is_same_v<T, int> || std::is_same_v<T, bool> || std::is_same_v<T, double> ||
                      std::is_same_v<T, executorch::aten::Tensor> ||
                      std::is_same_v<T, ArrayRef<executorch::aten::Tensor>>,
                  "an intermediate result must be an int, bool, double, Tensor or ArrayRef<Tensor>");
    if (event_tracer != nullptr) {
      (void)event_tracer->log_intermediate_output_delegate(name, delegate_debug_id, output);
    }
  } else {
    ((void)event_tracer, (void)name, (void)delegate_debug_id, (void)output);
  }
}

}  // namespace WICK_EVENT_TRACING
}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::event_tracer_end_profiling_delegate;
using ::executorch::runtime::event_tracer_log_output_delegate;
using ::executorch::runtime::event_tracer_log_profiling_delegate;
using ::executorch::runtime::event_tracer_start_profiling_delegate;
}  // namespace torch::executor
