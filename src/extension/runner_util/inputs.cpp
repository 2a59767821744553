// SPDX-License-Identifier: BSD-3-Clause
// Inputs of a program runner.

#include <executorch/extension/runner_util/inputs.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/platform/log.h>

#include <algorithm>
#include <cinttypes>
#include <cstring>

namespace executorch {
namespace extension {

using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::Result;
using executorch::runtime::Tag;

namespace {

using InputBuffer = std::pair<char*, size_t>;

Error fill_with_ones(Tensor& tensor) {
#define WICK_FILL(ctype, name)                                               \
  case ScalarType::name:                                                     \
    std::fill_n(tensor.mutable_data_ptr<ctype>(), tensor.numel(), ctype(1)); \
    return Error::Ok;
  switch (tensor.scalar_type()) {
    ET_FORALL_REALHBBF16_TYPES(WICK_FILL)
    default:
      ET_LOG(Error, "an input of type %d cannot be filled with ones: pass its bytes",
             static_cast<int>(tensor.scalar_type()));
      return Error::InvalidArgument;
  }
#undef WICK_FILL
}

template <typename T>
Error set_number(Method& method, size_t index, const InputBuffer& buffer) {
  ET_CHECK_OR_RETURN_ERROR(buffer.second == sizeof(T), InvalidArgument,
                           "input %zu is a number of %zu bytes, %zu were given", index, sizeof(T), buffer.second);
  T value;
  std::memcpy(&value, buffer.first, sizeof(T));
  return method.set_input(EValue(value), index);
}

Error set_other_input(Method& method, Tag tag, size_t index, const InputBuffer* buffer) {
  if (tag == Tag::None) {
    return method.set_input(EValue(), index);
  }
  if (buffer == nullptr) {
    return Error::Ok;
  }
  switch (tag) {
    case Tag::Int:
      return set_number<int64_t>(method, index, *buffer);
    case Tag::Double:
      return set_number<double>(method, index, *buffer);
    case Tag::Bool:
      return set_number<bool>(method, index, *buffer);
    default:
      ET_LOG(Error, "input %zu has tag %" PRIu32 ": only tensors and numbers can be set from bytes", index,
             static_cast<uint32_t>(tag));
      return Error::InvalidArgument;
  }
}

Error set_tensor_input(Method& method, size_t index, const InputBuffer* buffer, size_t* bytes_left, void** memory) {
  Result<TensorInfo> meta = method.method_meta().input_tensor_meta(index);
  ET_CHECK_OK_OR_RETURN_ERROR(meta.error());
  const size_t nbytes = meta->nbytes();
  ET_CHECK_OR_RETURN_ERROR(nbytes <= *bytes_left, InvalidProgram,
                           "input %zu needs %zu bytes, max_total_allocation_size leaves %zu", index, nbytes,
                           *bytes_left);
  *bytes_left -= nbytes;
  *memory = std::malloc(std::max<size_t>(nbytes, 1));
  ET_CHECK_OR_RETURN_ERROR(*memory != nullptr, MemoryAllocationFailed, "no memory for the %zu bytes of input %zu",
                           nbytes, index);
  if (buffer != nullptr) {
    ET_CHECK_OR_RETURN_ERROR(buffer->second == nbytes, InvalidArgument,
                             "input %zu is a tensor of %zu bytes, %zu were given", index, nbytes, buffer->second);
    std::memcpy(*memory, buffer->first, nbytes);
  }
  return internal::fill_and_set_input(method, *meta, index, *memory, buffer == nullptr);
}

}  // namespace

Result<BufferCleanup> prepare_input_tensors(Method& method, PrepareInputTensorsOptions options,
                                            const std::vector<InputBuffer>& input_buffers) {
  const auto meta = method.method_meta();
  const size_t count = meta.num_inputs();
  ET_CHECK_OR_RETURN_ERROR(input_buffers.empty() || input_buffers.size() == count, InvalidArgument,
                           "the method has %zu inputs, the bytes of %zu were given", count, input_buffers.size());
  ET_CHECK_OR_RETURN_ERROR(count <= options.max_inputs, InvalidProgram, "the method has %zu inputs, max_inputs is %zu",
                           count, options.max_inputs);
  void** memory = static_cast<void**>(std::calloc(std::max<size_t>(count, 1), sizeof(void*)));
  ET_CHECK_OR_RETURN_ERROR(memory != nullptr, MemoryAllocationFailed, "no memory for a list of %zu inputs", count);
  BufferCleanup cleanup({memory, count});
  size_t bytes_left = options.max_total_allocation_size;
  for (size_t i = 0; i < count; ++i) {
    const Result<Tag> tag = meta.input_tag(i);
    ET_CHECK_OK_OR_RETURN_ERROR(tag.error());
    const InputBuffer* buffer = input_buffers.empty() ? nullptr : &input_buffers[i];
    const Error error = tag.get() == Tag::Tensor ? set_tensor_input(method, i, buffer, &bytes_left, &memory[i])
                                                 : set_other_input(method, tag.get(), i, buffer);
    ET_CHECK_OK_OR_RETURN_ERROR(error, "input %zu is not set: error 0x%" PRIx32, i, static_cast<uint32_t>(error));
  }
  return cleanup;
}

namespace internal {

Error fill_and_set_input(Method& method, TensorInfo& tensor_meta, size_t input_index, void* data_ptr,
                         bool fill_tensor) {
  // set_input() only reads this tensor, which is gone afterwards: the method has sizes and an order of its own.
  TensorImpl impl(tensor_meta.scalar_type(), static_cast<ssize_t>(tensor_meta.sizes().size()),
                  const_cast<TensorImpl::SizesType*>(tensor_meta.sizes().data()), data_ptr,
                  const_cast<TensorImpl::DimOrderType*>(tensor_meta.dim_order().data()));
  Tensor tensor(&impl);
  if (fill_tensor) {
    ET_CHECK_OK_OR_RETURN_ERROR(fill_with_ones(tensor));
  }
  return method.set_input(tensor, input_index);
}

}  // namespace internal

}  // namespace extension
}  // namespace executorch
