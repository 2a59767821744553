// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's fourth pass: instructions, inputs and outputs.
#include <cstring>
#include <new>

#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/platform/log.h>

#include "src/runtime/executor/method_loader.h"
#include "src/runtime/kernel/question.h"

namespace wick {

Error MethodLoader::compile() {
  method_.chains_ = take<ChainRange>(chains_.count);
  method_.instructions_ = take<Instruction>(n_instructions_);
  method_.operands_ = take<uintptr_t>(n_operands_);
  if (method_.chains_ == nullptr || method_.instructions_ == nullptr || method_.operands_ == nullptr) {
    return no_memory();
  }
  method_.n_chains_ = chains_.count;
  n_operands_ = 0;
  uint32_t next = 0;
  for (uint32_t c = 0; c < chains_.count; ++c) {
    pte::Vector instructions =
        buffer_.vector_field(buffer_.table_item(chains_, c), pte::chain::kInstructions, 4);
    method_.chains_[c] = {next, instructions.count};
    chain_count_ = instructions.count;
    for (uint32_t i = 0; i < instructions.count; ++i) {
      Error error = compile_instruction(buffer_.table_item(instructions, i), &method_.instructions_[next++]);
      if (error != Error::Ok) {
        ET_LOG(Error, "instruction %" PRIu32 " of chain %" PRIu32 " cannot be loaded", i, c);
        return error;
      }
    }
  }
  return report_missing();
}

Error MethodLoader::compile_instruction(const pte::Table& instruction, Instruction* out) {
  pte::Table call = buffer_.table_field(instruction, pte::instruction::kArguments);
  uint8_t type = buffer_.u8_field(instruction, pte::instruction::kType);
  uintptr_t* operands = method_.operands_ + n_operands_;
  Instruction::Kind kind = Instruction::kMove;
  uint32_t count = 1;
  Error error = Error::Ok;
  switch (type) {
    case pte::instruction::kKernelCall:
      return compile_kernel_call(call, out);
    case pte::instruction::kDelegateCall:
      return foreign_ == nullptr ? corrupt("a call of a delegate that is not there")
                                 : (this->*foreign_->compile_delegate_call)(call, out);
    case pte::instruction::kMoveCall:
      count = 2;
      error = boxed(buffer_.u32_field(call, pte::call::kMoveTo), &operands[0]);
      if (error == Error::Ok) {
        error = boxed(buffer_.u32_field(call, pte::call::kMoveFrom), &operands[1]);
      }
      break;
    case pte::instruction::kJumpFalseCall:
      kind = Instruction::kJumpFalse;
      out->destination = buffer_.u32_field(call, pte::call::kDestination);
      if (out->destination > chain_count_) {
        return corrupt("a jump leaves its chain");
      }
      error = boxed(buffer_.u32_field(call, pte::call::kCondition), &operands[0]);
      break;
    default:
      kind = Instruction::kFree;
      error = boxed(buffer_.u32_field(call, pte::call::kFreed), &operands[0]);
      break;
  }
  out->packed = Instruction::pack(kind, count, n_operands_);
  n_operands_ += count;
  return error;
}

Error MethodLoader::compile_kernel_call(const pte::Table& call, Instruction* out) {
  pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
  uint32_t op_index = buffer_.u32_field(call, pte::call::kIndex);
  const Binding& binding = bindings_[op_index];
  const uint32_t count = argument_count(binding, args);
  const uint32_t first = n_operands_;
  n_operands_ += count;
  out->packed = Instruction::pack(Instruction::kKernel, count, first);
  out->function = binding.function;
  if (binding.kind == Binding::kMissing) {
    return Error::Ok;  // go on, to name all that are missing
  }
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t index = static_cast<uint32_t>(buffer_.i32_item(args, i));
    uintptr_t* word = &method_.operands_[first + i];
    Error error = binding.kind == Binding::kTable ? operand(index, word) : boxed(index, word);
    if (error != Error::Ok) {
      return error;
    }
  }
  if (binding.kind == Binding::kRegistry) {
    return (this->*foreign_->bind_registered)(buffer_.table_item(operators_, op_index), first, count, &out->function);
  }
  // Ask the kernel whether it takes that many arguments: a program of another exporter generation fails here, by name.
  executorch::runtime::KernelRuntimeContext question;
  out->function(question, Span<EValue*>(internal::question_arguments(), count));
  if (question.failure_state() != Error::Ok) {
    ET_LOG(Error, "operator '%s' is called with %" PRIu32 " arguments, which this runtime's kernel does not take: the "
           "program was made for another version of the operator; export it again",
           buffer_.string_field(buffer_.table_item(operators_, op_index), pte::op::kName), count);
    return Error::InvalidProgram;
  }
  return Error::Ok;
}

Error MethodLoader::bind_inputs_and_outputs() {
  pte::Vector inputs = buffer_.vector_field(plan_, pte::plan::kInputs, 4);
  pte::Vector outputs = buffer_.vector_field(plan_, pte::plan::kOutputs, 4);
  const uint32_t total = inputs.count + outputs.count;
  method_.values_ = take<EValue*>(total);
  method_.value_flags_ = take<uint8_t>(total);
  if (method_.values_ == nullptr || method_.value_flags_ == nullptr) {
    return no_memory();
  }
  for (uint32_t i = 0; i < total; ++i) {
    uint32_t index = static_cast<uint32_t>(i < inputs.count ? buffer_.i32_item(inputs, i)
                                                            : buffer_.i32_item(outputs, i - inputs.count));
    uintptr_t word = 0;
    Error error = boxed(index, &word);
    if (error != Error::Ok) {
      return error;
    }
    EValue* value = reinterpret_cast<EValue*>(word);
    method_.values_[i] = value;
    // The program decides where the data lies if it lies anywhere yet.
    method_.value_flags_[i] = value->isTensor() && value->toTensor().const_data_ptr() != nullptr ? Method::kPlanned : 0;
  }
  method_.n_inputs_ = inputs.count;
  method_.n_outputs_ = outputs.count;
  return Error::Ok;
}

/// The EValue of a value, as an operand. Lists keep their map entry: their EValue is for foreign eyes only.
Error MethodLoader::boxed(uint32_t index, uintptr_t* out) {
  if (index >= values_.count) {
    return corrupt("the index of a value is out of range");
  }
  pte::Table value = value_table(index);
  uint8_t type = buffer_.u8_field(value, pte::evalue::kType);
  EValue* result = nullptr;
  Error error = Error::Ok;
  if (type <= pte::evalue::kString) {
    error = boxed_scalar(index, &result);
  } else {
    error = foreign_ == nullptr ? Error::NotSupported
                                : (this->*foreign_->boxed_list)(type, buffer_.table_field(value, pte::evalue::kValue),
                                                                &result);
  }
  *out = reinterpret_cast<uintptr_t>(result);
  return error;
}

Error MethodLoader::boxed_scalar(uint32_t index, EValue** out) {
  uintptr_t word = map_[index];
  if (word <= kLastMark) {
    Error error = constant(index, &word);
    if (error != Error::Ok) {
      return error;
    }
  }
  if ((word & Operand::kTagMask) == Operand::kEValue) {
    *out = reinterpret_cast<EValue*>(word);
    return Error::Ok;
  }
  TensorImpl* impl = nullptr;
  if (Operand::from_bits(word).is_tensor()) {
    impl = tensor_impl(index);
    if (impl == nullptr) {
      return no_memory();
    }
  }
  EValue* slot = new_value(index);
  *out = slot;
  if (slot == nullptr) {
    return no_memory();
  }
  if (impl != nullptr) {
    new (slot) EValue(Tensor(impl));
  } else {
    to_evalue(Operand::from_bits(word), slot);
  }
  return Error::Ok;
}

}  // namespace wick
