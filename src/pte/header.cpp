// SPDX-License-Identifier: BSD-3-Clause
//
// The first 64 bytes of a file: what it is, and the extended header.
#include "src/pte/schema.h"

namespace wick::pte {
namespace {

bool starts_with(const char* bytes, const char* four) {
  return bytes[0] == four[0] && bytes[1] == four[1] && bytes[2] == four[2] && bytes[3] == four[3];
}

}  // namespace
bool parse_extended_header(const uint8_t* head, ExtendedHeader* header) {
  // Little-endian, as every target of wick: fields are copied as they lie.
  struct {
    char magic[4];
    uint32_t length;
    uint64_t program_size;
    uint64_t segment_base_offset;
    uint64_t segment_data_size;
  } raw;
  std::memcpy(&raw, head + 8, sizeof(raw));
  if (!starts_with(reinterpret_cast<const char*>(head) + 4, "ET12")) {
    return false;
  }
  if (!starts_with(raw.magic, "eh00")) {
    return true;
  }
  header->present = true;
  header->program_size = raw.program_size;
  header->segment_base_offset = raw.segment_base_offset;
  header->has_data_size = raw.length >= 32;
  header->segment_data_size = header->has_data_size ? raw.segment_data_size : 0;
  return raw.length >= 24;
}

Kind kind_of(const uint8_t* head) {
  const char* id = reinterpret_cast<const char*>(head) + 4;
  if (starts_with(id, "ET12")) {
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
