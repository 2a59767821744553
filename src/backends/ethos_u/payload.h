// SPDX-License-Identifier: BSD-3-Clause
// Checked views over the payload of an Ethos-U delegate ("vela_bin_stream"). Nothing is copied.
#pragma once

#include <wick/ethos_u.h>

namespace wick::ethos_u {

/// One input or output as the compiler laid it out in the scratch.
struct Binding {
  size_t bytes;       ///< of the whole tensor, checked to lie in the scratch
  size_t last_bytes;  ///< of one run along the last dimension
  uint32_t element_bytes;
  uint32_t offset;
};

struct Bindings {
  View records{nullptr, 0};
  uint32_t count = 0;
};

struct Payload {
  View command_data{nullptr, 0};
  View weights{nullptr, 0};
  bool command_external = false;  ///< command_data holds the key of named data, as does weights
  bool weights_external = false;
  uint32_t scratch_size = 0;
  Bindings inputs;
  Bindings outputs;
};

/// Both give null, or what is wrong and in which block.
const char* parse_payload(View bytes, Payload& payload);
const char* read_binding(const Bindings& bindings, uint32_t index, size_t scratch_size, Binding& binding);

}  // namespace wick::ethos_u
