// SPDX-License-Identifier: BSD-3-Clause
// Loads and executes everything a file offers, on zeros, and touches every output byte.
#include "tools/runner/sweep.h"

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>

#include "tools/runner/tensors.h"

namespace wick::runner {
namespace {

using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::MemoryManager;
using executorch::runtime::Method;
using executorch::runtime::Program;
using executorch::runtime::Tag;

/// A tensor of zeros, or the scalar that the program was specialised for; false when it does not fit.
bool zero_input(Method& method, size_t index, Port& port, EValue& value) {
  const auto meta = method.method_meta();
  const auto tag = meta.input_tag(index);
  if (!tag.ok()) {
    return false;
  }
  if (*tag != Tag::Tensor) {
    value = input_slot(method, index);
    return true;
  }
  const auto info = meta.input_tensor_meta(index);
  if (!info.ok()) {
    return false;
  }
  void* data = port.allocate(info->nbytes());
  auto* impl = data == nullptr ? nullptr
                               : make_tensor(port, info->scalar_type(), info->sizes().size(), info->sizes().data(),
                                             info->dim_order().data(), data);
  if (impl == nullptr) {
    return false;
  }
  value = EValue(executorch::aten::Tensor(impl));
  return true;
}

/// Reads every byte of a tensor, so that a sanitizer sees a pointer that leads outside its memory.
uint32_t touch(const EValue& value) {
  uint32_t sum = 0;
  if (value.isTensor()) {
    const auto tensor = value.toTensor();
    const auto* data = static_cast<const volatile uint8_t*>(tensor.const_data_ptr());
    for (size_t i = 0; data != nullptr && i < tensor.nbytes(); ++i) {
      sum += data[i];
    }
  }
  return sum;
}

/// Runs one method; its error, if any, is an answer like another.
Error sweep_method(Program& program, const char* name, uint32_t max_instructions, Port& port) {
  const auto meta = program.method_meta(name);
  if (!meta.ok()) {
    return meta.error();
  }
  PlannedMemory planned(port);
  if (!planned.want(*meta) || !planned.allocate()) {
    return Error::MemoryAllocationFailed;
  }
  HierarchicalAllocator hierarchy(planned.spans());
  MemoryManager manager(&port.method_pool(), &hierarchy, &port.temp_pool());
  auto method = program.load_method(name, &manager);
  if (!method.ok()) {
    return method.error();
  }
  if (max_instructions != 0) {
    method->set_instruction_limit(max_instructions);
  }
  for (size_t i = 0; i < method->inputs_size(); ++i) {
    EValue value;
    if (zero_input(*method, i, port, value)) {
      (void)method->set_input(value, i);
    }
  }
  if (!provide_outputs(*method, port)) {
    return Error::MemoryAllocationFailed;
  }
  const Error error = method->execute();
  volatile uint32_t sum = 0;
  for (size_t i = 0; error == Error::Ok && i < method->outputs_size(); ++i) {
    sum = sum + touch(method->get_output(i));
  }
  return error;
}

}  // namespace

void sweep(const char* path, uint32_t max_instructions, Port& port) {
  FileImage image{};
  if (!read_whole(port, path, image)) {
    return;
  }
  executorch::extension::BufferDataLoader loader(image.data, image.size);
  auto program = Program::load(&loader);
  if (!program.ok()) {
    return;
  }
  for (size_t i = 0; i < program->num_methods(); ++i) {
    const auto name = program->get_method_name(i);
    if (name.ok()) {
      (void)sweep_method(*program, *name, max_instructions, port);
    }
  }
}

}  // namespace wick::runner
