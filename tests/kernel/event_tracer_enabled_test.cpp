// SPDX-License-Identifier: BSD-3-Clause
// The hooks of a build with ET_EVENT_TRACER_ENABLED.

#undef ET_EVENT_TRACER_ENABLED
#define ET_EVENT_TRACER_ENABLED
#include <gtest/gtest.h>

#include "tests/kernel/recording_tracer.h"
#include "tests/kernel/trace_everything.h"

namespace {

using namespace executorch::runtime;

TEST(EventTracerEnabled, EveryHookReachesTheTracer) {
  RecordingTracer tracer;
  tracer.set_event_tracer_debug_level(EventTracerDebugLogLevel::kIntermediateOutputs);
  trace_everything(&tracer);
  EXPECT_EQ(
      tracer.calls,
      "block:execute start:method start:op end:1 end:1 start:event end:1 allocator:pool allocation:9,12 value:5,0 "
      "value:5,1 start_delegate:conv end_delegate:2,2 log_delegate:4,20 output:int output:bool output:double "
      "output:tensors ");
  EXPECT_EQ(tracer.bundled_input_index(), 3);
}

TEST(EventTracerEnabled, LevelsChooseWhatIsTold) {
  RecordingTracer tracer;
  tracer.set_event_tracer_profiling_level(EventTracerProfilingLevel::kProfileMethodOnly);
  trace_everything(&tracer);
  EXPECT_EQ(tracer.calls.find("start:op"), std::string::npos);
  EXPECT_NE(tracer.calls.find("start:method"), std::string::npos);
  EXPECT_EQ(tracer.calls.find("value:"), std::string::npos);
  tracer.calls.clear();
  tracer.set_event_tracer_debug_level(EventTracerDebugLogLevel::kProgramOutputs);
  trace_everything(&tracer);
  EXPECT_EQ(tracer.calls.find("value:5,0"), std::string::npos);
  EXPECT_NE(tracer.calls.find("value:5,1"), std::string::npos);
}

TEST(EventTracerEnabled, TheInstructionIsSetWithinItsScope) {
  RecordingTracer tracer;
  {
    internal::EventTracerProfileInstructionScope scope(&tracer, 4, 7);
    EXPECT_EQ(tracer.current_chain_id(), 4);
    EXPECT_EQ(tracer.current_debug_handle(), 7u);
  }
  EXPECT_EQ(tracer.current_chain_id(), kUnsetChainId);
  EXPECT_EQ(tracer.current_debug_handle(), kUnsetDebugHandle);
}

TEST(EventTracerEnabled, NoTracerIsFine) { trace_everything(nullptr); }

}  // namespace
