// SPDX-License-Identifier: BSD-3-Clause
// BundledModule: a Module over a bundled program (.bpte), run on the inputs in the bundle and checked against its
// expected outputs.
//
//     auto module = BundledModule::from_file("model.bpte");
//     module.get()->execute("forward", 0);  Error error = module.get()->verify_method_outputs("forward", 0);

#pragma once

#include <executorch/extension/module/module.h>

#define ET_BUNDLED_MODULE_NAMESPACE bundled_module

namespace executorch {
namespace extension {

using ET_MODULE_NAMESPACE::Module;

namespace ET_BUNDLED_MODULE_NAMESPACE {

class BundledModule : public Module {
 public:
  /// A bundle in memory, which must outlive the module. (The interface does not tell its size, so what the bundle says
  /// of itself is trusted; from_file() checks it.)
  explicit BundledModule(const void* bundled_program_ptr,
                         std::unique_ptr<runtime::MemoryAllocator> memory_allocator = nullptr,
                         std::unique_ptr<runtime::MemoryAllocator> temp_allocator = nullptr,
                         std::unique_ptr<runtime::EventTracer> event_tracer = nullptr,
                         std::unique_ptr<runtime::DataLoader> data_map_loader = nullptr);
  BundledModule(const BundledModule&) = delete;
  BundledModule& operator=(const BundledModule&) = delete;
  BundledModule(BundledModule&&) = delete;
  BundledModule& operator=(BundledModule&&) = delete;
  ~BundledModule() override;

  /// A bundle in a file, read into the heap. Errors: those of FileDataLoader and of get_program_data().
  ET_NODISCARD static runtime::Result<std::unique_ptr<BundledModule>> from_file(
      const std::string& file_path, std::unique_ptr<runtime::MemoryAllocator> memory_allocator = nullptr,
      std::unique_ptr<runtime::MemoryAllocator> temp_allocator = nullptr,
      std::unique_ptr<runtime::EventTracer> event_tracer = nullptr,
      std::unique_ptr<runtime::DataLoader> data_map_loader = nullptr);

  using Module::execute;
  /// Runs the method on test case `testset_idx`. Errors: those of load_bundled_input() and of the run.
  ET_NODISCARD runtime::Result<std::vector<runtime::EValue>> execute(const std::string& method_name,
                                                                     const size_t testset_idx);
  /// Compares the outputs of the last run with the expected ones, as verify_method_outputs() of the bundled program.
  ET_NODISCARD runtime::Error verify_method_outputs(const std::string& method_name, const size_t testset_idx,
                                                    double rtol = 1e-5, double atol = 1e-8);

 private:
  BundledModule(const void* bundle, size_t size, std::unique_ptr<runtime::MemoryAllocator> memory_allocator,
                std::unique_ptr<runtime::MemoryAllocator> temp_allocator,
                std::unique_ptr<runtime::EventTracer> event_tracer,
                std::unique_ptr<runtime::DataLoader> data_map_loader);

  const void* bundle_;
  std::unique_ptr<runtime::FreeableBuffer> file_;  ///< of from_file()
};

}  // namespace ET_BUNDLED_MODULE_NAMESPACE
}  // namespace extension
}  // namespace executorch
