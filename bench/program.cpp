// SPDX-License-Identifier: BSD-3-Clause
// The image measured by make size: what a product does with one program, and nothing else. With an empty kernel table
// (no_kernels.cpp) it is the image `core`, with a program's own table that program's image.

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>
#include <wick/board.h>

#include "bench/pools.h"

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::MemoryAllocator;
using executorch::runtime::MemoryManager;
using executorch::runtime::Program;
using executorch::runtime::Span;

namespace {

constexpr size_t kPlannedBuffers = 3;
constexpr size_t kPlannedBytes = 512 * 1024;

// In the board's large RAM, so that an image's static RAM shows only what the library itself needs.
#define LARGE_RAM alignas(16) [[gnu::section(".ram_large")]]
LARGE_RAM uint8_t planned_bytes[kPlannedBuffers][kPlannedBytes];
LARGE_RAM uint8_t method_bytes[wick::bench::kMethodBytes];
LARGE_RAM uint8_t temp_bytes[wick::bench::kTempBytes];

}  // namespace

int main() {
  executorch::runtime::runtime_init();
  const wick_board_memory_t flash = wick_board_model();
  BufferDataLoader loader(flash.base, flash.bytes);
  const auto program = Program::load(&loader);
  if (!program.ok()) {
    return static_cast<int>(program.error());
  }
  Span<uint8_t> planned[kPlannedBuffers] = {
      {planned_bytes[0], kPlannedBytes}, {planned_bytes[1], kPlannedBytes}, {planned_bytes[2], kPlannedBytes}};
  HierarchicalAllocator planned_memory({planned, kPlannedBuffers});
  MemoryAllocator method_memory(sizeof(method_bytes), method_bytes);
  MemoryAllocator temp_memory(sizeof(temp_bytes), temp_bytes);
  MemoryManager memory(&method_memory, &planned_memory, &temp_memory);
  auto method = program->load_method("forward", &memory);
  if (!method.ok()) {
    return static_cast<int>(method.error());
  }
  // Planned inputs, as they lie: the values do not matter here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  Error error = Error::Ok;
  for (size_t i = 0; error == Error::Ok && i < method->inputs_size(); ++i) {
    error = method->set_input(method->get_input(i), i);
  }
#pragma GCC diagnostic pop
  if (error == Error::Ok) {
    error = method->execute();
  }
  return error == Error::Ok && !method->get_output(0).isNone() ? 0 : static_cast<int>(error);
}
