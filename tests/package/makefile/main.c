/* SPDX-License-Identifier: BSD-3-Clause
 * The project's main(), in C: adds two tensors by the model that was embedded, in an arena of exactly the size that the
 * generated header gives. One byte less is refused, in words. */
#include <string.h>
#include <wick/wick.h>

#include "exec_model.h"

void put(const char* text);

static wick_model_t model;
static _Alignas(16) uint8_t arena[EXEC_MODEL_ARENA_BYTES];

static int load(size_t bytes) {
  const wick_options_t options = {.arena = arena, .arena_bytes = bytes};
  if (wick_model_init(&model, &options) != 0) {
    return 1;
  }
  return wick_model_load(&model, exec_model_start, exec_model_size) == 0 ? 0 : 1;
}

static int fail(const char* what) {
  put(what);
  put(": ");
  put(wick_model_message(&model));
  put("\nFAIL\n");
  return 1;
}

int main(void) {
  static float numbers[128];
  wick_tensor_t sums;
  if (load(sizeof(arena) - 1) == 0 || strstr(wick_model_message(&model), "the arena is 1 bytes too small") == NULL) {
    return fail("an arena that is too small");
  }
  put(wick_model_message(&model));
  put("\n");
  if (load(sizeof(arena)) != 0) {
    return fail("load");
  }
  for (int i = 0; i < 128; ++i) {
    numbers[i] = 0.5F * (float)i;
  }
  if (wick_model_set_input(&model, 0, numbers, sizeof(numbers)) != 0 ||
      wick_model_set_input(&model, 1, numbers, sizeof(numbers)) != 0 || wick_model_run(&model) != 0 ||
      wick_model_output(&model, 0, &sums) != 0) {
    return fail("run");
  }
  for (int i = 0; i < 128; ++i) {
    if (((const float*)sums.data)[i] != (float)i) {
      return fail("a sum is wrong");
    }
  }
  wick_model_close(&model);
  put("PASS\n");
  return 0;
}
