// SPDX-License-Identifier: BSD-3-Clause
//
// Where an ETDump's tensors go: a buffer (BufferDataSink), a file (FileDataSink), or wherever a class of the user's
// writes them. The ETDump itself only holds their offsets.
#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/result.h>
#include <wick/virtual_delete.h>

#include <cstddef>

namespace executorch {
namespace etdump {

class DataSinkBase {
 public:
  WICK_DELETE_WITHOUT_HEAP

  virtual ~DataSinkBase() = default;

  /// Stores `length` bytes and returns their offset from the beginning of what is stored.
  virtual ::executorch::runtime::Result<size_t> write(const void* ptr, size_t length) = 0;

  /// Bytes stored so far, gaps for alignment included.
  virtual size_t get_used_bytes() const = 0;
};

}  // namespace etdump
}  // namespace executorch
