// SPDX-License-Identifier: BSD-3-Clause
// Options of backends and the map that assigns them.

#include <executorch/runtime/backend/backend_options_map.h>
#include <executorch/runtime/backend/options.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using namespace executorch::runtime;

TEST(BackendOptions, HoldBoolIntAndText) {
  BackendOptions<3> options;
  EXPECT_EQ(options.set_option("flag", true), Error::Ok);
  EXPECT_EQ(options.set_option("count", 7), Error::Ok);
  EXPECT_EQ(options.set_option("text", "value"), Error::Ok);
  bool flag = false;
  int count = 0;
  const char* text = nullptr;
  EXPECT_EQ(options.get_option("flag", flag), Error::Ok);
  EXPECT_EQ(options.get_option("count", count), Error::Ok);
  EXPECT_EQ(options.get_option("text", text), Error::Ok);
  EXPECT_TRUE(flag);
  EXPECT_EQ(count, 7);
  EXPECT_STREQ(text, "value");
  EXPECT_EQ(options.get_option("text", count), Error::InvalidArgument);
  EXPECT_EQ(options.get_option("flag", text), Error::InvalidArgument);
  EXPECT_EQ(options.get_option("other", count), Error::NotFound);
}

TEST(BackendOptions, AKeyIsStoredOnceWithItsLastValue) {
  BackendOptions<1> options;
  EXPECT_EQ(options.set_option("key", 1), Error::Ok);
  EXPECT_EQ(options.set_option("key", "text"), Error::Ok);
  EXPECT_EQ(options.view().size(), 1u);
  const char* text = nullptr;
  EXPECT_EQ(options.get_option("key", text), Error::Ok);
  EXPECT_STREQ(text, "text");
  EXPECT_EQ(options.set_option("another", 1), Error::InvalidArgument);
}

TEST(BackendOptions, LongTextsAreCut) {
  BackendOptions<1> options;
  options.set_option("key", std::string(1000, 'x').c_str());
  const char* text = nullptr;
  ASSERT_EQ(options.get_option("key", text), Error::Ok);
  EXPECT_EQ(std::string(text), std::string(kMaxOptionValueLength - 1, 'x'));
}

TEST(BackendOptions, TheLongestKeyFits) {
  BackendOptions<1> options;
  char key[kMaxOptionKeyLength];
  memset(key, 'k', sizeof(key));
  key[sizeof(key) - 1] = '\0';
  options.set_option(key, 5);
  int value = 0;
  EXPECT_EQ(options.get_option(key, value), Error::Ok);
  EXPECT_STREQ(options.view()[0].key, key);
}

TEST(BackendOptions, CopiesAreIndependent) {
  BackendOptions<2> original;
  original.set_option("key", 1);
  BackendOptions<2> copy(original);
  copy.set_option("key", 2);
  int value = 0;
  original.get_option("key", value);
  EXPECT_EQ(value, 1);
}

TEST(BackendOptionsDeathTest, ANullTextIsAMistake) {
  BackendOptions<1> options;
  EXPECT_DEATH(options.set_option("key", static_cast<const char*>(nullptr)), "");
}

TEST(LoadBackendOptionsMap, FindsOptionsByBackend) {
  BackendOptions<1> first, second;
  first.set_option("threads", 1);
  second.set_option("threads", 2);
  LoadBackendOptionsMap map;
  EXPECT_EQ(map.set_options("First", first.view()), Error::Ok);
  EXPECT_EQ(map.set_options("Second", second.view()), Error::Ok);
  EXPECT_EQ(map.size(), 2u);
  EXPECT_TRUE(map.has_options("Second"));
  EXPECT_EQ(std::get<int>(map.get_options("Second")[0].value), 2);
  EXPECT_EQ(map.get_options("Third").size(), 0u);
  EXPECT_FALSE(map.has_options(nullptr));
  EXPECT_STREQ(map.entry_at(0).backend_id, "First");
  EXPECT_EQ(map.entry_at(1).options.size(), 1u);
  EXPECT_EQ(map.set_options("First", second.view()), Error::Ok);
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(std::get<int>(map.get_options("First")[0].value), 2);
}

TEST(LoadBackendOptionsMap, RefusesBadNamesAndANinthBackend) {
  BackendOptions<1> options;
  LoadBackendOptionsMap map;
  EXPECT_EQ(map.set_options(nullptr, options.view()), Error::InvalidArgument);
  EXPECT_EQ(map.set_options("", options.view()), Error::InvalidArgument);
  EXPECT_EQ(map.set_options(std::string(64, 'n').c_str(), options.view()), Error::InvalidArgument);
  EXPECT_EQ(map.set_options(std::string(63, 'n').c_str(), options.view()), Error::Ok);
  for (int i = 1; i < 8; ++i) EXPECT_EQ(map.set_options(std::to_string(i).c_str(), options.view()), Error::Ok);
  EXPECT_EQ(map.set_options("ninth", options.view()), Error::InvalidArgument);
  EXPECT_EQ(map.set_options("7", options.view()), Error::Ok);
}

struct Builder {
  const char* backend_id() const { return "Built"; }
  Span<BackendOption> view() { return options.view(); }
  BackendOptions<1> options;
};

TEST(LoadBackendOptionsMap, TakesABuilder) {
  Builder builder;
  builder.options.set_option("key", 1);
  LoadBackendOptionsMap map;
  EXPECT_EQ(map.set_options(builder), Error::Ok);
  EXPECT_EQ(map.get_options("Built").size(), 1u);
}

}  // namespace
