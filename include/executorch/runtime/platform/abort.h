// SPDX-License-Identifier: BSD-3-Clause
// The way out of a state that the program cannot continue from: the board's et_pal_abort().
// Errors that a caller can handle are returned as executorch::runtime::Error instead.
//
//     executorch::runtime::runtime_abort();

#pragma once

#include <executorch/runtime/platform/compiler.h>

namespace executorch::runtime {

/// Stops at once, without cleaning up; what that means is the board's choice.
ET_NORETURN void runtime_abort();

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::runtime_abort;
}  // namespace torch::executor
