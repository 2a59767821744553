// SPDX-License-Identifier: BSD-3-Clause
//
// MethodMeta: each question is answered from the file, through checked reads.
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/executor/method_meta.h>
#include <executorch/runtime/platform/log.h>

#include <cstring>

#include "src/pte/schema.h"
#include "src/runtime/executor/tensor_size.h"

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {

namespace pte = ::wick::pte;

Result<TensorInfo> TensorInfo::create(Span<const int32_t> sizes, Span<const uint8_t> dim_order,
                                      executorch::aten::ScalarType scalar_type, const bool is_memory_planned,
                                      std::string_view name) {
  size_t numel = 0;
  size_t nbytes = 0;
  if (!::wick::tensor_size(sizes.data(), sizes.size(), static_cast<int8_t>(scalar_type), &numel, &nbytes)) {
    ET_LOG(Error, "a tensor's sizes are negative or too large, or its type is unknown");
    return Error::InvalidArgument;
  }
  return TensorInfo(sizes, dim_order, scalar_type, is_memory_planned, name, nbytes);
}

const char* MethodMeta::name() const {
  pte::Buffer buffer(data_, size_);
  return buffer.string_field(buffer.table_at(plan_), pte::plan::kName);
}

size_t MethodMeta::length_of(unsigned list_field) const {
  pte::Buffer buffer(data_, size_);
  return buffer.vector_field(buffer.table_at(plan_), list_field, 4).count;
}

size_t MethodMeta::num_inputs() const { return length_of(pte::plan::kInputs); }
size_t MethodMeta::num_outputs() const { return length_of(pte::plan::kOutputs); }
size_t MethodMeta::num_backends() const { return length_of(pte::plan::kDelegates); }

namespace {

/// The value table that entry `index` of the plan's inputs or outputs refers to.
Error find_value(pte::Buffer& buffer, uint32_t plan, unsigned list_field, size_t index, pte::Table* value) {
  pte::Table table = buffer.table_at(plan);
  pte::Vector list = buffer.vector_field(table, list_field, 4);
  pte::Vector values = buffer.vector_field(table, pte::plan::kValues, 4);
  if (index >= list.count) {
    ET_LOG(Error, "index %" ET_PRIsize_t " is out of range: the method has %" PRIu32, index, list.count);
    return Error::InvalidArgument;
  }
  uint32_t at = static_cast<uint32_t>(buffer.i32_item(list, static_cast<uint32_t>(index)));
  if (at >= values.count) {
    ET_LOG(Error, "corrupt program: value %" PRIu32 " of %" PRIu32, at, values.count);
    return Error::InvalidProgram;
  }
  *value = buffer.table_item(values, at);
  return buffer.bad() ? Error::InvalidProgram : Error::Ok;
}

}  // namespace

Result<Tag> MethodMeta::tag_of(unsigned list_field, size_t index) const {
  pte::Buffer buffer(data_, size_);
  pte::Table value;
  Error error = find_value(buffer, plan_, list_field, index, &value);
  if (error != Error::Ok) {
    return error;
  }
  switch (buffer.u8_field(value, pte::evalue::kType)) {
    case pte::evalue::kNull:
      return Tag::None;
    case pte::evalue::kInt:
      return Tag::Int;
    case pte::evalue::kDouble:
      return Tag::Double;
    case pte::evalue::kBool:
      return Tag::Bool;
    case pte::evalue::kString:
      return Tag::String;
    case pte::evalue::kTensor:
      return Tag::Tensor;
    default:
      ET_LOG(Error, "input or output %" ET_PRIsize_t " has a type that none can have", index);
      return Error::Internal;
  }
}

Result<Tag> MethodMeta::input_tag(size_t index) const { return tag_of(pte::plan::kInputs, index); }
Result<Tag> MethodMeta::output_tag(size_t index) const { return tag_of(pte::plan::kOutputs, index); }

Result<TensorInfo> MethodMeta::describe(uint32_t tensor, bool with_name) const {
  pte::Buffer buffer(data_, size_);
  pte::Table table = buffer.table_at(tensor);
  pte::Vector sizes = buffer.vector_field(table, pte::tensor::kSizes, 4);
  pte::Vector order = buffer.vector_field(table, pte::tensor::kDimOrder, 1);
  if (sizes.at == 0 || order.at == 0 || buffer.bad()) {
    return Error::InvalidProgram;
  }
  bool planned = buffer.field(table, pte::tensor::kAllocationInfo) != 0 ||
                 buffer.u32_field(table, pte::tensor::kDataBufferIndex) != 0;
  std::string_view name;
  if (with_name) {
    uint32_t length = 0;
    const char* text = buffer.string_field(buffer.table_field(table, pte::tensor::kExtraTensorInfo),
                                           pte::extra::kFullyQualifiedName, &length);
    name = std::string_view(text, length);
  }
  return TensorInfo::create(Span<const int32_t>(reinterpret_cast<const int32_t*>(buffer.bytes(sizes.at)), sizes.count),
                            Span<const uint8_t>(buffer.bytes(order.at), order.count),
                            static_cast<executorch::aten::ScalarType>(buffer.u8_field(table, pte::tensor::kScalarType)),
                            planned, name);
}

Result<TensorInfo> MethodMeta::tensor_of(unsigned list_field, size_t index) const {
  Result<Tag> tag = tag_of(list_field, index);
  if (!tag.ok()) {
    return tag.error();
  }
  if (tag.get() != Tag::Tensor) {
    ET_LOG(Error, "input or output %" ET_PRIsize_t " is not a tensor", index);
    return Error::InvalidArgument;
  }
  pte::Buffer buffer(data_, size_);
  pte::Table value;
  (void)find_value(buffer, plan_, list_field, index, &value);
  pte::Table tensor = buffer.table_field(value, pte::evalue::kValue);
  return describe(tensor.at, false);
}

Result<TensorInfo> MethodMeta::input_tensor_meta(size_t index) const { return tensor_of(pte::plan::kInputs, index); }
Result<TensorInfo> MethodMeta::output_tensor_meta(size_t index) const { return tensor_of(pte::plan::kOutputs, index); }

bool MethodMeta::find_attribute(size_t index, size_t* count, uint32_t* tensor) const {
  pte::Buffer buffer(data_, size_);
  pte::Vector values = buffer.vector_field(buffer.table_at(plan_), pte::plan::kValues, 4);
  for (uint32_t i = 0; i < values.count; ++i) {
    pte::Table value = buffer.table_item(values, i);
    if (buffer.u8_field(value, pte::evalue::kType) != pte::evalue::kTensor) {
      continue;
    }
    pte::Table table = buffer.table_field(value, pte::evalue::kValue);
    pte::Table extra = buffer.table_field(table, pte::tensor::kExtraTensorInfo);
    if (buffer.string_field(extra, pte::extra::kFullyQualifiedName) != nullptr && (*count)++ == index) {
      *tensor = table.at;
      return true;
    }
  }
  return false;
}

size_t MethodMeta::num_attributes() const {
  size_t count = 0;
  uint32_t unused = 0;
  (void)find_attribute(SIZE_MAX, &count, &unused);
  return count;
}

Result<TensorInfo> MethodMeta::attribute_tensor_meta(size_t index) const {
  size_t count = 0;
  uint32_t tensor = 0;
  if (!find_attribute(index, &count, &tensor)) {
    ET_LOG(Error, "attribute %" ET_PRIsize_t " does not exist: the method has %" ET_PRIsize_t, index, count);
    return Error::InvalidArgument;
  }
  return describe(tensor, true);
}

size_t MethodMeta::num_memory_planned_buffers() const {
  pte::Buffer buffer(data_, size_);
  uint32_t count = buffer.vector_field(buffer.table_at(plan_), pte::plan::kNonConstBufferSizes, 8).count;
  return count == 0 ? 0 : count - 1;  // the first entry is a placeholder
}

Result<int64_t> MethodMeta::memory_planned_buffer_size(size_t index) const {
  pte::Buffer buffer(data_, size_);
  pte::Vector sizes = buffer.vector_field(buffer.table_at(plan_), pte::plan::kNonConstBufferSizes, 8);
  if (sizes.count == 0 || index >= sizes.count - 1) {
    ET_LOG(Error, "planned buffer %" ET_PRIsize_t " does not exist: the method has %" ET_PRIsize_t, index,
           num_memory_planned_buffers());
    return Error::InvalidArgument;
  }
  return static_cast<int64_t>(buffer.u64_item(sizes, static_cast<uint32_t>(index) + 1));
}

Result<etensor::Device> MethodMeta::memory_planned_buffer_device(size_t index) const {
  if (index >= num_memory_planned_buffers()) {
    return Error::InvalidArgument;
  }
  pte::Buffer buffer(data_, size_);
  pte::Vector devices = buffer.vector_field(buffer.table_at(plan_), pte::plan::kNonConstBufferDevice, 4);
  for (uint32_t i = 0; i < devices.count; ++i) {
    pte::Table entry = buffer.table_item(devices, i);
    if (buffer.u32_field(entry, pte::buffer_device::kBufferIndex) == index + 1) {
      return etensor::Device(
          static_cast<etensor::DeviceType>(buffer.u8_field(entry, pte::buffer_device::kDeviceType)),
          static_cast<etensor::DeviceIndex>(buffer.u8_field(entry, pte::buffer_device::kDeviceIndex)));
    }
  }
  return etensor::Device(etensor::DeviceType::CPU, 0);
}

bool MethodMeta::uses_backend(const char* backend_name) const {
  size_t count = num_backends();
  for (size_t i = 0; i < count; ++i) {
    Result<const char*> name = get_backend_name(i);
    if (name.ok() && std::strcmp(name.get(), backend_name) == 0) {
      return true;
    }
  }
  return false;
}

Result<const char*> MethodMeta::get_backend_name(size_t index) const {
  pte::Buffer buffer(data_, size_);
  pte::Vector delegates = buffer.vector_field(buffer.table_at(plan_), pte::plan::kDelegates, 4);
  if (index >= delegates.count) {
    ET_LOG(Error, "delegate %" ET_PRIsize_t " does not exist: the method has %" PRIu32, index, delegates.count);
    return Error::InvalidArgument;
  }
  const char* id = buffer.string_field(buffer.table_item(delegates, static_cast<uint32_t>(index)), pte::delegate::kId);
  if (id == nullptr) {
    return Error::InvalidProgram;
  }
  return id;
}

size_t MethodMeta::num_instructions() const {
  pte::Buffer buffer(data_, size_);
  pte::Vector chains = buffer.vector_field(buffer.table_at(plan_), pte::plan::kChains, 4);
  size_t count = 0;
  for (uint32_t i = 0; i < chains.count; ++i) {
    count += buffer.vector_field(buffer.table_item(chains, i), pte::chain::kInstructions, 4).count;
  }
  return count;
}

}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch
