// SPDX-License-Identifier: BSD-3-Clause
// The search for a kernel by name and overload, without building a string or a key: for the loader of methods.

#pragma once

#include <executorch/runtime/kernel/operator_registry.h>

namespace wick {

/// Among `kernels`: the kernel of "name.overload" (or "name" if the overload is empty) for exactly these tensors, else
/// the fallback, else null. Error::InvalidArgument if a kernel asks for the tensors and they cannot be written as a
/// key.
executorch::runtime::Result<executorch::runtime::OpFunction> find_in_list(
    const char* name, const char* overload,
    executorch::runtime::Span<const executorch::runtime::TensorMeta> tensors,
    executorch::runtime::Span<const executorch::runtime::Kernel> kernels);

/// Among the kernels that the program registered, then in the image's table; null if there is none.
executorch::runtime::Result<executorch::runtime::OpFunction> find_kernel_function(
    const char* name, const char* overload,
    executorch::runtime::Span<const executorch::runtime::TensorMeta> tensors);

/// Whether the tensors can be written as a key: at most two digits per number, at most kKernelKeyBufSize bytes.
bool is_valid_key(executorch::runtime::Span<const executorch::runtime::TensorMeta> tensors);

}  // namespace wick
