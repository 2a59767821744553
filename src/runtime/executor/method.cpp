// SPDX-License-Identifier: BSD-3-Clause
//
// Method: inputs, outputs and the loop over instructions.
#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/platform/log.h>
#include <wick/dim_order.h>
#include <wick/format.h>

#include <cmath>
#include <cstring>

#include "src/pte/schema.h"
#include "src/runtime/executor/method_loader.h"
#include "src/runtime/executor/records.h"

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {

using executorch::aten::Tensor;
using ::wick::Instruction;

Result<Method> Program::load_method(const char* method_name, const LoadRequest& request) const {
  internal::event_tracer_create_event_block(request.event_tracer, "Default");
  internal::EventTracerProfileMethodScope scope(request.event_tracer, "Program::load_method");
  const uint32_t plan = find_plan(method_name);
  if (plan == 0) {
    return Error::InvalidArgument;
  }
  Method method(this, request.memory_manager, internal::event_tracer_if_enabled(request.event_tracer), plan);
  Error error = ::wick::MethodLoader(method, request).load();
  if (error != Error::Ok) {
    return error;
  }
  method.init_state_ = Method::InitializationState::Initialized;
  return method;
}

Method::Method(Method&& other) noexcept {
  // All members are plain data; the source must not release what it no longer owns.
  std::memcpy(static_cast<void*>(this), static_cast<const void*>(&other), sizeof(Method));
  other.delegates_ = nullptr;
  other.n_delegates_ = 0;
  other.external_constants_ = nullptr;
  other.init_state_ = InitializationState::Uninitialized;
}

Method::~Method() {
  for (uint32_t i = 0; i < n_delegates_; ++i) {
    delegates_[i].backend->destroy(delegates_[i].handle);
    delegates_[i].data.Free();
  }
  for (::wick::ExternalConstant* entry = external_constants_; entry != nullptr; entry = entry->next) {
    entry->data.Free();
  }
}

namespace {

bool same_text(std::string_view a, std::string_view b) {
  size_t i = 0;
  while (i < a.size() && i < b.size() && a[i] == b[i]) {
    ++i;
  }
  return i == a.size() && i == b.size();
}

/// Inputs that are no tensors were fixed by the exporter: the same value must be given. Doubles may differ a little.
/// Both values have the same type.
bool same_constant(const EValue& want, const EValue& got) {
  switch (want.tag) {
    case Tag::Bool:
      return want.payload.copyable_union.as_bool == got.payload.copyable_union.as_bool;
    case Tag::String:
      return same_text(want.toString(), got.toString());
    case Tag::Double:
    case Tag::Int:
      break;
    default:
      return false;
  }
  int64_t bits[2];
  std::memcpy(&bits[0], &want.payload, sizeof(bits[0]));
  std::memcpy(&bits[1], &got.payload, sizeof(bits[1]));
  if (bits[0] == bits[1]) {
    return true;
  }
  // In single precision: no core lacks the routines, and the tolerance is far above its rounding.
  const float a = want.tag == Tag::Double ? static_cast<float>(want.payload.copyable_union.as_double) : NAN;
  const float difference = a - static_cast<float>(got.payload.copyable_union.as_double);
  return std::fabs(difference) <= 1e-4f + 1e-5f * std::fabs(a);
}

}  // namespace

Error Method::set_input(const EValue& input_evalue, size_t input_idx) {
  if (!initialized() || chain_ != 0 || instruction_ != 0) {
    ET_LOG(Error, "inputs can be set after loading and between runs only");
    return Error::InvalidState;
  }
  if (input_idx >= n_inputs_) {
    ET_LOG(Error, "input %" ET_PRIsize_t " does not exist: the method has %" PRIu32, input_idx, n_inputs_);
    return Error::InvalidArgument;
  }
  EValue& value = *values_[input_idx];
  Error error = Error::InvalidArgument;
  if (value.isTensor() && input_evalue.isTensor()) {
    error = set_tensor_input(value.toTensor(), input_evalue.toTensor(), input_idx);
  } else if (value.isNone() && (input_evalue.isNone() || input_evalue.isScalar())) {
    value = input_evalue;  // the exporter declares a symbolic number as None
    error = Error::Ok;
  } else if (value.tag == input_evalue.tag && same_constant(value, input_evalue)) {
    error = Error::Ok;
  }
  if (error != Error::Ok) {
    ET_LOG(Error,
           "input %" ET_PRIsize_t
           " does not suit: it must have the declared type, and constants the exported "
           "value (declared type %d, given type %d)",
           input_idx, static_cast<int>(value.tag), static_cast<int>(input_evalue.tag));
    return error;
  }
  value_flags_[input_idx] |= kSet;
  return Error::Ok;
}

namespace {

/// Whether elements lie at the same places by both strides.
bool same_places(const Tensor& tensor, const int32_t* strides) {
  for (size_t d = 0; d < tensor.sizes().size(); ++d) {
    if (tensor.sizes()[d] > 1 && tensor.strides()[d] != strides[d]) {
      return false;
    }
  }
  return true;
}

/// Copies elements that lie elsewhere by other strides, to the target's places.
void copy_reordered(const Tensor& target, const void* source, const int32_t* strides) {
  const size_t width = static_cast<size_t>(target.element_size());
  const uint8_t* from = static_cast<const uint8_t*>(source);
  uint8_t* to = static_cast<uint8_t*>(target.mutable_data_ptr());
  ::wick::for_each_place(
      target.sizes().data(), target.sizes().size(), static_cast<size_t>(target.numel()), target.strides().data(),
      strides, [=](size_t to_at, size_t from_at) { std::memcpy(to + to_at * width, from + from_at * width, width); });
}

}  // namespace

Error Method::set_tensor_input(const Tensor& target, const Tensor& source, size_t input_idx) {
  (void)input_idx;
  if (target.scalar_type() != source.scalar_type()) {
    ET_LOG(Error, "input %" ET_PRIsize_t " has the wrong dtype: expected %d, got %d (ScalarType)", input_idx,
           static_cast<int>(target.scalar_type()), static_cast<int>(source.scalar_type()));
    return Error::InvalidArgument;
  }
  if (resize_tensor(target, source.sizes()) != Error::Ok) {
    ET_LOG(Error, "input %" ET_PRIsize_t " has a shape that the method does not take", input_idx);
    return Error::InvalidArgument;
  }
  int32_t strides[kTensorDimensionLimit];
  int32_t numel = 0;
  // Not dim_order(): a list that is null, for a contiguous tensor, fails its check in debug builds.
  const uint8_t* const order = source.unsafeGetTensorImpl()->dim_order_;
  if (!::wick::lay_out(source.sizes().data(), order, source.sizes().size(), strides, &numel)) {
    ET_LOG(Error, "input %" ET_PRIsize_t " has an impossible dim order", input_idx);
    return Error::InvalidArgument;
  }
  const bool same_order = numel == 0 || same_places(target, strides);
  const size_t bytes = target.nbytes();
  if ((value_flags_[input_idx] & kPlanned) == 0) {
    if (!same_order || (bytes != 0 && source.const_data_ptr() == nullptr)) {
      ET_LOG(Error,
             "input %" ET_PRIsize_t
             " is used in place, so it needs data, in the program's dim order: convert it, or "
             "export with planned inputs",
             input_idx);
      return Error::InvalidArgument;
    }
    target.unsafeGetTensorImpl()->set_data(source.mutable_data_ptr());
    return Error::Ok;
  }
  if (bytes == 0 || source.const_data_ptr() == nullptr) {
    return Error::Ok;  // without data, the input keeps what it holds
  }
  if (target.const_data_ptr() == nullptr) {
    ET_LOG(Error, "the program has freed the place of input %" ET_PRIsize_t, input_idx);
    return Error::InvalidArgument;
  }
  if (!same_order) {
    copy_reordered(target, source.const_data_ptr(), strides);
  } else if (target.const_data_ptr() != source.const_data_ptr()) {
    std::memcpy(target.mutable_data_ptr(), source.const_data_ptr(), bytes);
  }
  return Error::Ok;
}

Error Method::set_inputs(const executorch::aten::ArrayRef<EValue>& input_evalues) {
  if (!initialized() || input_evalues.size() != n_inputs_) {
    ET_LOG(Error, "the method takes %" PRIu32 " inputs, %" ET_PRIsize_t " were given", n_inputs_, input_evalues.size());
    return initialized() ? Error::InvalidArgument : Error::InvalidState;
  }
  for (size_t i = 0; i < n_inputs_; ++i) {
    Error error = set_input(input_evalues[i], i);
    if (error != Error::Ok) {
      return error;
    }
  }
  return Error::Ok;
}

Error Method::set_output_data_ptr(void* buffer, size_t size, size_t output_idx) {
  if (!initialized()) {
    return Error::InvalidState;
  }
  if (output_idx >= n_outputs_ || !values_[n_inputs_ + output_idx]->isTensor()) {
    ET_LOG(Error, "output %" ET_PRIsize_t " does not exist or is not a tensor (the method has %" PRIu32 " outputs)",
           output_idx, n_outputs_);
    return Error::InvalidArgument;
  }
  if ((value_flags_[n_inputs_ + output_idx] & kPlanned) != 0) {
    ET_LOG(Error,
           "output %" ET_PRIsize_t
           " is planned or constant: the program decides where it lies. Export with "
           "alloc_graph_output=False to bind your own buffer",
           output_idx);
    return Error::InvalidState;
  }
  const Tensor& tensor = values_[n_inputs_ + output_idx]->toTensor();
  if (tensor.nbytes() > size) {
    ET_LOG(Error, "output %" ET_PRIsize_t " needs %" ET_PRIsize_t " bytes, the buffer has %" ET_PRIsize_t, output_idx,
           tensor.nbytes(), size);
    return Error::InvalidArgument;
  }
  tensor.unsafeGetTensorImpl()->set_data(buffer);
  return Error::Ok;
}

Error Method::get_outputs(EValue* output_evalues, size_t length) {
  if (!initialized() || length < n_outputs_) {
    ET_LOG(Error, "an array of %" ET_PRIsize_t " values cannot take %" PRIu32 " outputs", length, n_outputs_);
    return initialized() ? Error::InvalidArgument : Error::InvalidState;
  }
  for (size_t i = 0; i < length; ++i) {
    output_evalues[i] = i < n_outputs_ ? *values_[n_inputs_ + i] : EValue();
  }
  return Error::Ok;
}

Error Method::get_inputs(EValue* input_evalues, size_t length) {
  if (!initialized() || length < n_inputs_) {
    ET_LOG(Error, "an array of %" ET_PRIsize_t " values cannot take %" PRIu32 " inputs", length, n_inputs_);
    return initialized() ? Error::InvalidArgument : Error::InvalidState;
  }
  for (size_t i = 0; i < length; ++i) {
    input_evalues[i] = i < n_inputs_ ? *values_[i] : EValue();
  }
  for (size_t i = 0; i < n_inputs_; ++i) {
    value_flags_[i] |= kSet;  // the caller may fill the tensors in place
  }
  return Error::Ok;
}

const EValue& Method::get_output(size_t i) const {
  ET_CHECK_MSG(i < n_outputs_, "no such output: %" ET_PRIsize_t " >= %" PRIu32, i, n_outputs_);
  return *values_[n_inputs_ + i];
}

EValue& Method::mutable_output(size_t i) {
  ET_CHECK_MSG(i < n_outputs_, "no such output: %" ET_PRIsize_t " >= %" PRIu32, i, n_outputs_);
  return *values_[n_inputs_ + i];
}

const EValue& Method::get_input(size_t i) const {
  ET_CHECK_MSG(i < n_inputs_, "no such input: %" ET_PRIsize_t " >= %" PRIu32, i, n_inputs_);
  value_flags_[i] |= kSet;
  return *values_[i];
}

EValue& Method::mutable_input(size_t i) {
  ET_CHECK_MSG(i < n_inputs_, "no such input: %" ET_PRIsize_t " >= %" PRIu32, i, n_inputs_);
  value_flags_[i] |= kSet;
  return *values_[i];
}

Result<Tensor> Method::get_attribute(std::string_view name) {
  for (::wick::NamedTensor* entry = attributes_; entry != nullptr; entry = entry->next) {
    if (name == entry->name) {
      return Tensor(entry->tensor);
    }
  }
  return Error::NotFound;
}

MethodMeta Method::method_meta() const {
  return MethodMeta(program_->program_data_.data(), static_cast<uint32_t>(program_->program_data_.size()), plan_);
}

namespace {

/// A branch is taken when the condition, a bool or a tensor of bools, is not true throughout.
Error is_true(const EValue& condition, bool* result) {
  if (condition.isBool()) {
    *result = condition.toBool();
    return Error::Ok;
  }
  if (!condition.isTensor() || condition.toTensor().scalar_type() != executorch::aten::ScalarType::Bool) {
    ET_LOG(Error, "the condition of a branch is neither a bool nor a tensor of bools");
    return Error::InvalidProgram;
  }
  const Tensor& tensor = condition.toTensor();
  const bool* items = tensor.const_data_ptr<bool>();
  *result = true;
  if (items == nullptr) {
    return Error::InvalidState;
  }
  for (ssize_t i = 0; i < tensor.numel() && *result; ++i) {
    *result = items[i];
  }
  return Error::Ok;
}

}  // namespace

#ifdef ET_EVENT_TRACER_ENABLED

/// The name of a call's event, as upstream has it: native_call_add.out. Room for it is the caller's.
const char* Method::event_name(char (&room)[kEventNameBytes]) const {
  if (event_tracer_ == nullptr ||
      event_tracer_->event_tracer_profiling_level() == EventTracerProfilingLevel::kProfileMethodOnly) {
    return "";
  }
  const char* name = nullptr;
  const char* overload = nullptr;
  find_operator_name(&name, &overload);
  if (name == nullptr) {
    return "OPERATOR_CALL";
  }
  const char* colons = std::strstr(name, "::");
  ::wick::format(room, sizeof(room), "native_call_%s.%s", colons == nullptr ? name : colons + 2,
                 overload == nullptr ? "" : overload);
  return room;
}

/// The tensors that a kernel wrote come last in its call.
void Method::log_results(Span<EValue*> args) {
  if (event_tracer_ == nullptr || args.empty() ||
      event_tracer_->event_tracer_debug_level() < EventTracerDebugLogLevel::kIntermediateOutputs) {
    return;
  }
  const ::wick::Operand last(args[args.size() - 1]);
  if (last.is_tensor()) {
    KernelRuntimeContext context;
    ::wick::TensorArgument tensor;
    last.to_tensor(context, tensor);
    EValue value(tensor.get());
    internal::event_tracer_log_evalue(event_tracer_, value);
  } else if (last.evalue() != nullptr && last.evalue()->isTensorList()) {
    internal::event_tracer_log_evalue(event_tracer_, *last.evalue());
  }
}

#endif

Error Method::run_call(const Instruction& instruction) {
  Span<EValue*> args(reinterpret_cast<EValue**>(operands_ + instruction.first()), instruction.count());
  Error error = Error::Ok;
  if (instruction.kind() == Instruction::kKernel) {
    KernelRuntimeContext context(event_tracer_, temp_allocator_);
#ifdef ET_EVENT_TRACER_ENABLED
    char room[kEventNameBytes];
    const char* name = event_name(room);
    {
      internal::EventTracerProfileOpScope scope(event_tracer_, name);
      instruction.function(context, args);
    }
    log_results(args);
#else
    instruction.function(context, args);
#endif
    error = context.failure_state();
  } else {
    internal::EventTracerProfileOpScope scope(event_tracer_, "DELEGATE_CALL");
    BackendExecutionContext context(event_tracer_, temp_allocator_, name_);
    error = instruction.delegate->backend->execute(context, instruction.delegate->handle, args);
#ifdef ET_EVENT_TRACER_ENABLED
    for (EValue* arg : args) {
      internal::event_tracer_log_evalue(event_tracer_, *arg);
    }
#endif
  }
  if (temp_allocator_ != nullptr) {
    temp_allocator_->reset();
  }
  return error;
}

Error Method::execute_instruction() {
  const ::wick::ChainRange& chain = chains_[chain_];
  const Instruction& instruction = instructions_[chain.first + instruction_];
  if (hook_ != nullptr &&
      !hook_(hook_context_, chain.first + instruction_, chains_[n_chains_ - 1].first + chains_[n_chains_ - 1].count)) {
    ET_LOG(Error, "the operator hook stopped the run before instruction %" PRIu32, chain.first + instruction_);
    return Error::InvalidState;
  }
  internal::EventTracerProfileInstructionScope scope(event_tracer_, static_cast<ChainID>(chain_), instruction_);
  EValue** args = reinterpret_cast<EValue**>(operands_ + instruction.first());
  uint32_t next = instruction_ + 1;
  Error error = Error::Ok;
  switch (instruction.kind()) {
    case Instruction::kMove:
      *args[1] = *args[0];
      break;
    case Instruction::kJumpFalse: {
      bool condition = true;
      error = is_true(*args[0], &condition);
      next = condition ? next : instruction.destination;
      break;
    }
    case Instruction::kFree:
      if (args[0]->isTensor()) {
        args[0]->toTensor().unsafeGetTensorImpl()->set_data(nullptr);
      } else {
        error = Error::InvalidType;
      }
      break;
    default:
      error = run_call(instruction);
      break;
  }
  if (error == Error::Ok) {
    instruction_ = next;
  } else {
    log_failure(error);
  }
  return error;
}

/// Finds the name of the operator that the current instruction calls: in the file, again, checked, for messages only.
/// Null for other instructions.
void Method::find_operator_name(const char** name, const char** overload) const {
  namespace pte = ::wick::pte;
  *name = nullptr;
  *overload = nullptr;
  pte::Buffer buffer(program_->program_data_.data(), program_->program_data_.size());
  pte::Table plan = buffer.table_at(plan_);
  pte::Vector chains = buffer.vector_field(plan, pte::plan::kChains, 4);
  pte::Vector operators = buffer.vector_field(plan, pte::plan::kOperators, 4);
  if (chain_ >= chains.count) {
    return;
  }
  pte::Vector list = buffer.vector_field(buffer.table_item(chains, chain_), pte::chain::kInstructions, 4);
  if (instruction_ >= list.count) {
    return;
  }
  pte::Table instruction = buffer.table_item(list, instruction_);
  uint32_t index = buffer.u32_field(buffer.table_field(instruction, pte::instruction::kArguments), pte::call::kIndex);
  if (buffer.u8_field(instruction, pte::instruction::kType) == pte::instruction::kKernelCall &&
      index < operators.count) {
    *name = buffer.string_field(buffer.table_item(operators, index), pte::op::kName);
    *overload = buffer.string_field(buffer.table_item(operators, index), pte::op::kOverload);
  }
}

/// Says where a run failed.
void Method::log_failure(Error error) const {
  (void)error;
#if ET_LOG_ENABLED
  const char* name = nullptr;
  const char* overload = nullptr;
  find_operator_name(&name, &overload);
  ET_LOG(Error, "instruction %" PRIu32 ":%" PRIu32 " (%s.%s) failed: 0x%" PRIx32, chain_, instruction_,
         name == nullptr ? "no kernel" : name, overload == nullptr ? "" : overload, static_cast<uint32_t>(error));
#endif
}

void Method::log_outputs() {
#ifdef ET_EVENT_TRACER_ENABLED
  if (event_tracer_ != nullptr &&
      event_tracer_->event_tracer_debug_level() >= EventTracerDebugLogLevel::kProgramOutputs) {
    for (size_t i = 0; i < n_outputs_; ++i) {
      internal::event_tracer_log_evalue_output(event_tracer_, get_output(i));
    }
  }
#endif
}

/// Kernels would write such an output to the address 0.
static bool lacks_memory(const EValue& value) {
  const Tensor& tensor = value.payload.as_tensor;
  return value.isTensor() && tensor.const_data_ptr() == nullptr && tensor.nbytes() != 0;
}

Error Method::execute() {
  internal::event_tracer_create_event_block(event_tracer_, "Execute");
  internal::EventTracerProfileMethodScope scope(event_tracer_, "Method::execute");
  if (!initialized() || running()) {
    ET_LOG(Error, "cannot execute: the method is not loaded, or step() is in the middle of it");
    return initialized() ? Error::InvalidState : Error::NotSupported;
  }
  for (uint32_t i = 0; i < n_inputs_ + n_outputs_; ++i) {
    const bool is_input = i < n_inputs_;
    if (is_input ? (value_flags_[i] & kSet) == 0 : lacks_memory(*values_[i])) {
      if (is_input) {
        ET_LOG(Error, "input %" PRIu32 " is not set", i);
      } else {
        ET_LOG(Error, "output %" PRIu32 " has no memory: call set_output_data_ptr()", i - n_inputs_);
      }
      return Error::InvalidArgument;
    }
  }
  if (temp_allocator_ != nullptr) {
    temp_allocator_->reset();
  }
  size_t left = instruction_limit_;
  Error error = Error::Ok;
  for (chain_ = 0; chain_ < n_chains_ && error == Error::Ok; ++chain_) {
    for (instruction_ = 0; instruction_ < chains_[chain_].count && error == Error::Ok;) {
      if (left-- == 0) {
        ET_LOG(Error, "stopped after %" ET_PRIsize_t " instructions: an endless loop? See set_instruction_limit()",
               instruction_limit_);
        error = Error::InvalidProgram;
        break;
      }
      error = execute_instruction();
    }
  }
  chain_ = 0;
  instruction_ = 0;
  if (error == Error::Ok) {
    log_outputs();
  }
  return error;
}

Error Method::step() { return run_step(); }
Error Method::experimental_step() { return run_step(); }
Error Method::reset_execution() { return rewind(); }
Error Method::experimental_reset_execution() { return rewind(); }

Error Method::run_step() {
  if (!initialized()) {
    return Error::InvalidState;
  }
  if (chain_ == n_chains_) {
    return Error::EndOfMethod;
  }
  if (chains_[chain_].count > 0) {
    internal::EventTracerProfileMethodScope scope(event_tracer_, "Method::step");
    Error error = execute_instruction();
    if (error != Error::Ok) {
      return error;
    }
  }
  if (instruction_ >= chains_[chain_].count) {
    instruction_ = 0;
    ++chain_;
    log_outputs();
  }
  return Error::Ok;
}

bool Method::in_progress() const { return running(); }

Error Method::rewind() {
  if (chain_ != n_chains_) {
    ET_LOG(Error, "cannot reset before the end of the method is reached");
    return Error::InvalidState;
  }
  chain_ = 0;
  instruction_ = 0;
  return Error::Ok;
}

}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch
