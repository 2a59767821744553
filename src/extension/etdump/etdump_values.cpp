// SPDX-License-Identifier: BSD-3-Clause
// ETDumpGen: intermediate results and outputs. Numbers are stored in the ETDump, tensors in the data sink.

#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/runtime/platform/assert.h>
#include <executorch/runtime/platform/log.h>

#include <cstring>

#include "src/extension/etdump/etdump_schema.h"
#include "src/extension/etdump/fields.h"

namespace executorch {
namespace etdump {

using executorch::aten::Tensor;
using ::executorch::runtime::ArrayRef;
using ::executorch::runtime::Error;
using ::executorch::runtime::EValue;
using ::executorch::runtime::kUnsetDelegateDebugIntId;
using ::executorch::runtime::LoggedEValueType;
using ::executorch::runtime::Tag;
using wick::internal::FlatbufferWriter;

namespace {

namespace value_type = schema::value_type;

/// Where a tensor without elements is stored.
constexpr int64_t kNowhere = -1;

/// The types that the schema has a name for.
bool has_type_number(executorch::aten::ScalarType type) {
  const int number = static_cast<int>(type);
  return (number >= 0 && number <= 7) || (number >= 11 && number <= 17) || (number >= 22 && number <= 29);
}

/// Room for a value, its event and what belongs to them.
size_t room_for(size_t tensors, size_t dims, const char* name) {
  return 4 * FlatbufferWriter::kTableRoom +
         tensors * (FlatbufferWriter::kTableRoom + 2 * FlatbufferWriter::vector_room(0) + 2 * sizeof(uint32_t)) +
         dims * 2 * sizeof(int64_t) + FlatbufferWriter::vector_room(0) +
         (name == nullptr ? 0 : FlatbufferWriter::string_room(std::strlen(name)));
}

size_t dims_of(const ArrayRef<Tensor>& tensors) {
  size_t dims = 0;
  for (const Tensor& tensor : tensors) {
    dims += static_cast<size_t>(tensor.dim());
  }
  return dims;
}

}  // namespace

/// Returns the offset in the data sink.
int64_t ETDumpGen::store_tensor(const Tensor& tensor) {
  if (tensor.nbytes() == 0) {
    return kNowhere;
  }
  ET_CHECK_MSG(data_sink_ != nullptr,
               "failed to write tensor to debug buffer: there is none. Call set_debug_buffer() or set_data_sink()");
  const Result<size_t> offset = data_sink_->write(tensor.const_data_ptr(), tensor.nbytes());
  return offset.ok() ? static_cast<int64_t>(offset.get()) : kNowhere;
}

Result<ETDumpGen::Place> ETDumpGen::add_tensor(const Tensor& tensor) {
  namespace field = schema::tensor;
  ET_CHECK_OR_RETURN_ERROR(has_type_number(tensor.scalar_type()), InvalidArgument, "ETDumps know no tensors of type %d",
                           static_cast<int>(tensor.scalar_type()));
  ET_CHECK_OR_RETURN_ERROR(tensor.nbytes() == 0 || tensor.const_data_ptr() != nullptr, InvalidState,
                           "a tensor of %zu bytes has no data", tensor.nbytes());
  Fields fields;
  fields.number(field::kScalarType, 1, static_cast<int64_t>(tensor.scalar_type()));
  fields.reference(field::kSizes, writer_.longs(tensor.sizes().data(), tensor.sizes().size()));
  fields.reference(field::kStrides, writer_.longs(tensor.strides().data(), tensor.strides().size()));
  fields.number(field::kOffset, 8, store_tensor(tensor));
  return fields.write(writer_);
}

ETDumpGen::Place ETDumpGen::add_value_table(uint8_t type, uint8_t field, Place content, bool is_output) {
  Fields fields;
  fields.number(schema::value::kType, 1, type);
  fields.reference(field, content);
  if (is_output) {
    Fields yes;
    yes.number(schema::kOnly, 1, 1);
    fields.reference(schema::value::kIsOutput, yes.write(writer_));
  }
  return fields.write(writer_);
}

Result<ETDumpGen::Place> ETDumpGen::add_value(const Tensor& tensor, bool is_output) {
  const Result<Place> place = add_tensor(tensor);
  if (!place.ok()) {
    return place.error();
  }
  return add_value_table(value_type::kTensor, schema::value::kTensor, place.get(), is_output);
}

Result<ETDumpGen::Place> ETDumpGen::add_value(const ArrayRef<Tensor>& tensors, bool is_output) {
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Result<Place> place = add_tensor(tensors[i]);
    if (!place.ok()) {
      writer_.drop_stacked(i);
      return place.error();
    }
    writer_.push(place.get());
  }
  Fields list;
  list.reference(schema::kOnly, writer_.vector_of_stacked(tensors.size()));
  return add_value_table(value_type::kTensorList, schema::value::kTensorList, list.write(writer_), is_output);
}

Result<ETDumpGen::Place> ETDumpGen::add_value(int64_t value, bool is_output) {
  Fields content;
  content.number(schema::kOnly, 8, value);
  return add_value_table(value_type::kInt, schema::value::kInt, content.write(writer_), is_output);
}

Result<ETDumpGen::Place> ETDumpGen::add_value(double value, bool is_output) {
  int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  Fields content;
  content.number(schema::kOnly, 8, bits);
  return add_value_table(value_type::kDouble, schema::value::kDouble, content.write(writer_), is_output);
}

Result<ETDumpGen::Place> ETDumpGen::add_value(bool value, bool is_output) {
  Fields content;
  content.number(schema::kOnly, 1, value ? 1 : 0);
  return add_value_table(value_type::kBool, schema::value::kBool, content.write(writer_), is_output);
}

void ETDumpGen::add_debug_event(Place value, const char* delegate_name, DelegateDebugIntId delegate_number) {
  namespace debug = schema::debug;
  Fields fields;
  fields.number(debug::kChain, 8, chain_id_);
  fields.number(debug::kInstruction, 4, static_cast<int32_t>(debug_handle_), schema::kNoNumber);
  fields.reference(debug::kValue, value);
  fields.number(debug::kDelegateNumber, 4, delegate_number, schema::kNoNumber);
  fields.reference(debug::kDelegateName, delegate_name == nullptr ? 0 : string(delegate_name));
  add_event(schema::event::kDebug, fields.write(writer_));
}

Result<ETDumpGen::Place> ETDumpGen::add_evalue(const EValue& evalue, bool is_output) {
  switch (evalue.tag) {
    case Tag::Tensor:
      return add_value(evalue.toTensor(), is_output);
    case Tag::ListTensor:
      return add_value(evalue.toTensorList(), is_output);
    case Tag::Int:
      return add_value(evalue.toInt(), false);
    case Tag::Double:
      return add_value(evalue.toDouble(), false);
    case Tag::Bool:
      return add_value(evalue.toBool(), false);
    default:
      ET_LOG(Error, "ETDumps hold tensors, lists of tensors and numbers, not values of tag %d",
             static_cast<int>(evalue.tag));
      return Error::NotSupported;
  }
}

Result<bool> ETDumpGen::log_evalue(const EValue& evalue, LoggedEValueType evalue_type) {
  check_ready_to_add_events();
  size_t tensors = 0;
  size_t dims = 0;
  if (evalue.isTensor()) {
    tensors = 1;
    dims = static_cast<size_t>(evalue.toTensor().dim());
  } else if (evalue.isTensorList()) {
    tensors = evalue.toTensorList().size();
    dims = dims_of(evalue.toTensorList());
  }
  if (!make_room(room_for(tensors, dims, nullptr))) {
    return false;
  }
  const Result<Place> value = add_evalue(evalue, evalue_type == LoggedEValueType::kProgramOutput);
  if (!value.ok()) {
    return value.error();
  }
  add_debug_event(value.get(), nullptr, kUnsetDelegateDebugIntId);
  return true;
}

Result<bool> ETDumpGen::is_wanted(const char* name, DelegateDebugIntId number) {
  ET_CHECK_OR_RETURN_ERROR((name == nullptr) != (number == kUnsetDelegateDebugIntId), InvalidArgument,
                           "a part of a delegate has either a name or a number");
  if (filter_ == nullptr) {
    return true;
  }
  const Result<bool> filtered_out = filter_->filter(name, number);
  if (!filtered_out.ok()) {
    return filtered_out.error();
  }
  return !filtered_out.get();
}

template <typename T>
Result<bool> ETDumpGen::log_delegate_value(const char* name, DelegateDebugIntId number, const T& value, size_t tensors,
                                           size_t dims) {
  Result<bool> wanted = is_wanted(name, number);
  if (!wanted.ok() || !wanted.get()) {
    return wanted;
  }
  check_ready_to_add_events();
  if (!make_room(room_for(tensors, dims, name))) {
    return false;
  }
  const Result<Place> place = add_value(value, false);
  if (!place.ok()) {
    return place.error();
  }
  add_debug_event(place.get(), name, number);
  return true;
}

Result<bool> ETDumpGen::log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                         const Tensor& output) {
  return log_delegate_value(name, delegate_debug_index, output, 1, static_cast<size_t>(output.dim()));
}

Result<bool> ETDumpGen::log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                         const ArrayRef<Tensor> output) {
  return log_delegate_value(name, delegate_debug_index, output, output.size(), dims_of(output));
}

Result<bool> ETDumpGen::log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                         const int& output) {
  return log_delegate_value(name, delegate_debug_index, int64_t{output}, 0, 0);
}

Result<bool> ETDumpGen::log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                         const bool& output) {
  return log_delegate_value(name, delegate_debug_index, output, 0, 0);
}

Result<bool> ETDumpGen::log_intermediate_output_delegate(const char* name, DelegateDebugIntId delegate_debug_index,
                                                         const double& output) {
  return log_delegate_value(name, delegate_debug_index, output, 0, 0);
}

void ETDumpGen::set_delegation_intermediate_output_filter(EventTracerFilterBase* event_tracer_filter) {
  filter_ = event_tracer_filter;
}

Result<bool> ETDumpGen::set_debug_buffer(::executorch::runtime::Span<uint8_t> buffer) {
  Result<BufferDataSink> sink = BufferDataSink::create(buffer);
  if (!sink.ok()) {
    return sink.error();
  }
  buffer_data_sink_ = std::move(*sink);
  data_sink_ = &buffer_data_sink_;
  return true;
}

void ETDumpGen::set_data_sink(DataSinkBase* data_sink) { data_sink_ = data_sink; }

DataSinkBase* ETDumpGen::get_data_sink() { return data_sink_; }

}  // namespace etdump
}  // namespace executorch
