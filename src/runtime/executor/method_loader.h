// SPDX-License-Identifier: BSD-3-Clause
//
// Compiles an execution plan into the records of a Method. Four passes: operators are resolved; values that need a
// place of their own are marked; tensors and such values are created; instructions are compiled. Constants that are
// only read become operands without a slot. Everything in the file is checked here, once.
#pragma once

#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/log.h>
#include <wick/optional_parts.h>

#include "src/pte/schema.h"
#include "src/runtime/executor/constants.h"
#include "src/runtime/executor/records.h"

namespace wick {

using executorch::runtime::DelegateHandle;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::Kernel;
using executorch::runtime::LoadBackendOptionsMap;
using executorch::runtime::MemoryAllocator;
using executorch::runtime::Method;
using executorch::runtime::NamedDataMap;
using executorch::runtime::OpFunction;
using executorch::runtime::Program;
using executorch::runtime::Result;
using executorch::runtime::Span;

class MethodLoader;

struct ForeignCalls {
  bool (MethodLoader::*is_registered)(const char* name, const char* overload) const;
  Error (MethodLoader::*bind_registered)(const pte::Table& op, uint32_t first, uint32_t count, OpFunction* function);
  Error (MethodLoader::*boxed_list)(uint8_t type, const pte::Table& content, EValue** out);
  Error (MethodLoader::*load_delegates)(const pte::Vector& delegates);
  Error (MethodLoader::*compile_delegate_call)(const pte::Table& call, Instruction* out);
};

struct ExternalData {
  Error (MethodLoader::*constant)(const pte::Table& tensor, const char* name, size_t nbytes, void** data);
  Error (MethodLoader::*initial_value)(const pte::Table& tensor, const char* name, size_t nbytes, void* data);
};

class MethodLoader {
 public:
  MethodLoader(Method& method, const NamedDataMap* data_map, const LoadBackendOptionsMap* backend_options,
               Span<const Kernel> kernels, const ForeignCalls* foreign, const ExternalData* external);

  Error load();

  // Calls to foreign code, an optional part (foreign_calls.cpp, delegates.cpp)
  bool is_registered(const char* name, const char* overload) const;
  Error bind_registered(const pte::Table& op, uint32_t first, uint32_t count, OpFunction* function);
  Error boxed_list(uint8_t type, const pte::Table& content, EValue** out);
  Error load_delegates(const pte::Vector& delegates);
  Error compile_delegate_call(const pte::Table& call, Instruction* out);
  // Data files, an optional part (external_data.cpp)
  Error external_constant(const pte::Table& tensor, const char* name, size_t nbytes, void** data);
  Error external_initial_value(const pte::Table& tensor, const char* name, size_t nbytes, void* data);

 private:
  /// Marks in map_ of values that do not have an operand yet.
  enum Mark : uintptr_t { kNeedsValue = 4, kMayBeWritten = 8, kLastMark = 15 };
  static constexpr unsigned kRecentShapes = 8;

  /// How an entry of the plan's operator list is bound.
  struct Binding {
    OpFunction function;  ///< of wick's table
    enum Kind : uint8_t { kTable, kRegistry, kMissing } kind;
    bool used;
  };

  template <typename T>
  T* take(size_t count) {
    return static_cast<T*>(take_bytes(count, sizeof(T), alignof(T)));
  }
  void* take_bytes(size_t count, size_t size, size_t alignment);

  // Pass 1 and 2 (method_loader.cpp)
  Error reserve_map();
  Error resolve_operators();
  Error mark_values();
  Error mark(uint32_t index, uintptr_t marks);
  Error mark_instruction(const pte::Table& instruction);
  uint32_t argument_count(const Binding& binding, const pte::Vector& args) const;
  Error report_missing() const;
  // Pass 3 (value_loader.cpp)
  Error create_values();
  Error create_value(uint32_t index);
  Error create_tensor(uint32_t index, const pte::Table& tensor);
  Error tensor_data(const pte::Table& tensor, const pte::Table& extra, size_t nbytes, void** data);
  int32_t* shape_for(const pte::Vector& sizes, const pte::Vector& order, bool shared);
  EValue* new_value(uint32_t index);
  static void to_evalue(Operand operand, EValue* slot);
  TensorImpl* tensor_impl(uint32_t index);
  // Pass 4 (instruction_loader.cpp)
  Error compile();
  Error compile_instruction(const pte::Table& instruction, Instruction* out);
  Error compile_kernel_call(const pte::Table& call, Instruction* out);
  Error bind_inputs_and_outputs();
  Error boxed(uint32_t index, uintptr_t* out);
  Error boxed_scalar(uint32_t index, EValue** out);
  // Constants as operands (constant_operands.cpp)
  Error operand(uint32_t index, uintptr_t* out);
  Error constant(uint32_t index, uintptr_t* out);
  Error string(const pte::Table& content, uintptr_t* out);
  Error wide_record(Record::Kind kind, uint64_t bits, uintptr_t* out);
  Error flat_list(Record::Kind kind, pte::Position at, uint32_t count, uintptr_t* out);
  Error int_operand(uint64_t index, uintptr_t* out);
  Error int_list(const pte::Vector& items, uintptr_t* out);
  IntListRecord* new_int_list(uint32_t count);
  Error tensor_list(Record::Kind kind, const pte::Vector& items, uintptr_t* out);
  // Helpers of the optional parts
  Error load_delegate(const pte::Table& delegate, const NamedDataMap* data, LoadedDelegate* out);
  Error delegate_payload(const pte::Table& delegate, const char* id, FreeableBuffer* payload);
  Error compile_specs(const pte::Table& delegate, Span<executorch::runtime::CompileSpec>* specs);
  Error check_layout(const pte::Table& tensor, const char* name);

  pte::Table value_table(uint32_t index) { return buffer_.table_item(values_, index); }
  uint8_t value_type(uint32_t index) { return buffer_.u8_field(value_table(index), pte::evalue::kType); }
  static Error corrupt(const char* what) {
    (void)what;
    ET_LOG(Error, "corrupt program: %s", what);
    return Error::InvalidProgram;
  }
  static Error no_memory() { return Error::MemoryAllocationFailed; }

  pte::Buffer buffer_;  // first, so that its address is the loader's: most calls pass it
  Method& method_;
  const Program& program_;
  MemoryAllocator* pool_;
  const NamedDataMap* data_map_;
  const LoadBackendOptionsMap* backend_options_;
  Span<const Kernel> kernels_;
  const ForeignCalls* foreign_;
  const ExternalData* external_;

  pte::Table plan_;
  pte::Vector values_;
  pte::Vector chains_;
  Constants constants_;

  uintptr_t* map_ = nullptr;     ///< per value: its operand, marks, or 0
  Binding* bindings_ = nullptr;  ///< per operator
  pte::Vector operators_;
  uint32_t n_operands_ = 0;
  uint32_t n_instructions_ = 0;
  uint32_t chain_count_ = 0;  ///< instructions of the chain being compiled
  int32_t* recent_shapes_[kRecentShapes] = {};
  uint8_t recent_ranks_[kRecentShapes] = {};
  unsigned next_shape_ = 0;
};

}  // namespace wick
