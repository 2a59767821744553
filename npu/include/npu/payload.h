// SPDX-License-Identifier: BSD-3-Clause
// The payload of an Ethos-U delegate ("vela_bin_stream") and the driver payload inside it ("COP1", "COP2"):
// bounds-checked views, nothing is copied. External blocks (a key into the program's named data) are reported, not
// followed.
//   wick::npu::Payload payload;
//   if (const char* wrong = wick::npu::parse_payload({bytes, size}, payload)) { ... }
#pragma once

#include <cstddef>
#include <cstdint>

#include "npu/machine.h"

namespace wick::npu {

// One input or output of the delegate, as the compiler laid it out in a region.
struct Binding {
  std::int32_t shape[6] = {};
  std::int32_t element_bytes = 0;
  std::int32_t offset = 0;
  std::int32_t region = 0;
  // Bytes that the tensor takes: product of the shape times element_bytes; checked not to overflow.
  std::uint64_t bytes = 0;
};

struct Payload {
  Bytes command_data;  // the driver payload, or the key when command_data_external
  Bytes weight_data;   // region 0, or the key when weight_data_external
  bool command_data_external = false, weight_data_external = false;
  std::uint32_t scratch_size = 0;  // region 1
  Bytes input_records, output_records;
  std::uint32_t input_count = 0, output_count = 0;
};

struct CommandStream {
  std::uint32_t config_word = 0;  // of the NPU that the stream was compiled for
  std::uint32_t id_word = 0;
  Bytes words;
};

// Both return null, or what is wrong and in which block.
const char* parse_payload(Bytes bytes, Payload& payload);
const char* parse_driver_payload(Bytes bytes, CommandStream& stream);

// Record `index` of input_records or output_records; null, or what is wrong with it.
const char* parse_binding(Bytes records, std::uint32_t index, Binding& binding);

}  // namespace wick::npu
