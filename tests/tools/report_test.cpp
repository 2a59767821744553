// SPDX-License-Identifier: BSD-3-Clause
// The lines that others read: the closing line, failures and skips, the JSON report, exit codes of the program.
#include "tools/verify/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/run_wick.h"

namespace wick::tools {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;

Item item_named(const char* name) {
  Item item;
  item.name = name;
  return item;
}

Verdict verdict_of(Status status, const char* reason) {
  Verdict verdict;
  verdict.status = status;
  verdict.reason = reason;
  return verdict;
}

TEST(ReportTest, TheLastLineCountsAndFailuresHaveALineEach) {
  CaseFolder folder;
  const std::string out_path = folder.path() / "out";
  std::FILE* out = std::fopen(out_path.c_str(), "w");
  Report report(3, "host", out, stderr, false);
  report.add(item_named("a.json"), verdict_of(Status::kPassed, ""));
  report.add(item_named("b.json"), verdict_of(Status::kFailed, "wrong\nin two lines"));
  report.add(item_named("c.json"), verdict_of(Status::kSkipped, "not in this build: aten::add.out"));
  EXPECT_EQ(report.close(), 1);
  std::fclose(out);
  EXPECT_EQ(text_of(out_path),
            "FAIL b.json: wrong in two lines\n"
            "skip c.json: not in this build: aten::add.out\n"
            "1 passed, 1 failed, 1 skipped\n");
}

TEST(ReportTest, NothingFailedIsStatusZero) {
  Report report(1, "host", std::tmpfile(), stderr, false);
  report.add(item_named("a.json"), verdict_of(Status::kSkipped, "x"));
  EXPECT_EQ(report.close(), 0);
}

TEST(ReportTest, JsonHoldsErrorAndIndex) {
  CaseFolder folder;
  Report report(1, "host", std::tmpfile(), stderr, false);
  Verdict verdict = verdict_of(Status::kFailed, "wrong");
  verdict.method = "forward";
  verdict.mismatch.emplace();
  verdict.mismatch->error = 0.5;
  verdict.mismatch->index = {0, 3};
  report.add(item_named("a.json"), verdict);
  report.write_json(folder.path() / "report.json");
  const json root = json::parse(text_of(folder.path() / "report.json"));
  EXPECT_EQ(root["failed"], 1);
  EXPECT_EQ(root["cases"][0]["largest_error"], 0.5);
  EXPECT_EQ(root["cases"][0]["index"], json::parse("[0, 3]"));
}

TEST(WickVerifyTest, AMalformedCaseIsAFailureNotASkip) {
  CaseFolder folder;
  json root = minimal_case();
  root.erase("methods");
  folder.write_case("case", root);
  std::string output;
  EXPECT_EQ(run_wick(folder, "verify " + folder.path().string(), output), 1);
  EXPECT_THAT(output, HasSubstr("FAIL case.json: malformed case"));
  EXPECT_THAT(output, EndsWith("0 passed, 1 failed, 0 skipped\n"));
}

TEST(WickVerifyTest, AProgramThatIsNoneFails) {
  CaseFolder folder;
  folder.write_case("case", minimal_case());
  std::string output;
  EXPECT_EQ(run_wick(folder, "verify " + folder.path().string(), output), 1);
  EXPECT_THAT(output, HasSubstr("Program::load failed"));
}

TEST(WickVerifyTest, MissingOperatorsAndBackendsAreNamedInTheSkip) {
  CaseFolder folder;
  json root = minimal_case();
  root["methods"][0]["operators"] = {"nobody::has_this.out"};
  root["methods"][0]["delegates"] = json::parse(R"([{"id": "NobodysBackend"}])");
  folder.write_case("case", root);
  std::string output;
  EXPECT_EQ(run_wick(folder, "verify " + folder.path().string(), output), 0);
  EXPECT_EQ(output,
            "skip case.json: not in this build: nobody::has_this.out, backend NobodysBackend\n"
            "0 passed, 0 failed, 1 skipped\n");
}

TEST(WickVerifyTest, TheFilterIsSearchedInTheRelativePath) {
  CaseFolder folder;
  json root = minimal_case();
  root["methods"][0]["operators"] = {"nobody::has_this.out"};
  folder.write_case("case", root);
  std::string output;
  const std::string path = folder.path().string();
  EXPECT_EQ(run_wick(folder, "verify " + path + " --filter '^ca.e\\.json$'", output), 0);
  EXPECT_THAT(output, EndsWith("0 passed, 0 failed, 1 skipped\n"));
  EXPECT_EQ(run_wick(folder, "verify " + path + " --filter wick-cases", output), 0);
  EXPECT_EQ(output, "0 passed, 0 failed, 0 skipped\n");
  EXPECT_EQ(run_wick(folder, "verify " + path + " --filter '('", output), 2);
  EXPECT_EQ(run_wick(folder, "verify " + path + "/nothing", output), 2);
}

TEST(WickVerifyTest, AMalformedProgramOfAManifestPassesWithAnError) {
  CaseFolder folder;
  write_file(folder.path() / "zeros.pte", std::string(100, '\0'));
  write_file(folder.path() / "empty.pte", "");
  write_file(folder.path() / "manifest.json",
             R"({"format": 1, "files": [{"file": "zeros.pte"}, {"file": "empty.pte"}, {"file": "gone.pte"}]})");
  std::string output;
  EXPECT_EQ(run_wick(folder, "verify " + folder.path().string(), output), 1);
  EXPECT_THAT(output, HasSubstr("FAIL gone.pte"));
  EXPECT_THAT(output, EndsWith("2 passed, 1 failed, 0 skipped\n"));
}

}  // namespace
}  // namespace wick::tools
