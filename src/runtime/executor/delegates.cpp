// SPDX-License-Identifier: BSD-3-Clause
//
// Delegates: payloads are handed to their backends in place. Part of the calls to foreign code.
#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/executor/merged_data_map.h>

#include <new>

#include "src/runtime/executor/method_loader.h"

namespace wick {

using executorch::runtime::CompileSpec;
using executorch::runtime::DelegateMemory;
using executorch::runtime::internal::MergedDataMap;

namespace {

constexpr size_t kDelegateAlignment = 8;  // as DelegateMemory says

}  // namespace

void MethodLoader::load_delegates(const pte::Vector& delegates) {
  method_.delegates_ = take<LoadedDelegate>(delegates.count);
  method_.name_ = buffer_.string_field(plan_, pte::plan::kName);
  const NamedDataMap* data = request_.data_map;
  Result<const NamedDataMap*> own = program_.get_named_data_map();
  if (own.ok() && data != nullptr) {
    Result<MergedDataMap> merged = MergedDataMap::load(data, own.get());
    auto* place = take<MergedDataMap>(1);
    if (!merged.ok() || place == nullptr) {
      fail(merged.error());  // of no memory take() has told
      return;
    }
    data = new (place) MergedDataMap(std::move(merged.get()));
  } else if (own.ok()) {
    data = own.get();
  }
  for (uint32_t i = 0; ok() && i < delegates.count; ++i) {
    load_delegate(buffer_.table_item(delegates, i), data, &method_.delegates_[item(i)]);
  }
}

void MethodLoader::load_delegate(const pte::Table& delegate, const NamedDataMap* data, LoadedDelegate* out) {
  const char* id = buffer_.string_field(delegate, pte::delegate::kId);
  if (id == nullptr) {
    corrupt("a delegate without a name");
    return;
  }
  if (rehearsing()) {
    compile_specs(delegate);
    rehearse_delegate(delegate, id);
    ++method_.n_delegates_;
    return;
  }
  executorch::runtime::BackendInterface* backend = executorch::runtime::get_backend_class(id);
  if (backend == nullptr || !backend->is_available()) {
    ET_LOG(Error, "the program needs the backend '%s', which is not %s: link its library, or export without it", id,
           backend == nullptr ? "linked" : "available");
    fail(Error::NotFound);
    return;
  }
  new (&out->data) FreeableBuffer();
  const Span<CompileSpec> specs = compile_specs(delegate);
  if (ok()) {
    fail(delegate_payload(delegate, id, &out->data));
  }
  if (!ok()) {
    return;
  }
  executorch::runtime::BackendInitContext context(pool_, method_.event_tracer_, method_.name_, data,
                                                  request_.backend_options == nullptr
                                                      ? Span<const executorch::runtime::BackendOption>()
                                                      : request_.backend_options->get_options(id));
  Result<DelegateHandle*> handle =
      backend->init(context, &out->data, ArrayRef<CompileSpec>(specs.data(), specs.size()));
  if (!handle.ok()) {
    ET_LOG(Error, "backend '%s' refuses its payload: 0x%" PRIx32, id, static_cast<uint32_t>(handle.error()));
    out->data.Free();
    fail(handle.error());
    return;
  }
  out->backend = backend;
  out->handle = handle.get();
  ++method_.n_delegates_;  // from now on the method releases it
}

/// Counts what a backend says that it takes, and the delegates about which none says anything.
void MethodLoader::rehearse_delegate(const pte::Table& delegate, const char* id) {
  Rehearsal& rehearsal = *request_.rehearsal;
  const executorch::runtime::BackendInterface* backend = executorch::runtime::get_backend_class(id);
  FreeableBuffer payload;
  if (backend != nullptr && delegate_payload(delegate, id, &payload) == Error::Ok) {
    const Result<DelegateMemory> need = backend->memory_required(payload, rehearsal.pointer_bytes);
    payload.Free();
    if (need.ok()) {
      pool_->allocate(need->method, kDelegateAlignment);
      count_target(need->method, kDelegateAlignment);
      rehearsal.delegate_scratch = need->temp > rehearsal.delegate_scratch ? need->temp : rehearsal.delegate_scratch;
      return;
    }
  }
  ++rehearsal.unknown_delegates;
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

Span<CompileSpec> MethodLoader::compile_specs(const pte::Table& delegate) {
  pte::Vector specs = buffer_.vector_field(delegate, pte::delegate::kCompileSpecs, 4);
  auto* list = take<CompileSpec>(specs.count);
  for (uint32_t i = 0; ok() && i < specs.count; ++i) {
    pte::Table spec = buffer_.table_item(specs, i);
    pte::Vector value = buffer_.vector_field(spec, pte::delegate::kSpecValue, 1);
    CompileSpec& own = list[item(i)];
    own.key = buffer_.string_field(spec, pte::delegate::kSpecKey);
    own.value = {const_cast<uint8_t*>(buffer_.bytes(value.at)), value.count};
    if (own.key == nullptr) {
      corrupt("a delegate's compile spec is broken");
    }
  }
  return {list, specs.count};
}

}  // namespace wick
