// SPDX-License-Identifier: BSD-3-Clause
//
// Compiles an execution plan into the records of a Method. Operators are resolved; a first walk over the instructions
// marks values that need a place of their own; a second one compiles them, and makes each value when it first meets it.
// Constants that are only read become operands without a slot. Everything in the file is checked here, once. The first
// error is kept (fail()), and later steps find nothing to do.
#pragma once

#include <executorch/runtime/executor/method.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/log.h>
#include <wick/memory_required.h>
#include <wick/optional_parts.h>

#include <cstring>

#include "src/pte/schema.h"
#include "src/runtime/executor/constants.h"
#include "src/runtime/executor/quick_operands.h"
#include "src/runtime/executor/records.h"
#include "src/runtime/executor/rehearsal.h"

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

// Plain functions, because calls through pointers to members are longer.
struct ForeignCalls {
  bool (*is_registered)(const MethodLoader& loader, const char* name, const char* overload);
  void (*bind_registered)(MethodLoader& loader, pte::Table op, Instruction* call);
  EValue* (*boxed_list)(MethodLoader& loader, uint8_t type, pte::Table content);
  void (*load_delegates)(MethodLoader& loader, const pte::Vector& delegates);
};

struct ExternalData {
  void* (*constant)(MethodLoader& loader, pte::Table tensor, const char* name, size_t nbytes);
  void (*initial_value)(MethodLoader& loader, pte::Table tensor, const char* name, size_t nbytes, void* data);
};

class MethodLoader {
 public:
  /// See memory_required().
  static Result<MemoryRequired> rehearse(const Program& program, const char* method_name, Span<uint8_t> workspace,
                                         Layout layout);
  void* rehearsed_place(pte::Table tensor, pte::Table extra);

  MethodLoader(Method& method, const Program::LoadRequest& request);

  Error load();

  // Calls to foreign code, an optional part (foreign_calls.cpp, delegates.cpp)
  bool is_registered(const char* name, const char* overload) const;
  void bind_registered(pte::Table op, Instruction* call);
  EValue* boxed_list(uint8_t type, pte::Table content);
  void load_delegates(const pte::Vector& delegates);
  // Data files, an optional part (external_data.cpp)
  void* external_constant(pte::Table tensor, const char* name, size_t nbytes);
  void external_initial_value(pte::Table tensor, const char* name, size_t nbytes, void* data);
  // Transposed constants, an optional part (constant_views.cpp)
  void view_constant(pte::Table call, Instruction* out);
  // Calls that take one dtype, an optional part (call_dtypes.cpp)
  void require_one_dtype(pte::Table call, Instruction* out);

 private:
  /// What map_ holds of a value without an operand so far: kUnmade, marks for any type (4) or numbers only (8), and
  /// those of constant_views.cpp (32, 64). No operand is so small and a multiple of 4.
  enum Mark : uintptr_t {
    kNeedsValue = 4,
    kMayBeWritten = 8,
    kUnmade = 16,
    kTouched = 32,
    kTouchedAgain = 64,
    kMarks = 127
  };
  static bool is_made(uintptr_t word) {
    constexpr unsigned kBits = sizeof(word) * 8;
    return (word >> 2 | word << (kBits - 2)) > kMarks / 4;
  }
  static constexpr unsigned kRecentShapes = 8;

  /// A shape made lately.
  struct RecentShape {
    const int32_t* sizes;  ///< in the file
    const uint8_t* order;  ///< likewise
    int32_t* shape;
    uint32_t key;  ///< elements * 32 + dimensions; sets most shapes apart
    bool is(const int32_t* other_sizes, const uint8_t* other_order, size_t rank) const;
  };

  /// How an entry of the plan's operator list is bound.
  struct Binding {
    OpFunction function;  ///< of wick's table; null: missing, unless registered
    bool registered;
    bool missing;  ///< and called
  };

  template <typename T>
  T* take(size_t count) {
    static_assert(sizeof(void*) != 4 || (sizeof(T) == Target<T>::kBytes && alignof(T) == Target<T>::kAlignment),
                  "the size of a record on 32-bit targets is another: see Target");
    count_target(count * Target<T>::kBytes, Target<T>::kAlignment);
    return static_cast<T*>(take_bytes(count, sizeof(T), alignof(T)));
  }
  /// A record with items behind it, and its size on a 32-bit target.
  template <typename T>
  T* take_with_items(size_t bytes, size_t target_bytes) {
    count_target(target_bytes, alignof(int32_t));
    return static_cast<T*>(take_bytes(bytes, 1, alignof(T)));
  }
  void* take_bytes(size_t count, size_t size, size_t alignment);

  bool rehearsing() const { return item_mask_ == 0; }
  /// The index to write item `i` of an array at: in a rehearsal the arrays have one item.
  uint32_t item(uint32_t i) const { return i & item_mask_; }
  /// Where records are laid out as on 32-bit targets anyway, there is nothing to do.
  void count_target(size_t bytes, size_t alignment) {
    if constexpr (sizeof(void*) != 4) {
      if (rehearsing()) {
        request_.rehearsal->add_target(bytes, alignment);
      }
    }
  }

  // Functions with one caller are inline where that is shorter.
  // Frame and operators (method_loader.cpp)
  void reserve_map();
  void resolve_operators();
  void report_missing();
  void load_delegates();
  // Walks (instruction_loader.cpp)
  void reserve_records();
  void walk(bool compile);
  uint32_t walk_list(unsigned field, uint32_t first, bool compile);
  /// An instruction in the file.
  struct Call {
    uint8_t type;
    pte::Table content;  ///< the KernelCall, MoveCall ...
    uint32_t index;      ///< of an operator, a delegate or the first value
    pte::Vector args;    ///< if they were read already
  };
  void walk_instruction(pte::Position reference, Instruction* out);
  void bind_call(Instruction* out, pte::Table call, uint32_t index, uint32_t destination);
  void bind_kernel(Instruction* out, pte::Table call, uint32_t index);
  /// The arguments that a call's kernel is given: wick's kernels do without the result's repetition at the end.
  uint32_t argument_count(const Binding& binding, const pte::Vector& args) const {
    const uint32_t n = args.count;
    const bool repeated = n > 1 && buffer_.i32_item(args, n - 1) == buffer_.i32_item(args, n - 2);
    return !binding.registered && repeated ? n - 1 : n;
  }
  // Values (value_loader.cpp)
  uintptr_t operand(uint32_t index);
  EValue* boxed(uint32_t index);
  EValue* new_value(uint32_t index, pte::Table content);
  EValue* box(uint32_t index, const EValue& content);
  uintptr_t tensor(uint32_t index, pte::Table content);
  void* tensor_data(pte::Table tensor, pte::Table extra, size_t nbytes);
  int32_t* shape_for(const int32_t* sizes, const int32_t* strides, const uint8_t* order, size_t rank, size_t strides_at,
                     uint32_t key);
  TensorImpl* tensor_impl(uint32_t index);
  // Usual values (quick_operands.cpp)
  bool quick_names(pte::Position reference, const char** name, const char** overload);
  bool quick_call(pte::Position reference, Call* call);
  uint32_t quick_operands(const uint32_t* values, uint32_t count, uintptr_t* out);
  uintptr_t quick_integer(const QuickFile& file, uintptr_t marks, pte::Position content);
  uintptr_t quick_double(const QuickFile& file, pte::Position content);
  uintptr_t quick_list(pte::Position content);
  uintptr_t quick_tensor(uintptr_t marks, pte::Position content);
  const RecentShape* recent_shape(const int32_t* sizes, const uint8_t* order, uint32_t rank) const;
  void* quick_place(pte::Position allocation, size_t nbytes);
  // Constants (constant_operands.cpp)
  uintptr_t integer(uint64_t index);
  uintptr_t new_integer(uint32_t index, pte::Table content);
  StringRecord* string(pte::Table content);
  uintptr_t wide_record(Record::Kind kind, uint64_t bits);
  uintptr_t flat_list(Record::Kind kind, const pte::Vector& items);
  uintptr_t int_list(const pte::Vector& items);
  IntListRecord* new_int_list(uint32_t count);
  uintptr_t tensor_list(Record::Kind kind, const pte::Vector& items);
  // Helpers of the optional parts
  template <typename T>
  executorch::runtime::BoxedEvalueList<T>* new_list(EValue*** items, uint32_t count);
  template <typename T>
  ArrayRef<T>* new_array(const void* items, uint32_t count);
  void load_delegate(const pte::Table& delegate, const NamedDataMap* data, LoadedDelegate* out);
  void rehearse_delegate(const pte::Table& delegate, const char* id);
  Error delegate_payload(const pte::Table& delegate, const char* id, FreeableBuffer* payload);
  Span<executorch::runtime::CompileSpec> compile_specs(const pte::Table& delegate);
  bool check_layout(pte::Table tensor, const char* name);
  void mark_uses(pte::Table first);
  void mark_use(uint32_t value);
  pte::Table tensor_table(uint32_t index);

  pte::Table value_table(uint32_t index) { return buffer_.table_item(values_, index); }
  uint8_t value_type(uint32_t index) { return buffer_.u8_field(value_table(index), pte::evalue::kType); }

  /// Goes to a value: type_ becomes its type. Returns its content.
  pte::Table look_at(uint32_t index);

  /// After an error the reader counts as bad: one flag to ask.
  bool ok() const { return !buffer_.bad(); }
  /// Keeps the first error, if it is one. Returns null, the operand of nothing.
  std::nullptr_t fail(Error error);
  uintptr_t corrupt(const char* what) {
    (void)what;
    ET_LOG(Error, "corrupt program: %s", what);
    return reinterpret_cast<uintptr_t>(static_cast<void*>(fail(Error::InvalidProgram)));
  }

  pte::Buffer buffer_;  // first, so that its address is the loader's: most calls pass it
  Error error_ = Error::Ok;
  Method& method_;
  const Program& program_;
  const Program::LoadRequest& request_;
  MemoryAllocator* pool_;
  const ForeignCalls* foreign_;

  pte::Table plan_;
  pte::Vector values_;
  pte::Vector chains_;
  pte::Vector operators_;
  Constants constants_;

  uintptr_t* map_ = nullptr;     ///< per value: its operand, or a Mark
  Binding* bindings_ = nullptr;  ///< per operator
  uint32_t item_mask_;           ///< see item()
  uint8_t type_;                 ///< of the value that look_at() went to
  // The directory of the value before, where no directory is at first, and where it puts the fields.
  pte::Position value_directory_ = 1;
  uint32_t type_offset_ = 0;
  uint32_t content_offset_ = 0;
  QuickState quick_;
  uint32_t n_operands_ = 0;
  uint32_t n_instructions_ = 0;
  uint32_t chain_count_ = 0;  ///< instructions of the chain being walked
  RecentShape recent_shapes_[kRecentShapes];
  unsigned n_shapes_ = 0;     ///< made so far; the last kRecentShapes are kept
  bool marked_uses_ = false;  ///< see constant_views.cpp
};

inline bool MethodLoader::RecentShape::is(const int32_t* other_sizes, const uint8_t* other_order, size_t rank) const {
  for (size_t i = 0; i < rank; ++i) {
    if (sizes[i] != other_sizes[i] || order[i] != other_order[i]) {
      return false;
    }
  }
  return true;
}

/// A shape's arrays (see Shape). `key` tells most shapes apart; 0: not to be shared with a recent tensor of this shape.
inline int32_t* MethodLoader::shape_for(const int32_t* sizes, const int32_t* strides, const uint8_t* order, size_t rank,
                                        size_t strides_at, uint32_t key) {
  if (key != 0) {
    for (unsigned i = 0; i < kRecentShapes && i < n_shapes_; ++i) {
      const RecentShape& known = recent_shapes_[i];
      if (known.key == key && known.is(sizes, order, rank)) {
        return known.shape;
      }
    }
  }
  const size_t bytes = Shape::bytes(rank, strides_at);
  int32_t* shape = take_with_items<int32_t>(bytes, bytes);
  if (shape == nullptr) {
    return nullptr;
  }
  std::memcpy(shape, sizes, rank * sizeof(int32_t));
  std::memcpy(shape + strides_at, strides, rank * sizeof(int32_t));
  std::memcpy(shape + strides_at + rank, order, rank);
  if (key != 0) {
    recent_shapes_[n_shapes_++ % kRecentShapes] = {sizes, order, shape, key};
  }
  return shape;
}

inline IntListRecord* MethodLoader::new_int_list(uint32_t count) {
  auto* record = take_with_items<IntListRecord>(sizeof(IntListRecord) + count * sizeof(uintptr_t),
                                                Target<IntListRecord>::kBytes + count * size_t{4});
  if (record != nullptr) {
    record->header = {Record::kIntList, 0, static_cast<uint16_t>(count)};
  }
  return record;
}

}  // namespace wick
