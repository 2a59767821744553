// SPDX-License-Identifier: BSD-3-Clause
// What must happen once before anything else of the runtime is used.

#include <executorch/runtime/platform/platform.h>
#include <executorch/runtime/platform/profiler.h>
#include <executorch/runtime/platform/runtime.h>

namespace executorch::runtime {

void runtime_init() {
  pal_init();
  EXECUTORCH_PROFILE_CREATE_BLOCK("default");
}

}  // namespace executorch::runtime
