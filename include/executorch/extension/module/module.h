// SPDX-License-Identifier: BSD-3-Clause
// Module: a program from a file with everything around it - loader, data files, memory for its methods, which are
// loaded when first used. For hosts and larger devices: it uses the heap and the standard library. See wick/model.h for
// the same without a heap. Not for two threads at once.
//
//     Module module("model.pte");
//     auto outputs = module.forward(make_tensor_ptr({1, 3}, {1.0f, 2.0f, 3.0f}));

#pragma once

#include <executorch/runtime/backend/backend_options_map.h>
#include <executorch/runtime/backend/options.h>
#include <executorch/runtime/core/device_memory_buffer.h>
#include <executorch/runtime/executor/program.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#define ET_MODULE_NAMESPACE module

namespace executorch {
namespace extension {

using ET_RUNTIME_NAMESPACE::Kernel;
using ET_RUNTIME_NAMESPACE::Method;
using ET_RUNTIME_NAMESPACE::MethodMeta;
using ET_RUNTIME_NAMESPACE::NamedDataMap;
using ET_RUNTIME_NAMESPACE::Program;
using runtime::LoadBackendOptionsMap;

class ExecuTorchJni;

namespace ET_MODULE_NAMESPACE {

class Module {
 public:
  /// How a file is read.
  enum class LoadMode {
    File,                      ///< into the heap
    Mmap,                      ///< mapped, read when touched
    MmapUseMlock,              ///< mapped and kept in memory
    MmapUseMlockIgnoreErrors,  ///< the same, if the system allows it
    MmapUseMadvise,            ///< mapped and read ahead
  };

  /// A program in a file, without or with data files (.ptd). Nothing is read before load() or the first use. Missing
  /// allocators are replaced by ones over malloc(). With `share_memory_arenas` methods lie in the same planned buffers
  /// 1 and 2, so that they share state; running one then overwrites another's outputs.
  explicit Module(const std::string& file_path, const LoadMode load_mode = LoadMode::File,
                  std::unique_ptr<runtime::EventTracer> event_tracer = nullptr,
                  std::unique_ptr<runtime::MemoryAllocator> memory_allocator = nullptr,
                  std::unique_ptr<runtime::MemoryAllocator> temp_allocator = nullptr, bool share_memory_arenas = false);
  explicit Module(const std::string& file_path, const std::string& data_map_path,
                  const LoadMode load_mode = LoadMode::File,
                  std::unique_ptr<runtime::EventTracer> event_tracer = nullptr,
                  std::unique_ptr<runtime::MemoryAllocator> memory_allocator = nullptr,
                  std::unique_ptr<runtime::MemoryAllocator> temp_allocator = nullptr, bool share_memory_arenas = false);
  explicit Module(const std::string& file_path, std::vector<std::string> data_files,
                  const LoadMode load_mode = LoadMode::File,
                  std::unique_ptr<runtime::EventTracer> event_tracer = nullptr,
                  std::unique_ptr<runtime::MemoryAllocator> memory_allocator = nullptr,
                  std::unique_ptr<runtime::MemoryAllocator> temp_allocator = nullptr, bool share_memory_arenas = false);

  /// A program from any loader, or one that is loaded already, whose loader must live as long.
  explicit Module(std::unique_ptr<runtime::DataLoader> data_loader,
                  std::unique_ptr<runtime::MemoryAllocator> memory_allocator = nullptr,
                  std::unique_ptr<runtime::MemoryAllocator> temp_allocator = nullptr,
                  std::unique_ptr<runtime::EventTracer> event_tracer = nullptr,
                  std::unique_ptr<runtime::DataLoader> data_map_loader = nullptr, bool share_memory_arenas = false);
  explicit Module(std::shared_ptr<Program> program,
                  std::unique_ptr<runtime::MemoryAllocator> memory_allocator = nullptr,
                  std::unique_ptr<runtime::MemoryAllocator> temp_allocator = nullptr,
                  std::unique_ptr<runtime::EventTracer> event_tracer = nullptr,
                  std::unique_ptr<runtime::DataLoader> data_map_loader = nullptr, bool share_memory_arenas = false);

  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;
  Module(Module&&) = delete;
  Module& operator=(Module&&) = delete;
  virtual ~Module() = default;

  /// Loads the program if that has not happened. Errors: those of the loaders, FlatTensorDataMap and Program.
  ET_NODISCARD virtual runtime::Error load(const Program::Verification verification = Program::Verification::Minimal);
  /// The same; methods loaded from now on get these options of backends, which are copied if the load succeeds.
  ET_NODISCARD virtual runtime::Error load(const LoadBackendOptionsMap& backend_options,
                                           const Program::Verification verification = Program::Verification::Minimal);
  /// The options last given to load(); empty if there were none.
  inline const LoadBackendOptionsMap& backend_options() const { return backend_options_map_; }

  virtual inline bool is_loaded() const { return program_ != nullptr; }
  /// Null before load().
  inline std::shared_ptr<Program> program() const { return program_; }

  /// These load the program if needed, and return its error.
  runtime::Result<size_t> num_methods();
  runtime::Result<std::unordered_set<std::string>> method_names();
  runtime::Result<MethodMeta> method_meta(const std::string& method_name);

  /// Loads a method if it is not loaded. Without `planned_memory` its planned buffers come from the heap; a tracer and
  /// options given here go before those of the module. Errors: those of Program::load_method(), NotSupported (buffers
  /// on a device with share_memory_arenas).
  ET_NODISCARD runtime::Error load_method(const std::string& method_name,
                                          runtime::HierarchicalAllocator* planned_memory = nullptr,
                                          torch::executor::EventTracer* event_tracer = nullptr,
                                          const LoadBackendOptionsMap* backend_options = nullptr,
                                          std::vector<Kernel> kernel_registry = {});
  ET_DEPRECATED ET_NODISCARD runtime::Error inline load_method(const std::string& method_name,
                                                               torch::executor::EventTracer* event_tracer) {
    return load_method(method_name, nullptr, event_tracer, nullptr);
  }
  /// True if the method was loaded.
  inline bool unload_method(const std::string& method_name) { return methods_.erase(method_name) != 0; }
  inline bool is_method_loaded(const std::string& method_name) const { return methods_.count(method_name) != 0; }
  /// Deprecated: the method stays the module's.
  ET_DEPRECATED ET_NODISCARD runtime::Result<Method*> method(const std::string& method_name);

  ET_NODISCARD inline runtime::Error load_forward(runtime::HierarchicalAllocator* planned_memory = nullptr,
                                                  torch::executor::EventTracer* event_tracer = nullptr,
                                                  const LoadBackendOptionsMap* backend_options = nullptr,
                                                  std::vector<Kernel> kernel_registry = {}) {
    return load_method("forward", planned_memory, event_tracer, backend_options, std::move(kernel_registry));
  }
  ET_DEPRECATED ET_NODISCARD inline runtime::Error load_forward(torch::executor::EventTracer* event_tracer) {
    return load_forward(nullptr, event_tracer, nullptr);
  }
  inline bool unload_forward() { return unload_method("forward"); }

  /// Sets the inputs, as many as are given, runs, and returns the outputs, which are valid until the next run.
  ET_NODISCARD virtual runtime::Result<std::vector<runtime::EValue>> execute(
      const std::string& method_name, const std::vector<runtime::EValue>& input_values);
  ET_NODISCARD inline runtime::Result<std::vector<runtime::EValue>> execute(const std::string& method_name,
                                                                            const runtime::EValue& input_value) {
    return execute(method_name, std::vector<runtime::EValue>{input_value});
  }
  ET_NODISCARD inline runtime::Result<std::vector<runtime::EValue>> execute(const std::string& method_name) {
    return execute(method_name, std::vector<runtime::EValue>{});
  }

  /// The first output. InvalidArgument if there is none.
  ET_NODISCARD inline runtime::Result<runtime::EValue> get(const std::string& method_name,
                                                           const std::vector<runtime::EValue>& input_values) {
    runtime::Result<std::vector<runtime::EValue>> outputs = execute(method_name, input_values);
    if (!outputs.ok()) {
      return outputs.error();
    }
    if (outputs->empty()) {
      return runtime::Error::InvalidArgument;
    }
    return (*outputs)[0];
  }
  ET_NODISCARD inline runtime::Result<runtime::EValue> get(const std::string& method_name,
                                                           const runtime::EValue& input_value) {
    return get(method_name, std::vector<runtime::EValue>{input_value});
  }
  ET_NODISCARD inline runtime::Result<runtime::EValue> get(const std::string& method_name) {
    return get(method_name, std::vector<runtime::EValue>{});
  }

  ET_NODISCARD inline runtime::Result<std::vector<runtime::EValue>> forward(
      const std::vector<runtime::EValue>& input_values) {
    return execute("forward", input_values);
  }
  ET_NODISCARD inline runtime::Result<std::vector<runtime::EValue>> forward(const runtime::EValue& input_value) {
    return forward(std::vector<runtime::EValue>{input_value});
  }
  ET_NODISCARD inline runtime::Result<std::vector<runtime::EValue>> forward() {
    return forward(std::vector<runtime::EValue>{});
  }

  /// Inputs that stay set for the next runs.
  ET_NODISCARD runtime::Error set_input(const std::string& method_name, const runtime::EValue& input_value,
                                        size_t input_index);
  ET_NODISCARD inline runtime::Error set_input(const runtime::EValue& input_value, size_t input_index) {
    return set_input("forward", input_value, input_index);
  }
  ET_NODISCARD runtime::Error set_inputs(const std::string& method_name,
                                         const std::vector<runtime::EValue>& input_values);
  ET_NODISCARD inline runtime::Error set_inputs(const std::vector<runtime::EValue>& input_values) {
    return set_inputs("forward", input_values);
  }

  /// Lets outputs be written to the tensors' memory. Errors: InvalidArgument (no tensor, or not one for each output),
  /// InvalidState (the program plans the output's place).
  ET_NODISCARD runtime::Error set_output(const std::string& method_name, runtime::EValue output_value,
                                         size_t output_index = 0);
  ET_NODISCARD inline runtime::Error set_output(runtime::EValue output_value, size_t output_index = 0) {
    return set_output("forward", std::move(output_value), output_index);
  }
  ET_NODISCARD runtime::Error set_outputs(const std::string& method_name,
                                          const std::vector<runtime::EValue>& output_values);
  ET_NODISCARD inline runtime::Error set_outputs(const std::vector<runtime::EValue>& output_values) {
    return set_outputs("forward", output_values);
  }

  /// Outputs as they are, without a run.
  ET_NODISCARD runtime::Result<std::vector<runtime::EValue>> get_outputs(const std::string& method_name);
  ET_NODISCARD inline runtime::Result<std::vector<runtime::EValue>> get_outputs() { return get_outputs("forward"); }
  ET_NODISCARD runtime::Result<runtime::EValue> get_output(const std::string& method_name, size_t output_index = 0);
  ET_NODISCARD inline runtime::Result<runtime::EValue> get_output(size_t output_index = 0) {
    return get_output("forward", output_index);
  }

  inline runtime::EventTracer* event_tracer() const { return event_tracer_.get(); }

  /// Deprecated: always empty; a tracer has its own buffer.
  ET_DEPRECATED ET_NODISCARD runtime::Span<uint8_t> debug_buffer() { return {}; }

 private:
  /// The planned buffers of one method: from the heap, of a device, or shared.
  struct PlannedMemory {
    std::vector<std::vector<uint8_t>> buffers;
    std::vector<runtime::DeviceMemoryBuffer> device_buffers;
    std::vector<runtime::Span<uint8_t>> spans;
    std::vector<runtime::etensor::Device> devices;
    std::unique_ptr<runtime::HierarchicalAllocator> allocator;
  };
  /// The members' order matters: the method goes first.
  struct MethodHolder {
    std::unique_ptr<PlannedMemory> planned_memory;
    std::unique_ptr<runtime::MemoryManager> memory_manager;
    std::vector<Kernel> kernel_registry;
    std::unique_ptr<Method> method;
  };

  Module(std::unique_ptr<runtime::MemoryAllocator> memory_allocator,
         std::unique_ptr<runtime::MemoryAllocator> temp_allocator, std::unique_ptr<runtime::EventTracer> event_tracer,
         bool share_memory_arenas);
  ET_NODISCARD runtime::Error load_program(const Program::Verification verification);
  ET_NODISCARD runtime::Error load_data();
  ET_NODISCARD runtime::Error reserve_shared_arenas();
  runtime::Result<std::unique_ptr<PlannedMemory>> plan_memory(const MethodMeta& meta);

  std::string file_path_;
  std::vector<std::string> data_files_;
  LoadMode load_mode_{LoadMode::File};
  std::unique_ptr<runtime::DataLoader> data_loader_;
  std::vector<std::unique_ptr<runtime::DataLoader>> data_map_loaders_;
  std::shared_ptr<Program> program_;
  std::unique_ptr<runtime::MemoryAllocator> memory_allocator_;
  std::unique_ptr<runtime::MemoryAllocator> temp_allocator_;
  std::unique_ptr<runtime::EventTracer> event_tracer_;
  /// The data files' maps and, behind them, those that see several as one; the last is what methods get.
  std::vector<std::unique_ptr<NamedDataMap>> data_maps_;
  std::vector<std::vector<uint8_t>> shared_arenas_;
  std::vector<std::vector<runtime::BackendOption>> backend_options_storage_;  ///< what the map's spans point to
  LoadBackendOptionsMap backend_options_map_;
  bool share_memory_arenas_;

 protected:
  std::unordered_map<std::string, MethodHolder> methods_;

  friend class executorch::extension::ExecuTorchJni;
};

}  // namespace ET_MODULE_NAMESPACE
}  // namespace extension
}  // namespace executorch

namespace torch {
namespace executor {
// Deprecated name.
using ::executorch::extension::ET_MODULE_NAMESPACE::Module;
}  // namespace executor
}  // namespace torch

namespace executorch {
namespace extension {
using ::executorch::extension::ET_MODULE_NAMESPACE::Module;
}  // namespace extension
}  // namespace executorch
