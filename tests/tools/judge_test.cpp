// SPDX-License-Identifier: BSD-3-Clause
// Verdicts from answers that are made up here: right and wrong values, errors, crashes.
#include "tools/verify/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/case_folder.h"

namespace wick::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class JudgeTest : public testing::Test {
 protected:
  Item item_of(const json& root) {
    folder_.write_case("case", root);
    Item item;
    item.name = "case.json";
    item.test = parse_case(folder_.path() / "case.json", root);
    return item;
  }

  /// An answer of one call whose output is a float tensor [1, 2, 1, 1] of `value`s.
  static Execution answer_of(float value) {
    Output output;
    output.value.kind = runner::ValueKind::kTensor;
    output.value.dtype = ScalarType::Float;
    output.value.sizes = {1, 2, 1, 1};
    output.value.dim_order = {0, 1, 2, 3};
    const float values[2] = {value, value};
    output.data.resize(sizeof(values));
    std::memcpy(output.data.data(), values, sizeof(values));
    Execution execution;
    execution.answer.begun = execution.answer.ended = true;
    CallAnswer call;
    call.done = true;
    call.outputs = {output};
    execution.answer.calls = {{call}};
    return execution;
  }

  Verdict judge_case(const json& root, Execution execution) {
    const Item item = item_of(root);
    return judge(item, make_plan(*item.test, Form::kProgram), std::move(execution));
  }

  CaseFolder folder_;
};

TEST_F(JudgeTest, RightValuesPass) { EXPECT_EQ(judge_case(minimal_case(), answer_of(0)).status, Status::kPassed); }

TEST_F(JudgeTest, WrongValuesFailWithErrorAndPlace) {
  const Verdict verdict = judge_case(minimal_case(), answer_of(0.25f));
  EXPECT_EQ(verdict.status, Status::kFailed);
  EXPECT_THAT(verdict.reason, HasSubstr("method forward, sample 0, output 0: largest error 0.25 at [0, 0, 0, 0]"));
}

TEST_F(JudgeTest, MissingOutputsFail) {
  Execution execution = answer_of(0);
  execution.answer.calls[0][0].outputs.clear();
  EXPECT_EQ(judge_case(minimal_case(), execution).status, Status::kFailed);
}

TEST_F(JudgeTest, ACallWithoutAnswerFails) {
  Execution execution = answer_of(0);
  execution.answer.calls.clear();
  EXPECT_THAT(judge_case(minimal_case(), execution).reason, HasSubstr("no answer"));
}

TEST_F(JudgeTest, AnErrorFailsWithItsName) {
  Execution execution;
  execution.answer.begun = execution.answer.ended = true;
  execution.answer.failures.push_back({runner::Stage::kExecute, 0, 0, 0, 0x12});
  const Verdict verdict = judge_case(minimal_case(), execution);
  EXPECT_EQ(verdict.status, Status::kFailed);
  EXPECT_THAT(verdict.reason, HasSubstr("execute failed: error 0x12"));
}

TEST_F(JudgeTest, ExpectedErrorMustComeFromExecute) {
  json root = minimal_case();
  root["reference"] = nullptr;
  root["expect"] = "error";
  EXPECT_THAT(judge_case(root, answer_of(0)).reason, HasSubstr("an error was expected"));
  Execution execution;
  execution.answer.ended = true;
  execution.answer.failures.push_back({runner::Stage::kExecute, 0, 0, 0, 0x12});
  EXPECT_EQ(judge_case(root, execution).status, Status::kPassed);
  execution.answer.failures[0].stage = runner::Stage::kProgram;
  EXPECT_EQ(judge_case(root, execution).status, Status::kFailed);
}

TEST_F(JudgeTest, AProgramThatLostWhatItsAnswersNeedMustBeRefusedAtLoad) {
  json root = minimal_case();
  root["expected_from_detail"] = "quantised graph (edge program does not run eagerly: Int and Char)";
  EXPECT_THAT(judge_case(root, answer_of(0)).reason, HasSubstr("expected to refuse the program"));
  Execution execution;
  execution.answer.ended = true;
  execution.answer.failures.push_back({runner::Stage::kMethod, 0, 0, 0, 0x23});
  EXPECT_EQ(judge_case(root, execution).status, Status::kPassed);
  execution.answer.failures[0].stage = runner::Stage::kExecute;
  EXPECT_THAT(judge_case(root, execution).reason, HasSubstr("but execute failed"));
}

TEST_F(JudgeTest, NoCrashTakesAnythingButACrash) {
  json root = minimal_case();
  root["reference"] = nullptr;
  root["expect"] = "no_crash";
  Execution execution;
  execution.answer.ended = true;
  execution.answer.failures.push_back({runner::Stage::kExecute, 0, 0, 0, 0x12});
  EXPECT_EQ(judge_case(root, execution).status, Status::kPassed);
  EXPECT_EQ(judge_case(root, answer_of(9)).status, Status::kPassed);
  execution.crashed = true;
  execution.crash = "signal 11";
  EXPECT_THAT(judge_case(root, execution).reason, HasSubstr("signal 11"));
}

TEST_F(JudgeTest, AnyAcceptedSetPasses) {
  json root = minimal_case();
  auto& expected = root["methods"][0]["samples"][0]["expected"];
  expected["other"] = json::parse(R"([{"kind": "int", "value": 1}])");
  root["accept"] = {"other", "eager"};
  EXPECT_EQ(judge_case(root, answer_of(0)).status, Status::kPassed);
  EXPECT_EQ(judge_case(root, answer_of(1)).status, Status::kFailed);
}

TEST_F(JudgeTest, ABundlesOwnVerdictCounts) {
  Execution execution = answer_of(0);
  execution.answer.calls[0][0].has_bundle_verdict = true;
  execution.answer.calls[0][0].bundle_error = 0x10;
  EXPECT_THAT(judge_case(minimal_case(), execution).reason, HasSubstr("verify_method_outputs"));
}

TEST_F(JudgeTest, AMalformedFilePassesWithAnErrorAndFailsWithACrash) {
  Item item;
  item.form = Form::kSweep;
  Execution execution;
  execution.answer.ended = true;
  EXPECT_EQ(judge(item, Plan(), execution).status, Status::kPassed);
  execution.crashed = true;
  execution.crash = "no end after 10 s";
  EXPECT_EQ(judge(item, Plan(), execution).status, Status::kFailed);
}

}  // namespace
}  // namespace wick::tools
