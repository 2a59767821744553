// SPDX-License-Identifier: BSD-3-Clause
// The platform's functions: defaults of a host, and what register_pal() puts in their place.

#include <executorch/runtime/platform/abort.h>
#include <executorch/runtime/platform/clock.h>
#include <executorch/runtime/platform/platform.h>
#include <executorch/runtime/platform/runtime.h>
#include <executorch/runtime/platform/system.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/platform/recorded_platform.h"

namespace {

using namespace executorch::runtime;

/// Puts the platform back as it was.
class Platform : public testing::Test {
 protected:
  void TearDown() override {
    original_.init = nullptr;
    testing::internal::CaptureStderr();
    register_pal(original_);
    testing::internal::GetCapturedStderr();
  }

  PalImpl original_ = *get_pal_impl();
};

TEST_F(Platform, TheHostClockRuns) {
  runtime_init();
  runtime_init();
  const et_timestamp_t first = pal_current_ticks();
  et_timestamp_t later = first;
  for (int i = 0; i < 1000000 && later == first; ++i) later = pal_current_ticks();
  EXPECT_GT(later, first);
}

TEST_F(Platform, TheHostAllocates) {
  void* memory = pal_allocate(100);
  EXPECT_NE(memory, nullptr);
  pal_free(memory);
}

TEST_F(Platform, TheHostWritesALineToStderr) {
  testing::internal::CaptureStderr();
  pal_emit_log_message(3723004005000, kError, "file.cpp", "function", 12, "message", 7);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "E 01:02:03.004005 executorch:file.cpp:12] message\n");
}

int init_calls = 0;

TEST_F(Platform, RegistrationReplacesWhatIsGivenAndCallsInit) {
  init_calls = 0;
  PalImpl impl;
  impl.init = [] { ++init_calls; };
  impl.ticks_to_ns_multiplier = [] { return et_tick_ratio_t{64, 3}; };
  EXPECT_TRUE(register_pal(impl));
  EXPECT_EQ(init_calls, 1);
  pal_init();
  EXPECT_EQ(init_calls, 2);
  EXPECT_EQ(ticks_to_ns(30), 640u);
  EXPECT_EQ(get_pal_impl()->emit_log_message, original_.emit_log_message);
  EXPECT_EQ(get_pal_impl()->allocate, original_.allocate);
}

TEST_F(Platform, ASecondRegistrationIsLoggedAndNamesBothFiles) {
  PalImpl impl;
  impl.source_filename = "first.cpp";
  testing::internal::CaptureStderr();
  register_pal(impl);
  testing::internal::GetCapturedStderr();
  impl.source_filename = "second.cpp";
  testing::internal::CaptureStderr();
  register_pal(impl);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::HasSubstr("first.cpp are replaced by those of second.cpp"));
}

TEST_F(Platform, TheConsoleAloneCanBeReplaced) {
  const PalImpl impl = PalImpl::create(
      [](et_timestamp_t, et_pal_log_level_t, const char*, const char*, size_t, const char*, size_t) {}, "console.cpp");
  EXPECT_EQ(impl.init, nullptr);
  EXPECT_EQ(impl.current_ticks, nullptr);
  EXPECT_NE(impl.emit_log_message, nullptr);
  EXPECT_STREQ(impl.source_filename, "console.cpp");
}

TEST_F(Platform, AnAbortThatReturnsStillEndsTheProgram) {
  EXPECT_DEATH(
      {
        PalImpl impl;
        impl.abort = [] {};
        register_pal(impl);
        runtime_abort();
      },
      "");
}

TEST_F(Platform, SharedLibrariesAreNotLookedUpByDefault) {
  EXPECT_STREQ(et_pal_get_shared_library_name(&init_calls), DYNAMIC_LIBRARY_NOT_SUPPORTED);
}

}  // namespace
