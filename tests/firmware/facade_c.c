/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the C API from C11: load, set inputs in place and by copy, run, compare, what errors say, and options. */
#include <stdio.h>
#include <string.h>
#include <wick/board.h>
#include <wick/wick.h>

#include "tests/firmware/facade_fill.h"
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

static bool near(const float* got, const uint8_t* want_at, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    float want;
    memcpy(&want, want_at + i * sizeof(want), sizeof(want));
    const float difference = got[i] > want ? got[i] - want : want - got[i];
    if (!(difference <= 1e-4f)) {
      return false;
    }
  }
  return true;
}

/* Weights in two data files. */
static int check_data_files(void) {
  static wick_data_t first;
  static wick_data_t second;
  wick_options_t options = {.arena = arena, .arena_bytes = sizeof(arena)};
  if (wick_data_open(&first, mlp_pte, (size_t)(mlp_pte_end - mlp_pte), NULL) == 0 ||
      wick_data_open(&first, ptdnet_w0, (size_t)(ptdnet_w0_end - ptdnet_w0), NULL) != 0 ||
      wick_data_open(&second, ptdnet_w0, (size_t)(ptdnet_w0_end - ptdnet_w0), &first) == 0 ||
      wick_data_open(&second, ptdnet_w1, (size_t)(ptdnet_w1_end - ptdnet_w1), &first) != 0) {
    return fail("wick_data_open");
  }
  const size_t bytes = (size_t)(ptdnet_pte_end - ptdnet_pte);
  options.data = &first;
  if (wick_model_init(&model, &options) != 0 || wick_model_load(&model, ptdnet_pte, bytes) == 0) {
    return fail("half of the weights suffice");
  }
  options.data = &second;
  if (wick_model_init(&model, &options) != 0 || wick_model_load(&model, ptdnet_pte, bytes) != 0) {
    return fail("load with data files");
  }
  for (size_t sample = 0; sample < 3; ++sample) {
    const uint8_t* const at = ptdnet_bin + sample * 112; /* 80 bytes of input, 20 of output, rounded up to 16 */
    wick_tensor_t output;
    if (wick_model_set_input(&model, 0, at, 80) != 0 || wick_model_run(&model) != 0 ||
        wick_model_output(&model, 0, &output) != 0 || output.bytes != 20 || !near(output.data, at + 80, 5)) {
      return fail("a run with data files");
    }
  }
  wick_model_close(&model);
  return 0;
}

/* A kernel of the caller's in place of the image's, and a memory of its own for planned tensors. */
static int check_kernels_and_regions(void) {
  static _Alignas(16) uint8_t planned[4096];
  const wick_memory_t region = {planned, sizeof(planned)};
  const wick_options_t options = {.arena = arena,
                                  .arena_bytes = sizeof(arena),
                                  .regions = &region,
                                  .region_count = 1,
                                  .kernels = facade_fill_kernels()};
  wick_tensor_t input;
  wick_tensor_t output;
  if (wick_model_init(&model, &options) != 0 ||
      wick_model_load(&model, add_pte, (size_t)(add_pte_end - add_pte)) != 0 ||
      wick_model_set_input(&model, 0, add_bin, 512) != 0 || wick_model_set_input(&model, 1, add_bin + 512, 512) != 0 ||
      wick_model_run(&model) != 0 || wick_model_input(&model, 1, &input) != 0 ||
      wick_model_output(&model, 0, &output) != 0 || output.bytes != 512 || ((const float*)output.data)[127] != 7.0f) {
    return fail("the caller's kernel");
  }
  if ((uint8_t*)input.data < planned || (uint8_t*)input.data + 512 > planned + sizeof(planned)) {
    return fail("a region is not used");
  }
  wick_model_close(&model);
  return 0;
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
      strstr(wick_model_message(&model), "the method has 1 inputs") == NULL ||
      wick_model_input(&model, 0, &input) != 0 || input.bytes != 3136 || input.dtype != 6 || input.rank != 2 ||
      input.sizes[1] != 784 || input.alignment != 4) {
    return fail("input");
  }
  for (size_t sample = 0; sample < 3; ++sample) {
    const uint8_t* const at = mlp_bin + sample * 3184; /* 3136 bytes of input, 40 of output, rounded up to 16 */
    if (wick_model_set_input(&model, 0, at, 3136) != 0 || wick_model_set_input(&model, 0, at, 4) == 0 ||
        strstr(wick_model_message(&model), "input 0 has 3136 bytes, not 4") == NULL) {
      return fail("set_input");
    }
    if (wick_model_run(&model) != 0 || wick_model_output(&model, 0, &output) != 0 || output.bytes != 40) {
      return fail("run");
    }
    if (!near(output.data, at + 3136, 10)) {
      return fail("output");
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
  if (check_data_files() != 0 || check_kernels_and_regions() != 0) {
    return 1;
  }
  wick_board_puts("PASS\n");
  return 0;
}
