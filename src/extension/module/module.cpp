// SPDX-License-Identifier: BSD-3-Clause
//
// Module: loading of programs, data files and methods, and runs.
#include <executorch/extension/data_loader/file_data_loader.h>
#include <executorch/extension/data_loader/mmap_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/extension/memory_allocator/malloc_memory_allocator.h>
#include <executorch/extension/module/module.h>
#include <executorch/runtime/executor/merged_data_map.h>
#include <executorch/runtime/platform/log.h>
#include <executorch/runtime/platform/runtime.h>

#include <algorithm>

namespace executorch {
namespace extension {
namespace ET_MODULE_NAMESPACE {

using ET_RUNTIME_NAMESPACE::internal::MergedDataMap;
using runtime::DataLoader;
using runtime::Error;
using runtime::EValue;
using runtime::EventTracer;
using runtime::MemoryAllocator;
using runtime::Result;
using runtime::Span;

namespace {

/// A Result's value on the heap, as a base class.
template <typename Base, typename T>
Result<std::unique_ptr<Base>> on_heap(Result<T>&& made) {
  if (!made.ok()) {
    return made.error();
  }
  return std::unique_ptr<Base>(std::make_unique<T>(std::move(made.get())));
}

Result<std::unique_ptr<DataLoader>> open(const std::string& path, Module::LoadMode mode) {
  using Mlock = MmapDataLoader::MlockConfig;
  if (mode == Module::LoadMode::File) {
    return on_heap<DataLoader>(FileDataLoader::from(path.c_str()));
  }
  const Mlock lock = mode == Module::LoadMode::Mmap                       ? Mlock::NoMlock
                     : mode == Module::LoadMode::MmapUseMlock             ? Mlock::UseMlock
                     : mode == Module::LoadMode::MmapUseMlockIgnoreErrors ? Mlock::UseMlockIgnoreErrors
                                                                          : Mlock::UseMadvise;
  return on_heap<DataLoader>(MmapDataLoader::from(path.c_str(), lock));
}

std::unique_ptr<MemoryAllocator> or_malloc(std::unique_ptr<MemoryAllocator> allocator) {
  return allocator != nullptr ? std::move(allocator) : std::make_unique<MallocMemoryAllocator>();
}

}  // namespace

Module::Module(std::unique_ptr<MemoryAllocator> memory_allocator, std::unique_ptr<MemoryAllocator> temp_allocator,
               std::unique_ptr<EventTracer> event_tracer, bool share_memory_arenas)
    : memory_allocator_(or_malloc(std::move(memory_allocator))),
      temp_allocator_(or_malloc(std::move(temp_allocator))),
      event_tracer_(std::move(event_tracer)),
      share_memory_arenas_(share_memory_arenas) {
  runtime::runtime_init();
}

Module::Module(const std::string& file_path, const LoadMode load_mode, std::unique_ptr<EventTracer> event_tracer,
               std::unique_ptr<MemoryAllocator> memory_allocator, std::unique_ptr<MemoryAllocator> temp_allocator,
               bool share_memory_arenas)
    : Module(file_path, std::vector<std::string>{}, load_mode, std::move(event_tracer), std::move(memory_allocator),
             std::move(temp_allocator), share_memory_arenas) {}

Module::Module(const std::string& file_path, const std::string& data_map_path, const LoadMode load_mode,
               std::unique_ptr<EventTracer> event_tracer, std::unique_ptr<MemoryAllocator> memory_allocator,
               std::unique_ptr<MemoryAllocator> temp_allocator, bool share_memory_arenas)
    : Module(file_path, data_map_path.empty() ? std::vector<std::string>{} : std::vector<std::string>{data_map_path},
             load_mode, std::move(event_tracer), std::move(memory_allocator), std::move(temp_allocator),
             share_memory_arenas) {}

Module::Module(const std::string& file_path, std::vector<std::string> data_files, const LoadMode load_mode,
               std::unique_ptr<EventTracer> event_tracer, std::unique_ptr<MemoryAllocator> memory_allocator,
               std::unique_ptr<MemoryAllocator> temp_allocator, bool share_memory_arenas)
    : Module(std::move(memory_allocator), std::move(temp_allocator), std::move(event_tracer), share_memory_arenas) {
  file_path_ = file_path;
  data_files_ = std::move(data_files);
  load_mode_ = load_mode;
}

Module::Module(std::unique_ptr<DataLoader> data_loader, std::unique_ptr<MemoryAllocator> memory_allocator,
               std::unique_ptr<MemoryAllocator> temp_allocator, std::unique_ptr<EventTracer> event_tracer,
               std::unique_ptr<DataLoader> data_map_loader, bool share_memory_arenas)
    : Module(std::move(memory_allocator), std::move(temp_allocator), std::move(event_tracer), share_memory_arenas) {
  data_loader_ = std::move(data_loader);
  if (data_map_loader != nullptr) {
    data_map_loaders_.push_back(std::move(data_map_loader));
  }
}

Module::Module(std::shared_ptr<Program> program, std::unique_ptr<MemoryAllocator> memory_allocator,
               std::unique_ptr<MemoryAllocator> temp_allocator, std::unique_ptr<EventTracer> event_tracer,
               std::unique_ptr<DataLoader> data_map_loader, bool share_memory_arenas)
    : Module(std::unique_ptr<DataLoader>(), std::move(memory_allocator), std::move(temp_allocator),
             std::move(event_tracer), std::move(data_map_loader), share_memory_arenas) {
  program_ = std::move(program);
}

Error Module::load(const Program::Verification verification) { return load_program(verification); }

Error Module::load(const LoadBackendOptionsMap& backend_options, const Program::Verification verification) {
  Error error = load_program(verification);
  std::vector<std::vector<runtime::BackendOption>> storage;
  LoadBackendOptionsMap map;
  for (size_t i = 0; i < backend_options.size() && error == Error::Ok; ++i) {
    const auto entry = backend_options.entry_at(i);
    storage.emplace_back(entry.options.begin(), entry.options.end());
    error =
        map.set_options(entry.backend_id, Span<runtime::BackendOption>(storage.back().data(), storage.back().size()));
  }
  if (error == Error::Ok) {
    backend_options_storage_ = std::move(storage);  // the options themselves stay where they are
    backend_options_map_ = map;
  }
  return error;
}

Error Module::load_program(const Program::Verification verification) {
  if (is_loaded()) {
    return Error::Ok;
  }
  if (data_loader_ == nullptr) {
    Result<std::unique_ptr<DataLoader>> loader = open(file_path_, load_mode_);
    ET_CHECK_OK_OR_RETURN_ERROR(loader.error());
    data_loader_ = std::move(loader.get());
  }
  ET_CHECK_OK_OR_RETURN_ERROR(load_data());
  Result<std::unique_ptr<Program>> program = on_heap<Program>(Program::load(data_loader_.get(), verification));
  ET_CHECK_OK_OR_RETURN_ERROR(program.error());
  program_ = std::move(program.get());
  return Error::Ok;
}

/// Opens the data files, each merged with those before it.
Error Module::load_data() {
  for (const std::string& file : data_files_) {
    Result<std::unique_ptr<DataLoader>> loader = open(file, load_mode_);
    ET_CHECK_OK_OR_RETURN_ERROR(loader.error());
    data_map_loaders_.push_back(std::move(loader.get()));
  }
  data_files_.clear();
  std::vector<std::unique_ptr<NamedDataMap>> maps;
  const NamedDataMap* all = nullptr;
  for (const std::unique_ptr<DataLoader>& loader : data_map_loaders_) {
    Result<std::unique_ptr<NamedDataMap>> map = on_heap<NamedDataMap>(FlatTensorDataMap::load(loader.get()));
    ET_CHECK_OK_OR_RETURN_ERROR(map.error());
    maps.push_back(std::move(map.get()));
    if (all != nullptr) {
      Result<std::unique_ptr<NamedDataMap>> merged = on_heap<NamedDataMap>(MergedDataMap::load(all, maps.back().get()));
      ET_CHECK_OK_OR_RETURN_ERROR(merged.error());
      maps.push_back(std::move(merged.get()));
    }
    all = maps.back().get();
  }
  data_maps_ = std::move(maps);
  return Error::Ok;
}

Result<size_t> Module::num_methods() {
  ET_CHECK_OK_OR_RETURN_ERROR(load());
  return program_->num_methods();
}

Result<std::unordered_set<std::string>> Module::method_names() {
  ET_CHECK_OK_OR_RETURN_ERROR(load());
  std::unordered_set<std::string> names;
  for (size_t i = 0; i < program_->num_methods(); ++i) {
    const Result<const char*> name = program_->get_method_name(i);
    ET_CHECK_OK_OR_RETURN_ERROR(name.error());
    names.emplace(name.get());
  }
  return names;
}

Result<MethodMeta> Module::method_meta(const std::string& method_name) {
  ET_CHECK_OK_OR_RETURN_ERROR(load());
  return program_->method_meta(method_name.c_str());
}

/// Buffers 1 and 2 of all methods, each as large as the largest.
Error Module::reserve_shared_arenas() {
  constexpr size_t kShared = 2;
  if (!share_memory_arenas_ || !shared_arenas_.empty()) {
    return Error::Ok;
  }
  std::vector<size_t> sizes;
  for (size_t m = 0; m < program_->num_methods(); ++m) {
    const Result<const char*> name = program_->get_method_name(m);
    ET_CHECK_OK_OR_RETURN_ERROR(name.error());
    const Result<MethodMeta> meta = program_->method_meta(name.get());
    ET_CHECK_OK_OR_RETURN_ERROR(meta.error());
    const size_t count = std::min(kShared, meta->num_memory_planned_buffers());
    sizes.resize(std::max(sizes.size(), count));
    for (size_t i = 0; i < count; ++i) {
      const Result<int64_t> size = meta->memory_planned_buffer_size(i);
      ET_CHECK_OK_OR_RETURN_ERROR(size.error());
      sizes[i] = std::max(sizes[i], static_cast<size_t>(size.get()));
    }
  }
  for (size_t size : sizes) {
    shared_arenas_.emplace_back(size);
  }
  return Error::Ok;
}

Result<std::unique_ptr<Module::PlannedMemory>> Module::plan_memory(const MethodMeta& meta) {
  ET_CHECK_OK_OR_RETURN_ERROR(reserve_shared_arenas());
  auto planned = std::make_unique<PlannedMemory>();
  bool on_device = false;
  for (size_t i = 0; i < meta.num_memory_planned_buffers(); ++i) {
    const Result<int64_t> size = meta.memory_planned_buffer_size(i);
    ET_CHECK_OK_OR_RETURN_ERROR(size.error());
    const Result<runtime::etensor::Device> device = meta.memory_planned_buffer_device(i);
    const size_t bytes = static_cast<size_t>(size.get());
    planned->devices.push_back(device.ok() ? device.get()
                                           : runtime::etensor::Device(runtime::etensor::DeviceType::CPU));
    if (!planned->devices.back().is_cpu()) {
      on_device = true;
      Result<runtime::DeviceMemoryBuffer> buffer =
          runtime::DeviceMemoryBuffer::create(bytes, device->type(), device->index());
      ET_CHECK_OK_OR_RETURN_ERROR(buffer.error(), "the device has no room for planned buffer %zu", i + 1);
      planned->spans.push_back(buffer->as_span());
      planned->device_buffers.push_back(std::move(buffer.get()));
    } else if (i < shared_arenas_.size()) {
      planned->spans.emplace_back(shared_arenas_[i].data(), shared_arenas_[i].size());
    } else {
      planned->buffers.emplace_back(bytes);
      planned->spans.emplace_back(planned->buffers.back().data(), bytes);
    }
  }
  ET_CHECK_OR_RETURN_ERROR(!on_device || !share_memory_arenas_, NotSupported,
                           "buffers on a device cannot be shared between methods: leave share_memory_arenas off");
  const Span<Span<uint8_t>> spans(planned->spans.data(), planned->spans.size());
  planned->allocator =
      on_device ? std::make_unique<runtime::HierarchicalAllocator>(
                      spans, Span<const runtime::etensor::Device>(planned->devices.data(), planned->devices.size()))
                : std::make_unique<runtime::HierarchicalAllocator>(spans);
  return planned;
}

Error Module::load_method(const std::string& method_name, runtime::HierarchicalAllocator* planned_memory,
                          torch::executor::EventTracer* event_tracer, const LoadBackendOptionsMap* backend_options,
                          std::vector<Kernel> kernel_registry) {
  if (is_method_loaded(method_name)) {
    return Error::Ok;
  }
  ET_CHECK_OK_OR_RETURN_ERROR(load());
  MethodHolder holder;
  if (planned_memory == nullptr) {
    const Result<MethodMeta> meta = program_->method_meta(method_name.c_str());
    ET_CHECK_OK_OR_RETURN_ERROR(meta.error());
    Result<std::unique_ptr<PlannedMemory>> planned = plan_memory(meta.get());
    ET_CHECK_OK_OR_RETURN_ERROR(planned.error());
    holder.planned_memory = std::move(planned.get());
    planned_memory = holder.planned_memory->allocator.get();
  }
  if (backend_options == nullptr && backend_options_map_.size() > 0) {
    backend_options = &backend_options_map_;
  }
  holder.memory_manager =
      std::make_unique<runtime::MemoryManager>(memory_allocator_.get(), planned_memory, temp_allocator_.get());
  holder.kernel_registry = std::move(kernel_registry);
  Result<std::unique_ptr<Method>> loaded = on_heap<Method>(program_->load_method(
      method_name.c_str(), holder.memory_manager.get(), event_tracer != nullptr ? event_tracer : event_tracer_.get(),
      data_maps_.empty() ? nullptr : data_maps_.back().get(), backend_options,
      Span<const Kernel>(holder.kernel_registry.data(), holder.kernel_registry.size())));
  ET_CHECK_OK_OR_RETURN_ERROR(loaded.error());
  holder.method = std::move(loaded.get());
  methods_.emplace(method_name, std::move(holder));
  return Error::Ok;
}

Result<Method*> Module::method(const std::string& method_name) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  return methods_.at(method_name).method.get();
}

Result<std::vector<EValue>> Module::execute(const std::string& method_name, const std::vector<EValue>& input_values) {
  for (size_t i = 0; i < input_values.size(); ++i) {
    ET_CHECK_OK_OR_RETURN_ERROR(set_input(method_name, input_values[i], i));
  }
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  ET_CHECK_OK_OR_RETURN_ERROR(methods_.at(method_name).method->execute());
  return get_outputs(method_name);
}

Error Module::set_input(const std::string& method_name, const EValue& input_value, size_t input_index) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  return methods_.at(method_name).method->set_input(input_value, input_index);
}

Error Module::set_inputs(const std::string& method_name, const std::vector<EValue>& input_values) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  return methods_.at(method_name)
      .method->set_inputs(executorch::aten::ArrayRef<EValue>(input_values.data(), input_values.size()));
}

Error Module::set_output(const std::string& method_name, EValue output_value, size_t output_index) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  ET_CHECK_OR_RETURN_ERROR(output_value.isTensor(), InvalidArgument, "output %zu can only be bound to a tensor",
                           output_index);
  const executorch::aten::Tensor& tensor = output_value.toTensor();
  return methods_.at(method_name).method->set_output_data_ptr(tensor.mutable_data_ptr(), tensor.nbytes(), output_index);
}

Error Module::set_outputs(const std::string& method_name, const std::vector<EValue>& output_values) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  const size_t count = methods_.at(method_name).method->outputs_size();
  ET_CHECK_OR_RETURN_ERROR(output_values.size() == count, InvalidArgument, "%zu outputs are given for a method of %zu",
                           output_values.size(), count);
  for (size_t i = 0; i < count; ++i) {
    ET_CHECK_OK_OR_RETURN_ERROR(set_output(method_name, output_values[i], i));
  }
  return Error::Ok;
}

Result<std::vector<EValue>> Module::get_outputs(const std::string& method_name) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  Method& method = *methods_.at(method_name).method;
  std::vector<EValue> outputs(method.outputs_size());
  ET_CHECK_OK_OR_RETURN_ERROR(method.get_outputs(outputs.data(), outputs.size()));
  return outputs;
}

Result<EValue> Module::get_output(const std::string& method_name, size_t output_index) {
  ET_CHECK_OK_OR_RETURN_ERROR(load_method(method_name));
  const Method& method = *methods_.at(method_name).method;
  ET_CHECK_OR_RETURN_ERROR(output_index < method.outputs_size(), InvalidArgument, "output %zu of %zu", output_index,
                           method.outputs_size());
  return method.get_output(output_index);
}

}  // namespace ET_MODULE_NAMESPACE
}  // namespace extension
}  // namespace executorch
