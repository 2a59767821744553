// SPDX-License-Identifier: BSD-3-Clause
// The legacy profiler: the layout that the post-processing tool reads.

#define PROFILING_ENABLED
#include <executorch/runtime/platform/profiler.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "tests/platform/recorded_platform.h"

namespace {

using namespace executorch::runtime;

class Profiler : public testing::Test {
 protected:
  void SetUp() override { profiler_init(); }

  const prof_header_t& header(uint32_t block) { return *reinterpret_cast<const prof_header_t*>(at(block, 0)); }
  const prof_event_t& event(uint32_t block, uint32_t index) {
    return reinterpret_cast<const prof_event_t*>(at(block, prof_events_offset))[index];
  }

  prof_result_t dump() {
    prof_result_t result;
    EXECUTORCH_DUMP_PROFILE_RESULTS(&result);
    data_ = result.prof_data;
    return result;
  }

  const uint8_t* at(uint32_t block, size_t offset) { return data_ + block * size_t{prof_buf_size} + offset; }

  std::optional<RecordedPlatform> platform_{std::in_place};
  const uint8_t* data_ = nullptr;
};

TEST_F(Profiler, RecordsEventsWithTheirInstruction) {
  {
    EXECUTORCH_PROFILE_INSTRUCTION_SCOPE(2, 7);
    EXECUTORCH_SCOPE_PROF("scope with a name that is far too long for its field");
  }
  const uint32_t token = EXECUTORCH_BEGIN_PROF("event");
  EXECUTORCH_END_PROF(token);
  const prof_result_t result = dump();
  EXPECT_EQ(result.num_blocks, 1u);
  EXPECT_EQ(result.num_bytes, prof_buf_size);
  EXPECT_STREQ(header(0).name, "default");
  EXPECT_EQ(header(0).prof_ver, 1u);
  ASSERT_EQ(header(0).prof_entries, 2u);
  EXPECT_EQ(std::string(event(0, 0).name, PROF_NAME_MAX_LEN), "scope with a name that is far to");
  EXPECT_EQ(event(0, 0).chain_idx, 2);
  EXPECT_EQ(event(0, 0).instruction_idx, 7u);
  EXPECT_EQ(event(0, 0).end_time, RecordedPlatform::kNow);
  EXPECT_STREQ(event(0, 1).name, "event");
  EXPECT_EQ(event(0, 1).chain_idx, -1);
}

TEST_F(Profiler, ABlockWithoutEventsIsRenamed) {
  EXECUTORCH_PROFILE_CREATE_BLOCK("first");
  const uint32_t id = EXECUTORCH_TRACK_ALLOCATOR("pool");
  EXECUTORCH_TRACK_ALLOCATION(static_cast<int32_t>(id), 100);
  EXECUTORCH_TRACK_ALLOCATION(-1, 5);
  EXECUTORCH_PROFILE_CREATE_BLOCK("second");
  EXPECT_EQ(dump().num_blocks, 2u);
  EXPECT_STREQ(header(0).name, "first");
  EXPECT_EQ(header(0).allocator_entries, 1u);
  EXPECT_EQ(header(0).mem_prof_entries, 1u);
  EXPECT_STREQ(reinterpret_cast<const prof_allocator_t*>(at(0, prof_mem_alloc_info_offset))->name, "pool");
  EXPECT_EQ(reinterpret_cast<const mem_prof_event_t*>(at(0, prof_mem_alloc_events_offset))->allocation_size, 100u);
  EXPECT_STREQ(header(1).name, "second");
  EXPECT_EQ(header(1).mem_prof_entries, 0u);
}

TEST_F(Profiler, ResettingForgetsTheBlock) {
  EXECUTORCH_END_PROF(EXECUTORCH_BEGIN_PROF("event"));
  EXECUTORCH_RESET_PROFILE_RESULTS();
  dump();
  EXPECT_EQ(header(0).prof_entries, 0u);
}

TEST_F(Profiler, AFullBufferSaysWhichMacroToRaise) {
  for (int i = 0; i < MAX_PROFILE_EVENTS; ++i) begin_profiling("event");
  platform_.reset();  // messages to stderr
  EXPECT_DEATH(begin_profiling("event"), "define MAX_PROFILE_EVENTS above 1024");
  for (int i = 0; i < MEM_PROFILE_MAX_ALLOCATORS; ++i) track_allocator("pool");
  EXPECT_DEATH(track_allocator("pool"), "define MEM_PROFILE_MAX_ALLOCATORS above 32");
}

}  // namespace
