// SPDX-License-Identifier: BSD-3-Clause
// The first call of a program: it prepares the board's console and clock (et_pal_init).
//
//     int main() {
//       executorch::runtime::runtime_init();
//     }

#pragma once

#include <executorch/runtime/platform/compiler.h>

namespace executorch::runtime {

/// Initialises the platform. Calling it again does no harm.
void runtime_init();

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::runtime_init;
}  // namespace torch::executor
