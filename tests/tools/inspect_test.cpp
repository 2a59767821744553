// SPDX-License-Identifier: BSD-3-Clause
// What `wick inspect` and `wick doctor` say of programs, data files, bundles, and of files that are damaged.
#include "tools/inspect/inspect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/tools/case_folder.h"
#include "tools/doctor/doctor.h"

namespace wick::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::filesystem::path kRoot = WICK_SOURCE_DIR;
const std::filesystem::path kModels = kRoot / "tests/data/corpus/models";

TEST(InspectTest, AProgramIsDescribed) {
  const json found = inspect_file(kRoot / "models/kws.float.pte");
  EXPECT_EQ(found.at("bytes"), 100784);
  EXPECT_EQ(found.at("program_bytes"), 100784);
  EXPECT_TRUE(found.at("missing").empty()) << found.at("missing");
  ASSERT_EQ(found.at("methods").size(), 1u);
  const json& method = found.at("methods")[0];
  EXPECT_EQ(method.at("name"), "forward");
  ASSERT_EQ(method.at("inputs").size(), 1u);
  EXPECT_EQ(method.at("inputs")[0].at("sizes"), json({1, 1, 49, 10}));
  EXPECT_EQ(method.at("inputs")[0].at("dtype"), "float32");
  EXPECT_EQ(method.at("planned_buffers"), json({64000}));
  unsigned convolutions = 0;
  for (const json& one : method.at("operators")) {
    convolutions += one.at("name") == "aten::convolution.out" ? one.at("calls").get<unsigned>() : 0;
  }
  EXPECT_EQ(convolutions, 9u);  // a DS-CNN: one, and four pairs of depthwise and pointwise
  EXPECT_THAT(inspection_text(found), HasSubstr("9 x aten::convolution.out\n"));
}

// The folder of each file is the version of the exporter that wrote it. Small programs leave more versions possible.
TEST(InspectTest, TheExportersGenerationIsToldFromTheFile) {
  const std::map<std::string, std::set<std::string>> wanted = {
      {"0.2.1", {"0.2 or 0.3 (constants inline)", "0.2 to 0.7"}},
      {"0.3.0", {"0.2 or 0.3 (constants inline)", "0.2 to 0.7"}},
      {"0.6.0", {"0.2 to 0.7", "0.4 to 1.1"}},
      {"1.0.1", {"1.0 or 1.1", "0.4 to 1.1"}},
      {"1.4.1", {"1.2 or later"}}};
  for (const auto& [version, generations] : wanted) {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(kRoot / "tests/data/corpus/versions" / version)) {
      if (entry.path().extension() == ".pte") {
        found.insert(inspect_file(entry.path()).at("generation").get<std::string>());
      }
    }
    EXPECT_EQ(found, generations) << version;
  }
}

TEST(InspectTest, DataFilesListTheirKeys) {
  const json found = inspect_file(kModels / "ptdnet.ext2.w0.ptd");
  EXPECT_EQ(found.at("kind"), "data file");
  EXPECT_FALSE(found.at("keys").empty());
}

TEST(InspectTest, BundlesShowTheProgramInside) {
  const json found = inspect_file(kModels / "add.float.bpte");
  EXPECT_EQ(found.at("kind"), "program");
  EXPECT_EQ(found.at("bundle_bytes"), std::filesystem::file_size(kModels / "add.float.bpte"));
  EXPECT_EQ(found.at("methods")[0].at("operators")[0].at("name"), "aten::add.out");
}

TEST(InspectTest, CorruptTablesAreRefused) {
  alignas(16) uint8_t bytes[128] = {0xF0, 0, 0, 0, 'E', 'T', '1', '2'};
  EXPECT_THROW(inspect_program(bytes, sizeof(bytes)), ToolError);
}

TEST(InspectTest, TooShortFilesAreRefused) {
  alignas(16) uint8_t bytes[32] = {8, 0, 0, 0, 'E', 'T', '1', '2'};
  EXPECT_THROW(inspect_program(bytes, sizeof(bytes)), ToolError);
}

TEST(DoctorTest, AGoodProgramIsHealthy) {
  const Diagnosis found = diagnose(kRoot / "models/kws.float.pte", {});
  EXPECT_TRUE(found.healthy) << found.text;
  EXPECT_THAT(found.text, HasSubstr("ok   a program of 100784 bytes\n"));
  EXPECT_THAT(found.text, HasSubstr("ok   method forward loads; it plans 64000 bytes of RAM\n"));
  EXPECT_THAT(found.text, Not(HasSubstr("BAD")));
}

TEST(DoctorTest, ATruncatedProgramIsToldWithItsSizes) {
  CaseFolder folder;
  const Bytes whole = read_file(kRoot / "models/kws.float.pte");
  const auto path = folder.path() / "half.pte";
  write_file(path, std::string(whole.begin(), whole.begin() + 50000));
  const Diagnosis found = diagnose(path, {});
  EXPECT_FALSE(found.healthy);
  EXPECT_THAT(found.text, HasSubstr("the program is truncated"));
  EXPECT_THAT(found.text, HasSubstr("50000 are there"));
  EXPECT_THAT(found.text, HasSubstr("remedy: copy the file again"));
}

TEST(DoctorTest, BytesBehindTheProgramAreCounted) {
  CaseFolder folder;
  const Bytes whole = read_file(kRoot / "models/kws.float.pte");
  const auto path = folder.path() / "padded.pte";
  write_file(path, std::string(whole.begin(), whole.end()) + std::string(16, '\xff'));
  const Diagnosis found = diagnose(path, {});
  EXPECT_TRUE(found.healthy) << found.text;
  EXPECT_THAT(found.text, HasSubstr("a program of 100784 bytes, followed by 16 bytes that are not part of it"));
}

TEST(DoctorTest, WeightsInADataFileWantTheDataFile) {
  const auto program = kModels / "ptdnet.ext.pte";
  const Diagnosis without = diagnose(program, {});
  EXPECT_FALSE(without.healthy);
  EXPECT_THAT(without.text, HasSubstr("method forward does not load"));
  const Diagnosis with = diagnose(program, {kModels / "ptdnet.ext._default_external_constant.ptd"});
  EXPECT_TRUE(with.healthy) << with.text;
}

TEST(DoctorTest, TheDiagnosisHasTheMessageOfTheRuntime) {
  const Bytes bytes = read_file(kRoot / "models/kws.float.pte");
  const std::string whole(bytes.begin(), bytes.end());
  std::string corrupt = whole;
  corrupt.replace(0, 4, "\xf0\xff\xff\x7f");  // the root table's offset
  const std::pair<const char*, std::string> files[] = {
      {"the program is truncated: its header asks for", whole.substr(0, 1000)},
      {"no program here: the memory is erased", std::string(4096, '\xff')},
      {"not a program: bytes 4-7 are", std::string(4096, 'x')},
      {"the program's tables are corrupt or truncated", corrupt}};
  CaseFolder folder;
  for (const auto& [message, content] : files) {
    write_file(folder.path() / "bad.pte", content);
    EXPECT_THAT(diagnose(folder.path() / "bad.pte", {}).text, HasSubstr(message));
  }
}

TEST(DoctorTest, EveryDamagedFileGetsADiagnosis) {
  unsigned files = 0;
  unsigned bad = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kRoot / "tests/data/corpus/bad")) {
    if (entry.path().extension() != ".json") {
      const Diagnosis found = diagnose(entry.path(), {});
      ++files;
      bad += found.healthy ? 0 : 1;
      EXPECT_THAT(found.text, found.healthy ? HasSubstr("ok   ") : HasSubstr("     remedy: ")) << entry.path();
    }
  }
  EXPECT_GT(files, 100u);
  EXPECT_GT(bad, files / 2);
}

}  // namespace
}  // namespace wick::tools
