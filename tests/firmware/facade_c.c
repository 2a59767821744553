/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the C API from C11: load, set inputs in place and by copy, run, compare, and what errors say. */
#include <stdio.h>
#include <string.h>
#include <wick/board.h>
#include <wick/wick.h>

#include "tests/firmware/facade_models.h"

_Static_assert(sizeof(wick_model_t) <= 1024, "a model is small");

static wick_model_t model;
static uint8_t arena[128 * 1024];
static size_t visits;

static bool on_operator(void* context, size_t index, size_t count) {
  (void)index;
  ++visits;
  return count > 0 && context == &visits;
}

static int fail(const char* what) {
  wick_board_puts("FAIL: ");
  wick_board_puts(what);
  wick_board_puts(" ");
  wick_board_puts(wick_model_message(&model));
  wick_board_puts("\n");
  return 1;
}

int main(void) {
  const wick_options_t options = {
      .arena = arena, .arena_bytes = sizeof(arena), .on_operator = on_operator, .context = &visits};
  if (wick_model_init(&model, &options) != 0) {
    return fail("init");
  }
  if (wick_model_run(&model) == 0) {
    return fail("a run without a program");
  }
  size_t bytes = 0;
  if (wick_pte_size(mlp_pte, (size_t)(mlp_pte_end - mlp_pte), &bytes) != 0 || bytes > (size_t)(mlp_pte_end - mlp_pte)) {
    return fail("size");
  }
  if (wick_model_load(&model, mlp_pte, (size_t)(mlp_pte_end - mlp_pte)) != 0) {
    return fail("load");
  }
  wick_tensor_t input;
  wick_tensor_t output;
  if (wick_model_inputs(&model) != 1 || wick_model_outputs(&model) != 1 || wick_model_input(&model, 1, &input) == 0 ||
      wick_model_input(&model, 0, &input) != 0 || input.bytes != 3136 || input.dtype != 6 || input.rank != 2 ||
      input.sizes[1] != 784 || input.alignment != 4) {
    return fail("input");
  }
  for (size_t sample = 0; sample < 3; ++sample) {
    const uint8_t* const at = mlp_bin + sample * 3184; /* 3136 bytes of input, 40 of output, rounded up to 16 */
    if (wick_model_set_input(&model, 0, at, 3136) != 0 || wick_model_set_input(&model, 0, at, 4) == 0) {
      return fail("set_input");
    }
    if (wick_model_run(&model) != 0 || wick_model_output(&model, 0, &output) != 0 || output.bytes != 40) {
      return fail("run");
    }
    const float* const got = (const float*)output.data;
    for (size_t i = 0; i < 10; ++i) {
      float want;
      memcpy(&want, at + 3136 + i * sizeof(want), sizeof(want));
      const float difference = got[i] > want ? got[i] - want : want - got[i];
      if (!(difference <= 1e-4f)) {
        return fail("output");
      }
    }
  }
  if (visits == 0 || wick_model_bind_output(&model, 0, arena, sizeof(arena)) == 0 ||
      strstr(wick_model_message(&model), "alloc_graph_output") == NULL) {
    return fail("bind_output to a planned place");
  }
  if (wick_model_load(&model, mlp_bin, 4096) == 0 || wick_model_message(&model)[0] == '\0' ||
      strcmp(wick_error_name(0x21), "Error::MemoryAllocationFailed") != 0) {
    return fail("load of something else");
  }
  wick_model_close(&model);
  wick_board_puts("PASS\n");
  return 0;
}
