// SPDX-License-Identifier: BSD-3-Clause
// What `wick embed` writes, and what it refuses.
#include "tools/firmware/embed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/case_folder.h"
#include "tools/firmware/image.h"
#include "tools/firmware/memory.h"
#include "tools/firmware/needs.h"
#include "tools/firmware/sources.h"

namespace wick::tools {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::filesystem::path kRoot = WICK_SOURCE_DIR;
constexpr uint32_t kFloat = 1U << 6;

class EmbedTest : public testing::Test {
 protected:
  EmbedOptions options_for(const char* model) const {
    EmbedOptions options;
    options.models = {(kRoot / "models" / model).string()};
    options.root = kRoot;
    options.output = folder_.path() / "out";
    return options;
  }
  std::string written(const char* name) const {
    const Bytes bytes = read_file(folder_.path() / "out" / name);
    return {bytes.begin(), bytes.end()};
  }
  CaseFolder folder_;
};

TEST_F(EmbedTest, AFloatProgramSelectsFloatOnly) {
  const Selection wanted = {
      {"aten::permute_copy.out", kFloat | kMixedShapes}, {"aten::addmm.out", kFloat}, {"aten::relu.out", kFloat}};
  EXPECT_EQ(read_needs((kRoot / "models/mlp.float.pte").string()).operators, wanted);
}

TEST_F(EmbedTest, TranspositionsThatAllBecomeViewsNeedNoTypeAndTheirProductsNoGeneralForm) {
  const std::string model = (kRoot / "models/mlp.float.pte").string();
  Needs needs = read_needs(model);
  EXPECT_EQ(needs.transpositions, 2u);
  EXPECT_EQ(views_of(read_memory(model)), 2u);
  Needs copied = needs;
  narrow_by_views(needs, 2);
  EXPECT_EQ(needs.operators["aten::permute_copy.out"], 0u);
  EXPECT_EQ(needs.operators["aten::addmm.out"], kFloat);
  narrow_by_views(copied, 1);
  EXPECT_EQ(copied.operators["aten::permute_copy.out"], kFloat | kMixedShapes);
  EXPECT_EQ(copied.operators["aten::addmm.out"], kFloat | kMixedShapes);
  embed(options_for("mlp.float.pte"));
  EXPECT_THAT(written("selected_ops.h"), HasSubstr("{\"aten::permute_copy.out\", 0x0U},"));
}

TEST_F(EmbedTest, ATranspositionOfAnInputIsCopiedForItsType) {
  EmbedOptions options = options_for("mlp.float.pte");
  options.models.push_back((kRoot / "tests/data/ops/permute_copy.out/dyn.pte").string());
  embed(options);
  EXPECT_THAT(written("selected_ops.h"), HasSubstr("{\"aten::permute_copy.out\", 0xc0000040U},"));
}

TEST_F(EmbedTest, ProductsOfMatricesThatAreNotTransposedConstantsNeedTheGeneralForm) {
  for (const char* name : {"addmm", "mm", "bmm"}) {
    const std::filesystem::path folder = kRoot / "tests/data/ops" / (name + std::string(".out"));
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".pte") {
        const Needs needs = read_needs(entry.path().string());
        EXPECT_NE(needs.operators.at("aten::" + std::string(name) + ".out") & kMixedShapes, 0u) << entry.path();
      }
    }
  }
}

TEST_F(EmbedTest, AnImageForViewsLacksTheCopyingButNoProduct) {
  const std::string manifest = "aten::addmm.out 64\naten::permute_copy.out 0\n";
  Image image;
  image.file.assign(manifest.begin(), manifest.end());
  Section section{};
  section.name = ".wick.manifest";
  section.bytes = static_cast<uint32_t>(manifest.size());
  image.sections.push_back(section);
  Needs needs;
  needs.operators = {{"aten::addmm.out", kFloat | kMixedShapes}, {"aten::permute_copy.out", 0}};
  EXPECT_THAT(missing_in(image, needs), IsEmpty());
  needs.operators["aten::permute_copy.out"] = kFloat;
  EXPECT_THAT(missing_in(image, needs), testing::ElementsAre("operator aten::permute_copy.out for float32"));
}

TEST_F(EmbedTest, TheTableNamesEveryKernelAndItsSourceIsListed) {
  EXPECT_THAT(embed(options_for("mlp.float.pte")), IsEmpty());
  EXPECT_THAT(written("kernel_table.cpp"), HasSubstr("{\"aten::addmm.out\", &wick::kernels::aten_addmm_out}"));
  EXPECT_THAT(written("selected_ops.h"), HasSubstr("{\"aten::relu.out\", 0x40U},"));
  EXPECT_THAT(written("sources.txt"), HasSubstr("/src/kernels/portable/matmul.cpp\n"));
  EXPECT_THAT(written("sources.txt"), HasSubstr("/src/runtime/executor/program.cpp\n"));
  EXPECT_THAT(written("sources.txt"), Not(HasSubstr("/src/kernels/cortex_m/")));
}

TEST_F(EmbedTest, TheHeaderHasTheSizesOfTheProgram) {
  embed(options_for("mlp.float.pte"));
  EXPECT_THAT(written("exec_model.h"), HasSubstr("#define EXEC_MODEL_BYTES 103976u"));
  EXPECT_THAT(written("exec_model.h"), HasSubstr("#define EXEC_MODEL_PLANNED_BYTES 103616u"));
}

// The figures of memory_required(); that they are exact, tests/package proves on a device.
TEST_F(EmbedTest, TheHeaderHasTheMemoryThatLoadingTakesOnTheTargetAndHere) {
  embed(options_for("kws.float.pte"));
  const MethodMemory need = read_memory((kRoot / "models/kws.float.pte").string()).at(0);
  const auto block = [](const MemoryRequired& of) {
    return "#define EXEC_MODEL_METHOD_BYTES " + std::to_string(of.method) + "u\n#define EXEC_MODEL_TEMP_BYTES " +
           std::to_string(of.load_scratch) + "u\n#define EXEC_MODEL_ARENA_BYTES " + std::to_string(of.arena()) + "u\n";
  };
  EXPECT_LT(need.device.arena(), need.native.arena());
  EXPECT_THAT(written("exec_model.h"), HasSubstr("#if UINTPTR_MAX == 0xFFFFFFFFu\n" + block(need.device) + "#else"));
  EXPECT_THAT(written("exec_model.h"), HasSubstr(block(need.native) + "#endif"));
}

// This test has no backend of that name.
TEST_F(EmbedTest, DelegatesOfUnknownBackendsAreCountedBecauseTheyTakeMore) {
  embed(options_for("kws.ethosu55.pte"));
  EXPECT_THAT(written("exec_model.h"), HasSubstr("#define EXEC_MODEL_DELEGATES 2u"));
}

TEST_F(EmbedTest, SeveralModelsShareATableAndKeepTheirNames) {
  EmbedOptions options = options_for("mlp.float.pte");
  options.models.push_back((kRoot / "models/add.float.pte").string());
  embed(options);
  EXPECT_THAT(written("exec_model.h"), HasSubstr("extern const uint8_t add_float_start[];"));
  EXPECT_THAT(written("model.cpp"), HasSubstr("\"mlp_float_start:\\n\""));
  EXPECT_THAT(written("kernel_table.cpp"), HasSubstr("aten::add.out"));
}

TEST_F(EmbedTest, AModelInFlashHasItsAddressAndTheFlashsCapacity) {
  EmbedOptions options = options_for("add.float.pte");
  options.address = 0x90000000;
  options.capacity = 4096;
  embed(options);
  EXPECT_THAT(written("model.cpp"), HasSubstr(".set exec_model_start, 0x90000000"));
  EXPECT_THAT(written("model.cpp"), HasSubstr("exec_model_size = 4096;"));
  EXPECT_THAT(written("model.cpp"), Not(HasSubstr("incbin")));
  options.capacity = 64;
  EXPECT_THROW(embed(options), ToolError);
}

TEST_F(EmbedTest, FurtherKernelsAreBuiltForAllTypes) {
  EmbedOptions options = options_for("add.float.pte");
  options.kernels = {"aten::mul.out", "my::op.out"};
  const std::vector<std::string> warnings = embed(options);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("wick has no kernel for my::op.out"));
  EXPECT_THAT(written("selected_ops.h"), HasSubstr("{\"aten::mul.out\", 0xffffffffU},"));
}

TEST_F(EmbedTest, FilesThatAreUpToDateAreLeftAlone) {
  embed(options_for("add.float.pte"));
  const auto before = std::filesystem::last_write_time(folder_.path() / "out/kernel_table.cpp");
  std::filesystem::last_write_time(folder_.path() / "out/kernel_table.cpp", before - std::chrono::hours(1));
  embed(options_for("add.float.pte"));
  EXPECT_EQ(std::filesystem::last_write_time(folder_.path() / "out/kernel_table.cpp"), before - std::chrono::hours(1));
}

TEST_F(EmbedTest, WhatIsNoProgramIsRefused) {
  EmbedOptions options = options_for("add.float.pte");
  options.models = {(kRoot / "README.md").string()};
  EXPECT_THROW(embed(options), ToolError);
}

}  // namespace
}  // namespace wick::tools
