// SPDX-License-Identifier: BSD-3-Clause
// The C++ API behind one C function.
#include "shim.h"

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>

#include "exec_model.h"

namespace et = executorch::runtime;

alignas(16) static uint8_t planned_pool[EXEC_MODEL_PLANNED_BYTES];
alignas(16) static uint8_t method_pool[1024];
alignas(16) static uint8_t temp_pool[256];

void operator delete(void*) noexcept {}
void operator delete(void*, size_t) noexcept {}

int run_model(const uint8_t* model, size_t bytes, float* a, float* b, float* result) {
  executorch::extension::BufferDataLoader loader(model, bytes);
  et::Result<et::Program> program = et::Program::load(&loader);
  if (!program.ok()) {
    return static_cast<int>(program.error());
  }
  et::MemoryAllocator method_allocator(sizeof(method_pool), method_pool);
  et::MemoryAllocator temp_allocator(sizeof(temp_pool), temp_pool);
  et::Span<uint8_t> planned(planned_pool, sizeof(planned_pool));
  et::HierarchicalAllocator planned_memory({&planned, 1});
  et::MemoryManager memory(&method_allocator, &planned_memory, &temp_allocator);
  et::Result<et::Method> method = program->load_method("forward", &memory);
  if (!method.ok()) {
    return static_cast<int>(method.error());
  }
  int32_t sizes[] = {1, 8, 4, 4};
  uint8_t dim_order[] = {0, 1, 2, 3};
  int32_t strides[] = {128, 16, 4, 1};
  float* const data[] = {a, b};
  et::Error error = et::Error::Ok;
  for (size_t i = 0; i < 2 && error == et::Error::Ok; ++i) {
    executorch::aten::TensorImpl input(executorch::aten::ScalarType::Float, 4, sizes, data[i], dim_order, strides);
    error = method->set_input(et::EValue(executorch::aten::Tensor(&input)), i);
  }
  if (error == et::Error::Ok) {
    error = method->execute();
  }
  for (size_t i = 0; i < 128 && error == et::Error::Ok; ++i) {
    result[i] = method->get_output(0).toTensor().const_data_ptr<float>()[i];
  }
  return static_cast<int>(error);
}
