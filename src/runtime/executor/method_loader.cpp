// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's frame, operators and marks.
#include "src/runtime/executor/method_loader.h"

#include <executorch/runtime/platform/log.h>
#include <wick/backend_table.h>
#include <wick/kernel_table.h>

namespace wick {

const ForeignCalls* internal::registered_foreign_calls = nullptr;

MethodLoader::MethodLoader(Method& method, const NamedDataMap* data_map, const LoadBackendOptionsMap* backend_options,
                           Span<const Kernel> kernels, const ForeignCalls* foreign, const ExternalData* external)
    : buffer_(method.program_->program_data_.data(), method.program_->program_data_.size()),
      method_(method),
      program_(*method.program_),
      pool_(method.memory_manager_->method_allocator()),
      data_map_(data_map),
      backend_options_(backend_options),
      kernels_(kernels),
      foreign_(foreign),
      external_(external),
      plan_(buffer_.table_at(method.plan_)),
      values_(buffer_.vector_field(plan_, pte::plan::kValues, 4)),
      chains_(buffer_.vector_field(plan_, pte::plan::kChains, 4)),
      constants_(buffer_, program_.constant_segment_data_.data(), program_.constant_segment_data_.size()),
      operators_(buffer_.vector_field(plan_, pte::plan::kOperators, 4)) {
  if (foreign_ == nullptr) {
    foreign_ = internal::registered_foreign_calls;
  }
  if (foreign_ == nullptr) {
    foreign_ = wick_backend_table.support;
  }
}

Error MethodLoader::load() {
  if (buffer_.bad() || chains_.count == 0) {
    return corrupt("the method's plan has no values or chains");
  }
  Error error = reserve_map();
  if (error == Error::Ok) error = resolve_operators();
  if (error == Error::Ok) error = mark_values();
  if (error == Error::Ok) error = create_values();
  if (error == Error::Ok) {
    pte::Vector delegates = buffer_.vector_field(plan_, pte::plan::kDelegates, 4);
    if (delegates.count > 0) {
      if (foreign_ == nullptr) {
        ET_LOG(Error, "the program needs the backend '%s', and this image has none: link its library",
               buffer_.string_field(buffer_.table_item(delegates, 0), pte::delegate::kId));
        error = Error::NotFound;
      } else {
        error = (this->*foreign_->load_delegates)(delegates);
      }
    }
  }
  if (error == Error::Ok) error = compile();
  if (error == Error::Ok) error = bind_inputs_and_outputs();
  if (error == Error::Ok && buffer_.bad()) {
    error = corrupt("a reference leaves the file");
  }
  if (method_.temp_allocator_ != nullptr) {
    method_.temp_allocator_->reset();
  }
  return error;
}

void* MethodLoader::take_bytes(size_t count, size_t size, size_t alignment) {
  constexpr size_t kMostItems = SIZE_MAX / 64;  // items are smaller than 64 bytes: the product cannot wrap
  return count > kMostItems ? nullptr : pool_->allocate(count * size, alignment);
}

/// The map lives only while loading: in the temporary pool if there is one, else at the method pool's cost.
Error MethodLoader::reserve_map() {
  size_t words = values_.count;
  size_t bytes = words * sizeof(uintptr_t) + operators_.count * sizeof(Binding);
  if (words > buffer_.size() || operators_.count > buffer_.size()) {
    return corrupt("more values than bytes");
  }
  void* memory = nullptr;
  if (method_.temp_allocator_ != nullptr) {
    memory = method_.temp_allocator_->allocate(bytes, alignof(Binding));
  }
  if (memory == nullptr) {
    memory = pool_->allocate(bytes, alignof(Binding));
  }
  if (memory == nullptr) {
    return no_memory();
  }
  map_ = static_cast<uintptr_t*>(memory);
  bindings_ = reinterpret_cast<Binding*>(map_ + words);
  for (size_t i = 0; i < words; ++i) {
    map_[i] = 0;
  }
  return Error::Ok;
}

Error MethodLoader::resolve_operators() {
  for (uint32_t i = 0; i < operators_.count; ++i) {
    pte::Table op = buffer_.table_item(operators_, i);
    const char* name = buffer_.string_field(op, pte::op::kName);
    const char* overload = buffer_.string_field(op, pte::op::kOverload);
    if (name == nullptr) {
      return corrupt("an operator without a name");
    }
    Binding& binding = bindings_[i];
    binding = {nullptr, Binding::kMissing, false};
    if (foreign_ != nullptr && (this->*foreign_->is_registered)(name, overload)) {
      binding.kind = Binding::kRegistry;
    } else if (const KernelEntry* entry = find_kernel(wick_kernel_table, name, overload)) {
      binding.function = entry->function;
      binding.kind = Binding::kTable;
    }
  }
  return Error::Ok;
}

Error MethodLoader::report_missing() const {
  Error result = Error::Ok;
  for (uint32_t i = 0; i < operators_.count; ++i) {
    if (bindings_[i].kind == Binding::kMissing && bindings_[i].used) {
      result = Error::OperatorMissing;
    }
  }
#if ET_LOG_ENABLED
  if (result != Error::Ok) {
    char list[200];
    size_t used = 0;
    pte::Buffer buffer = buffer_;
    for (uint32_t i = 0; i < operators_.count; ++i) {
      if (bindings_[i].kind != Binding::kMissing || !bindings_[i].used) {
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
  }
#endif
  return result;
}

Error MethodLoader::mark(uint32_t index, uintptr_t marks) {
  if (index >= values_.count) {
    return corrupt("an index of a value is out of range");
  }
  map_[index] |= marks;
  return Error::Ok;
}

Error MethodLoader::mark_values() {
  for (unsigned field : {pte::plan::kInputs, pte::plan::kOutputs}) {
    pte::Vector list = buffer_.vector_field(plan_, field, 4);
    for (uint32_t i = 0; i < list.count; ++i) {
      Error error = mark(static_cast<uint32_t>(buffer_.i32_item(list, i)), kNeedsValue);
      if (error != Error::Ok) {
        return error;
      }
    }
  }
  for (uint32_t c = 0; c < chains_.count; ++c) {
    pte::Vector instructions =
        buffer_.vector_field(buffer_.table_item(chains_, c), pte::chain::kInstructions, 4);
    n_instructions_ += instructions.count;
    for (uint32_t i = 0; i < instructions.count; ++i) {
      Error error = mark_instruction(buffer_.table_item(instructions, i));
      if (error != Error::Ok) {
        return error;
      }
    }
  }
  return buffer_.bad() ? corrupt("the list of instructions is broken") : Error::Ok;
}

/// The arguments that a call's kernel is given: wick's kernels do without the result's repetition at the end.
uint32_t MethodLoader::argument_count(const Binding& binding, const pte::Vector& args) const {
  uint32_t n = args.count;
  bool repeated = n > 1 && buffer_.i32_item(args, n - 1) == buffer_.i32_item(args, n - 2);
  return binding.kind != Binding::kRegistry && repeated ? n - 1 : n;
}

Error MethodLoader::mark_instruction(const pte::Table& instruction) {
  uint8_t type = buffer_.u8_field(instruction, pte::instruction::kType);
  pte::Table call = buffer_.table_field(instruction, pte::instruction::kArguments);
  if (type == pte::instruction::kMoveCall) {
    n_operands_ += 2;
    Error error = mark(buffer_.u32_field(call, pte::call::kMoveFrom), kNeedsValue);
    return error != Error::Ok ? error : mark(buffer_.u32_field(call, pte::call::kMoveTo), kNeedsValue);
  }
  if (type == pte::instruction::kJumpFalseCall || type == pte::instruction::kFreeCall) {
    n_operands_ += 1;
    return mark(buffer_.u32_field(call, pte::call::kCondition), kNeedsValue);
  }
  pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
  if (args.count > Instruction::kMaxOperands) {
    ET_LOG(Error, "a call has %" PRIu32 " arguments; wick takes up to %d", args.count,
           static_cast<int>(Instruction::kMaxOperands));
    return Error::NotSupported;
  }
  uint32_t first_result = 0;  // a delegate may write any argument
  if (type == pte::instruction::kKernelCall) {
    uint32_t index = buffer_.u32_field(call, pte::call::kIndex);
    if (index >= operators_.count) {
      return corrupt("the index of an operator is out of range");
    }
    bindings_[index].used = true;
    n_operands_ += argument_count(bindings_[index], args);
    first_result = args.count == 0 ? 0 : args.count - 1;  // results come last: only there a number can be written
  } else if (type == pte::instruction::kDelegateCall) {
    n_operands_ += args.count;
  } else {
    return corrupt("an instruction of an unknown type");
  }
  for (uint32_t i = first_result; i < args.count; ++i) {
    Error error = mark(static_cast<uint32_t>(buffer_.i32_item(args, i)), kMayBeWritten);
    if (error != Error::Ok) {
      return error;
    }
  }
  return n_operands_ > Instruction::kMaxFirst ? corrupt("more arguments than wick can number") : Error::Ok;
}

}  // namespace wick
