// SPDX-License-Identifier: BSD-3-Clause
// The program that users imagined, word for word, with an Ethos-U model in the image; what surrounds it looks at the
// result.
#include <wick/board.h>

#include <executor.hpp>

extern const uint8_t exec_model_start[];
extern const size_t exec_model_size;
uint8_t tensor_arena[256 * 1024];

namespace {
int check(exec::Program& program);
}

int main() {
  exec::Options opts;
  opts.use_ethos_u55 = true;
  opts.tensor_arena = tensor_arena;
  opts.tensor_arena_size = sizeof(tensor_arena);
  exec::Program program(opts);
  program.load(exec_model_start, exec_model_size);
  program.run();
  return check(program);
}

namespace {

/// A softmax's outputs are positive and add up to 1.
int check(exec::Program& program) {
  float sum = 0;
  for (float score : program.output<float>(0)) {
    sum += score >= 0 ? score : 100.0f;
  }
  const bool good = program.outputs_size() == 1 && sum > 0.9f && sum < 1.1f && *program.message() == '\0';
  wick_board_puts(good ? "PASS\n" : "FAIL: ");
  wick_board_puts(program.message());
  return good ? 0 : 1;
}

}  // namespace

asm(R"(
  .section .rodata.exec_model_start, "a", %progbits
  .balign 16
  .global exec_model_start
exec_model_start:
  .incbin ")" WICK_EXEC_MODEL R"("
exec_model_end:
  .balign 4
  .global exec_model_size
exec_model_size:
  .word exec_model_end - exec_model_start
  .text
)");
