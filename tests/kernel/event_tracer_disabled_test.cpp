// SPDX-License-Identifier: BSD-3-Clause
// The hooks of a build without ET_EVENT_TRACER_ENABLED: nothing happens.

#undef ET_EVENT_TRACER_ENABLED
#include <gtest/gtest.h>

#include "tests/kernel/recording_tracer.h"
#include "tests/kernel/trace_everything.h"

namespace {

TEST(EventTracerDisabled, NoHookReachesTheTracer) {
  RecordingTracer tracer;
  tracer.set_event_tracer_debug_level(executorch::runtime::EventTracerDebugLogLevel::kIntermediateOutputs);
  trace_everything(&tracer);
  EXPECT_EQ(tracer.calls, "");
  EXPECT_EQ(tracer.bundled_input_index(), executorch::runtime::kUnsetBundledInputIndex);
}

TEST(EventTracerDisabled, AnyTypeOfOutputIsAccepted) {
  RecordingTracer tracer;
  executorch::runtime::event_tracer_log_output_delegate(&tracer, "conv", -1, "text");
  EXPECT_EQ(tracer.calls, "");
}

}  // namespace
