// SPDX-License-Identifier: BSD-3-Clause
// ExecuTorch's names for reading a payload, on the delegate's own checked reader.
#include <executorch/backends/arm/runtime/VelaBinStream.h>
#include <executorch/runtime/platform/log.h>

#include <cstring>

#include "src/backends/ethos_u/load_payload.h"

namespace executorch::backends::arm {

using executorch::runtime::Error;
using executorch::runtime::NamedDataMap;
using namespace wick::ethos_u;

namespace {

View view_of(const char* data, int size) {
  return {reinterpret_cast<const uint8_t*>(data), size < 0 ? 0 : static_cast<size_t>(size)};
}

/// A block's records with the count in front.
VelaIOs* records_of(const Bindings& bindings) {
  if (bindings.records.data == nullptr) {
    return nullptr;
  }
  return reinterpret_cast<VelaIOs*>(const_cast<uint8_t*>(bindings.records.data) - sizeof(VelaIOs));
}

bool is_command_data(View data) {
  return data.size >= 4 && (std::memcmp(data.data, "COP1", 4) == 0 || std::memcmp(data.data, "COP2", 4) == 0);
}

}  // namespace

bool vela_bin_validate(const char* data, int size) {
  const View bytes = view_of(data, size);
  const char* wrong = nullptr;
  if (data == nullptr || bytes.size < 2 * sizeof(VelaBinBlock)) {
    wrong = "it is too short for its first and last block";
  } else if (reinterpret_cast<uintptr_t>(data) % 16 != 0 || bytes.size % 16 != 0) {
    wrong = "its start and its end have to be multiples of 16";
  } else if (std::strncmp(data, "vela_bin_stream", kVelaBlockNameLength) != 0) {
    wrong = "it does not begin with the block vela_bin_stream";
  } else if (std::strncmp(data + bytes.size - sizeof(VelaBinBlock), "vela_end_stream", kVelaBlockNameLength) != 0) {
    wrong = "it does not end with the block vela_end_stream";
  }
  if (wrong != nullptr) {
    ET_LOG(Error, "Ethos-U payload: %s", wrong);
  }
  return wrong == nullptr;
}

Error vela_bin_read(const char* data, int size, const NamedDataMap* named_data_map, VelaHandles* handles) {
  Payload payload;
  ExternalBlocks blocks;
  Error error = load_payload(view_of(data, size), payload);
  if (error == Error::Ok) {
    error = load_external_blocks(named_data_map, payload, blocks);
  }
  if (error != Error::Ok) {
    return error;
  }
  if (!is_command_data(payload.command_data)) {
    ET_LOG(Error, "Ethos-U payload: block cmd_data begins neither with COP1 nor with COP2");
    return Error::InvalidProgram;
  }
  handles->cmd_data = reinterpret_cast<const char*>(payload.command_data.data);
  handles->cmd_data_size = payload.command_data.size;
  handles->weight_data = reinterpret_cast<const char*>(payload.weights.data);
  handles->weight_data_size = payload.weights.size;
  handles->scratch_data_size = payload.scratch_size;
  handles->inputs = records_of(payload.inputs);
  handles->outputs = records_of(payload.outputs);
  return Error::Ok;
}

bool vela_bin_read(const char* data, VelaHandles* handles, int size) {
  return vela_bin_read(data, size, nullptr, handles) == Error::Ok;
}

}  // namespace executorch::backends::arm
