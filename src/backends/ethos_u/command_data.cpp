// SPDX-License-Identifier: BSD-3-Clause
// Walks the actions of a COP1 payload, or the header of a COP2 one. Every size is compared with what is left.
#include "src/backends/ethos_u/command_data.h"

#include <cstring>

#include "src/backends/ethos_u/bytes.h"

namespace wick::ethos_u {
namespace {

const char* parse_cop1(View bytes, CommandData& data) {
  enum Action : uint32_t { kOptimizerConfig = 1, kCommandStream = 2, kNop = 5 };
  View rest = {bytes.data + 4, bytes.size - 4};
  bool configured = false;
  while (rest.size >= 4) {
    const uint32_t action = word(rest.data);
    rest = {rest.data + 4, rest.size - 4};
    switch (action & 0xFF) {
      case kNop:
        break;
      case kOptimizerConfig:
        if (rest.size < 8) return "its OPTIMIZER_CONFIG is cut off";
        data.config = word(rest.data);
        data.id = word(rest.data + 4);
        rest = {rest.data + 8, rest.size - 8};
        configured = true;
        break;
      case kCommandStream: {
        const size_t words = (action >> 8 & 0xFF) << 16 | action >> 16;
        if (!configured) return "its COMMAND_STREAM is before OPTIMIZER_CONFIG";
        if (words > rest.size / 4) return "its COMMAND_STREAM is longer than the block";
        data.stream = {rest.data, 4 * words};
        return nullptr;
      }
      default:
        return "it has an unknown driver action";
    }
  }
  return "it has no COMMAND_STREAM";
}

// A header of 16 bytes with the length, one entry of 8; metadata "VEUM" with CONFIG and ID, padded to 16; the stream.
const char* parse_cop2(View bytes, CommandData& data) {
  constexpr size_t kHeader = 16;
  constexpr size_t kEntry = 8;
  constexpr size_t kMetadata = 36;
  constexpr size_t kStart = kHeader + kEntry;
  if (bytes.size < kStart + kMetadata || word(bytes.data + 12) != 0 || word(bytes.data + 8) > bytes.size - kHeader) {
    return "its COP2 header is longer than the block";
  }
  const size_t entry = word(bytes.data + kHeader + 4);
  if (word(bytes.data + kHeader) != 1) return "it has an unknown COP2 entry";
  const size_t left = word(bytes.data + 8);
  if (left < kEntry + kMetadata || entry < kMetadata || entry > left - kEntry)
    return "its COP2 entry has a wrong length";
  const uint8_t* metadata = bytes.data + kStart;
  if (std::memcmp(metadata + 4, "VEUM", 4) != 0) return "its COP2 metadata has an unknown tag";
  data.config = word(metadata + 16);
  data.id = word(metadata + 20);
  const size_t metadata_bytes = word(metadata);
  if (metadata_bytes > entry - 4) return "its COP2 metadata is longer than the entry";
  const size_t end = kStart + 4 + metadata_bytes;
  const size_t skip = 4 + metadata_bytes + (kAlign - end % kAlign) % kAlign;
  if (skip > entry) return "its COP2 entry has no command stream";
  data.stream = {metadata + skip, (entry - skip) / 4 * 4};
  return nullptr;
}

}  // namespace

const char* parse_command_data(View bytes, CommandData& data) {
  data = CommandData();
  if (bytes.data == nullptr || bytes.size < 4 || bytes.size % 4 != 0) return "it is empty or no multiple of 4 bytes";
  if (std::memcmp(bytes.data, "COP1", 4) == 0) return parse_cop1(bytes, data);
  if (std::memcmp(bytes.data, "COP2", 4) == 0) return parse_cop2(bytes, data);
  return "it begins with neither COP1 nor COP2";
}

}  // namespace wick::ethos_u
