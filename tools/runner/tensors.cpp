// SPDX-License-Identifier: BSD-3-Clause
// Building inputs and buffers of a session in port memory.
#include "tools/runner/tensors.h"

#include <new>

namespace wick::runner {

using executorch::aten::ScalarType;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::Method;
using executorch::runtime::MethodMeta;
using executorch::runtime::Span;
using executorch::runtime::etensor::TensorImpl;

namespace {

// ExecuTorch tensors have at most 16 dimensions.
constexpr size_t kMaxDims = 16;

Error read_tensor(Reader& job, Port& port, const char* bin_path, EValue& value) {
  const auto type = static_cast<ScalarType>(job.u32());
  const size_t dims = job.u32();
  if (dims > kMaxDims) {
    return Error::InvalidArgument;
  }
  int32_t sizes[kMaxDims];
  uint8_t dim_order[kMaxDims];
  for (size_t d = 0; d < dims; ++d) {
    sizes[d] = static_cast<int32_t>(job.u32());
  }
  for (size_t d = 0; d < dims; ++d) {
    dim_order[d] = static_cast<uint8_t>(job.u32());
  }
  const uint32_t offset = job.u32();
  const uint32_t bytes = job.u32();
  if (!job.ok()) {
    return Error::InvalidArgument;
  }
  void* data = port.allocate(bytes);
  if (data == nullptr) {
    return Error::MemoryAllocationFailed;
  }
  if (bytes > 0 && !port.read_file(bin_path, offset, data, bytes)) {
    return Error::AccessFailed;
  }
  TensorImpl* impl = make_tensor(port, type, dims, sizes, dim_order, data);
  if (impl == nullptr) {
    return Error::MemoryAllocationFailed;
  }
  value = EValue(executorch::aten::Tensor(impl));
  return Error::Ok;
}

}  // namespace

bool read_whole(Port& port, const char* path, FileImage& image) {
  const int64_t size = port.file_size(path);
  if (size < 0) {
    return false;
  }
  image.size = static_cast<size_t>(size);
  auto* data = static_cast<uint8_t*>(port.allocate(image.size));
  image.data = data;
  return data != nullptr && (image.size == 0 || port.read_file(path, 0, data, image.size));
}

bool PlannedMemory::want(const MethodMeta& meta) {
  const size_t count = meta.num_memory_planned_buffers();
  if (count > count_) {
    auto* grown = static_cast<Span<uint8_t>*>(port_.allocate(count * sizeof(Span<uint8_t>)));
    if (grown == nullptr) {
      return false;
    }
    for (size_t i = 0; i < count; ++i) {
      new (&grown[i]) Span<uint8_t>(i < count_ ? spans_[i] : Span<uint8_t>());
    }
    spans_ = grown;
    count_ = count;
  }
  for (size_t i = 0; i < count; ++i) {
    const auto size = meta.memory_planned_buffer_size(i);
    if (!size.ok() || *size < 0) {
      return false;
    }
    if (static_cast<size_t>(*size) > spans_[i].size()) {
      spans_[i] = Span<uint8_t>(nullptr, static_cast<size_t>(*size));
    }
  }
  return true;
}

bool PlannedMemory::allocate() {
  for (size_t i = 0; i < count_; ++i) {
    const size_t size = spans_[i].size();
    auto* data = static_cast<uint8_t*>(port_.allocate(size));
    if (data == nullptr) {
      return false;
    }
    spans_[i] = Span<uint8_t>(data, size);
    bytes_ += size;
  }
  return true;
}

Error read_input(Reader& job, Port& port, const char* bin_path, EValue& value) {
  switch (static_cast<ValueKind>(job.u32())) {
    case ValueKind::kNone:
      value = EValue();
      break;
    case ValueKind::kInt:
      value = EValue(job.i64());
      break;
    case ValueKind::kDouble:
      value = EValue(job.f64());
      break;
    case ValueKind::kBool:
      value = EValue(job.u32() != 0);
      break;
    case ValueKind::kTensor:
      return read_tensor(job, port, bin_path, value);
    default:
      return Error::InvalidType;
  }
  return job.ok() ? Error::Ok : Error::InvalidArgument;
}

TensorImpl* make_tensor(Port& port, ScalarType type, size_t dims, const int32_t* sizes, const uint8_t* dim_order,
                        void* data) {
  struct Shape {
    executorch::aten::SizesType sizes[kMaxDims];
    executorch::aten::DimOrderType dim_order[kMaxDims];
    executorch::aten::StridesType strides[kMaxDims];
  };
  void* shape_memory = port.allocate(sizeof(Shape));
  void* impl_memory = port.allocate(sizeof(TensorImpl));
  if (shape_memory == nullptr || impl_memory == nullptr || dims > kMaxDims) {
    return nullptr;
  }
  auto* shape = new (shape_memory) Shape;
  executorch::aten::StridesType stride = 1;
  for (size_t at = dims; at-- > 0;) {
    const uint8_t dim = dim_order[at] < dims ? dim_order[at] : static_cast<uint8_t>(at);
    shape->sizes[at] = sizes[at];
    shape->dim_order[at] = dim;
    shape->strides[dim] = stride;
    stride *= sizes[dim] == 0 ? 1 : sizes[dim];
  }
  return new (impl_memory) TensorImpl(type, static_cast<ssize_t>(dims), shape->sizes, data, shape->dim_order,
                                      shape->strides, executorch::runtime::TensorShapeDynamism::STATIC);
}

// get_input() is deprecated in favour of MethodMeta, which does not tell the values of scalars.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
EValue input_slot(Method& method, size_t index) { return method.get_input(index); }
#pragma GCC diagnostic pop

bool provide_outputs(Method& method, Port& port) {
  const MethodMeta meta = method.method_meta();
  for (size_t i = 0; i < method.outputs_size(); ++i) {
    const EValue& value = method.get_output(i);
    if (!value.isTensor() || value.toTensor().const_data_ptr() != nullptr) {
      continue;
    }
    const auto info = meta.output_tensor_meta(i);
    if (!info.ok() || info->is_memory_planned() || info->nbytes() == 0) {
      continue;
    }
    void* data = port.allocate(info->nbytes());
    if (data == nullptr || method.set_output_data_ptr(data, info->nbytes(), i) != Error::Ok) {
      return false;
    }
  }
  return true;
}

}  // namespace wick::runner
