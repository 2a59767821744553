// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target: programs of any content are loaded and run. Kernels only look at their arguments. A method that
// loads must take exactly what its rehearsal counted. Built twice, with the loader as it is for speed and for size.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/runtime.h>
#include <wick/kernel_table.h>
#include <wick/memory_required.h>
#include <wick/operand.h>

#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

using namespace executorch::runtime;
using executorch::extension::BufferDataLoader;

/// Reads every argument in all ways that are open to a kernel, and every byte that it refers to.
void look_at(KernelRuntimeContext& context, Span<EValue*> args) {
  if (args.size() == 0 || reinterpret_cast<uintptr_t>(args.data()) < 4096) {
    return;  // the loader only asks whether so many arguments are taken
  }
  volatile uint64_t sum = 0;
  const auto add_bytes = [&sum](const void* data, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) {
      sum = sum + static_cast<const uint8_t*>(data)[i];
    }
  };
  const auto add_tensor = [&](const executorch::aten::Tensor& tensor) {
    for (const auto size : tensor.sizes()) sum = sum + static_cast<uint64_t>(size);
    for (const auto stride : tensor.strides()) sum = sum + static_cast<uint64_t>(stride);
    for (const auto dim : tensor.dim_order()) sum = sum + dim;
    if (tensor.const_data_ptr() != nullptr) add_bytes(tensor.const_data_ptr(), tensor.nbytes());
  };
  for (EValue* arg : args) {
    const wick::Operand operand(arg);
    wick::TensorArgument room;
    if (operand.is_tensor()) {
      operand.to_tensor(context, room);
      add_tensor(room.get());
    }
    sum = sum + static_cast<uint64_t>(operand.to_int(context)) + operand.to_bool(context);
    for (size_t i = 0; i < operand.list_size(); ++i) sum = sum + static_cast<uint64_t>(operand.list_item(context, i));
    for (const auto& tensor : operand.to_tensor_list(context)) add_tensor(tensor);
    for (const auto& tensor : operand.to_optional_tensor_list(context)) {
      if (tensor.has_value()) add_tensor(*tensor);
    }
    const auto doubles = operand.to_double_list(context);
    add_bytes(doubles.data(), doubles.size() * sizeof(double));
    const auto text = operand.to_string(context);
    add_bytes(text.data(), text.size());
  }
}

constexpr wick::KernelEntry kKernels[] = {
    {"aten::_softmax.out", look_at},
    {"aten::add.out", look_at},
    {"aten::addmm.out", look_at},
    {"aten::arange.start_out", look_at},
    {"aten::clamp.out", look_at},
    {"aten::copy_", look_at},
    {"aten::full_like.out", look_at},
    {"aten::index_put.out", look_at},
    {"aten::mean.out", look_at},
    {"aten::mul.out", look_at},
    {"aten::permute_copy.out", look_at},
    {"aten::relu.out", look_at},
    {"aten::sum.IntList_out", look_at},
    {"aten::view_copy.out", look_at},
    {"cortex_m::dequantize_per_tensor.out", look_at},
    {"cortex_m::pad.out", look_at},
    {"cortex_m::quantize_per_tensor.out", look_at},
    {"cortex_m::quantized_add.out", look_at},
    {"cortex_m::quantized_conv2d.out", look_at},
    {"cortex_m::quantized_linear.out", look_at},
    {"cortex_m::softmax.out", look_at},
    {"executorch_prim::add.Scalar", look_at},
    {"executorch_prim::et_copy_index.tensor", look_at},
    {"executorch_prim::et_view.default", look_at},
};

constexpr size_t kMostPlanned = 1 << 18;
constexpr size_t kMostRecords = 1 << 16;
alignas(16) uint8_t records[kMostRecords];
alignas(16) uint8_t scratch[kMostRecords];

void load_and_run(Program& program, const char* name) {
  const auto meta = program.method_meta(name);
  if (!meta.ok()) {
    return;
  }
  std::vector<std::vector<uint64_t>> planned;
  std::vector<Span<uint8_t>> spans;
  size_t total = 0;
  for (size_t i = 0; i < meta->num_memory_planned_buffers() && i < 16; ++i) {
    const auto bytes = meta->memory_planned_buffer_size(i);
    if (!bytes.ok() || bytes.get() < 0 || (total += static_cast<size_t>(bytes.get())) > kMostPlanned) {
      return;
    }
    planned.emplace_back(static_cast<size_t>(bytes.get()) / 8 + 2);
    spans.emplace_back(reinterpret_cast<uint8_t*>(planned.back().data()), static_cast<size_t>(bytes.get()));
  }
  HierarchicalAllocator planned_memory({spans.data(), spans.size()});
  MemoryAllocator method_memory(kMostRecords, records);
  MemoryAllocator temp_memory(kMostRecords, scratch);
  MemoryManager memory(&method_memory, &planned_memory, &temp_memory);
  auto method = program.load_method(name, &memory);
  if (!method.ok()) {
    return;
  }
  const size_t used = method_memory.used_size();
  const auto required = wick::memory_required(program, name, {scratch, kMostRecords}, wick::Layout::kNative);
  if (!required.ok() || required->method != used) {
    std::abort();
  }
  (void)method->execute();
}

}  // namespace

extern const wick::KernelTable wick_kernel_table = {kKernels, sizeof(kKernels) / sizeof(kKernels[0])};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint64_t> aligned((size + 7) / 8 + 1);
  auto* bytes = reinterpret_cast<uint8_t*>(aligned.data());
  std::memcpy(bytes, data, size);
  runtime_init();
  BufferDataLoader loader(bytes, size);
  auto program = Program::load(&loader);
  if (!program.ok()) {
    return 0;
  }
  for (size_t i = 0; i < program->num_methods() && i < 4; ++i) {
    const auto name = program->get_method_name(i);
    if (name.ok()) {
      load_and_run(*program, name.get());
    }
  }
  return 0;
}
