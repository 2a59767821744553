// SPDX-License-Identifier: BSD-3-Clause
//
// A loaded method: the program's calls compiled into compact records, ready to run. All checks of the file happen in
// Program::load_method; execute() trusts only the records, never the file again.
//
//   Result<Method> method = program->load_method("forward", &memory);
//   Error error = method->set_input(EValue(tensor), 0);  error = method->execute();
//   const EValue& result = method->get_output(0);
#pragma once

#include <cstdint>
#include <string_view>

#include <executorch/runtime/backend/backend_options_map.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/event_tracer.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/executor/memory_manager.h>
#include <executorch/runtime/executor/merged_data_map.h>
#include <executorch/runtime/executor/method_meta.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <executorch/runtime/platform/compiler.h>

/// How many instructions one execute() may run before it is taken for an endless loop.
#ifndef ET_MAX_INSTRUCTIONS
#define ET_MAX_INSTRUCTIONS 10000000
#endif

namespace wick {
class MethodLoader;
struct Instruction;
struct ChainRange;
struct NamedTensor;
struct ExternalConstant;
struct LoadedDelegate;
}  // namespace wick

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {

class Program;
class KernelRuntimeContext;

/// A boxed kernel.
using OpFunction = void (*)(KernelRuntimeContext&, Span<EValue*>);
/// The arguments of one call.
using InstructionArgs = Span<EValue*>;

class Method final {
 public:
  Method(Method&& other) noexcept;
  ~Method();

  /// Gives input `input_idx` its value. Planned inputs are copied (and converted if the dim order differs), others are
  /// aliased and must then have the program's dim order. Errors: InvalidArgument (index, type, dtype, shape, dim order,
  /// a constant input that differs from the exported value), InvalidState (not loaded, or in the middle of a run).
  ET_NODISCARD Error set_input(const EValue& input_evalue, size_t input_idx);
  ET_NODISCARD Error set_inputs(const executorch::aten::ArrayRef<EValue>& input_evalues);
  /// Lets output `output_idx` be written to the caller's buffer of `size` bytes. Errors: InvalidState if the program
  /// plans the output's place itself, InvalidArgument (index, not a tensor, too small).
  ET_NODISCARD Error set_output_data_ptr(void* buffer, size_t size, size_t output_idx);
  /// Copies the outputs to an array of `length` values; surplus entries become None.
  ET_NODISCARD Error get_outputs(EValue* output_evalues, size_t length);
  ET_DEPRECATED ET_NODISCARD Error get_inputs(EValue* input_evalues, size_t length);
  /// A named tensor of the method (a buffer with state, an external weight). Errors: NotFound.
  ET_NODISCARD Result<executorch::aten::Tensor> get_attribute(std::string_view name);

  /// Runs the method from start to end. Errors: InvalidArgument (an input is not set), InvalidState (a run by step() is
  /// in progress), InvalidProgram (instruction limit), and whatever a kernel or delegate reports.
  ET_NODISCARD Error execute();
  /// Runs one instruction; EndOfMethod when there is none left.
  ET_EXPERIMENTAL ET_NODISCARD Error step();
  ET_DEPRECATED ET_NODISCARD Error experimental_step();
  ET_EXPERIMENTAL ET_NODISCARD bool in_progress() const;
  /// Prepares for the next run after step() has reached the end. Errors: InvalidState if it has not.
  ET_EXPERIMENTAL ET_NODISCARD Error reset_execution();
  ET_DEPRECATED ET_NODISCARD Error experimental_reset_execution();

  MethodMeta method_meta() const;
  size_t inputs_size() const { return n_inputs_; }
  size_t outputs_size() const { return n_outputs_; }
  const EValue& get_output(size_t i) const;
  /// The tracer of load_method(); null in an image without tracing.
  EventTracer* get_event_tracer() { return event_tracer_; }
  ET_DEPRECATED const EValue& get_input(size_t i) const;
  ET_DEPRECATED EValue& mutable_input(size_t i);
  ET_DEPRECATED EValue& mutable_output(size_t i);

  /// wick: the most instructions that one execute() may run (default ET_MAX_INSTRUCTIONS).
  void set_instruction_limit(size_t limit) { instruction_limit_ = limit; }

  /// wick: an input as it is; unlike get_input() this does not count as setting it. `i` < inputs_size().
  const EValue& peek_input(size_t i) const { return *values_[i]; }
  /// wick: notes that an input was filled in place.
  void mark_input(size_t i) { value_flags_[i] |= kSet; }
  /// wick: whether the program decides where an input's or output's data lies (no buffer can be bound then).
  bool plans_input(size_t i) const { return (value_flags_[i] & kPlanned) != 0; }
  bool plans_output(size_t i) const { return (value_flags_[n_inputs_ + i] & kPlanned) != 0; }

  /// wick: called before each instruction with its index and the number of instructions; false stops the run with
  /// Error::InvalidState, and the next run starts afresh. For a watchdog, a scheduler, a cancel button.
  using OperatorHook = bool (*)(void* context, size_t index, size_t count);
  void set_operator_hook(OperatorHook hook, void* context) {
    hook_ = hook;
    hook_context_ = context;
  }

 private:
  friend class Program;
  friend class ::wick::MethodLoader;

  enum class InitializationState : uint8_t { Uninitialized, Initialized, InitializationFailed };
  enum InputFlags : uint8_t { kPlanned = 1, kSet = 2 };

  Method(const Program* program, MemoryManager* memory_manager, EventTracer* event_tracer, uint32_t plan)
      : program_(program),
        memory_manager_(memory_manager),
        temp_allocator_(memory_manager->temp_allocator()),
        event_tracer_(event_tracer),
        plan_(plan) {}
  Method(const Method&) = delete;
  Method& operator=(const Method&) noexcept = delete;
  Method& operator=(Method&&) = delete;

  bool initialized() const { return init_state_ == InitializationState::Initialized; }
  Error set_tensor_input(const executorch::aten::Tensor& target, const executorch::aten::Tensor& source,
                         size_t input_idx);
  bool running() const { return (chain_ != 0 || instruction_ != 0) && chain_ < n_chains_; }
  Error run_step();
  Error rewind();
  Error execute_instruction();
  Error run_call(const ::wick::Instruction& instruction);
  void log_outputs();
  void log_failure(Error error) const;
  void find_operator_name(const char** name, const char** overload) const;
  // With event tracing only.
  static constexpr size_t kEventNameBytes = 64;
  const char* event_name(char (&room)[kEventNameBytes]) const;
  void log_results(Span<EValue*> args);

  const Program* program_;
  MemoryManager* memory_manager_;
  MemoryAllocator* temp_allocator_;
  EventTracer* event_tracer_;
  uint32_t plan_;  ///< position of the execution plan in the program

  ::wick::ChainRange* chains_ = nullptr;
  ::wick::Instruction* instructions_ = nullptr;  ///< of all chains, one after the other
  uintptr_t* operands_ = nullptr;                ///< of all instructions
  EValue** values_ = nullptr;                    ///< inputs, then outputs
  uint8_t* value_flags_ = nullptr;               ///< InputFlags of inputs, then outputs
  ::wick::LoadedDelegate* delegates_ = nullptr;
  ::wick::NamedTensor* attributes_ = nullptr;
  ::wick::ExternalConstant* external_constants_ = nullptr;
  const char* name_ = nullptr;  ///< in the file, for delegates; null without
  uint32_t n_inputs_ = 0;
  uint32_t n_outputs_ = 0;
  uint32_t n_chains_ = 0;
  uint32_t n_delegates_ = 0;

  uint32_t chain_ = 0;        ///< of the next instruction
  uint32_t instruction_ = 0;  ///< within its chain
  size_t instruction_limit_ = ET_MAX_INSTRUCTIONS;
  OperatorHook hook_ = nullptr;
  void* hook_context_ = nullptr;
  InitializationState init_state_ = InitializationState::Uninitialized;
};

}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch

namespace torch {
namespace executor {
using ::executorch::ET_RUNTIME_NAMESPACE::Method;
}  // namespace executor
}  // namespace torch
