// SPDX-License-Identifier: BSD-3-Clause
// Parsing of delegate and driver payloads. Every size is checked against what is left before it is used.
#include "npu/payload.h"

#include <cstring>

namespace wick::npu {
namespace {

constexpr std::size_t kHeader = 32, kName = 16, kAlign = 16;
constexpr std::size_t kBinding = 9 * 4;

std::uint32_t word(const std::uint8_t* p) {
  return static_cast<std::uint32_t>(p[0]) | static_cast<std::uint32_t>(p[1]) << 8 |
         static_cast<std::uint32_t>(p[2]) << 16 | static_cast<std::uint32_t>(p[3]) << 24;
}

struct Block {
  char name[kName];
  Bytes data;
  bool external = false;
};

// Takes the block at `position` and moves past it.
const char* next_block(Bytes bytes, std::size_t& position, Block& block) {
  if (bytes.size - position < kHeader) return "the payload ends inside a block header";
  const std::uint8_t* header = bytes.data + position;
  std::memcpy(block.name, header, kName);
  if (block.name[kName - 1] != 0) return "a block name is not terminated";
  const std::size_t size = word(header + 16);
  block.external = header[20] != 0;
  if (header[20] > 1) return "a block's external flag is neither 0 nor 1";
  position += kHeader;
  if (size > bytes.size - position) return "a block is longer than the payload";
  block.data = {bytes.data + position, size};
  const std::size_t padded = size + (kAlign - size % kAlign) % kAlign;
  if (padded > bytes.size - position) return "a block's padding is longer than the payload";
  position += padded;
  return nullptr;
}

const char* take_bindings(const Block& block, Bytes& records, std::uint32_t& count) {
  if (block.data.size < 4) return "inputs or outputs: too short for its count";
  count = word(block.data.data);
  if (count > (block.data.size - 4) / kBinding) return "inputs or outputs: more records than bytes";
  records = {block.data.data + 4, count * kBinding};
  return nullptr;
}

const char* take_block(const Block& block, Payload& payload) {
  const auto is = [&](const char* name) { return std::strcmp(block.name, name) == 0; };
  if (block.external && !is("cmd_data") && !is("weight_data")) return "only cmd_data and weight_data can be external";
  if (is("cmd_data")) {
    payload.command_data = block.data;
    payload.command_data_external = block.external;
  } else if (is("weight_data")) {
    payload.weight_data = block.data;
    payload.weight_data_external = block.external;
  } else if (is("scratch_size")) {
    if (block.data.size < 4) return "scratch_size: shorter than its number";
    payload.scratch_size = word(block.data.data);
  } else if (is("inputs")) {
    return take_bindings(block, payload.input_records, payload.input_count);
  } else if (is("outputs")) {
    return take_bindings(block, payload.output_records, payload.output_count);
  } else {
    return "a block of unknown name";
  }
  return nullptr;
}

const char* parse_cop1(Bytes bytes, CommandStream& stream) {
  constexpr std::uint32_t kConfig = 1, kStream = 2, kNop = 5;
  std::size_t position = 4;
  bool configured = false;
  while (bytes.size - position >= 4) {
    const std::uint32_t action = word(bytes.data + position);
    position += 4;
    switch (action & 0xFF) {
      case kConfig:
        if (bytes.size - position < 8) return "cmd_data: OPTIMIZER_CONFIG without its CONFIG and ID words";
        stream.config_word = word(bytes.data + position);
        stream.id_word = word(bytes.data + position + 4);
        configured = true;
        position += 8;
        break;
      case kNop:
        break;
      case kStream: {
        const std::size_t words = (action >> 8 & 0xFF) << 16 | action >> 16;
        if (words > (bytes.size - position) / 4) return "cmd_data: COMMAND_STREAM is longer than its block";
        if (!configured) return "cmd_data: COMMAND_STREAM before OPTIMIZER_CONFIG";
        stream.words = {bytes.data + position, words * 4};
        return nullptr;
      }
      default:
        return "cmd_data: unknown driver action";
    }
  }
  return "cmd_data: no COMMAND_STREAM";
}

const char* parse_cop2(Bytes bytes, CommandStream& stream) {
  constexpr std::size_t kEntry = 16, kMetadata = 20;
  if (bytes.size < kEntry) return "cmd_data: COP2 header is cut off";
  std::uint64_t length = word(bytes.data + 8) | static_cast<std::uint64_t>(word(bytes.data + 12)) << 32;
  if (length > bytes.size - kEntry) return "cmd_data: COP2 is longer than its block";
  const std::uint8_t* p = bytes.data + kEntry;
  std::size_t left = static_cast<std::size_t>(length);
  if (left < 8) return "cmd_data: COP2 without an entry";
  if (word(p) != 1) return "cmd_data: unknown COP2 entry";
  if (word(p + 4) > left - 8) return "cmd_data: COP2 entry is longer than its block";
  left = word(p + 4);
  p += 8;
  // Metadata: its length, "VEUM", version, size, then CONFIG, ID, flags and staging size; 0xFF up to a multiple of 16.
  if (left < 4 + 12 + kMetadata) return "cmd_data: COP2 metadata is cut off";
  if (std::memcmp(p + 4, "VEUM", 4) != 0) return "cmd_data: COP2 metadata has another tag";
  stream.config_word = word(p + 16);
  stream.id_word = word(p + 20);
  const std::size_t metadata = word(p) + std::size_t{4};
  if (metadata > left) return "cmd_data: COP2 metadata is longer than its entry";
  const std::size_t before = static_cast<std::size_t>(p - bytes.data) + metadata;
  const std::size_t skip = metadata + (kAlign - before % kAlign) % kAlign;
  if (skip > left) return "cmd_data: COP2 entry has no command stream";
  stream.words = {p + skip, (left - skip) / 4 * 4};
  return nullptr;
}

}  // namespace

const char* parse_payload(Bytes bytes, Payload& payload) {
  payload = Payload();
  std::size_t position = 0;
  Block block;
  if (bytes.data == nullptr) return "no payload";
  if (const char* wrong = next_block(bytes, position, block)) return wrong;
  if (std::strcmp(block.name, "vela_bin_stream") != 0) return "the payload does not begin with vela_bin_stream";
  for (;;) {
    if (const char* wrong = next_block(bytes, position, block)) return wrong;
    if (std::strcmp(block.name, "vela_end_stream") == 0) break;
    if (const char* wrong = take_block(block, payload)) return wrong;
  }
  if (position != bytes.size) return "bytes after vela_end_stream";
  if (payload.command_data.data == nullptr) return "no cmd_data block";
  return nullptr;
}

const char* parse_driver_payload(Bytes bytes, CommandStream& stream) {
  stream = CommandStream();
  if (bytes.data == nullptr || bytes.size < 4 || bytes.size % 4 != 0) {
    return "cmd_data: empty, or not a multiple of 4 bytes";
  }
  if (std::memcmp(bytes.data, "COP1", 4) == 0) return parse_cop1(bytes, stream);
  if (std::memcmp(bytes.data, "COP2", 4) == 0) return parse_cop2(bytes, stream);
  return "cmd_data: begins with neither COP1 nor COP2";
}

const char* parse_binding(Bytes records, std::uint32_t index, Binding& binding) {
  if (index >= records.size / kBinding) return "no such input or output";
  const std::uint8_t* p = records.data + index * kBinding;
  std::uint64_t bytes = 1;
  for (int i = 0; i < 6; ++i) {
    binding.shape[i] = static_cast<std::int32_t>(word(p + 4 * i));
    if (binding.shape[i] < 0) return "an input or output has a negative size";
    bytes *= static_cast<std::uint32_t>(binding.shape[i]);
    if (bytes > UINT32_MAX) return "an input or output is larger than 4 GiB";
  }
  binding.element_bytes = static_cast<std::int32_t>(word(p + 24));
  binding.offset = static_cast<std::int32_t>(word(p + 28));
  binding.region = static_cast<std::int32_t>(word(p + 32));
  if (binding.element_bytes != 1 && binding.element_bytes != 2 && binding.element_bytes != 4 &&
      binding.element_bytes != 8) {
    return "an input or output has an element size other than 1, 2, 4 or 8";
  }
  if (binding.offset < 0) return "an input or output has a negative offset";
  binding.bytes = bytes * static_cast<std::uint32_t>(binding.element_bytes);
  return nullptr;
}

}  // namespace wick::npu
