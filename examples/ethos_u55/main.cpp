// SPDX-License-Identifier: BSD-3-Clause
//
// Keyword spotting on an Ethos-U55: the program (.pte) with its two NPU delegates lies in memory-mapped external flash
// and is used in place; the NPU's scratch lies in SRAM that the NPU reaches. Three recorded inputs are checked against
// the TOSA reference model's scores. With WICK_ETHOS_U=model the functional model is the NPU, with =hardware the one at
// kNpu; nothing else differs.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>
#include <wick/board.h>
#include <wick/ethos_u.h>
#include <wick/pte_size.h>

#include "examples/ethos_u55/npu.h"
#include "examples/ethos_u55/scores.h"
#include "examples/xip_kws/print.h"
#include "examples/xip_kws/samples.h"

namespace et = executorch::runtime;
using executorch::extension::BufferDataLoader;

namespace {

constexpr const char* kWords[] = {"down",  "go",   "left", "no",  "off",     "on",
                                  "right", "stop", "up",   "yes", "silence", "unknown"};

// Sizes as the program asks for them (wick inspect, wick npu run). The temporary pool holds the NPU's scratch.
alignas(16) uint8_t planned_pool[40000];
alignas(16) uint8_t method_pool[2048];
alignas(32) EXAMPLE_NPU_MEMORY uint8_t temp_pool[22528];

/// Runs one input, prints the winner; false if a score differs from the recorded one.
bool run(et::Method& method, const Sample& sample, const float* expected, uint64_t* instructions) {
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
    print("inference failed with error 0x%x\n", static_cast<unsigned>(error));
    return false;
  }
  const float* scores = method.get_output(0).toTensor().const_data_ptr<float>();
  size_t best = 0;
  bool right = true;
  for (size_t i = 0; i < kClasses; ++i) {
    best = scores[i] > scores[best] ? i : best;
    const float difference = scores[i] - expected[i];
    right = right && difference < 1e-6F && difference > -1e-6F;
  }
  print("  \"%s\", score %.4f%s\n", kWords[best], static_cast<double>(scores[best]),
        right ? "" : ": WRONG, not the recorded scores");
  return right;
}

}  // namespace

int main() {
  et::runtime_init();
  const et::Error npu = wick::ethos_u::init(npu_settings());
  if (npu != et::Error::Ok) {
    print("no NPU: error 0x%x\n", static_cast<unsigned>(npu));
    return 1;
  }
  const wick_board_memory_t flash = wick_board_model();
  const et::Result<size_t> size = wick::pte_size(flash.base, flash.bytes);
  if (!size.ok()) {
    print("no program in the flash at 0x%08x\n", static_cast<unsigned>(reinterpret_cast<uintptr_t>(flash.base)));
    return 1;
  }
  BufferDataLoader loader(flash.base, *size);
  et::Result<et::Program> program = et::Program::load(&loader);
  if (!program.ok()) {
    print("Program::load failed with error 0x%x\n", static_cast<unsigned>(program.error()));
    return 1;
  }
  et::MemoryAllocator method_allocator(sizeof(method_pool), method_pool);
  et::MemoryAllocator temp_allocator(sizeof(temp_pool), temp_pool);
  et::Span<uint8_t> planned(planned_pool, sizeof(planned_pool));
  et::HierarchicalAllocator planned_memory({&planned, 1});
  et::MemoryManager memory(&method_allocator, &planned_memory, &temp_allocator);
  et::Result<et::Method> method = program->load_method("forward", &memory);
  if (!method.ok()) {
    print("load_method failed with error 0x%x\n", static_cast<unsigned>(method.error()));
    return 1;
  }

  bool right = true;
  uint64_t instructions = 0;
  for (size_t i = 0; i < kSampleCount; ++i) {
    right = run(method.get(), kSamples[i], kScores[i], &instructions) && right;
  }
  print("instructions per inference: %u\n", static_cast<unsigned>(instructions));
  print("RAM: planned %u, method %u, temp %u bytes\n", static_cast<unsigned>(sizeof(planned_pool)),
        static_cast<unsigned>(method_allocator.used_size()), static_cast<unsigned>(sizeof(temp_pool)));
  print("model bytes copied to RAM: %u\n", static_cast<unsigned>(program->model_bytes_copied()));
  print("%s\n", right ? "PASS: all scores are those of the TOSA reference model" : "FAIL: scores differ");
  return right ? 0 : 1;
}
