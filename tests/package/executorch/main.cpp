// SPDX-License-Identifier: BSD-3-Clause
// A program for the official runtime on a PC: a file, the heap, and nothing of wick's own.
#include <executorch/extension/data_loader/file_data_loader.h>
#include <executorch/extension/runner_util/inputs.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>

#include <cstdio>
#include <vector>

using namespace executorch::runtime;
using executorch::extension::FileDataLoader;

int main(int argc, char** argv) {
  runtime_init();
  Result<FileDataLoader> loader = FileDataLoader::from(argc > 1 ? argv[1] : "model.pte");
  if (!loader.ok()) {
    return 1;
  }
  Result<Program> program = Program::load(&loader.get());
  if (!program.ok()) {
    return 2;
  }
  Result<MethodMeta> meta = program->method_meta("forward");
  std::vector<std::vector<uint8_t>> buffers;
  std::vector<Span<uint8_t>> spans;
  for (size_t i = 0; i < meta->num_memory_planned_buffers(); ++i) {
    buffers.emplace_back(static_cast<size_t>(meta->memory_planned_buffer_size(i).get()));
    spans.emplace_back(buffers.back().data(), buffers.back().size());
  }
  std::vector<uint8_t> pool(1 << 16);
  MemoryAllocator allocator(static_cast<uint32_t>(pool.size()), pool.data());
  HierarchicalAllocator planned({spans.data(), spans.size()});
  MemoryManager manager(&allocator, &planned);
  Result<Method> method = program->load_method("forward", &manager);
  if (!method.ok()) {
    return 3;
  }
  auto inputs = executorch::extension::prepare_input_tensors(*method);
  if (!inputs.ok() || method->execute() != Error::Ok) {
    return 4;
  }
  std::printf("%.1f\n", static_cast<double>(method->get_output(0).toTensor().const_data_ptr<float>()[0]));
  return 0;
}
