// SPDX-License-Identifier: BSD-3-Clause
// The image measured by make size: what a product does with one program, and nothing else. With an empty kernel table
// (no_kernels.cpp) it is the image `core`, with a program's own table that program's image.

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>
#include <wick/board.h>
#include <wick/pte_size.h>

#include "bench/pools.h"

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::MemoryAllocator;
using executorch::runtime::MemoryManager;
using executorch::runtime::Program;

int main() {
  executorch::runtime::runtime_init();
  const wick_board_memory_t flash = wick_board_model();
  const auto size = wick::pte_size(flash.base, flash.bytes);
  if (!size.ok()) {
    return static_cast<int>(size.error());
  }
  BufferDataLoader loader(flash.base, size.get());
  const auto program = Program::load(&loader);
  if (!program.ok()) {
    return static_cast<int>(program.error());
  }
  const auto meta = program->method_meta("forward");
  if (!meta.ok()) {
    return static_cast<int>(meta.error());
  }
  wick::bench::Ram ram;
  wick::bench::Planned planned;
  if (!planned.take(meta.get(), ram)) {
    return static_cast<int>(Error::MemoryAllocationFailed);
  }
  HierarchicalAllocator planned_memory = planned.allocator();
  MemoryAllocator method_memory(wick::bench::kMethodBytes, ram.take(wick::bench::kMethodBytes));
  MemoryAllocator temp_memory(wick::bench::kTempBytes, ram.take(wick::bench::kTempBytes));
  MemoryManager memory(&method_memory, &planned_memory, &temp_memory);
  auto method = program->load_method("forward", &memory);
  if (!method.ok()) {
    return static_cast<int>(method.error());
  }
  const auto info = meta->input_tensor_meta(0);
  wick::bench::Input* const input = info.ok() ? wick::bench::make_input(info.get(), ram) : nullptr;
  if (input == nullptr) {
    return static_cast<int>(Error::MemoryAllocationFailed);
  }
  Error error = method->set_input(EValue(executorch::aten::Tensor(&input->description)), 0);
  if (error != Error::Ok) {
    return static_cast<int>(error);
  }
  error = method->execute();
  return error == Error::Ok && !method->get_output(0).isNone() ? 0 : static_cast<int>(error);
}
