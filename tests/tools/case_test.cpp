// SPDX-License-Identifier: BSD-3-Clause
// Reading a case: every rule that the format can state, and that malformed cases are refused with a reason.
#include "tools/verify/case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/case_folder.h"
#include "tools/verify/job_builder.h"

namespace wick::tools {
namespace {

using nlohmann::json;
using runner::ValueKind;
using testing::ElementsAre;
using testing::HasSubstr;

class CaseTest : public testing::Test {
 protected:
  Case parse(const json& root) {
    folder_.write_case("case", root);
    return parse_case(folder_.path() / "case.json", root);
  }
  std::string refusal(const json& root) {
    try {
      parse(root);
    } catch (const ToolError& error) {
      return error.what();
    }
    return "";
  }
  CaseFolder folder_;
};

TEST_F(CaseTest, TensorsAndScalarsAreRead) {
  json root = minimal_case();
  root["methods"][0]["samples"][0]["inputs"] = json::parse(R"([
    {"kind": "tensor", "dtype": "float32", "sizes": [1, 2, 1, 1], "dim_order": [0, 2, 3, 1], "offset": 8, "nbytes": 8},
    {"kind": "int", "value": -3}, {"kind": "double", "value": "inf"}, {"kind": "bool", "value": true},
    {"kind": "none"}])");
  const std::vector<Value> inputs = parse(root).methods[0].samples[0].inputs;
  ASSERT_EQ(inputs.size(), 5u);
  EXPECT_EQ(inputs[0].dtype, ScalarType::Float);
  EXPECT_THAT(inputs[0].sizes, ElementsAre(1, 2, 1, 1));
  EXPECT_THAT(inputs[0].dim_order, ElementsAre(0, 2, 3, 1));
  EXPECT_EQ(inputs[0].offset, 8u);
  EXPECT_EQ(inputs[1].integer, -3);
  EXPECT_EQ(inputs[2].real, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(inputs[3].boolean);
  EXPECT_EQ(inputs[4].kind, ValueKind::kNone);
}

TEST_F(CaseTest, FloatIsAnotherNameOfDouble) {
  json root = minimal_case();
  root["methods"][0]["samples"][0]["expected"]["eager"] = json::parse(R"([{"kind": "float", "value": 0.5}])");
  EXPECT_EQ(parse(root).methods[0].samples[0].expected["eager"][0].kind, ValueKind::kDouble);
}

TEST_F(CaseTest, ReferenceNamesTheSetThatCounts) {
  json root = minimal_case();
  auto& expected = root["methods"][0]["samples"][0]["expected"];
  expected["et_runtime"] = expected["eager"];
  const Case test = parse(root);
  EXPECT_THAT(counting_sources(test, test.methods[0].samples[0]), ElementsAre("eager"));
}

TEST_F(CaseTest, SampleWithoutTheReferenceFallsBackToTheRuntime) {
  json root = minimal_case();
  auto& expected = root["methods"][0]["samples"][0]["expected"];
  expected["et_runtime"] = expected["eager"];
  expected.erase("eager");
  const Case test = parse(root);
  EXPECT_THAT(counting_sources(test, test.methods[0].samples[0]), ElementsAre("et_runtime"));
}

TEST_F(CaseTest, AcceptNamesSeveralSets) {
  json root = minimal_case();
  auto& expected = root["methods"][0]["samples"][0]["expected"];
  expected["et_runtime"] = expected["eager"];
  root["accept"] = {"eager", "et_runtime"};
  const Case test = parse(root);
  EXPECT_THAT(counting_sources(test, test.methods[0].samples[0]), ElementsAre("eager", "et_runtime"));
}

TEST_F(CaseTest, NullReferenceCountsNothing) {
  json root = minimal_case();
  root["reference"] = nullptr;
  root["expect"] = "error";
  const Case test = parse(root);
  EXPECT_EQ(test.expect, Expect::kError);
  EXPECT_TRUE(counting_sources(test, test.methods[0].samples[0]).empty());
}

TEST_F(CaseTest, CompareRuleNamesOutputs) {
  json root = minimal_case();
  root["compare"] = "sizes and dtype only for output 0";
  EXPECT_TRUE(parse(root).compares_shape_only(0));
  EXPECT_FALSE(parse(root).compares_shape_only(1));
  root["compare"] = "sizes and dtype only";
  EXPECT_TRUE(parse(root).compares_shape_only(5));
  root["compare"] = "roughly";
  EXPECT_THAT(refusal(root), HasSubstr("roughly"));
}

TEST_F(CaseTest, SamplesOfAStatelessCaseRunOnProgramsOfTheirOwn) {
  json root = minimal_case();
  auto& samples = root["methods"][0]["samples"];
  samples.push_back(samples[0]);
  EXPECT_EQ(make_plan(parse(root), Form::kProgram).sessions.size(), 2u);
  root["stateful"] = true;
  const Plan plan = make_plan(parse(root), Form::kProgram);
  ASSERT_EQ(plan.sessions.size(), 1u);
  EXPECT_EQ(plan.sessions[0].size(), 2u);
}

TEST_F(CaseTest, SequenceGivesTheOrderOnOneProgram) {
  json root = minimal_case();
  json other = root["methods"][0];
  other["name"] = "other";
  root["methods"].push_back(other);
  root["sequence"] = json::parse(R"([["other", 0], ["forward", 0], ["other", 0]])");
  const Plan plan = make_plan(parse(root), Form::kProgram);
  ASSERT_EQ(plan.sessions.size(), 1u);
  ASSERT_EQ(plan.sessions[0].size(), 3u);
  EXPECT_EQ(plan.sessions[0][0].method, 1u);
  EXPECT_EQ(plan.sessions[0][1].method, 0u);
  root["sequence"] = json::parse(R"([["other", 1]])");
  EXPECT_THAT(refusal(root), HasSubstr("sample 1"));
}

TEST_F(CaseTest, LoadOnlyCallsNothing) {
  json root = minimal_case();
  root["load_only"] = true;
  const Plan plan = make_plan(parse(root), Form::kProgram);
  ASSERT_EQ(plan.sessions.size(), 1u);
  EXPECT_TRUE(plan.sessions[0].empty());
}

TEST_F(CaseTest, MalformedCasesAreRefusedWithTheReason) {
  json root = minimal_case();
  root.erase("methods");
  EXPECT_TRUE(is_case(root));
  EXPECT_THAT(refusal(root), HasSubstr("no 'methods'"));
  root = minimal_case();
  root["methods"][0]["samples"][0]["inputs"][0]["offset"] = 1000;
  EXPECT_THAT(refusal(root), HasSubstr("outside the bin file"));
  root = minimal_case();
  root["methods"][0]["samples"][0]["inputs"][0]["dtype"] = "float12";
  EXPECT_THAT(refusal(root), HasSubstr("float12"));
  root = minimal_case();
  root["methods"][0]["samples"][0]["inputs"][0]["dim_order"] = {0, 0, 1, 2};
  EXPECT_THAT(refusal(root), HasSubstr("dim_order"));
  root = minimal_case();
  root["pte"]["size"] = 999;
  EXPECT_THAT(refusal(root), HasSubstr("999"));
}

TEST_F(CaseTest, IndexesAndWeightStreamsAreNotCases) {
  EXPECT_FALSE(is_case(json::parse(R"([{"stem": "a"}])")));
  EXPECT_FALSE(is_case(json::parse(R"({"aten::add.out": {}})")));
  EXPECT_FALSE(is_case(json::parse(R"({"format": 1, "kind": "mlw_weight_streams", "cases": []})")));
}

}  // namespace
}  // namespace wick::tools
