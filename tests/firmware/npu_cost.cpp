// SPDX-License-Identifier: BSD-3-Clause
// What a program costs around the NPU: the NPU takes no time here and computes nothing. Words: the most instructions
// per element of the first input (float), the most bytes of method memory. The program lies in model memory.

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <stdlib.h>
#include <wick/board.h>
#include <wick/ethos_u.h>
#include <wick/pte_size.h>
#include <wick/semihosting.h>

#include "npu_case.h"

namespace et = executorch::runtime;

namespace {

size_t copied = 0;
alignas(16) uint8_t method_pool[8192];

}  // namespace

extern "C" {
et::Error wick_ethos_u_invoke(wick::ethos_u::Inference& /*inference*/) { return et::Error::Ok; }

void arm_ethos_io_memcpy(void* to, const void* from, size_t bytes) {
  copied += bytes;
  memcpy(to, from, bytes);
}
}

int main() {
  char words[64];
  if (!wick::semihosting::command_line(words, sizeof(words))) return fail("no words");
  char* next = words;
  const size_t most_instructions = strtoul(next, &next, 10);
  const size_t most_bytes = strtoul(next, &next, 10);
  const wick_board_memory_t flash = wick_board_model();
  executorch::extension::BufferDataLoader loader(flash.base, wick::pte_size(flash.base, flash.bytes).get());
  et::Result<et::Program> program = et::Program::load(&loader);
  if (!program.ok()) return fail("load");
  const et::MethodMeta meta = program->method_meta("forward").get();
  const wick_board_memory_t large = wick_board_ram_large();
  auto* memory = static_cast<uint8_t*>(large.base);
  et::Span<uint8_t> planned(memory, static_cast<size_t>(meta.memory_planned_buffer_size(0).get()));
  et::HierarchicalAllocator planned_memory({&planned, 1});
  et::MemoryAllocator method_allocator(sizeof(method_pool), method_pool);
  const size_t used = (planned.size() + 15) / 16 * 16;
  et::MemoryAllocator temp_allocator(static_cast<uint32_t>(large.bytes - used), memory + used);
  et::MemoryManager manager(&method_allocator, &planned_memory, &temp_allocator);
  et::Result<et::Method> method = program->load_method("forward", &manager);
  if (!method.ok()) return fail("load_method");
  const et::TensorInfo info = meta.input_tensor_meta(0).get();
  const size_t elements = info.nbytes() / sizeof(float);
  static int32_t sizes[8];
  static uint8_t dim_order[8];
  static int32_t strides[8];
  const size_t dims = info.sizes().size();
  int32_t stride = 1;
  for (size_t i = dims; i-- > 0;) {
    sizes[i] = info.sizes()[i];
    dim_order[i] = static_cast<uint8_t>(i);
    strides[i] = stride;
    stride *= sizes[i];
  }
  // The program's own bytes are as good as any other input.
  executorch::aten::TensorImpl input(executorch::aten::ScalarType::Float, static_cast<ssize_t>(dims), sizes, flash.base,
                                     dim_order, strides);
  if (method->set_input(et::EValue(executorch::aten::Tensor(&input)), 0) != et::Error::Ok) return fail("set_input");
  const uint64_t start = wick_board_instructions();
  if (method->execute() != et::Error::Ok) return fail("execute");
  const uint64_t instructions = wick_board_instructions() - start;
  print_number("instructions ", instructions);
  print_number("input elements ", elements);
  print_number("hundredths per input element ", instructions * 100 / elements);
  print_number("bytes copied ", copied);
  print_number("method bytes ", method_allocator.used_size());
  if (instructions > elements * most_instructions) return fail("too many instructions");
  if (method_allocator.used_size() > most_bytes) return fail("too much method memory");
  wick_board_puts("PASS\n");
  return 0;
}
