// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's fourth pass: delegates, instructions and their operands; constants become operands here.
#include <cstring>
#include <new>

#include <executorch/runtime/backend/interface.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/platform/log.h>

#include "src/runtime/executor/method_loader.h"

namespace wick {

using executorch::runtime::CompileSpec;

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
      return compile_delegate_call(call, out);
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
    return bind_registered(buffer_.table_item(operators_, op_index), first, count, &out->function);
  }
  // Ask the kernel whether it takes that many arguments: a program of another exporter generation fails here, by name.
  executorch::runtime::KernelRuntimeContext question;
  out->function(question, Span<EValue*>(nullptr, count));
  if (question.failure_state() != Error::Ok) {
    ET_LOG(Error, "operator '%s' is called with %" PRIu32 " arguments, which this runtime's kernel does not take: the "
           "program was made for another version of the operator; export it again",
           buffer_.string_field(buffer_.table_item(operators_, op_index), pte::op::kName), count);
    return Error::InvalidProgram;
  }
  return Error::Ok;
}

Error MethodLoader::compile_delegate_call(const pte::Table& call, Instruction* out) {
  pte::Vector args = buffer_.vector_field(call, pte::call::kArgs, 4);
  uint32_t index = buffer_.u32_field(call, pte::call::kIndex);
  if (index >= method_.n_delegates_) {
    return corrupt("the index of a delegate is out of range");
  }
  out->delegate = &method_.delegates_[index];
  out->packed = Instruction::pack(Instruction::kDelegate, args.count, n_operands_);
  for (uint32_t i = 0; i < args.count; ++i) {
    Error error = boxed(static_cast<uint32_t>(buffer_.i32_item(args, i)), &method_.operands_[n_operands_++]);
    if (error != Error::Ok) {
      return error;
    }
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
    pte::Table value = value_table(index);
    pte::Table tensor = buffer_.table_field(value, pte::evalue::kValue);
    bool planned = buffer_.u8_field(value, pte::evalue::kType) == pte::evalue::kTensor &&
                   (buffer_.field(tensor, pte::tensor::kAllocationInfo) != 0 ||
                    buffer_.u32_field(tensor, pte::tensor::kDataBufferIndex) != 0);
    method_.values_[i] = reinterpret_cast<EValue*>(word);
    method_.value_flags_[i] = planned ? Method::kPlanned : 0;
  }
  method_.n_inputs_ = inputs.count;
  method_.n_outputs_ = outputs.count;
  return Error::Ok;
}

/// The operand of a value in a call of one of wick's kernels.
Error MethodLoader::operand(uint32_t index, uintptr_t* out) {
  if (index >= values_.count) {
    return corrupt("the index of an argument is out of range");
  }
  if (map_[index] <= kLastMark) {
    Error error = constant(index, &map_[index]);
    if (error != Error::Ok) {
      return error;
    }
  }
  *out = map_[index];
  return Error::Ok;
}

Error MethodLoader::wide_record(Record::Kind kind, uint64_t bits, uintptr_t* out) {
  auto* record = take<WideRecord>(1);
  if (record == nullptr) {
    return no_memory();
  }
  *record = {{kind, 0, 0}, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)}};
  *out = Operand::of_record(record).bits();
  return Error::Ok;
}

Error MethodLoader::flat_list(Record::Kind kind, const void* data, uint32_t count, uintptr_t* out) {
  auto* record = take<ListRecord>(1);
  if (record == nullptr) {
    return no_memory();
  }
  *record = {{kind, 0, 0}, data, count};
  *out = Operand::of_record(record).bits();
  return Error::Ok;
}

Error MethodLoader::constant(uint32_t index, uintptr_t* out) {
  pte::Table value = value_table(index);
  pte::Table content = buffer_.table_field(value, pte::evalue::kValue);
  switch (buffer_.u8_field(value, pte::evalue::kType)) {
    case pte::evalue::kNull:
      *out = Operand::of_immediate(Operand::kNone, 0).bits();
      return Error::Ok;
    case pte::evalue::kBool:
      *out = Operand::of_immediate(Operand::kBool, buffer_.u8_field(content, pte::evalue::kContent) != 0).bits();
      return Error::Ok;
    case pte::evalue::kInt: {
      uint64_t bits = buffer_.u64_field(content, pte::evalue::kContent);
      int64_t number = static_cast<int64_t>(bits);
      if (number > Operand::kMaxInt || number < -Operand::kMaxInt) {
        return wide_record(Record::kInt, bits, out);
      }
      *out = Operand::of_int(static_cast<int32_t>(number)).bits();
      return Error::Ok;
    }
    case pte::evalue::kDouble:
      return wide_record(Record::kDouble, buffer_.u64_field(content, pte::evalue::kContent), out);
    case pte::evalue::kString: {
      uint32_t length = 0;
      const char* text = buffer_.string_field(content, pte::evalue::kContent, &length);
      return text == nullptr ? corrupt("a string is missing") : flat_list(Record::kString, text, length, out);
    }
    case pte::evalue::kIntList:
      return int_list(buffer_.vector_field(content, pte::evalue::kContent, 8), out);
    case pte::evalue::kBoolList: {
      pte::Vector items = buffer_.vector_field(content, pte::evalue::kContent, 1);
      return flat_list(Record::kBoolList, buffer_.bytes(items.at), items.count, out);
    }
    case pte::evalue::kDoubleList: {
      pte::Vector items = buffer_.vector_field(content, pte::evalue::kContent, 8);
      return flat_list(Record::kDoubleList, buffer_.bytes(items.at), items.count, out);
    }
    case pte::evalue::kTensorList:
      return tensor_list(Record::kTensorList, buffer_.vector_field(content, pte::evalue::kContent, 4), out);
    case pte::evalue::kOptionalTensorList:
      return tensor_list(Record::kOptionalTensorList, buffer_.vector_field(content, pte::evalue::kContent, 4), out);
    default:
      return corrupt("an argument of an unknown type");
  }
}

/// Items are indices of values. Short lists of small constants fit the operand itself; others become a record of
/// 32-bit or 64-bit numbers, or of operands if an item is computed at run time.
Error MethodLoader::int_list(const pte::Vector& items, uintptr_t* out) {
  Record::ItemKind kind = Record::kInt32Items;
  bool is_short = items.count <= Operand::kMaxShortList;
  uint32_t packed = items.count;
  if (items.count > UINT16_MAX) {
    return corrupt("a list is too long");
  }
  for (uint32_t i = 0; i < items.count; ++i) {
    uint64_t index = buffer_.u64_item(items, i);
    if (index >= values_.count) {
      return corrupt("the index of a list's item is out of range");
    }
    uintptr_t word = map_[index];
    if (word > kLastMark && (word & Operand::kTagMask) == Operand::kEValue) {
      kind = Record::kOperandItems;
      is_short = false;
      continue;
    }
    pte::Table value = value_table(static_cast<uint32_t>(index));
    if (buffer_.u8_field(value, pte::evalue::kType) != pte::evalue::kInt) {
      return corrupt("an item of a list of integers is not an integer");
    }
    int64_t number = static_cast<int64_t>(
        buffer_.u64_field(buffer_.table_field(value, pte::evalue::kValue), pte::evalue::kContent));
    if (number != static_cast<int32_t>(number) && kind == Record::kInt32Items) {
      kind = Record::kInt64Items;
    }
    is_short = is_short && number >= -32 && number < 32;
    packed |= (static_cast<uint32_t>(number) & 63) << (3 + 6 * (i & 3));
  }
  if (is_short) {
    *out = Operand::of_immediate(Operand::kShortList, packed).bits();
    return Error::Ok;
  }
  const size_t width = kind == Record::kInt32Items ? 4 : kind == Record::kInt64Items ? 8 : sizeof(uintptr_t);
  auto* record = static_cast<Record*>(
      pool_->allocate(sizeof(Record) + (width == 8 ? 4 : 0) + items.count * width, width == 8 ? 8 : alignof(uintptr_t)));
  if (record == nullptr) {
    return no_memory();
  }
  *record = {Record::kIntList, kind, static_cast<uint16_t>(items.count)};
  *out = Operand::of_record(record).bits();
  uint8_t* first = reinterpret_cast<uint8_t*>(record) + (width == 8 ? 8 : 4);
  for (uint32_t i = 0; i < items.count; ++i) {
    uint32_t index = static_cast<uint32_t>(buffer_.u64_item(items, i));
    if (kind == Record::kOperandItems) {
      Error error = operand(index, reinterpret_cast<uintptr_t*>(first) + i);
      if (error != Error::Ok) {
        return error;
      }
      continue;
    }
    uint64_t number = buffer_.u64_field(buffer_.table_field(value_table(index), pte::evalue::kValue),
                                        pte::evalue::kContent);
    std::memcpy(first + i * width, &number, width);  // little-endian: the low half is the 32-bit number
  }
  return Error::Ok;
}

/// The record holds an operand per item and, behind them, room for the list as kernels see it.
Error MethodLoader::tensor_list(Record::Kind kind, const pte::Vector& items, uintptr_t* out) {
  const size_t item_size = kind == Record::kTensorList ? sizeof(Tensor) : sizeof(std::optional<Tensor>);
  if (items.count > UINT16_MAX) {
    return corrupt("a list is too long");
  }
  auto* record = static_cast<ListRecord*>(
      pool_->allocate(sizeof(ListRecord) + items.count * (sizeof(uintptr_t) + item_size), alignof(ListRecord)));
  if (record == nullptr) {
    return no_memory();
  }
  uintptr_t* operands = reinterpret_cast<uintptr_t*>(record + 1);
  *record = {{kind, 0, 0}, operands + items.count, items.count};
  *out = Operand::of_record(record).bits();
  for (uint32_t i = 0; i < items.count; ++i) {
    int32_t index = buffer_.i32_item(items, i);
    if (index == -1 && kind == Record::kOptionalTensorList) {
      operands[i] = Operand::of_immediate(Operand::kNone, 0).bits();
      continue;
    }
    if (static_cast<uint32_t>(index) >= values_.count ||
        value_type(static_cast<uint32_t>(index)) != pte::evalue::kTensor) {
      return corrupt("an item of a list of tensors is not a tensor");
    }
    TensorImpl* impl = tensor_impl(static_cast<uint32_t>(index));
    if (impl == nullptr) {
      return no_memory();
    }
    operands[i] = map_[index];
  }
  return Error::Ok;
}

Error MethodLoader::load_delegates() {
  pte::Vector delegates = buffer_.vector_field(plan_, pte::plan::kDelegates, 4);
  if (delegates.count == 0) {
    return Error::Ok;
  }
  method_.delegates_ = take<LoadedDelegate>(delegates.count);
  if (method_.delegates_ == nullptr) {
    return no_memory();
  }
  const NamedDataMap* data = external_data_;
  Result<const NamedDataMap*> own = program_.get_named_data_map();
  if (own.ok() && external_data_ != nullptr) {
    auto merged = executorch::runtime::internal::MergedDataMap::load(external_data_, own.get());
    auto* place = take<executorch::runtime::internal::MergedDataMap>(1);
    if (!merged.ok() || place == nullptr) {
      return merged.ok() ? no_memory() : merged.error();
    }
    method_.merged_data_map_ = new (place) executorch::runtime::internal::MergedDataMap(std::move(merged.get()));
    data = place;
  } else if (own.ok()) {
    data = own.get();
  }
  const NamedDataMap* external = external_data_;
  external_data_ = data;
  for (uint32_t i = 0; i < delegates.count; ++i) {
    Error error = load_delegate(buffer_.table_item(delegates, i), &method_.delegates_[i]);
    if (error != Error::Ok) {
      return error;
    }
    method_.n_delegates_ = i + 1;
  }
  external_data_ = external;
  return Error::Ok;
}

Error MethodLoader::load_delegate(const pte::Table& delegate, LoadedDelegate* out) {
  const char* id = buffer_.string_field(delegate, pte::delegate::kId);
  if (id == nullptr) {
    return corrupt("a delegate without a name");
  }
  executorch::runtime::BackendInterface* backend = executorch::runtime::get_backend_class(id);
  if (backend == nullptr || !backend->is_available()) {
    ET_LOG(Error, "the program needs the backend '%s', which is not %s: link its library, or export without it", id,
           backend == nullptr ? "linked" : "available");
    return Error::NotFound;
  }
  pte::Table processed = buffer_.table_field(delegate, pte::delegate::kProcessed);
  uint32_t index = buffer_.u32_field(processed, pte::delegate::kIndex);
  Error error = Error::Ok;
  if (buffer_.u8_field(processed, pte::delegate::kLocation) == pte::delegate::kInline) {
    const void* data = nullptr;
    size_t size = 0;
    error = program_.get_backend_delegate_data(index, &data, &size);
    new (&out->data) FreeableBuffer(data, size, nullptr);
  } else {
    Result<FreeableBuffer> segment = program_.LoadSegment(executorch::runtime::DataLoader::SegmentInfo(
        executorch::runtime::DataLoader::SegmentInfo::Type::Backend, index, id));
    error = segment.error();
    if (error == Error::Ok) {
      new (&out->data) FreeableBuffer(std::move(segment.get()));
    }
  }
  if (error != Error::Ok) {
    return error;
  }
  pte::Vector specs = buffer_.vector_field(delegate, pte::delegate::kCompileSpecs, 4);
  auto* compile_specs = take<CompileSpec>(specs.count);
  if (compile_specs == nullptr) {
    out->data.Free();
    return no_memory();
  }
  for (uint32_t i = 0; i < specs.count; ++i) {
    pte::Table spec = buffer_.table_item(specs, i);
    pte::Vector value = buffer_.vector_field(spec, pte::delegate::kSpecValue, 1);
    compile_specs[i].key = buffer_.string_field(spec, pte::delegate::kSpecKey);
    compile_specs[i].value = {const_cast<uint8_t*>(buffer_.bytes(value.at)), value.count};
    if (compile_specs[i].key == nullptr || buffer_.bad()) {
      out->data.Free();
      return corrupt("a delegate's compile spec is broken");
    }
  }
  executorch::runtime::BackendInitContext context(
      pool_, method_.event_tracer_, buffer_.string_field(plan_, pte::plan::kName), external_data_,
      backend_options_ == nullptr ? Span<const executorch::runtime::BackendOption>()
                                  : backend_options_->get_options(id));
  Result<DelegateHandle*> handle =
      backend->init(context, &out->data, ArrayRef<CompileSpec>(compile_specs, specs.count));
  if (!handle.ok()) {
    ET_LOG(Error, "backend '%s' refuses its payload: 0x%" PRIx32, id, static_cast<uint32_t>(handle.error()));
    out->data.Free();
    return handle.error();
  }
  out->backend = backend;
  out->handle = handle.get();
  return Error::Ok;
}

}  // namespace wick
