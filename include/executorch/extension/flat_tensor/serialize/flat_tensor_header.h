// SPDX-License-Identifier: BSD-3-Clause
//
// The header of a data file (.ptd): where its FlatBuffer and its segments lie.
//
//   Result<FlatTensorHeader> header = FlatTensorHeader::Parse(bytes, FlatTensorHeader::kNumHeadBytes);
#pragma once

#include <cstddef>
#include <cstdint>

#include <executorch/runtime/core/result.h>

namespace executorch {
namespace extension {

struct FlatTensorHeader {
  /// Bytes of the file that Parse() needs.
  static constexpr size_t kNumHeadBytes = 64;
  /// Where the header begins: behind the FlatBuffer's root offset and identifier.
  static constexpr size_t kHeaderOffset = 8;
  static constexpr size_t kMagicSize = 4;
  static constexpr char kMagic[kMagicSize] = {'F', 'H', '0', '1'};
  static constexpr uint32_t kHeaderExpectedLength = 40;

  /// Errors: InvalidArgument (fewer than kNumHeadBytes bytes), NotFound (no header), InvalidExternalData (corrupt).
  static runtime::Result<FlatTensorHeader> Parse(const void* data, size_t size);

  uint64_t flatbuffer_offset;
  uint64_t flatbuffer_size;
  uint64_t segment_base_offset;
  uint64_t segment_data_size;
};

}  // namespace extension
}  // namespace executorch
