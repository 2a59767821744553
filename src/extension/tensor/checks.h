// SPDX-License-Identifier: BSD-3-Clause
//
// What the sources of the tensor extension share: counts that abort on overflow, and the context of ET_SWITCH there.
#pragma once

#include <executorch/extension/tensor/tensor_ptr.h>
#include <executorch/runtime/platform/assert.h>

#include <vector>

namespace executorch {
namespace extension {
namespace internal {

/// The product of the sizes.
size_t element_count(const std::vector<executorch::aten::SizesType>& sizes);
/// Bytes of so many elements.
size_t byte_count(size_t elements, executorch::aten::ScalarType type);

/// In a program's own tensors a type that cannot be handled is a mistake of the program.
struct Refuse {
  [[noreturn]] void fail(runtime::Error /*error*/) { ET_CHECK_MSG(false, "a type that a TensorPtr cannot convert"); }
};

}  // namespace internal
}  // namespace extension
}  // namespace executorch
