// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's walks over inputs, outputs and instructions: one marks values and counts, the next compiles.
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/platform/log.h>

#include "src/runtime/executor/method_loader.h"
#include "src/runtime/kernel/question.h"

namespace wick {

void MethodLoader::reserve_records() {
  method_.chains_ = take<ChainRange>(chains_.count);
  method_.instructions_ = take<Instruction>(n_instructions_);
  method_.operands_ = take<uintptr_t>(n_operands_);
  const uint32_t total = method_.n_inputs_ + method_.n_outputs_;
  method_.values_ = take<EValue*>(total);
  method_.value_flags_ = take<uint8_t>(total);
  method_.n_chains_ = chains_.count;
}

/// Marks and counts, or compiles.
void MethodLoader::walk(bool compile) {
  method_.n_inputs_ = walk_list(pte::plan::kInputs, 0, compile);
  method_.n_outputs_ = walk_list(pte::plan::kOutputs, method_.n_inputs_, compile);
  n_operands_ = 0;
  n_instructions_ = 0;
  for (uint32_t c = 0; ok() && c < chains_.count; ++c) {
    const pte::Vector list = buffer_.vector_field(buffer_.table_item(chains_, c), pte::chain::kInstructions, 4);
    if (compile) {
      method_.chains_[item(c)] = {n_instructions_, list.count};
    }
    chain_count_ = list.count;
    for (uint32_t i = 0; i < list.count; ++i) {
      walk_instruction(list.at + 4 * i, compile ? &method_.instructions_[item(n_instructions_)] : nullptr);
      ++n_instructions_;
      if (!ok()) {
        ET_LOG(Error, "instruction %" PRIu32 " of chain %" PRIu32 " cannot be loaded", i, c);
        return;
      }
    }
  }
}

/// Inputs or outputs, which are numbered from `first` on. Returns their count.
uint32_t MethodLoader::walk_list(unsigned field, uint32_t first, bool compile) {
  const pte::Vector list = buffer_.vector_field(plan_, field, 4);
  for (uint32_t i = 0; i < list.count && ok(); ++i) {
    const uint32_t index = static_cast<uint32_t>(buffer_.i32_item(list, i));
    if (index >= values_.count) {
      corrupt("the index of an input or output is out of range");
    } else if (!compile) {
      map_[index] |= kNeedsValue;
    } else if (EValue* value = boxed(index)) {
      method_.values_[item(first + i)] = value;
      // The program decides where the data lies if it lies anywhere yet.
      const bool planned = !rehearsing() && value->isTensor() && value->toTensor().const_data_ptr() != nullptr;
      method_.value_flags_[item(first + i)] = planned ? Method::kPlanned : 0;
    }
  }
  return list.count;
}

/// Marks what an instruction writes (`out` is null), or compiles it.
void MethodLoader::walk_instruction(pte::Position reference, Instruction* out) {
  Call call;
  const bool quick = kQuickOperands && quick_call(reference, &call);
  if (!quick) {
    const pte::Table instruction = buffer_.table_behind(reference);
    call.type = buffer_.u8_field(instruction, pte::instruction::kType);
    call.content = buffer_.table_field(instruction, pte::instruction::kArguments);
    call.index = buffer_.u32_field(call.content, pte::call::kIndex);
  }
  const uint8_t type = call.type;
  const uint32_t index = call.index;
  uint32_t second = 0;  // value or destination of the short instructions
  pte::Vector args;
  uint32_t count = type == pte::instruction::kMoveCall ? 2 : 1;
  uint32_t first_written = 0;
  uintptr_t mark = kNeedsValue;
  bool in_box = true;
  if (type == pte::instruction::kNone || type > pte::instruction::kFreeCall) {
    corrupt("an instruction of an unknown type");
    return;
  }
  if (type <= pte::instruction::kDelegateCall) {
    args = quick ? call.args : buffer_.vector_field(call.content, pte::call::kArgs, 4);
    count = args.count;
    mark = kMayBeWritten;  // a delegate may write any argument
  } else {
    second = buffer_.u32_field(call.content, pte::call::kDestination);
  }
  if (type == pte::instruction::kKernelCall) {
    if (index >= operators_.count) {
      corrupt("the index of an operator is out of range");
      return;
    }
    Binding& binding = bindings_[index];
    if (!binding.registered && binding.function == nullptr) {
      binding.missing = true;
      error_ = Error::OperatorMissing;  // the walk goes on, and report_missing() names them all
    }
    count = argument_count(binding, args);
    first_written = count == 0 ? 0 : count - 1;  // results come last: only there a number can be written
    in_box = binding.registered;
  }
  const uint32_t first = n_operands_;
  n_operands_ += count;
  if (count > Instruction::kMaxOperands || n_operands_ > Instruction::kMaxFirst) {
    ET_LOG(Error, "a call has %" PRIu32 " arguments, or all calls too many: wick takes up to %d each", count,
           static_cast<int>(Instruction::kMaxOperands));
    fail(Error::NotSupported);
    return;
  }
  if (out != nullptr) {
    out->packed = Instruction::pack(type, count, first);
    bind_call(out, call.content, index, second);
  }
  const uint32_t quick_from = out == nullptr || in_box || rehearsing() ? count : 0;
  for (uint32_t i = out == nullptr ? first_written : 0; i < count; ++i) {
    if constexpr (kQuickOperands) {
      if (i >= quick_from) {
        i += quick_operands(reinterpret_cast<const uint32_t*>(buffer_.bytes(args.at)) + i, count - i,
                            method_.operands_ + first + i);
        if (i == count) {
          break;
        }
      }
    }
    uint32_t value = i == 0 ? index : second;
    if (type <= pte::instruction::kDelegateCall) {
      value = static_cast<uint32_t>(buffer_.i32_item(args, i));
    }
    if (value >= values_.count) {
      corrupt("the index of an argument is out of range");
      return;
    }
    if (out != nullptr) {
      method_.operands_[item(first + i)] = in_box ? reinterpret_cast<uintptr_t>(boxed(value)) : operand(value);
    } else {
      map_[value] |= mark;
    }
  }
  if (out != nullptr && type == pte::instruction::kKernelCall && in_box && ok() && !rehearsing()) {
    foreign_->bind_registered(*this, buffer_.table_item(operators_, index), out);
  }
}

/// Gives a compiled instruction its target.
inline void MethodLoader::bind_call(Instruction* out, pte::Table call, uint32_t index, uint32_t destination) {
  switch (out->kind()) {
    case Instruction::kKernel:
      bind_kernel(out, call, index);
      break;
    case Instruction::kDelegate:
      if (index >= method_.n_delegates_) {
        corrupt("the index of a delegate is out of range");
        return;
      }
      out->delegate = &method_.delegates_[index];
      break;
    default:
      out->destination = destination;
      if (out->kind() == Instruction::kJumpFalse && destination > chain_count_) {
        corrupt("a jump leaves its chain");
      }
      break;
  }
}

void MethodLoader::bind_kernel(Instruction* out, pte::Table call, uint32_t index) {
  const Binding& binding = bindings_[index];
  if (binding.registered) {
    return;  // chosen by the operands, when they are there
  }
  out->function = binding.function;
  // Ask the kernel whether it takes that many arguments: a program of another exporter generation fails here, by name.
  internal::Question question;
  out->function(question, Span<EValue*>(internal::question_arguments(), out->count()));
  if (question.failure_state() != Error::Ok) {
    ET_LOG(Error,
           "operator '%s' is called with %" PRIu32
           " arguments, which this runtime's kernel does not take: the "
           "program was made for another version of the operator; export it again",
           buffer_.string_field(buffer_.table_item(operators_, index), pte::op::kName), out->count());
    fail(Error::InvalidProgram);
  } else if (question.prepare != nullptr) {
    question.prepare(*this, call, out);
  }
}

}  // namespace wick
