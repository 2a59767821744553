// SPDX-License-Identifier: BSD-3-Clause
// With ET_LOG_ENABLED=0 neither the calls nor their texts are in the program.

#undef ET_LOG_ENABLED
#define ET_LOG_ENABLED 0
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/log.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

executorch::runtime::Error every_way_to_log(int value) {
  ET_LOG(Fatal, "disabled-text: no arguments");
  ET_LOG(Error, "disabled-text: %d", value);
  ET_CHECK_OR_LOG_ERROR(value == 1, "disabled-text: %d", value);
  ET_ASSERT_MESSAGE_EMIT("disabled-text: %d", value);
  ET_CHECK_MSG(value != 2, "disabled-text: %d", value);
  ET_CHECK(value != 3 && "disabled-text: condition");
  ET_CHECK_OR_RETURN_ERROR(value != 4, InvalidArgument, "disabled-text: %d", value);
  if (value == 5) ET_ASSERT_UNREACHABLE_MSG("disabled-text: unreachable");
  return executorch::runtime::Error::Ok;
}

TEST(LogDisabled, NoTextIsLeftInTheProgram) {
  EXPECT_EQ(every_way_to_log(static_cast<int>(testing::UnitTest::GetInstance()->random_seed()) + 10),
            executorch::runtime::Error::Ok);
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string program((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (program.empty()) GTEST_SKIP() << "the running program cannot be read on this system";
  // Built at run time, so that this test does not find itself.
  const std::string text = std::string("disabled") + "-" + "text: ";
  EXPECT_EQ(program.find(text), std::string::npos);
}

TEST(LogDisabledDeathTest, ChecksStillAbort) {
  EXPECT_DEATH(every_way_to_log(2), "");
  EXPECT_DEATH(every_way_to_log(3), "");
  EXPECT_DEATH(every_way_to_log(5), "");
  EXPECT_EQ(every_way_to_log(4), executorch::runtime::Error::InvalidArgument);
}

}  // namespace
