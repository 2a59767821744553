// SPDX-License-Identifier: BSD-3-Clause
// Runs one delegate case on the NPU model of a board. Prints instructions, workspace and stack.

#include <npu/machine.h>

#include "npu_case.h"

int main() {
  NpuCase test;
  if (const char* wrong = test.begin()) return fail(wrong);
  const wick::npu::Region regions[] = {
      wick::npu::read_only(test.payload.weight_data.data, test.payload.weight_data.size),
      wick::npu::read_write(test.scratch, test.payload.scratch_size)};
  wick_board_stack_paint();
  const uint64_t start = wick_board_instructions();
  const wick::npu::Result result =
      wick::npu::run(test.config, test.stream.words, regions, 2, {test.workspace, test.workspace_size});
  const uint64_t instructions = wick_board_instructions() - start;
  if (!result.ok()) return fail(result.message);
  if (const char* wrong = test.end()) return fail(wrong);
  print_number("instructions ", instructions);
  print_number("workspace ", result.workspace);
  print_number("stack ", wick_board_stack_peak());
  wick_board_puts("PASS\n");
  return 0;
}
