// SPDX-License-Identifier: BSD-3-Clause
// ExecuTorch's reader of payloads: pointers into a sound one, false for any other. Field values are those that the
// payload is made of here, and for the stored one those of its case's description.
#include <executorch/backends/arm/runtime/VelaBinStream.h>
#include <gtest/gtest.h>

#include "tests/ethos_u/job.h"
#include "tests/ethos_u/one_name.h"

namespace executorch::backends::arm {
namespace {

using executorch::runtime::Error;
using wick::ethos_u::add_block;
using wick::ethos_u::add_word;
using wick::ethos_u::Aligned;

constexpr size_t kHeader = 32;

std::vector<uint8_t> words(std::initializer_list<uint32_t> values) {
  std::vector<uint8_t> bytes;
  for (const uint32_t value : values) add_word(bytes, value);
  return bytes;
}

std::vector<uint8_t> payload(const char* command = "COP1", bool external = false, uint32_t offset = 32) {
  std::vector<uint8_t> bytes;
  add_block(bytes, "vela_bin_stream", {});
  add_block(bytes, "cmd_data", std::vector<uint8_t>(command, command + 4));
  const std::vector<uint8_t> key(wick::ethos_u::kKey.begin(), wick::ethos_u::kKey.end());
  add_block(bytes, "weight_data", external ? key : std::vector<uint8_t>(20, 7), external);
  add_block(bytes, "scratch_size", words({64}));
  add_block(bytes, "inputs", words({2, 1, 1, 1, 2, 3, 4, 1, 0, 1, 1, 1, 1, 1, 1, 4, 2, offset, 1}));
  add_block(bytes, "outputs", words({1, 1, 1, 1, 1, 1, 16, 1, 48, 1}));
  add_block(bytes, "vela_end_stream", {});
  return bytes;
}

const char* start(const Aligned& bytes) { return reinterpret_cast<const char*>(bytes.view().data); }
int length(const Aligned& bytes) { return static_cast<int>(bytes.view().size); }

bool reads(const std::vector<uint8_t>& content) {
  const Aligned bytes(content);
  VelaHandles handles{};
  return vela_bin_read(start(bytes), &handles, length(bytes));
}

TEST(VelaBinStream, HandlesPointIntoThePayload) {
  const Aligned bytes(payload());
  VelaHandles handles{};
  char scratch = 0;
  handles.scratch_data = &scratch;
  ASSERT_TRUE(vela_bin_validate(start(bytes), length(bytes)));
  ASSERT_TRUE(vela_bin_read(start(bytes), &handles, length(bytes)));
  EXPECT_EQ(handles.cmd_data, start(bytes) + 2 * kHeader);
  EXPECT_EQ(handles.cmd_data_size, 4U);
  EXPECT_EQ(handles.weight_data[19], 7);
  EXPECT_EQ(handles.weight_data_size, 20U);
  EXPECT_EQ(handles.scratch_data, &scratch);
  EXPECT_EQ(handles.scratch_data_size, 64U);
  ASSERT_EQ(handles.inputs->count, 2);
  EXPECT_EQ(handles.inputs->io[0].shape[3], 2);
  EXPECT_EQ(handles.inputs->io[0].shape[5], 4);
  EXPECT_EQ(handles.inputs->io[1].elem_size, 2);
  EXPECT_EQ(handles.inputs->io[1].offset, 32);
  EXPECT_EQ(handles.inputs->io[1].region, 1);
  ASSERT_EQ(handles.outputs->count, 1);
  EXPECT_EQ(handles.outputs->io[0].shape[5], 16);
  EXPECT_EQ(handles.outputs->io[0].offset, 48);
}

TEST(VelaBinStream, BlocksAreLaidOutAsInTheFormat) {
  static_assert(sizeof(VelaBinBlock) == kHeader && sizeof(VelaIO) == 36 && sizeof(VelaIOs) == 4);
  const Aligned bytes(payload());
  const auto* command = reinterpret_cast<const VelaBinBlock*>(start(bytes) + kHeader);
  EXPECT_STREQ(command->name, "cmd_data");
  EXPECT_EQ(command->size, 4U);
  EXPECT_NE(command->external, kVelaExternalBlockReference);
  EXPECT_EQ(std::string(command->data, 4), "COP1");
}

TEST(VelaBinStream, StoredPayloadIsRead) {
  const wick::npu::test::Case stored =
      wick::npu::test::load_case(wick::npu::test::data_folder() + "/u55-128/add.d0.json");
  const Aligned bytes(stored.payload);
  VelaHandles handles{};
  ASSERT_TRUE(vela_bin_read(start(bytes), &handles, length(bytes)));
  ASSERT_EQ(handles.inputs->count, static_cast<int>(stored.samples[0].inputs.size()));
  ASSERT_EQ(handles.outputs->count, static_cast<int>(stored.samples[0].expected.size()));
  size_t output = static_cast<size_t>(handles.outputs->io[0].elem_size);
  for (const int size : handles.outputs->io[0].shape) output *= static_cast<size_t>(size);
  EXPECT_EQ(output, stored.samples[0].expected[0].bytes.size());
}

TEST(VelaBinStream, CutOffAnywhereIsRefusedAndChangesNothing) {
  const std::vector<uint8_t> whole = payload();
  for (size_t size = 0; size < whole.size(); ++size) {
    const Aligned bytes({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    VelaHandles handles{};
    EXPECT_FALSE(vela_bin_read(start(bytes), &handles, length(bytes))) << size;
    EXPECT_EQ(handles.cmd_data, nullptr);
    EXPECT_FALSE(vela_bin_validate(start(bytes), length(bytes))) << size;
  }
  VelaHandles handles{};
  EXPECT_FALSE(vela_bin_read(start(Aligned(whole)), &handles, -1));
  EXPECT_FALSE(vela_bin_validate(nullptr, 64));
}

TEST(VelaBinStream, ForeignCommandsAndRecordsOutsideOfTheScratchAreRefused) {
  EXPECT_TRUE(reads(payload("COP2")));
  EXPECT_FALSE(reads(payload("COP3")));
  EXPECT_TRUE(reads(payload("COP1", false, 56)));
  EXPECT_FALSE(reads(payload("COP1", false, 57)));
}

TEST(VelaBinStream, ValidationWantsAlignmentAndBothEnds) {
  std::vector<uint8_t> content = payload();
  const Aligned sound(content);
  EXPECT_FALSE(vela_bin_validate(start(sound) + 8, length(sound) - 8));
  EXPECT_FALSE(vela_bin_validate(start(sound) + kHeader, length(sound) - static_cast<int>(kHeader)));
  EXPECT_FALSE(vela_bin_validate(start(sound), length(sound) - static_cast<int>(kHeader)));
}

TEST(VelaBinStream, ExternalBlocksComeFromTheMap) {
  const Aligned bytes(payload("COP1", true));
  Aligned weights(std::vector<uint8_t>(48, 9));
  const wick::ethos_u::OneName map(weights.view());
  VelaHandles handles{};
  EXPECT_EQ(vela_bin_read(start(bytes), length(bytes), nullptr, &handles), Error::InvalidProgram);
  EXPECT_FALSE(vela_bin_read(start(bytes), &handles, length(bytes)));
  ASSERT_EQ(vela_bin_read(start(bytes), length(bytes), &map, &handles), Error::Ok);
  EXPECT_EQ(handles.weight_data, reinterpret_cast<const char*>(weights.data()));
  EXPECT_EQ(handles.weight_data_size, 48U);
}

}  // namespace
}  // namespace executorch::backends::arm
