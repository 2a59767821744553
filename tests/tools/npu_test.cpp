// SPDX-License-Identifier: BSD-3-Clause
// `wick npu`: a stored delegate runs alone and gives the bytes of the TOSA reference model; traces and listings name
// what the stream does; what is no delegate is refused with its reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/run_wick.h"

namespace wick::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kCases = std::string(WICK_SOURCE_DIR) + "/tests/data/ethos_u/u55-128/";

/// Writes what a case's tensor file holds at a tensor's place.
void write_tensor(const std::filesystem::path& to, const std::string& file, const nlohmann::json& tensor) {
  write_file(to, text_of(file).substr(tensor.at("offset"), tensor.at("nbytes")));
}

TEST(WickNpuTest, RunGivesTheReferenceOutput) {
  CaseFolder folder;
  const nlohmann::json root = nlohmann::json::parse(text_of(kCases + "add.d0.json"));
  const nlohmann::json& sample = root["methods"][0]["samples"][0];
  const std::string at = folder.path();
  for (int i = 0; i < 2; ++i) {
    write_tensor(at + "/in" + std::to_string(i), kCases + "add.d0.bin", sample["inputs"][i]);
  }
  write_tensor(at + "/expected", kCases + "add.d0.bin", sample["expected"]["tosa_reference_model"][0]);
  std::string output;
  ASSERT_EQ(run_wick(folder,
                     "npu run " + kCases + "add.d0.bin_stream --input " + at + "/in0 --input " + at + "/in1 --output " +
                         at + "/out",
                     output),
            0);
  EXPECT_THAT(output, StartsWith("output 0: 684 bytes"));
  EXPECT_EQ(text_of(at + "/out.0.bin"), text_of(at + "/expected"));
}

TEST(WickNpuTest, TraceHasALineForEachOperation) {
  CaseFolder folder;
  std::string output;
  ASSERT_EQ(run_wick(folder, "npu run --trace " + kCases + "add.d0.bin_stream", output), 0);
  // 19 by 36 elements of two operands of one byte each.
  EXPECT_THAT(output, testing::ContainsRegex("ELEMENTWISE ADD +19x1x36 +19x1x36 -> +19x1x36 +- +684 +1368 +0 +684 "));
  EXPECT_THAT(output, HasSubstr("cycles estimated"));
}

TEST(WickNpuTest, EstimateTracesWithoutComputing) {
  CaseFolder folder;
  std::string run, estimate;
  ASSERT_EQ(run_wick(folder, "npu run --trace " + kCases + "softmax.d0.bin_stream", run), 0);
  ASSERT_EQ(run_wick(folder, "npu run --estimate " + kCases + "softmax.d0.bin_stream", estimate), 0);
  const auto operations = [](const std::string& text) { return text.substr(0, text.rfind("0x0004a4") + 100); };
  EXPECT_EQ(operations(run), operations(estimate));
  EXPECT_THAT(estimate, testing::Not(HasSubstr("output 0")));
}

TEST(WickNpuTest, ListingGoesFromTheFirstRegisterToTheStop) {
  CaseFolder folder;
  std::string output;
  ASSERT_EQ(run_wick(folder, "npu disasm " + kCases + "add.d0.bin_stream", output), 0);
  EXPECT_THAT(output, HasSubstr("for ethos-u55-128, 340 bytes"));
  EXPECT_THAT(output, HasSubstr("OP_ELEMENTWISE ADD"));
  EXPECT_THAT(output, testing::EndsWith("OP_STOP mask 0xffff\n"));
}

TEST(WickNpuTest, DelegateInsideOfAProgramIsFound) {
  CaseFolder folder;
  write_file(folder.path() / "program", std::string(48, 'p') + text_of(kCases + "add.d0.bin_stream") + "more");
  std::string output;
  EXPECT_EQ(run_wick(folder, "npu run " + (folder.path() / "program").string(), output), 0);
  EXPECT_NE(run_wick(folder, "npu run --delegate 1 " + (folder.path() / "program").string(), output, true), 0);
  EXPECT_THAT(output, HasSubstr("has 1 Ethos-U delegate"));
}

TEST(WickNpuTest, WrongFilesAreRefusedWithTheirReason) {
  CaseFolder folder;
  write_file(folder.path() / "text", "not a program, only a text of some length that is not one at all");
  std::string output;
  EXPECT_NE(run_wick(folder, "npu disasm " + (folder.path() / "text").string(), output, true), 0);
  EXPECT_THAT(output, HasSubstr("holds no Ethos-U delegate"));
  const std::string input = " --input " + (folder.path() / "text").string();
  EXPECT_NE(run_wick(folder, "npu run " + kCases + "softmax.d0.bin_stream" + input, output, true), 0);
  EXPECT_THAT(output, HasSubstr("input 0 takes 24 bytes, the file has 64"));
}

}  // namespace
}  // namespace wick::tools
