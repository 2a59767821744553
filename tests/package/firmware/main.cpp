// SPDX-License-Identifier: BSD-3-Clause
// A user's main(): the model by the symbols that the build defines, the pools by the sizes that it computed. The model
// is models/add.float.pte: two tensors [1, 8, 4, 4], and their sum.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <wick/board.h>
#include <wick/pte_size.h>

#include "exec_model.h"

namespace et = executorch::runtime;
using executorch::extension::BufferDataLoader;

alignas(16) static uint8_t planned_pool[EXEC_MODEL_PLANNED_BYTES];
alignas(16) static uint8_t method_pool[EXEC_MODEL_METHOD_BYTES];
alignas(16) static uint8_t temp_pool[EXEC_MODEL_TEMP_BYTES];

static bool add_is_right(et::Method& method) {
  int32_t sizes[] = {1, 8, 4, 4};
  uint8_t dim_order[] = {0, 1, 2, 3};
  int32_t strides[] = {128, 16, 4, 1};
  static float data[2][128];
  for (int i = 0; i < 128; ++i) {
    data[0][i] = 0.5F * static_cast<float>(i);
    data[1][i] = 0.25F;
  }
  for (size_t i = 0; i < 2; ++i) {
    executorch::aten::TensorImpl input(executorch::aten::ScalarType::Float, 4, sizes, data[i], dim_order, strides);
    if (method.set_input(et::EValue(executorch::aten::Tensor(&input)), i) != et::Error::Ok) {
      return false;
    }
  }
  if (method.execute() != et::Error::Ok) {
    return false;
  }
  const float* sums = method.get_output(0).toTensor().const_data_ptr<float>();
  for (int i = 0; i < 128; ++i) {
    if (sums[i] < data[0][i] + 0.25F || sums[i] > data[0][i] + 0.25F) {
      return false;
    }
  }
  return true;
}

int main() {
  const void* p = exec_model_start;
  wick_board_puts(reinterpret_cast<uintptr_t>(p) == 0x28000000U ? "model in QSPI\n" : "model in the image\n");
  et::Result<size_t> sz_real = wick::pte_size(p, exec_model_size);
  if (!sz_real.ok() || *sz_real != EXEC_MODEL_BYTES) {
    return 2;
  }
  BufferDataLoader loader(p, *sz_real);
  et::Result<et::Program> program = et::Program::load(&loader);
  if (!program.ok()) {
    return 3;
  }
  et::MemoryAllocator small_allocator(sizeof(method_pool) - 1, method_pool);
  et::MemoryAllocator method_allocator(sizeof(method_pool), method_pool);
  et::MemoryAllocator temp_allocator(sizeof(temp_pool), temp_pool);
  et::Span<uint8_t> planned(planned_pool, sizeof(planned_pool));
  et::HierarchicalAllocator planned_memory({&planned, 1});
  et::MemoryManager too_small(&small_allocator, &planned_memory, &temp_allocator);
  if (program->load_method("forward", &too_small).error() != et::Error::MemoryAllocationFailed) {
    return 5;
  }
  temp_allocator.reset();
  et::MemoryManager memory(&method_allocator, &planned_memory, &temp_allocator);
  et::Result<et::Method> method = program->load_method("forward", &memory);
  if (!method.ok()) {
    return 4;
  }
  const bool right = add_is_right(*method);
  wick_board_puts(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
