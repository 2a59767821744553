// SPDX-License-Identifier: BSD-3-Clause
// Asks memory_required(), which rehearses loading, for each method of a program.
#include "tools/firmware/memory.h"

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <wick/kernel_table.h>

#include <algorithm>
#include <set>

#include "tools/common/bytes.h"
#include "tools/firmware/needs.h"

extern const wick::KernelTable wick_kernel_table;

namespace wick::tools {
namespace {

using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::Kernel;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::MethodMeta;
using executorch::runtime::Program;
using executorch::runtime::Result;
using executorch::runtime::Span;

/// The application will register kernels for operators that wick does not have: calls of those take other records.
void register_foreign(const Selection& operators) {
  static std::set<std::string> names;  // a kernel keeps the address of its name
  for (const auto& [name, types] : operators) {
    if (find_kernel(wick_kernel_table, name.c_str()) == nullptr && names.insert(name).second) {
      const Kernel kernel(names.find(name)->c_str(), [](KernelRuntimeContext&, Span<EValue*>) {});
      const Error error = executorch::runtime::register_kernel(kernel);
      if (error != Error::Ok) {
        throw ToolError(name + ": " + executorch::runtime::to_string(error));
      }
    }
  }
}

MemoryRequired required(const std::string& path, const Program& program, const char* method, Bytes& workspace,
                        Layout layout) {
  const Result<MemoryRequired> need = memory_required(program, method, {workspace.data(), workspace.size()}, layout);
  if (!need.ok()) {
    throw ToolError(path + ": method " + method + " would not load: " + executorch::runtime::to_string(need.error()) +
                    "; wick doctor tells more");
  }
  return need.get();
}

}  // namespace

std::vector<MethodMemory> read_memory(const std::string& path) {
  register_foreign(read_needs(path).operators);
  const Bytes file = read_file(path);
  executorch::extension::BufferDataLoader loader(file.data(), file.size());
  const Result<Program> program = Program::load(&loader);
  if (!program.ok()) {
    throw ToolError(path + ": " + executorch::runtime::to_string(program.error()) + "; wick doctor tells more");
  }
  // A word for each value and three for each operator: both take more in the file.
  Bytes workspace(std::max<size_t>(4096, file.size() * 2));
  std::vector<MethodMemory> methods;
  for (size_t i = 0; i < program->num_methods(); ++i) {
    const char* const name = program->get_method_name(i).get();
    const Result<MethodMeta> meta = program->method_meta(name);
    if (!meta.ok()) {
      throw ToolError(path + ": method " + name + ": " + executorch::runtime::to_string(meta.error()));
    }
    MethodMemory memory;
    memory.name = name;
    for (size_t buffer = 0; buffer < meta->num_memory_planned_buffers(); ++buffer) {
      memory.planned.push_back(static_cast<uint64_t>(meta->memory_planned_buffer_size(buffer).get()));
    }
    memory.device = required(path, program.get(), name, workspace, Layout::k32Bit);
    memory.native = required(path, program.get(), name, workspace, Layout::kNative);
    methods.push_back(memory);
  }
  return methods;
}

uint64_t views_of(const std::vector<MethodMemory>& methods) {
  uint64_t views = 0;
  for (const MethodMemory& method : methods) {
    views += method.device.views;
  }
  return views;
}

}  // namespace wick::tools
