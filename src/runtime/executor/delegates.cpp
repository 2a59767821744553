// SPDX-License-Identifier: BSD-3-Clause
//
// Delegates: payloads are handed to their backends in place. Part of the calls to foreign code.
#include <new>

#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/executor/merged_data_map.h>

#include "src/runtime/executor/method_loader.h"

namespace wick {

using executorch::runtime::CompileSpec;
using executorch::runtime::internal::MergedDataMap;

Error MethodLoader::load_delegates(const pte::Vector& delegates) {
  method_.delegates_ = take<LoadedDelegate>(delegates.count);
  if (method_.delegates_ == nullptr) {
    return no_memory();
  }
  const NamedDataMap* data = data_map_;
  Result<const NamedDataMap*> own = program_.get_named_data_map();
  if (own.ok() && data_map_ != nullptr) {
    Result<MergedDataMap> merged = MergedDataMap::load(data_map_, own.get());
    auto* place = take<MergedDataMap>(1);
    if (!merged.ok() || place == nullptr) {
      return merged.ok() ? no_memory() : merged.error();
    }
    data = new (place) MergedDataMap(std::move(merged.get()));
  } else if (own.ok()) {
    data = own.get();
  }
  for (uint32_t i = 0; i < delegates.count; ++i) {
    Error error = load_delegate(buffer_.table_item(delegates, i), data, &method_.delegates_[i]);
    if (error != Error::Ok) {
      return error;
    }
    method_.n_delegates_ = i + 1;  // from now on the method releases it
  }
  return Error::Ok;
}

Error MethodLoader::load_delegate(const pte::Table& delegate, const NamedDataMap* data, LoadedDelegate* out) {
  const char* id = buffer_.string_field(delegate, pte::delegate::kId);
  if (id == nullptr) {
    return corrupt("a delegate without a name");
  }
  executorch::runtime::BackendInterface* backend = executorch::runtime::get_backend_class(id);
  if (backend == nullptr || !backend->is_available()) {
    ET_LOG(Error, "the program needs the backend '%s', which is not %s: link its library, or export without it", id,
           backend == nullptr ? "linked" : "available");
    return Error::NotFound;
  }
  Span<CompileSpec> specs;
  new (&out->data) FreeableBuffer();
  Error error = compile_specs(delegate, &specs);
  if (error == Error::Ok) {
    error = delegate_payload(delegate, id, &out->data);
  }
  if (error != Error::Ok) {
    return error;
  }
  executorch::runtime::BackendInitContext context(
      pool_, method_.event_tracer_, buffer_.string_field(plan_, pte::plan::kName), data,
      backend_options_ == nullptr ? Span<const executorch::runtime::BackendOption>()
                                  : backend_options_->get_options(id));
  Result<DelegateHandle*> handle =
      backend->init(context, &out->data, ArrayRef<CompileSpec>(specs.data(), specs.size()));
  if (!handle.ok()) {
    ET_LOG(Error, "backend '%s' refuses its payload: 0x%" PRIx32, id, static_cast<uint32_t>(handle.error()));
    out->data.Free();
    return handle.error();
  }
  out->backend = backend;
  out->handle = handle.get();
  return Error::Ok;
}

Error MethodLoader::delegate_payload(const pte::Table& delegate, const char* id, FreeableBuffer* payload) {
  pte::Table processed = buffer_.table_field(delegate, pte::delegate::kProcessed);
  const uint32_t index = buffer_.u32_field(processed, pte::delegate::kIndex);
  if (buffer_.u8_field(processed, pte::delegate::kLocation) == pte::delegate::kInline) {
    const void* data = nullptr;
    size_t size = 0;
    Error error = program_.get_backend_delegate_data(index, &data, &size);
    new (payload) FreeableBuffer(data, size, nullptr);
    return error;
  }
  Result<FreeableBuffer> segment = program_.LoadSegment(executorch::runtime::DataLoader::SegmentInfo(
      executorch::runtime::DataLoader::SegmentInfo::Type::Backend, index, id));
  if (!segment.ok()) {
    return segment.error();
  }
  new (payload) FreeableBuffer(std::move(segment.get()));
  return Error::Ok;
}

Error MethodLoader::compile_specs(const pte::Table& delegate, Span<CompileSpec>* out) {
  pte::Vector specs = buffer_.vector_field(delegate, pte::delegate::kCompileSpecs, 4);
  auto* list = take<CompileSpec>(specs.count);
  if (list == nullptr) {
    return no_memory();
  }
  for (uint32_t i = 0; i < specs.count; ++i) {
    pte::Table spec = buffer_.table_item(specs, i);
    pte::Vector value = buffer_.vector_field(spec, pte::delegate::kSpecValue, 1);
    list[i].key = buffer_.string_field(spec, pte::delegate::kSpecKey);
    list[i].value = {const_cast<uint8_t*>(buffer_.bytes(value.at)), value.count};
    if (list[i].key == nullptr || buffer_.bad()) {
      return corrupt("a delegate's compile spec is broken");
    }
  }
  *out = Span<CompileSpec>(list, specs.count);
  return Error::Ok;
}

Error MethodLoader::compile_delegate_call(const pte::Table& call, Instruction* out) {
  pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
  uint32_t index = buffer_.u32_field(call, pte::call::kIndex);
  if (index >= method_.n_delegates_) {
    return corrupt("the index of a delegate is out of range");
  }
  out->delegate = &method_.delegates_[index];
  out->packed = Instruction::pack(Instruction::kDelegate, args.count, n_operands_);
  for (uint32_t i = 0; i < args.count; ++i) {
    Error error = boxed(static_cast<uint32_t>(buffer_.i32_item(args, i)), &method_.operands_[n_operands_++]);
    if (error != Error::Ok) {
      return error;
    }
  }
  return Error::Ok;
}

}  // namespace wick
