// SPDX-License-Identifier: BSD-3-Clause
//
// Keyword spotting in place: the program (.pte) lies in memory-mapped external flash, is not linked into the firmware,
// and is never copied to RAM. Runs three recorded inputs and checks every score against the official runtime's.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>
#include <wick/board.h>
#include <wick/pte_size.h>

#include "examples/xip_kws/print.h"
#include "examples/xip_kws/samples.h"

namespace et = executorch::runtime;
using executorch::extension::BufferDataLoader;

namespace {

constexpr const char* kWords[] = {"down",  "go",   "left", "no",  "off",     "on",
                                  "right", "stop", "up",   "yes", "silence", "unknown"};

// Sizes as the program asks for them: `make demo` prints what is really used.
alignas(16) uint8_t planned_pool[64000];
alignas(16) uint8_t method_pool[4096];
alignas(16) uint8_t temp_pool[1024];

bool is_close(float got, float want) {
  const float difference = got < want ? want - got : got - want;
  return difference <= 1e-5F + 1e-4F * want;  // scores are positive
}

/// Runs one sample, prints the winner; false if a score differs from the recorded one.
bool run(et::Method& method, const Sample& sample, uint64_t* instructions) {
  int32_t sizes[] = {1, 1, 49, 10};
  uint8_t dim_order[] = {0, 1, 2, 3};
  int32_t strides[] = {490, 490, 10, 1};
  executorch::aten::TensorImpl input(executorch::aten::ScalarType::Float, 4, sizes, const_cast<float*>(sample.features),
                                     dim_order, strides);
  et::Error error = method.set_input(et::EValue(executorch::aten::Tensor(&input)), 0);
  const uint64_t start = wick_board_instructions();
  if (error == et::Error::Ok) {
    error = method.execute();
  }
  *instructions = wick_board_instructions() - start;
  if (error != et::Error::Ok) {
    print("inference failed with error %u\n", static_cast<unsigned>(error));
    return false;
  }
  const float* scores = method.get_output(0).toTensor().const_data_ptr<float>();
  size_t best = 0;
  bool right = true;
  for (size_t i = 0; i < 12; ++i) {
    best = scores[i] > scores[best] ? i : best;
    right = right && is_close(scores[i], sample.scores[i]);
  }
  print("  \"%s\", score %.4f%s\n", kWords[best], static_cast<double>(scores[best]),
        right ? "" : ": WRONG, not the recorded scores");
  return right;
}

}  // namespace

int main() {
  et::runtime_init();
  // The flash region that the board maps; how much of it the program takes is found in the program itself.
  const wick_board_memory_t flash = wick_board_model();
  const void* p = flash.base;
  const et::Result<size_t> size = wick::pte_size(p, flash.bytes);
  if (!size.ok()) {
    print("no program in the flash at 0x%08x\n", static_cast<unsigned>(reinterpret_cast<uintptr_t>(p)));
    return 1;
  }
  const size_t sz_real = size.get();
  print("program in flash at 0x%08x: %u bytes\n", static_cast<unsigned>(reinterpret_cast<uintptr_t>(p)),
        static_cast<unsigned>(sz_real));

  BufferDataLoader loader(p, sz_real);
  et::Result<et::Program> program = et::Program::load(&loader);
  if (!program.ok()) {
    print("Program::load failed with error %u\n", static_cast<unsigned>(program.error()));
    return 1;
  }

  et::MemoryAllocator method_allocator(sizeof(method_pool), method_pool);
  et::MemoryAllocator temp_allocator(sizeof(temp_pool), temp_pool);
  et::Span<uint8_t> planned(planned_pool, sizeof(planned_pool));
  et::HierarchicalAllocator planned_memory({&planned, 1});
  et::MemoryManager memory(&method_allocator, &planned_memory, &temp_allocator);
  et::Result<et::Method> method = program->load_method("forward", &memory);
  if (!method.ok()) {
    print("load_method failed with error %u\n", static_cast<unsigned>(method.error()));
    return 1;
  }

  bool right = true;
  uint64_t instructions = 0;
  for (const Sample& sample : kSamples) {
    right = run(method.get(), sample, &instructions) && right;
  }
  print("instructions per inference: %u\n", static_cast<unsigned>(instructions));
  print("RAM: planned %u, method %u, temp %u bytes\n",
        static_cast<unsigned>(program->method_meta("forward")->memory_planned_buffer_size(0).get()),
        static_cast<unsigned>(method_allocator.used_size()), static_cast<unsigned>(sizeof(temp_pool)));
  print("model bytes copied to RAM: %u\n", static_cast<unsigned>(program->model_bytes_copied()));
  print("%s\n", right ? "PASS: all scores are those of the official runtime" : "FAIL: scores differ");
  return right ? 0 : 1;
}
