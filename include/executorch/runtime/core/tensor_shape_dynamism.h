// SPDX-License-Identifier: BSD-3-Clause
// Whether the sizes of a tensor may change while a method runs. Its rank never does.
// The exporter decides; resize_tensor() obeys.
//
//     if (tensor.shape_dynamism() == TensorShapeDynamism::STATIC) { return; }

#pragma once

#include <cstdint>

namespace executorch::runtime {

enum class TensorShapeDynamism : uint8_t {
  /// The sizes never change.
  STATIC = 0,
  /// The sizes may change as long as the elements fit the memory that was planned.
  DYNAMIC_BOUND = 1,
  /// The sizes may change freely. There is no memory for that here: treated as DYNAMIC_BOUND.
  DYNAMIC_UNBOUND = 2,
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::TensorShapeDynamism;
}  // namespace torch::executor
