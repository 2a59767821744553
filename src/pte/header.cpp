// SPDX-License-Identifier: BSD-3-Clause
//
// The first 64 bytes of a file: what it is, and the extended header.
#include "src/pte/schema.h"

namespace wick::pte {
namespace {

uint64_t little_endian(const uint8_t* bytes, unsigned count) {
  uint64_t value = 0;
  while (count-- > 0) {
    value = value << 8 | bytes[count];
  }
  return value;
}

}  // namespace

bool parse_extended_header(const uint8_t* head, ExtendedHeader* header) {
  const uint8_t* at = head + 8;
  if (std::memcmp(at, "eh00", 4) != 0) {
    return true;
  }
  uint64_t length = little_endian(at + 4, 4);
  if (length < 24) {
    return false;
  }
  header->present = true;
  header->program_size = little_endian(at + 8, 8);
  header->segment_base_offset = little_endian(at + 16, 8);
  if (length >= 32) {
    header->has_data_size = true;
    header->segment_data_size = little_endian(at + 24, 8);
  }
  return true;
}

Kind kind_of(const uint8_t* head) {
  const uint8_t* id = head + 4;
  if (std::memcmp(id, "ET12", 4) == 0) {
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
