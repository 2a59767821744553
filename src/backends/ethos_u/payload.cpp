// SPDX-License-Identifier: BSD-3-Clause
// Walks the blocks of a delegate's payload. Every size is compared with what is left before it is used.
#include "src/backends/ethos_u/payload.h"

#include <cstring>

#include "src/backends/ethos_u/bytes.h"

namespace wick::ethos_u {
namespace {

constexpr size_t kHeader = 32;
constexpr size_t kName = 16;
constexpr size_t kRecord = 36;
constexpr int kDims = 6;

struct Block {
  const char* name;
  View data;
  bool external;

  bool is(const char* other) const { return std::strncmp(name, other, kName) == 0; }
};

const char* next_block(View& rest, Block& block) {
  if (rest.size < kHeader) return "the payload ends before its vela_end_stream block";
  const uint8_t* header = rest.data;
  const size_t size = word(header + kName);
  const size_t left = rest.size - kHeader;
  if (size > left) return "a block is longer than the payload";
  const size_t padding = (kAlign - size % kAlign) % kAlign;
  if (padding > left - size) return "a block's padding is longer than the payload";
  if (header[20] > 1) return "a block's external flag is neither 0 nor 1";
  block = {reinterpret_cast<const char*>(header), {header + kHeader, size}, header[20] == 1};
  rest = {header + kHeader + size + padding, left - size - padding};
  return nullptr;
}

const char* take_bindings(View data, Bindings& bindings) {
  if (data.size < 4) return "block inputs or outputs: too short for its count";
  bindings.count = word(data.data);
  if (bindings.count > (data.size - 4) / kRecord) return "block inputs or outputs: more records than bytes";
  bindings.records = {data.data + 4, data.size - 4};
  return nullptr;
}

const char* take_block(const Block& block, Payload& payload) {
  if (block.is("cmd_data")) {
    payload.command_data = block.data;
    payload.command_external = block.external;
    return nullptr;
  }
  if (block.is("weight_data")) {
    payload.weights = block.data;
    payload.weights_external = block.external;
    return nullptr;
  }
  if (block.external) return "only blocks cmd_data and weight_data can be external";
  if (block.is("inputs")) return take_bindings(block.data, payload.inputs);
  if (block.is("outputs")) return take_bindings(block.data, payload.outputs);
  if (block.is("scratch_size")) {
    if (block.data.size < 4) return "block scratch_size: shorter than its number";
    payload.scratch_size = word(block.data.data);
    return nullptr;
  }
  return "a block has an unknown name";
}

}  // namespace

const char* parse_payload(View bytes, Payload& payload) {
  payload = Payload();
  if (bytes.data == nullptr) return "it is empty";
  if (reinterpret_cast<uintptr_t>(bytes.data) % kAlign != 0) {
    return "it is not 16-aligned: place the program at a multiple of 16";
  }
  Block block;
  if (const char* wrong = next_block(bytes, block)) return wrong;
  if (!block.is("vela_bin_stream")) return "it does not begin with the block vela_bin_stream";
  for (;;) {
    if (const char* wrong = next_block(bytes, block)) return wrong;
    if (block.is("vela_end_stream")) break;
    if (const char* wrong = take_block(block, payload)) return wrong;
  }
  if (bytes.size != 0) return "bytes follow the block vela_end_stream";
  return payload.command_data.data == nullptr ? "it has no block cmd_data" : nullptr;
}

const char* read_binding(const Bindings& bindings, uint32_t index, size_t scratch_size, Binding& binding) {
  if (index >= bindings.count) return "there is no such record";
  const uint8_t* record = bindings.records.data + index * kRecord;
  binding.element_bytes = word(record + 24);
  binding.offset = word(record + 28);
  if (binding.element_bytes != 1 && binding.element_bytes != 2 && binding.element_bytes != 4 &&
      binding.element_bytes != 8) {
    return "its element size is not 1, 2, 4 or 8";
  }
  uint64_t bytes = binding.element_bytes;
  for (int i = 0; i < kDims; ++i) {
    const uint32_t size = word(record + 4 * i);
    if (size > INT32_MAX) return "a size is negative";
    bytes *= size == 0 ? 1 : size;  // an absent dimension
    if (bytes > UINT32_MAX) return "it is larger than 4 GiB";
    binding.last_bytes = static_cast<size_t>(binding.element_bytes) * (size == 0 ? 1 : size);
  }
  if (binding.offset > scratch_size || bytes > scratch_size - binding.offset) return "it lies outside of the scratch";
  binding.bytes = static_cast<size_t>(bytes);
  return nullptr;
}

}  // namespace wick::ethos_u
