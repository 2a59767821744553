// SPDX-License-Identifier: BSD-3-Clause
// A shape as text, "(1, 3, 224, 224)", for log messages.
// A size that is negative or above the range of int32 reads as ERR.
//
//     ET_LOG(Info, "input is %s", tensor_shape_to_c_string({sizes.data(), sizes.size()}).data());

#pragma once

#include <executorch/runtime/core/exec_aten/util/tensor_dimension_limit.h>
#include <executorch/runtime/core/span.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace executorch::runtime {

/// Size of the text: a parenthesis, ten digits and a separator of two for each dimension, and the end.
constexpr size_t kTensorShapeStringSizeLimit = 1 + (10 + 2) * kTensorDimensionLimit + 1;

namespace internal {
constexpr size_t kMaximumPrintableTensorShapeElement = static_cast<size_t>(std::numeric_limits<int32_t>::max());
}  // namespace internal

std::array<char, kTensorShapeStringSizeLimit> tensor_shape_to_c_string(Span<const std::int32_t> shape);
std::array<char, kTensorShapeStringSizeLimit> tensor_shape_to_c_string(Span<const std::int64_t> shape);

}  // namespace executorch::runtime
