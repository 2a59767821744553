// SPDX-License-Identifier: BSD-3-Clause
// The way out of a state that the program cannot continue from.

#include <executorch/runtime/platform/abort.h>
#include <executorch/runtime/platform/platform.h>

namespace executorch::runtime {

ET_NORETURN void runtime_abort() { pal_abort(); }

}  // namespace executorch::runtime
