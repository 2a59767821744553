// SPDX-License-Identifier: BSD-3-Clause
// Payloads of the Ethos-U delegate: a sound one is viewed in place, a damaged one is refused with the block's name.
// The payload is made here, block by block, as the container's description says.
#include "src/backends/ethos_u/payload.h"

#include <gtest/gtest.h>

#include "tests/ethos_u/payload_builder.h"

namespace wick::ethos_u {
namespace {

std::vector<uint8_t> binding(uint32_t last, uint32_t element, uint32_t offset) {
  std::vector<uint8_t> bytes;
  for (const uint32_t value : {1U, 1U, 1U, 1U, 1U, 1U, last, element, offset, 1U}) add_word(bytes, value);
  return bytes;
}

std::vector<uint8_t> payload(uint32_t last = 16, uint32_t element = 1, uint32_t offset = 0) {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> scratch;
  add_word(scratch, 64);
  add_block(bytes, "vela_bin_stream", {});
  add_block(bytes, "cmd_data", {'C', 'O', 'P', '1'});
  add_block(bytes, "weight_data", std::vector<uint8_t>(20, 7));
  add_block(bytes, "scratch_size", scratch);
  add_block(bytes, "inputs", binding(last, element, offset));
  add_block(bytes, "outputs", binding(16, 1, 48));
  add_block(bytes, "vela_end_stream", {});
  return bytes;
}

const char* wrong_binding(uint32_t last, uint32_t element, uint32_t offset) {
  const Aligned bytes(payload(last, element, offset));
  Payload parsed;
  Binding record{};
  EXPECT_EQ(parse_payload(bytes.view(), parsed), nullptr);
  return read_binding(parsed.inputs, 0, parsed.scratch_size, record);
}

TEST(EthosUPayload, IsViewedInPlace) {
  const Aligned bytes(payload());
  Payload parsed;
  ASSERT_EQ(parse_payload(bytes.view(), parsed), nullptr);
  EXPECT_EQ(parsed.command_data.data, bytes.view().data + 64);
  EXPECT_EQ(parsed.weights.size, 20u);
  EXPECT_EQ(parsed.scratch_size, 64u);
  Binding record{};
  ASSERT_EQ(read_binding(parsed.outputs, 0, parsed.scratch_size, record), nullptr);
  EXPECT_EQ(record.offset, 48u);
  EXPECT_EQ(record.bytes, 16u);
}

TEST(EthosUPayload, CutOffAnywhereIsRefused) {
  const std::vector<uint8_t> whole = payload();
  for (size_t size = 0; size < whole.size(); ++size) {
    const Aligned bytes({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
    Payload parsed;
    EXPECT_NE(parse_payload(bytes.view(), parsed), nullptr) << size;
  }
}

TEST(EthosUPayload, AnyDamagedByteLeavesAllViewsInside) {
  const std::vector<uint8_t> whole = payload();
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const uint8_t value : std::initializer_list<uint8_t>{0, 1, 0x7F, 0x80, 0xFF}) {
      std::vector<uint8_t> damaged = whole;
      damaged[at] = value;
      const Aligned bytes(damaged);
      Payload parsed;
      if (parse_payload(bytes.view(), parsed) != nullptr) continue;
      const auto end = bytes.view().data + bytes.view().size;
      EXPECT_LE(parsed.command_data.data + parsed.command_data.size, end);
      for (uint32_t i = 0; i < parsed.inputs.count; ++i) {
        Binding record{};
        if (read_binding(parsed.inputs, i, parsed.scratch_size, record) != nullptr) continue;
        EXPECT_LE(record.offset + record.bytes, parsed.scratch_size);
      }
    }
  }
}

TEST(EthosUPayload, UnalignedBytesAreRefused) {
  const Aligned bytes(payload());
  Payload parsed;
  EXPECT_NE(parse_payload({bytes.view().data + 8, bytes.view().size - 8}, parsed), nullptr);
}

TEST(EthosUPayload, RecordsOutsideOfTheScratchAreRefused) {
  EXPECT_EQ(wrong_binding(16, 1, 48), nullptr);
  EXPECT_STREQ(wrong_binding(17, 1, 48), "it lies outside of the scratch");
  EXPECT_STREQ(wrong_binding(16, 1, 0xFFFFFFF0u), "it lies outside of the scratch");
  EXPECT_STREQ(wrong_binding(16, 3, 0), "its element size is not 1, 2, 4 or 8");
  EXPECT_STREQ(wrong_binding(0x80000000u, 1, 0), "a size is negative");
}

}  // namespace
}  // namespace wick::ethos_u
