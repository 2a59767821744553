// SPDX-License-Identifier: BSD-3-Clause
// UF2 files: pages, and the images that the boot ROMs would not start.
#include "tools/firmware/uf2.h"

#include <gtest/gtest.h>

#include <cstring>

namespace wick::tools {
namespace {

void put(Bytes& bytes, size_t at, uint32_t value) { std::memcpy(bytes.data() + at, &value, sizeof(value)); }

uint32_t get(const Bytes& bytes, size_t at) {
  uint32_t value;
  std::memcpy(&value, bytes.data() + at, sizeof(value));
  return value;
}

/// Second stage with its CRC, vectors, and 2 bytes of code.
Bytes rp2040_image() {
  Bytes image(514, 0);
  put(image, 252, boot2_crc(image.data(), 252));
  put(image, 256, 0x20002000);
  put(image, 260, 0x10000201);
  return image;
}

TEST(Uf2Test, TheCrcIsThatOfTheStandardExample) {
  // CRC-32/MPEG-2 of "123456789", as catalogues of CRCs list it.
  EXPECT_EQ(boot2_crc(reinterpret_cast<const uint8_t*>("123456789"), 9), 0x0376E6E7u);
}

TEST(Uf2Test, AnImageBecomesNumberedPages) {
  const Bytes file = make_uf2({{0x10000000, rp2040_image()}}, "rp2040");
  ASSERT_EQ(file.size(), 3u * 512);
  EXPECT_EQ(get(file, 512 + 12), 0x10000100u);
  EXPECT_EQ(get(file, 512 + 20), 1u);
  EXPECT_EQ(get(file, 512 + 24), 3u);
  EXPECT_EQ(get(file, 512 + 28), 0xE48BFF56u);
  EXPECT_EQ(get(file, 512 + 32), 0x20002000u);
  EXPECT_EQ(get(file, 1024 + 508), 0x0AB16F30u);
}

TEST(Uf2Test, ASecondStageWithAWrongCrcIsRefused) {
  Bytes image = rp2040_image();
  image[10] ^= 1;
  EXPECT_THROW(make_uf2({{0x10000000, image}}, "rp2040"), ToolError);
}

TEST(Uf2Test, AnRp2350WantsAnImageBlock) {
  Bytes image(512, 0);
  put(image, 0, 0x20002000);
  put(image, 4, 0x10000081);
  EXPECT_THROW(make_uf2({{0x10000000, image}}, "rp2350-arm-s"), ToolError);
  const uint32_t block[] = {0xFFFFDED3, 0x10210142, 0x000001FF, 0, 0xAB123579};
  std::memcpy(image.data() + 64, block, sizeof(block));
  EXPECT_EQ(make_uf2({{0x10000000, image}}, "rp2350-arm-s").size(), 1024u);
}

TEST(Uf2Test, PartsOutsideOfFlashAndUnknownFamiliesAreRefused) {
  EXPECT_THROW(make_uf2({{0x20000000, Bytes(16)}}, "rp2040"), ToolError);
  EXPECT_THROW(make_uf2({{0x10000000, rp2040_image()}}, "esp32"), ToolError);
}

}  // namespace
}  // namespace wick::tools
