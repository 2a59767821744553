// SPDX-License-Identifier: BSD-3-Clause
// Pages from the parts of an image, checked as the boot ROM would, then one 512-byte block each.
#include "tools/firmware/uf2.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>

namespace wick::tools {
namespace {

constexpr uint32_t kFlash = 0x10000000;
constexpr uint32_t kPage = 256;
using Pages = std::map<uint32_t, Bytes>;  // by address

Pages pages_of(const std::vector<Segment>& parts) {
  Pages pages;
  for (const Segment& part : parts) {
    if (part.load_address < kFlash || part.load_address >= kFlash + 0x4000000) {
      throw ToolError("a part of the image lies outside of the flash at 0x10000000");
    }
    for (size_t i = 0; i < part.data.size(); ++i) {
      const uint32_t at = part.load_address + static_cast<uint32_t>(i);
      Bytes& page = pages[at - at % kPage];
      page.resize(kPage, 0);
      page[at % kPage] = part.data[i];
    }
  }
  if (pages.count(kFlash) == 0) {
    throw ToolError("the image does not begin at 0x10000000");
  }
  return pages;
}

uint32_t word(const Pages& pages, uint32_t address) {
  const auto page = pages.find(address - address % kPage);
  uint32_t value = 0;
  if (page != pages.end()) {
    std::memcpy(&value, page->second.data() + address % kPage, sizeof(value));
  }
  return value;
}

std::string hex(uint32_t value) {
  char text[16];
  std::snprintf(text, sizeof(text), "0x%08x", value);
  return text;
}

void check_vectors(const Pages& pages, uint32_t table) {
  const uint32_t stack = word(pages, table);
  const uint32_t reset = word(pages, table + 4);
  if (stack >> 24 != 0x20 || (reset & 1U) == 0 || reset < kFlash || pages.count((reset & ~1U) / kPage * kPage) == 0) {
    throw ToolError("no vector table at " + hex(table) + ": stack " + hex(stack) + ", reset " + hex(reset));
  }
}

void check_rp2040(const Pages& pages) {
  const Bytes& stage = pages.at(kFlash);
  const uint32_t crc = boot2_crc(stage.data(), kPage - 4);
  if (crc != word(pages, kFlash + kPage - 4)) {
    throw ToolError("the second boot stage at 0x10000000 has the CRC " + hex(crc) + ", but its last word says " +
                    hex(word(pages, kFlash + kPage - 4)));
  }
  check_vectors(pages, kFlash + kPage);
}

void check_rp2350(const Pages& pages) {
  for (uint32_t at = kFlash; at < kFlash + 4096; at += 4) {
    if (word(pages, at) == 0xFFFFDED3) {
      if (word(pages, at + 4) != 0x10210142 || word(pages, at + 8) != 0x000001FF ||
          word(pages, at + 16) != 0xAB123579) {
        throw ToolError("the block at " + hex(at) + " does not describe an executable for RP2350's Arm cores");
      }
      check_vectors(pages, kFlash);
      return;
    }
  }
  throw ToolError("no image block in the first 4 KB: the boot ROM of the RP2350 would not start this");
}

void put(Bytes& block, size_t at, uint32_t value) { std::memcpy(block.data() + at, &value, sizeof(value)); }

}  // namespace

uint32_t boot2_crc(const uint8_t* data, size_t bytes) {
  uint32_t crc = 0xFFFFFFFF;
  for (size_t i = 0; i < bytes; ++i) {
    crc ^= static_cast<uint32_t>(data[i]) << 24;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc & 0x80000000U) != 0 ? crc << 1 ^ 0x04C11DB7U : crc << 1;
    }
  }
  return crc;
}

Bytes make_uf2(const std::vector<Segment>& parts, const std::string& family) {
  const std::map<std::string, uint32_t> families = {{"rp2040", 0xE48BFF56}, {"rp2350-arm-s", 0xE48BFF59}};
  const auto known = families.find(family);
  if (known == families.end()) {
    throw ToolError("--family is rp2040 or rp2350-arm-s, not " + family);
  }
  const Pages pages = pages_of(parts);
  if (family == "rp2040") {
    check_rp2040(pages);
  } else {
    check_rp2350(pages);
  }
  Bytes file;
  uint32_t number = 0;
  for (const auto& [address, data] : pages) {
    Bytes block(512, 0);
    put(block, 0, 0x0A324655);
    put(block, 4, 0x9E5D5157);
    put(block, 8, 0x00002000);  // a family follows
    put(block, 12, address);
    put(block, 16, kPage);
    put(block, 20, number++);
    put(block, 24, static_cast<uint32_t>(pages.size()));
    put(block, 28, known->second);
    std::copy(data.begin(), data.end(), block.begin() + 32);
    put(block, 508, 0x0AB16F30);
    file.insert(file.end(), block.begin(), block.end());
  }
  return file;
}

}  // namespace wick::tools
