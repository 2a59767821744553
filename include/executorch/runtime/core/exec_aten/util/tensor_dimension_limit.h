// SPDX-License-Identifier: BSD-3-Clause
// The most dimensions that a tensor of a program can have.
// Arrays over the dimensions of a tensor are this long.
//
//     size_t coordinate[kTensorDimensionLimit];

#pragma once

#include <cstddef>

namespace executorch::runtime {

constexpr size_t kTensorDimensionLimit = 16;

}  // namespace executorch::runtime
