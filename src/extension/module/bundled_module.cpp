// SPDX-License-Identifier: BSD-3-Clause
//
// BundledModule: a Module over the program inside a bundle.
#include <executorch/devtools/bundled_program/bundled_program.h>
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/data_loader/file_data_loader.h>
#include <executorch/extension/module/bundled_module.h>

namespace executorch {
namespace extension {
namespace ET_BUNDLED_MODULE_NAMESPACE {

using runtime::DataLoader;
using runtime::Error;
using runtime::EValue;
using runtime::EventTracer;
using runtime::FreeableBuffer;
using runtime::MemoryAllocator;
using runtime::Result;

namespace {

/// A loader of the program in the bundle; of nothing if there is none, so that load() fails.
std::unique_ptr<DataLoader> program_of(const void* bundle, size_t size) {
  const void* program = nullptr;
  size_t bytes = 0;
  if (executorch::bundled_program::get_program_data(const_cast<void*>(bundle), size, &program, &bytes) != Error::Ok) {
    bytes = 0;
  }
  return std::make_unique<BufferDataLoader>(program, bytes);
}

}  // namespace

BundledModule::BundledModule(const void* bundle, size_t size, std::unique_ptr<MemoryAllocator> memory_allocator,
                             std::unique_ptr<MemoryAllocator> temp_allocator, std::unique_ptr<EventTracer> event_tracer,
                             std::unique_ptr<DataLoader> data_map_loader)
    : Module(program_of(bundle, size), std::move(memory_allocator), std::move(temp_allocator), std::move(event_tracer),
             std::move(data_map_loader)),
      bundle_(bundle) {}

BundledModule::BundledModule(const void* bundled_program_ptr, std::unique_ptr<MemoryAllocator> memory_allocator,
                             std::unique_ptr<MemoryAllocator> temp_allocator, std::unique_ptr<EventTracer> event_tracer,
                             std::unique_ptr<DataLoader> data_map_loader)
    : BundledModule(bundled_program_ptr, SIZE_MAX, std::move(memory_allocator), std::move(temp_allocator),
                    std::move(event_tracer), std::move(data_map_loader)) {}

BundledModule::~BundledModule() {
  methods_.clear();  // they use the program in the file
}

Result<std::unique_ptr<BundledModule>> BundledModule::from_file(const std::string& file_path,
                                                                std::unique_ptr<MemoryAllocator> memory_allocator,
                                                                std::unique_ptr<MemoryAllocator> temp_allocator,
                                                                std::unique_ptr<EventTracer> event_tracer,
                                                                std::unique_ptr<DataLoader> data_map_loader) {
  Result<FileDataLoader> file = FileDataLoader::from(file_path.c_str());
  ET_CHECK_OK_OR_RETURN_ERROR(file.error());
  const Result<size_t> size = file->size();
  ET_CHECK_OK_OR_RETURN_ERROR(size.error());
  Result<FreeableBuffer> data =
      file->load(0, size.get(), DataLoader::SegmentInfo(DataLoader::SegmentInfo::Type::Program));
  ET_CHECK_OK_OR_RETURN_ERROR(data.error());
  auto content = std::make_unique<FreeableBuffer>(std::move(data.get()));
  std::unique_ptr<BundledModule> module(new BundledModule(content->data(), size.get(), std::move(memory_allocator),
                                                          std::move(temp_allocator), std::move(event_tracer),
                                                          std::move(data_map_loader)));
  module->file_ = std::move(content);
  return module;
}

Result<std::vector<EValue>> BundledModule::execute(const std::string& method_name, const size_t testset_idx) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  ET_CHECK_OK_OR_RETURN_ERROR(
      executorch::bundled_program::load_bundled_input(*methods_.at(method_name).method, bundle_, testset_idx));
  return Module::execute(method_name);
}

Error BundledModule::verify_method_outputs(const std::string& method_name, const size_t testset_idx, double rtol,
                                           double atol) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  return executorch::bundled_program::verify_method_outputs(*methods_.at(method_name).method, bundle_, testset_idx,
                                                            rtol, atol);
}

}  // namespace ET_BUNDLED_MODULE_NAMESPACE
}  // namespace extension
}  // namespace executorch
