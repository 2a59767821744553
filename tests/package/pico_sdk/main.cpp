// SPDX-License-Identifier: BSD-3-Clause
// Loads a model that is embedded, and erased flash, whose error goes to the SDK's console.
#include <executorch/runtime/platform/platform.h>
#include <wick/model.h>

#include "exec_model.h"

alignas(16) static uint8_t arena[EXEC_MODEL_ARENA_BYTES];
alignas(16) static uint8_t erased[4096];

int main() {
  wick::Model model({{arena, sizeof(arena)}});
  const bool loads = model.load(exec_model_start, exec_model_size) == executorch::runtime::Error::Ok;
  const bool refused = model.load(erased, sizeof(erased)) == executorch::runtime::Error::InvalidProgram;
  return loads && refused && et_pal_current_ticks() == 42 ? 0 : 1;
}
