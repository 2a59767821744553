// SPDX-License-Identifier: BSD-3-Clause
// Driver payloads: a COP1 and a COP2 payload give the same stream; damaged ones are refused or stay inside.
#include "src/backends/ethos_u/command_data.h"

#include <gtest/gtest.h>

#include "tests/ethos_u/payload_builder.h"

namespace wick::ethos_u {
namespace {

constexpr uint32_t kConfig = 0x1807;
constexpr uint32_t kId = 0x10066001;
constexpr uint32_t kStop = 0xFFFF0000;

// As the compiler writes it: OPTIMIZER_CONFIG, three NOPs, then the stream at byte 32.
std::vector<uint8_t> cop1() {
  std::vector<uint8_t> bytes;
  for (const uint32_t value : {0x31504F43U, 0x00100001U, kConfig, kId, 5U, 5U, 5U, 0x00020002U, 0x0000010BU, kStop}) {
    add_word(bytes, value);
  }
  return bytes;
}

// Header, one entry, metadata "VEUM" with CONFIG, ID, flags and staging size, 0xFF up to 64, the stream.
std::vector<uint8_t> cop2() {
  std::vector<uint8_t> bytes;
  for (const uint32_t value : {0x32504F43U, 1U, 56U, 0U, 1U, 48U, 32U, 0x4D554556U, 1U, 20U, kConfig, kId, 0U, 0U, 0U,
                               UINT32_MAX, 0x0000010BU, kStop}) {
    add_word(bytes, value);
  }
  return bytes;
}

TEST(CommandDataTest, BothFormatsGiveStreamAndNpu) {
  const struct {
    std::vector<uint8_t> bytes;
    size_t stream;
  } formats[] = {{cop1(), 32}, {cop2(), 64}};
  for (const auto& format : formats) {
    const Aligned bytes(format.bytes);
    CommandData data;
    ASSERT_EQ(parse_command_data(bytes.view(), data), nullptr);
    EXPECT_EQ(data.config, kConfig);
    EXPECT_EQ(data.id, kId);
    EXPECT_EQ(data.stream.data, bytes.view().data + format.stream);
    EXPECT_EQ(data.stream.size, 8U);
  }
}

TEST(CommandDataTest, CutOffAnywhereIsRefused) {
  for (const auto& whole : {cop1(), cop2()}) {
    for (size_t size = 0; size < whole.size(); ++size) {
      const Aligned bytes({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)});
      CommandData data;
      EXPECT_NE(parse_command_data(bytes.view(), data), nullptr) << size;
    }
  }
}

TEST(CommandDataTest, AnyDamagedByteLeavesTheStreamInside) {
  for (const auto& whole : {cop1(), cop2()}) {
    for (size_t at = 0; at < whole.size(); ++at) {
      for (const uint8_t value : std::initializer_list<uint8_t>{0, 1, 0x7F, 0x80, 0xFF}) {
        std::vector<uint8_t> damaged = whole;
        damaged[at] = value;
        const Aligned bytes(damaged);
        CommandData data;
        if (parse_command_data(bytes.view(), data) != nullptr) continue;
        EXPECT_LE(data.stream.data + data.stream.size, bytes.view().data + bytes.view().size);
      }
    }
  }
}

TEST(CommandDataTest, UnknownActionIsRefused) {
  std::vector<uint8_t> bytes = cop1();
  bytes[16] = 3;
  const Aligned aligned(bytes);
  CommandData data;
  EXPECT_STREQ(parse_command_data(aligned.view(), data), "it has an unknown driver action");
}

}  // namespace
}  // namespace wick::ethos_u
