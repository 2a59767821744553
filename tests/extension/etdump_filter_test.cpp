// SPDX-License-Identifier: BSD-3-Clause
//
// Tests of ETDumpFilter, alone and as the filter of an ETDumpGen.
#include <executorch/devtools/etdump/etdump_filter.h>
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <gtest/gtest.h>

namespace {

using executorch::etdump::ETDumpFilter;
using executorch::etdump::ETDumpGen;
using executorch::runtime::Error;
using executorch::runtime::kUnsetDelegateDebugIntId;

bool chooses(ETDumpFilter& filter, const char* name) { return filter.filter(name, kUnsetDelegateDebugIntId).get(); }
bool chooses(ETDumpFilter& filter, int number) {
  return filter.filter(nullptr, static_cast<executorch::runtime::DelegateDebugIntId>(number)).get();
}

TEST(EtdumpFilter, ChoosesEverythingAsLongAsNothingIsSet) {
  ETDumpFilter filter;
  EXPECT_TRUE(chooses(filter, "conv"));
  EXPECT_TRUE(chooses(filter, 7));
}

TEST(EtdumpFilter, MatchesTheWholeNameAgainstAnyPattern) {
  ETDumpFilter filter;
  ASSERT_TRUE(filter.add_regex("conv\\d+").ok());
  ASSERT_TRUE(filter.add_regex(std::string_view("poolx", 4)).ok());  // "pool"
  EXPECT_EQ(filter.get_n_regex(), 2U);
  EXPECT_TRUE(chooses(filter, "conv12"));
  EXPECT_TRUE(chooses(filter, "pool"));
  EXPECT_FALSE(chooses(filter, "my_conv12"));
  EXPECT_FALSE(chooses(filter, "conv"));
}

TEST(EtdumpFilter, RefusesAnInvalidPattern) {
  ETDumpFilter filter;
  EXPECT_EQ(filter.add_regex("conv(").error(), Error::InvalidArgument);
  EXPECT_EQ(filter.get_n_regex(), 0U);
}

TEST(EtdumpFilter, TakesNumbersOfAHalfOpenRange) {
  ETDumpFilter filter;
  ASSERT_TRUE(filter.set_debug_handle_range(10, 20).ok());
  EXPECT_FALSE(chooses(filter, 9));
  EXPECT_TRUE(chooses(filter, 10));
  EXPECT_TRUE(chooses(filter, 19));
  EXPECT_FALSE(chooses(filter, 20));
  EXPECT_EQ(filter.set_debug_handle_range(20, 20).error(), Error::InvalidArgument);
  EXPECT_TRUE(chooses(filter, 10)) << "a refused range changes nothing";
}

TEST(EtdumpFilter, NeedsExactlyOneOfNameAndNumber) {
  ETDumpFilter filter;
  EXPECT_EQ(filter.filter("conv", 1).error(), Error::InvalidArgument);
  EXPECT_EQ(filter.filter(nullptr, kUnsetDelegateDebugIntId).error(), Error::InvalidArgument);
}

TEST(EtdumpFilter, DecidesWhatAnEtdumpLeavesOut) {
  ETDumpFilter filter;
  ASSERT_TRUE(filter.add_regex("conv.*").ok());
  ETDumpGen dump;
  dump.create_event_block("run");
  dump.set_delegation_intermediate_output_filter(&filter);
  EXPECT_FALSE(dump.log_intermediate_output_delegate("conv1", kUnsetDelegateDebugIntId, 5).get());
  EXPECT_TRUE(dump.log_intermediate_output_delegate("pool1", kUnsetDelegateDebugIntId, 5).get());
}

TEST(EtdumpStaticAllocator, DividesABuffer) {
  uint8_t buffer[100];
  executorch::etdump::internal::ETDumpStaticAllocator parts;
  parts.set_buffer(buffer, sizeof(buffer), 30);
  EXPECT_EQ(parts.data, buffer);
  EXPECT_EQ(parts.data_size, 30U);
  EXPECT_EQ(parts.out_size, 70U);
  EXPECT_EQ(parts.front_cursor, buffer + 100);
  EXPECT_EQ(parts.front_left, 70U);
}

}  // namespace
