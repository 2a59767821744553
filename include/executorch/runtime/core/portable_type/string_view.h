// SPDX-License-Identifier: BSD-3-Clause
// Deprecated name of std::string_view, for kernels written before it was used directly.
// New code includes <string_view>.
//
//     std::string_view mode = value.toString();

#pragma once

#include <executorch/runtime/platform/compiler.h>

#include <string_view>

namespace executorch::runtime::etensor {
using string_view ET_DEPRECATED = std::string_view;
}  // namespace executorch::runtime::etensor

namespace torch::executor {
using string_view ET_DEPRECATED = std::string_view;
}  // namespace torch::executor
