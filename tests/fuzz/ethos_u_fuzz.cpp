// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target: the delegate loads and runs payloads of any content on the register driver, whose NPU is the
// register file of the functional model. An input is the whole payload.
#include <executorch/runtime/backend/interface.h>
#include <wick/ethos_u.h>
#include <wick/kernel_table.h>

#include <cstring>
#include <new>
#include <optional>
#include <vector>

#include "npu/payload.h"
#include "npu/register_file.h"
#include "src/backends/ethos_u/payload.h"

extern const wick::KernelTable wick_kernel_table = {nullptr, 0};

namespace {

using namespace executorch::runtime;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using wick::ethos_u::Payload;
using wick::ethos_u::View;

constexpr size_t kMostScratch = 1 << 20;
constexpr uint32_t kMostTensors = 16;

/// The NPU that the payload wants, and the memory that it may reach: a region at each multiple of 16 MiB.
struct Chip {
  std::vector<uint8_t> workspace = std::vector<uint8_t>(256 * 1024);
  std::optional<wick::npu::RegisterFile> registers;
  wick::npu::Region regions[4];
};

constexpr uint64_t kStep = 1 << 24;

wick::npu::Region lookup(void* context, uint64_t address) {
  const uint64_t index = address / kStep;
  if (address % kStep != 0 || index == 0 || index > 4) return {};
  return static_cast<Chip*>(context)->regions[index - 1];
}

uint64_t to_npu(void* context, const void* pointer, size_t bytes, int region) {
  auto* data = const_cast<uint8_t*>(static_cast<const uint8_t*>(pointer));
  static_cast<Chip*>(context)->regions[region + 1] =
      region > 0 ? wick::npu::read_write(data, bytes) : wick::npu::read_only(data, bytes);
  return kStep * static_cast<uint64_t>(region + 2);
}

bool start_npu(Chip& chip, const wick::npu::Config& config) {
  wick::npu::Options options;
  options.work_limit = 1 << 23;
  chip.registers.emplace(config, wick::npu::Workspace{chip.workspace.data(), chip.workspace.size()}, lookup, &chip,
                         options);
  wick::ethos_u::Settings settings;
  settings.base = 0x1000;
  settings.port.context = &chip;
  settings.port.read32 = [](void* context, uintptr_t address) {
    return static_cast<Chip*>(context)->registers->read(static_cast<uint32_t>(address - 0x1000));
  };
  settings.port.write32 = [](void* context, uintptr_t address, uint32_t value) {
    static_cast<Chip*>(context)->registers->write(static_cast<uint32_t>(address - 0x1000), value);
  };
  settings.port.to_npu = to_npu;
  return wick::ethos_u::init(settings) == Error::Ok;
}

/// A flat tensor of the size that the payload says, in memory of exactly that size.
struct Argument {
  std::vector<uint8_t> data;
  int32_t size;
  uint8_t dim_order = 0;
  int32_t stride = 1;
  std::optional<TensorImpl> impl;
  EValue value;
};

void make_arguments(const wick::ethos_u::Bindings& bindings, size_t scratch, std::vector<Argument>& arguments) {
  for (uint32_t i = 0; i < bindings.count; ++i) {
    Argument& argument = arguments.emplace_back();
    wick::ethos_u::Binding binding{};
    if (wick::ethos_u::read_binding(bindings, i, scratch, binding) != nullptr) return;
    const ScalarType type = binding.element_bytes == 2   ? ScalarType::Short
                            : binding.element_bytes == 4 ? ScalarType::Int
                            : binding.element_bytes == 8 ? ScalarType::Long
                                                         : ScalarType::Char;
    argument.data.assign(binding.bytes, 0x5A);
    argument.size = static_cast<int32_t>(binding.bytes / binding.element_bytes);
    argument.impl.emplace(type, 1, &argument.size, argument.data.data(), &argument.dim_order, &argument.stride);
    argument.value = EValue(Tensor(&*argument.impl));
  }
}

void execute(BackendInterface& backend, DelegateHandle* handle, const Payload& payload) {
  std::vector<Argument> arguments;
  arguments.reserve(2 * kMostTensors);
  make_arguments(payload.inputs, payload.scratch_size, arguments);
  make_arguments(payload.outputs, payload.scratch_size, arguments);
  std::vector<EValue*> values;
  for (Argument& argument : arguments) values.push_back(&argument.value);
  constexpr std::align_val_t kAlign{16};
  auto* scratch = new (kAlign) uint8_t[payload.scratch_size + 1];
  MemoryAllocator temp(payload.scratch_size, scratch);
  BackendExecutionContext context(nullptr, &temp, "forward");
  (void)backend.execute(context, handle, {values.data(), values.size()});
  operator delete[](scratch, kAlign);
}

void run(View bytes) {
  alignas(16) static uint8_t method_memory[1024];
  MemoryAllocator method(sizeof(method_memory), method_memory);
  BackendInterface& backend = *get_backend_class("EthosUBackend");
  FreeableBuffer processed(bytes.data, bytes.size, nullptr);
  BackendInitContext init_context(&method);
  const Result<DelegateHandle*> handle = backend.init(init_context, &processed, {});
  if (!handle.ok()) return;
  Payload payload;
  wick::npu::CommandStream stream;
  wick::npu::Config config;
  Chip chip;
  if (wick::ethos_u::parse_payload(bytes, payload) == nullptr && payload.scratch_size <= kMostScratch &&
      payload.inputs.count <= kMostTensors && payload.outputs.count <= kMostTensors) {
    const wick::npu::Bytes command = {payload.command_data.data, payload.command_data.size};
    const bool known = wick::npu::parse_driver_payload(command, stream) == nullptr &&
                       wick::npu::config_from_word(stream.config_word, config);
    if (!known) wick::npu::config_from_name("ethos-u55-128", config);
    if (start_npu(chip, config)) execute(backend, *handle, payload);
  }
  backend.destroy(*handle);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::align_val_t kAlign{16};
  auto* bytes = new (kAlign) uint8_t[size == 0 ? 1 : size];
  if (size != 0) std::memcpy(bytes, data, size);
  run({bytes, size});
  operator delete[](bytes, kAlign);
  return 0;
}
