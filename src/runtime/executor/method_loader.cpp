// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's frame, operators and marks.
#include "src/runtime/executor/method_loader.h"

#include <executorch/runtime/platform/log.h>
#include <wick/backend_table.h>
#include <wick/kernel_table.h>

namespace wick {

namespace {

constexpr size_t kMostItems = SIZE_MAX / 64;  // items are smaller than 64 bytes: a product with their size cannot wrap

}  // namespace

const ForeignCalls* internal::registered_foreign_calls = nullptr;

MethodLoader::MethodLoader(Method& method, const Program::LoadRequest& request)
    : buffer_(method.program_->buffer()),
      method_(method),
      program_(*method.program_),
      request_(request),
      pool_(method.memory_manager_->method_allocator()),
      foreign_(request.foreign_calls),
      plan_(buffer_.table_at(method.plan_)),
      values_(buffer_.vector_field(plan_, pte::plan::kValues, 4)),
      chains_(buffer_.vector_field(plan_, pte::plan::kChains, 4)),
      operators_(buffer_.vector_field(plan_, pte::plan::kOperators, 4)),
      constants_(buffer_, program_.constant_segment_data_.data(), program_.constant_segment_data_.size()),
      item_mask_(request.rehearsal == nullptr ? UINT32_MAX : 0) {
  if (foreign_ == nullptr) {
    foreign_ = internal::registered_foreign_calls;
  }
  if (foreign_ == nullptr) {
    foreign_ = wick_backend_table.support;
  }
}

Error MethodLoader::load() {
  if (chains_.count == 0) {
    corrupt("the method's plan has no instructions");
  }
  reserve_map();
  if (ok()) {
    resolve_operators();
    walk(false);
  }
  if (ok()) {
    report_missing();
    load_delegates();
    reserve_records();
  }
  if (ok()) {
    walk(true);
  }
  if (error_ == Error::Ok && !ok()) {
    corrupt("a reference leaves the file");
  }
  if (method_.temp_allocator_ != nullptr) {
    method_.temp_allocator_->reset();
  }
  return error_;
}

std::nullptr_t MethodLoader::fail(Error error) {
  if (error != Error::Ok && error_ == Error::Ok) {
    error_ = error;
    buffer_.set_bad();
  }
  return nullptr;
}

void* MethodLoader::take_bytes(size_t count, size_t size, size_t alignment) {
  void* memory = count > kMostItems ? nullptr : pool_->allocate(count * size, alignment);
  if (memory == nullptr) {
    fail(Error::MemoryAllocationFailed);
  }
  return memory;
}

/// The map lives only while loading: in the temporary pool if there is one, else at the method pool's cost.
void MethodLoader::reserve_map() {
  const size_t words = values_.count;
  const size_t operators = operators_.count;
  const size_t bytes = words * sizeof(uintptr_t) + operators * sizeof(Binding);
  if (words > kMostItems || operators > kMostItems) {
    corrupt("more values than memory");
    return;
  }
  void* memory = nullptr;
  if (method_.temp_allocator_ != nullptr) {
    memory = method_.temp_allocator_->allocate(bytes, alignof(Binding));
  }
  if (memory == nullptr) {
    memory = take_bytes(bytes, 1, alignof(Binding));
  }
  if (memory != nullptr) {
    map_ = static_cast<uintptr_t*>(memory);
    bindings_ = reinterpret_cast<Binding*>(map_ + words);
    for (uintptr_t* word = map_ + words; word != map_;) {
      *--word = kUnmade;
    }
  }
}

void MethodLoader::resolve_operators() {
  for (uint32_t i = 0; ok() && i < operators_.count; ++i) {
    const char* name = nullptr;
    const char* overload = nullptr;
    if (!kQuickOperands || !quick_names(operators_.at + 4 * i, &name, &overload)) {
      const pte::Table op = buffer_.table_item(operators_, i);
      name = buffer_.string_field(op, pte::op::kName);
      overload = buffer_.string_field(op, pte::op::kOverload);
    }
    bindings_[i] = {nullptr, false, false};
    if (name == nullptr) {
      corrupt("an operator without a name");
    } else if (foreign_ != nullptr && foreign_->is_registered(*this, name, overload)) {
      bindings_[i].registered = true;
    } else if (const KernelEntry* entry = find_kernel(wick_kernel_table, name, overload)) {
      bindings_[i].function = entry->function;
    }
  }
}

/// Names all kernels that the walk found missing.
inline void MethodLoader::report_missing() {
  if (error_ == Error::OperatorMissing) {
#if ET_LOG_ENABLED
    char list[200];
    size_t used = 0;
    pte::Buffer buffer = buffer_;
    for (uint32_t i = 0; i < operators_.count; ++i) {
      if (!bindings_[i].missing) {
        continue;
      }
      pte::Table op = buffer.table_item(operators_, i);
      const char* name = buffer.string_field(op, pte::op::kName);
      const char* overload = buffer.string_field(op, pte::op::kOverload);
      const char* parts[] = {used == 0 ? "" : ", ", name, overload == nullptr || *overload == 0 ? "" : ".",
                             overload == nullptr ? "" : overload};
      for (const char* part : parts) {
        for (; *part != 0 && used < sizeof(list) - 1; ++part) {
          list[used++] = *part;
        }
      }
    }
    list[used] = 0;
    ET_LOG(Error, "the image has no kernel for: %s. Link a kernel table that holds them", list);
#endif
    buffer_.set_bad();
  }
}

void MethodLoader::load_delegates() {
  const pte::Vector delegates = buffer_.vector_field(plan_, pte::plan::kDelegates, 4);
  if (!ok() || delegates.count == 0) {
    return;
  }
  if (foreign_ == nullptr) {
    ET_LOG(Error, "the program needs the backend '%s', and this image has none: link its library",
           buffer_.string_field(buffer_.table_item(delegates, 0), pte::delegate::kId));
    fail(Error::NotFound);
    return;
  }
  foreign_->load_delegates(*this, delegates);
}

}  // namespace wick
