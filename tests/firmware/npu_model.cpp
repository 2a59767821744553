// SPDX-License-Identifier: BSD-3-Clause
// Runs one delegate case on the NPU model of a board: payload in model memory, tensors and scratch in the large RAM.
// Words: payload offset and bytes, workspace bytes, then offset and bytes of each input and of each output in the
// tensor file that lies at the start of the large RAM. Prints instructions and the first difference.

#include <npu/machine.h>
#include <npu/payload.h>
#include <stdlib.h>
#include <string.h>
#include <wick/board.h>
#include <wick/semihosting.h>

namespace {

using wick::npu::Binding;

constexpr size_t kTensorFile = 512 * 1024;

int fail(const char* what) {
  wick_board_puts("FAIL: ");
  wick_board_puts(what);
  wick_board_puts("\n");
  return 1;
}

void print_number(const char* name, uint64_t value) {
  char digits[24];
  size_t from = sizeof(digits);
  digits[--from] = '\0';
  do {
    digits[--from] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  wick_board_puts(name);
  wick_board_puts(digits + from);
  wick_board_puts("\n");
}

struct Numbers {
  char* next;
  size_t take() { return static_cast<size_t>(strtoul(next, &next, 10)); }
};

}  // namespace

int main() {
  char words[256];
  if (!wick::semihosting::command_line(words, sizeof(words))) return fail("no words");
  Numbers numbers = {words};
  const auto* model = static_cast<const uint8_t*>(wick_board_model().base);
  auto* large = static_cast<uint8_t*>(wick_board_ram_large().base);
  const uint8_t* payload_bytes = model + numbers.take();
  const size_t payload_size = numbers.take(), workspace_size = numbers.take();

  wick::npu::Payload payload;
  wick::npu::CommandStream stream;
  wick::npu::Config config;
  if (const char* wrong = wick::npu::parse_payload({payload_bytes, payload_size}, payload)) return fail(wrong);
  if (const char* wrong = wick::npu::parse_driver_payload(payload.command_data, stream)) return fail(wrong);
  if (!wick::npu::config_from_word(stream.config_word, config)) return fail("payload for an unknown NPU");
  uint8_t* scratch = large + kTensorFile;
  uint8_t* workspace = scratch + (payload.scratch_size + size_t{15}) / 16 * 16;
  if (workspace + workspace_size > large + wick_board_ram_large().bytes) return fail("the large RAM is too small");
  memset(scratch, 0xA5, payload.scratch_size);

  Binding binding;
  for (uint32_t i = 0; i < payload.input_count; ++i) {
    if (wick::npu::parse_binding(payload.input_records, i, binding) != nullptr) return fail("inputs");
    const size_t offset = numbers.take(), bytes = numbers.take();
    if (bytes != binding.bytes) return fail("an input's size");
    memcpy(scratch + binding.offset, large + offset, bytes);
  }
  const wick::npu::Region regions[] = {wick::npu::read_only(payload.weight_data.data, payload.weight_data.size),
                                       wick::npu::read_write(scratch, payload.scratch_size)};
  wick_board_stack_paint();
  const uint64_t start = wick_board_instructions();
  const wick::npu::Result result = wick::npu::run(config, stream.words, regions, 2, {workspace, workspace_size});
  const uint64_t instructions = wick_board_instructions() - start;
  if (!result.ok()) return fail(result.message);
  for (uint32_t i = 0; i < payload.output_count; ++i) {
    if (wick::npu::parse_binding(payload.output_records, i, binding) != nullptr) return fail("outputs");
    const size_t offset = numbers.take(), bytes = numbers.take();
    if (bytes != binding.bytes) return fail("an output's size");
    if (memcmp(scratch + binding.offset, large + offset, bytes) != 0) return fail("an output differs");
  }
  print_number("instructions ", instructions);
  print_number("workspace ", result.workspace);
  print_number("stack ", wick_board_stack_peak());
  wick_board_puts("PASS\n");
  return 0;
}
