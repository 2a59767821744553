// SPDX-License-Identifier: BSD-3-Clause
// ET_LOG and the checks: what reaches the platform.

#define ET_MIN_LOG_LEVEL Info
#undef ET_LOG_ENABLED
#define ET_LOG_ENABLED 1
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/log.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/platform/recorded_platform.h"

namespace {

using testing::HasSubstr;

class Log : public testing::Test {
 protected:
  const LoggedMessage& only_message() {
    EXPECT_EQ(RecordedPlatform::messages().size(), 1u);
    return RecordedPlatform::messages().at(0);
  }

  RecordedPlatform platform_;
};

TEST_F(Log, AMessageNeedsNoArguments) {
  ET_LOG(Info, "ready");
  EXPECT_EQ(only_message().text, "ready");
}

TEST_F(Log, AMessageSaysWhenWhereAndHowSerious) {
  const size_t line = __LINE__ + 1;
  ET_LOG(Error, "input %zu of %s has %lld bytes", size_t{3}, "forward", -1LL);
  const LoggedMessage& message = only_message();
  EXPECT_EQ(message.text, "input 3 of forward has -1 bytes");
  EXPECT_EQ(message.timestamp, RecordedPlatform::kNow);
  EXPECT_EQ(message.level, kError);
  EXPECT_EQ(message.filename, "log_test.cpp");
  EXPECT_EQ(message.function, "TestBody");
  EXPECT_EQ(message.line, line);
}

TEST_F(Log, EachLevelHasItsLetter) {
  ET_LOG(Info, "a");
  ET_LOG(Error, "b");
  ET_LOG(Fatal, "c");
  ET_LOG(NumLevels, "d");
  ASSERT_EQ(RecordedPlatform::messages().size(), 4u);
  EXPECT_EQ(RecordedPlatform::messages()[0].level, kInfo);
  EXPECT_EQ(RecordedPlatform::messages()[1].level, kError);
  EXPECT_EQ(RecordedPlatform::messages()[2].level, kFatal);
  EXPECT_EQ(RecordedPlatform::messages()[3].level, kUnknown);
}

TEST_F(Log, MessagesBelowTheLevelAreNotCompiledIn) {
  int evaluated = 0;
  ET_LOG(Debug, "%d", ++evaluated);
  EXPECT_TRUE(RecordedPlatform::messages().empty());
  EXPECT_EQ(evaluated, 0);
}

TEST_F(Log, IsOneStatement) {
  const bool condition = RecordedPlatform::messages().size() > 100;
  if (condition)
    ET_LOG(Info, "then");
  else
    ET_LOG(Info, "else");
  EXPECT_EQ(only_message().text, "else");
}

TEST_F(Log, LongMessagesAreCutToFit) {
  const std::string text(1000, 'x');
  ET_LOG(Info, "%s", text.c_str());
  EXPECT_EQ(only_message().text, std::string(255, 'x'));
}

TEST_F(Log, ACutNeverSplitsACharacter) {
  const char* const characters[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x91\x8D"};  // 2, 3 and 4 bytes of UTF-8
  for (const char* character : characters) {
    for (size_t prefix = 245; prefix <= 255; ++prefix) {
      RecordedPlatform::messages().clear();
      ET_LOG(Info, "%s%s and more text", std::string(prefix, 'x').c_str(), character);
      const std::string& text = only_message().text;
      const size_t whole = prefix + std::string(character).size();
      const size_t kept = whole > 255 ? prefix : std::min<size_t>(255, whole + 14);
      EXPECT_EQ(text.size(), kept) << prefix << " then " << character;
    }
  }
}

TEST_F(Log, ConditionsThatHoldLogNothing) {
  ET_CHECK_OR_LOG_ERROR(1 + 1 == 2, "impossible");
  EXPECT_TRUE(RecordedPlatform::messages().empty());
  ET_CHECK_OR_LOG_ERROR(1 + 1 == 3, "sum is %d", 2);
  EXPECT_EQ(only_message().text, "sum is 2");
  EXPECT_EQ(only_message().level, kError);
}

TEST_F(Log, AFailedAssertionNamesTheFunction) {
  ET_ASSERT_MESSAGE_EMIT(": got %d", 5);
  EXPECT_EQ(only_message().text, "In function TestBody(), assert failed: got 5");
  EXPECT_EQ(only_message().level, kFatal);
}

TEST(CheckDeathTest, AFailedCheckSaysWhatAndAborts) {
  const int count = 3;
  EXPECT_DEATH(ET_CHECK(count == 4), "In function TestBody\\(\\), assert failed: count == 4");
  EXPECT_DEATH(ET_CHECK_MSG(count == 4, "no arguments"), "assert failed \\(count == 4\\): no arguments");
  EXPECT_DEATH(ET_CHECK_MSG(count == 4, "count is %d", count), "assert failed \\(count == 4\\): count is 3");
  EXPECT_DEATH(ET_ASSERT_UNREACHABLE(), "Execution should not reach this point");
  EXPECT_DEATH(ET_ASSERT_UNREACHABLE_MSG("use %d", count), "Execution should not reach this point. use 3");
}

TEST(CheckDeathTest, ACheckThatHoldsDoesNothing) {
  ET_CHECK(true);
  ET_CHECK_MSG(1 < 2, "unused %d", 1);
}

TEST(CheckDeathTest, DebugChecksVanishInReleaseBuilds) {
  bool evaluated = false;
  ET_DCHECK((evaluated = true));
#ifdef NDEBUG
  EXPECT_FALSE(evaluated);
#else
  EXPECT_TRUE(evaluated);
  EXPECT_DEATH(ET_DCHECK_MSG(false, "debug only"), "debug only");
#endif
}

}  // namespace
