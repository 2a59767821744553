// SPDX-License-Identifier: BSD-3-Clause
// Calls every hook of the event tracer once.

#pragma once

#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/core/event_tracer_hooks_delegate.h>

inline void trace_everything(executorch::runtime::EventTracer* tracer) {
  using namespace executorch::runtime;
  using namespace executorch::runtime::internal;
  event_tracer_create_event_block(tracer, "execute");
  {
    EventTracerProfileMethodScope method(tracer, "method");
    EventTracerProfileInstructionScope instruction(tracer, 1, 2);
    EventTracerProfileOpScope op(tracer, "op");
  }
  event_tracer_end_profiling_event(tracer, event_tracer_begin_profiling_event(tracer, "event"));
  event_tracer_track_allocation(tracer, event_tracer_track_allocator(tracer, "pool"), 12);
  EValue value(int64_t{5});
  event_tracer_log_evalue(tracer, value);
  event_tracer_log_evalue_output(tracer, value);
  event_tracer_set_bundled_input_index(tracer, 3);
  event_tracer_end_profiling_delegate(tracer, event_tracer_start_profiling_delegate(tracer, "conv", -1), "xy", 2);
  event_tracer_log_profiling_delegate(tracer, nullptr, 4, 10, 30);
  event_tracer_log_output_delegate(tracer, "conv", -1, 1);
  event_tracer_log_output_delegate(tracer, "conv", -1, true);
  event_tracer_log_output_delegate(tracer, "conv", -1, 1.0);
  event_tracer_log_output_delegate(tracer, "conv", -1, ArrayRef<executorch::aten::Tensor>());
}
