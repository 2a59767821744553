// SPDX-License-Identifier: BSD-3-Clause
//
// The first 64 bytes of a file: what it is, and the extended header.
#include <cstring>

#include "src/pte/schema.h"

namespace wick::pte {
namespace {

uint32_t word(const uint8_t* bytes) {
  uint32_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

/// A 64-bit number of the header; SIZE_MAX if it is larger than that.
size_t size_at(const uint8_t* bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof(value));
  return value > SIZE_MAX ? SIZE_MAX : static_cast<size_t>(value);
}

/// Four characters as they lie in memory; every target of wick is little-endian.
constexpr uint32_t text(const char (&four)[5]) {
  return static_cast<uint32_t>(four[0]) | static_cast<uint32_t>(four[1]) << 8 | static_cast<uint32_t>(four[2]) << 16 |
         static_cast<uint32_t>(four[3]) << 24;
}

}  // namespace

bool parse_extended_header(const uint8_t* head, ExtendedHeader* header) {
  header->present = false;
  header->has_data_size = false;
  header->program_size = 0;
  header->segment_base_offset = 0;
  header->segment_data_size = 0;
  if (word(head + 4) != text("ET12")) {
    return false;
  }
  if (word(head + 8) != text("eh00")) {
    return true;
  }
  const uint32_t length = word(head + 12);
  header->present = true;
  header->program_size = size_at(head + 16);
  header->segment_base_offset = size_at(head + 24);
  if (length >= 32) {
    header->has_data_size = true;
    header->segment_data_size = size_at(head + 32);
  }
  return length >= 24;
}

Kind kind_of(const uint8_t* head) {
  const uint8_t* id = head + 4;
  if (word(id) == text("ET12")) {
    return Kind::kProgram;
  }
  if (id[0] == 'E' && id[1] == 'T') {
    return Kind::kOtherVersion;
  }
  if (id[0] == 'B' && id[1] == 'P') {
    return Kind::kBundled;
  }
  if (id[0] == 'F' && id[1] == 'T') {
    return Kind::kFlatTensor;
  }
  bool erased = head[0] == 0xFF || head[0] == 0;
  for (unsigned i = 1; erased && i < 16; ++i) {
    erased = head[i] == head[0];
  }
  return erased ? Kind::kErased : Kind::kUnknown;
}

}  // namespace wick::pte
