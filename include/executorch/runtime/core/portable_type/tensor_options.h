// SPDX-License-Identifier: BSD-3-Clause
// Arguments that some ATen operators take and that say little here: a tensor's layout in memory is its dim order.
// The numbers are PyTorch's.
//
//     MemoryFormat format = value.toMemoryFormat();

#pragma once

#include <cstdint>

namespace executorch::runtime::etensor {

enum class MemoryFormat : int8_t {
  /// The last dimension is innermost.
  Contiguous = 0,
  /// As the input.
  Preserve = 1,
};

enum class Layout : int8_t {
  /// Every element has a place of its own, given by strides.
  Strided = 0,
};

}  // namespace executorch::runtime::etensor

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::etensor::Layout;
using ::executorch::runtime::etensor::MemoryFormat;
}  // namespace torch::executor
