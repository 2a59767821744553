// SPDX-License-Identifier: BSD-3-Clause
// Every delegate case must come out bit for bit: the chosen few in tests/data/ethos_u, and the whole corpus where it
// is.
#include <gtest/gtest.h>

#include <filesystem>

#include "case.h"

namespace wick::npu::test {
namespace {

std::vector<std::string> all_cases() {
  std::vector<std::string> cases = find_cases(data_folder());
  for (std::string& path : find_cases(corpus_folder())) cases.push_back(std::move(path));
  return cases;
}

// "u55-128/add.d0" as an identifier.
std::string name_of(const testing::TestParamInfo<std::string>& info) {
  const std::filesystem::path path = info.param;
  std::string name = (info.param.find(data_folder()) == 0 ? "data_" : "corpus_") +
                     path.parent_path().filename().string() + "_" + path.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

class DelegateCase : public testing::TestWithParam<std::string> {};

void expect_exact(const Outcome& outcome) {
  EXPECT_EQ(outcome.error, "");
  EXPECT_TRUE(outcome.result.ok()) << fault_name(outcome.result.fault) << " at byte " << outcome.result.command_offset
                                   << ": " << outcome.result.message;
  EXPECT_EQ(outcome.differing, 0u) << outcome.first_difference;
}

TEST_P(DelegateCase, GivesTheReferenceBytes) {
  const Case test_case = load_case(GetParam());
  ASSERT_FALSE(test_case.samples.empty());
  for (std::size_t i = 0; i < test_case.samples.size(); ++i) {
    SCOPED_TRACE("sample " + std::to_string(i));
    expect_exact(run_case(test_case, i));
  }
}

TEST_P(DelegateCase, GivesTheReferenceBytesInASmallWorkspace) {
  const Case test_case = load_case(GetParam());
  RunSettings settings;
  settings.workspace = kWorkspaceSmall;
  const Outcome outcome = run_case(test_case, 0, settings);
  if (outcome.result.fault == Fault::kWorkspace) {  // says what would do, and that does
    EXPECT_GT(outcome.result.workspace, kWorkspaceSmall);
    settings.workspace = outcome.result.workspace;
    Outcome again = run_case(test_case, 0, settings);
    for (int i = 0; i < 8 && again.result.fault == Fault::kWorkspace; ++i) {
      settings.workspace = again.result.workspace;
      again = run_case(test_case, 0, settings);
    }
    expect_exact(again);
    return;
  }
  expect_exact(outcome);
}

INSTANTIATE_TEST_SUITE_P(Stored, DelegateCase, testing::ValuesIn(all_cases()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DelegateCase);

}  // namespace
}  // namespace wick::npu::test
