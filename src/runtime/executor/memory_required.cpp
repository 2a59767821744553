// SPDX-License-Identifier: BSD-3-Clause
//
// memory_required(): a rehearsal of loading, with pools that only count.
#include <wick/memory_required.h>

#include <cstring>

#include "src/runtime/executor/method_loader.h"

namespace wick {

using executorch::runtime::MemoryManager;

namespace {

/// Every request goes to the spare place and is added up.

class CountingAllocator final : public MemoryAllocator {
 public:
  explicit CountingAllocator(unsigned char* spare) : MemoryAllocator(0, nullptr), spare_(spare) {}
  void* allocate(size_t size, size_t alignment) override {
    const size_t start = (bytes_ + alignment - 1) / alignment * alignment;
    if (size > SIZE_MAX / 2 || start > SIZE_MAX / 2) {
      return nullptr;
    }
    bytes_ = start + size;
    return spare_;
  }
  size_t used_size() const override { return bytes_; }

 private:
  unsigned char* spare_;
  size_t bytes_ = 0;
};

}  // namespace

/// A tensor that is planned lies at its offset in the spare place; one of a data file anywhere there, and its name is
/// noted once for all tensors that use it.
void* MethodLoader::rehearsed_place(pte::Table tensor, pte::Table extra) {
  const pte::Table allocation = buffer_.table_field(tensor, pte::tensor::kAllocationInfo);
  if (allocation) {
    return request_.rehearsal->spare + (buffer_.u32_field(allocation, pte::allocation::kOffsetLow) & 15);
  }
  const char* name = buffer_.string_field(extra, pte::extra::kFullyQualifiedName);
  for (uint32_t i = 0; name != nullptr && i < values_.count; ++i) {
    if (!is_made(map_[i]) || value_type(i) != pte::evalue::kTensor) {
      continue;
    }
    const pte::Table other = buffer_.table_field(value_table(i), pte::evalue::kValue);
    const pte::Table info = buffer_.table_field(other, pte::tensor::kExtraTensorInfo);
    const char* other_name = buffer_.string_field(info, pte::extra::kFullyQualifiedName);
    if (buffer_.u8_field(info, pte::extra::kLocation) == pte::extra::kExternal && other_name != nullptr &&
        !buffer_.table_field(other, pte::tensor::kAllocationInfo) && pte::same_text(other_name, name)) {
      return request_.rehearsal->spare;
    }
  }
  take<ExternalConstant>(1);
  return request_.rehearsal->spare;
}

Result<MemoryRequired> MethodLoader::rehearse(const Program& program, const char* method_name, Span<uint8_t> workspace,
                                              Layout layout) {
  Result<uint32_t> plan = program.find_plan(method_name);
  if (!plan.ok()) {
    return plan.error();
  }
  Rehearsal rehearsal;
  const bool target = layout == Layout::k32Bit;
  const size_t word = target ? 4 : sizeof(void*);
  rehearsal.target_bytes = 0;
  rehearsal.pointer_bytes = word;
  rehearsal.delegate_scratch = 0;
  rehearsal.unknown_delegates = 0;
  rehearsal.views = 0;
  rehearsal.place = [](MethodLoader& loader, pte::Table tensor, pte::Table extra) {
    return loader.rehearsed_place(tensor, extra);
  };
  CountingAllocator pool(rehearsal.spare);
  MemoryAllocator temp(static_cast<uint32_t>(workspace.size()), workspace.data());
  MemoryManager manager(&pool, nullptr, &temp);
  Program::LoadRequest request{&manager, nullptr, nullptr, nullptr, {}, nullptr, nullptr, &rehearsal};
#if UINTPTR_MAX > UINT32_MAX
  request.foreign_calls = &foreign_calls;  // where there is room, whether or not the image has backends
#endif
  Method method(&program, &manager, nullptr, plan.get());
  MethodLoader loader(method, request);
  if (loader.values_.count * sizeof(uintptr_t) + loader.operators_.count * sizeof(Binding) + alignof(Binding) >
      workspace.size()) {
    ET_LOG(Error, "the workspace of %zu bytes is too small for %" PRIu32 " values and %" PRIu32 " operators",
           workspace.size(), loader.values_.count, loader.operators_.count);
    return Error::MemoryAllocationFailed;
  }
  const Error error = loader.load();
  MemoryRequired required;
  required.method = target && sizeof(void*) != 4 ? rehearsal.target_bytes : pool.used_size();
  required.load_scratch = word * (loader.values_.count + 2 * size_t{loader.operators_.count});
  required.delegate_scratch = rehearsal.delegate_scratch;
  required.delegates = rehearsal.unknown_delegates;
  required.views = rehearsal.views;
  required.pointer_bytes = word;
  method.n_delegates_ = 0;  // there is nothing to release
  return error == Error::Ok ? Result<MemoryRequired>(required) : Result<MemoryRequired>(error);
}

Result<MemoryRequired> memory_required(const Program& program, const char* method_name, Span<uint8_t> workspace,
                                       Layout layout) {
  const Result<executorch::runtime::MethodMeta> meta = program.method_meta(method_name);
  if (!meta.ok()) {
    return meta.error();
  }
  Result<MemoryRequired> required = MethodLoader::rehearse(program, method_name, workspace, layout);
  if (!required.ok()) {
    return required;
  }
  required->planned_count = meta->num_memory_planned_buffers();
  for (size_t i = 0; i < required->planned_count; ++i) {
    const Result<int64_t> size = meta->memory_planned_buffer_size(i);
    if (!size.ok() || size.get() < 0) {
      return Error::InvalidProgram;
    }
    const size_t bytes = (static_cast<size_t>(size.get()) + 15) / 16 * 16;
    required->planned += bytes;
    required->planned_state += holds_state(meta.get(), i) ? bytes : 0;
  }
  return required;
}

}  // namespace wick
