// SPDX-License-Identifier: BSD-3-Clause
// The payload of an Ethos-U delegate ("vela_bin_stream") as ExecuTorch's reader gives it: pointers into the payload.
// The delegate itself needs no call of these; they serve programs that run a payload on their own.
//
//     namespace arm = executorch::backends::arm;
//     arm::VelaHandles handles{};
//     if (!arm::vela_bin_read(data, &handles, size)) { ... }   // the log says which block is wrong
#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/named_data_map.h>

#include <cstddef>
#include <cstdint>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"  // arrays without a size, as in the format
#endif

namespace executorch::backends::arm {

constexpr uint32_t kVelaBlockNameLength = 16;
constexpr uint8_t kVelaExternalBlockReference = 1;

/// A block of the payload, at a multiple of 16. Its data is padded to a multiple of 16.
struct VelaBinBlock {
  char name[kVelaBlockNameLength];  ///< padded with zeros
  uint32_t size;                    ///< bytes of data without padding
  uint8_t external;                 ///< kVelaExternalBlockReference: data is the key of named data
  uint8_t reserved[11];
  char data[];
};

constexpr int shapeDim = 6;  ///< dimensions of a VelaIO

/// Where an input or output lies in the scratch.
struct VelaIO {
  int shape[shapeDim];
  int elem_size;  ///< bytes of an element
  int offset;     ///< bytes from the start of the scratch
  int region;
};

struct VelaIOs {
  int count;
  VelaIO io[];
};

/// What a payload holds. Null and zero: no such block.
struct VelaHandles {
  const char* cmd_data;
  size_t cmd_data_size;
  const char* weight_data;
  size_t weight_data_size;
  char* scratch_data;        ///< not set by vela_bin_read(): the scratch is the caller's
  size_t scratch_data_size;  ///< bytes of scratch that the payload needs
  VelaIOs* inputs;           ///< all records lie in the payload, and what they describe in the scratch
  VelaIOs* outputs;
};

/// Whether `data` is at a multiple of 16 and begins and ends as a payload does. vela_bin_read() checks all of it.
bool vela_bin_validate(const char* data, int size);

/// Reads a payload of `size` bytes. False if it is malformed, or external; `handles` is as it was then.
bool vela_bin_read(const char* data, VelaHandles* handles, int size);

/// Also follows external blocks into `named_data_map`, which has to give data that stays where it is. InvalidProgram if
/// something is malformed or there is no map; the map's error if it has not the data.
executorch::runtime::Error vela_bin_read(const char* data, int size,
                                         const executorch::runtime::NamedDataMap* named_data_map, VelaHandles* handles);

}  // namespace executorch::backends::arm

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
