// SPDX-License-Identifier: BSD-3-Clause
//
// TensorPtr: the block that holds a tensor, its shape arrays and the deleter of its data.
#include <executorch/extension/tensor/tensor_ptr.h>
#include <executorch/runtime/core/device_allocator.h>
#include <executorch/runtime/core/exec_aten/util/dim_order_util.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <executorch/runtime/platform/assert.h>

#include <cstring>
#include <numeric>

#include "src/extension/tensor/checks.h"

namespace executorch {
namespace extension {

using executorch::aten::Device;
using executorch::aten::DimOrderType;
using executorch::aten::ScalarType;
using executorch::aten::SizesType;
using executorch::aten::StridesType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::aten::TensorShapeDynamism;
using executorch::runtime::Error;

namespace internal {

size_t element_count(const std::vector<SizesType>& sizes) {
  const runtime::Result<ssize_t> count = executorch::aten::safe_numel(sizes.data(), static_cast<ssize_t>(sizes.size()));
  ET_CHECK_MSG(count.ok(), "a tensor's sizes are negative or too large");
  return static_cast<size_t>(count.get());
}

size_t byte_count(size_t elements, ScalarType type) {
  size_t bytes = 0;
  ET_CHECK_MSG(!c10::mul_overflows(elements, runtime::elementSize(type), &bytes),
               "a tensor of %zu elements is larger than the address space", elements);
  return bytes;
}

void check_element_count(const std::vector<SizesType>& sizes, size_t count) {
  const size_t wanted = element_count(sizes);
  ET_CHECK_MSG(count == wanted, "%zu elements are given for sizes that need %zu", count, wanted);
}

std::vector<uint8_t> convert_elements(const void* from, ScalarType from_type, size_t count, ScalarType to_type) {
  ET_CHECK_MSG(runtime::canCast(from_type, to_type), "elements of type %d cannot become type %d",
               static_cast<int>(from_type), static_cast<int>(to_type));
  std::vector<uint8_t> bytes(byte_count(count, to_type));
  Refuse context;
  ET_SWITCH_REALHBBF16_AND_UINT_TYPES(from_type, context, "convert_elements", From, [&] {
    ET_SWITCH_REALHBBF16_AND_UINT_TYPES(to_type, context, "convert_elements", To, [&] {
      const From* const source = static_cast<const From*>(from);
      To* const target = reinterpret_cast<To*>(bytes.data());
      std::transform(source, source + count, target, [](const From& value) { return static_cast<To>(value); });
    });
  });
  return bytes;
}

}  // namespace internal

namespace {

struct Storage {
  Storage(std::vector<SizesType>&& tensor_sizes, std::vector<DimOrderType>&& order,
          std::vector<StridesType>&& tensor_strides, std::function<void(void*)>&& data_deleter, void* data,
          ScalarType type, TensorShapeDynamism dynamism, Device device)
      : sizes(std::move(tensor_sizes)),
        dim_order(std::move(order)),
        strides(std::move(tensor_strides)),
        deleter(std::move(data_deleter)),
        impl(type, static_cast<ssize_t>(sizes.size()), sizes.data(), data, dim_order.data(), strides.data(), dynamism,
             device.type(), device.index()),
        tensor(&impl) {}
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (deleter) {
      deleter(impl.mutable_data());
    }
  }

  std::vector<SizesType> sizes;
  std::vector<DimOrderType> dim_order;
  std::vector<StridesType> strides;
  std::function<void(void*)> deleter;
  TensorImpl impl;
  Tensor tensor;
};

/// The dim order of a tensor's strides; without strides, the dimensions in their own order.
std::vector<DimOrderType> order_of(const std::vector<StridesType>& strides, size_t rank) {
  std::vector<DimOrderType> order(rank);
  std::iota(order.begin(), order.end(), DimOrderType{0});
  if (!strides.empty()) {
    std::stable_sort(order.begin(), order.end(),
                     [&](DimOrderType a, DimOrderType b) { return strides[a] > strides[b]; });
  }
  return order;
}

/// The tensor's shape in vectors, and its other properties; for tensors made like it.
struct Description {
  explicit Description(const Tensor& tensor)
      : sizes(tensor.sizes().begin(), tensor.sizes().end()),
        dim_order(tensor.dim_order().begin(), tensor.dim_order().end()),
        strides(tensor.strides().begin(), tensor.strides().end()) {}
  std::vector<SizesType> sizes;
  std::vector<DimOrderType> dim_order;
  std::vector<StridesType> strides;
};

}  // namespace

TensorPtr make_tensor_ptr(std::vector<SizesType> sizes, void* data, std::vector<DimOrderType> dim_order,
                          std::vector<StridesType> strides, ScalarType type, TensorShapeDynamism dynamism,
                          std::function<void(void*)> deleter, Device device) {
  const size_t rank = sizes.size();
  ET_CHECK_MSG(dim_order.empty() || dim_order.size() == rank, "%zu sizes, but a dim order of %zu", rank,
               dim_order.size());
  ET_CHECK_MSG(strides.empty() || strides.size() == rank, "%zu sizes, but %zu strides", rank, strides.size());
  if (dim_order.empty()) {
    dim_order = order_of(strides, rank);
  }
  std::vector<StridesType> dense(rank);
  const Error error = runtime::dim_order_to_stride(sizes.data(), dim_order.data(), rank, dense.data());
  ET_CHECK_MSG(error == Error::Ok, "the dim order is no permutation of the dimensions");
  for (size_t i = 0; i < strides.size(); ++i) {
    ET_CHECK_MSG(strides[i] == dense[i] || sizes[i] == 1,
                 "the stride of dimension %zu is %d, a dense tensor of these sizes and dim order has %d", i,
                 static_cast<int>(strides[i]), static_cast<int>(dense[i]));
  }
  auto storage = std::make_shared<Storage>(std::move(sizes), std::move(dim_order), std::move(dense), std::move(deleter),
                                           data, type, rank == 0 ? TensorShapeDynamism::STATIC : dynamism, device);
  Tensor* const tensor = &storage->tensor;
  return TensorPtr(std::move(storage), tensor);
}

TensorPtr make_tensor_ptr(std::vector<SizesType> sizes, std::vector<uint8_t> data, std::vector<DimOrderType> dim_order,
                          std::vector<StridesType> strides, ScalarType type, TensorShapeDynamism dynamism) {
  const size_t bytes = internal::byte_count(internal::element_count(sizes), type);
  ET_CHECK_MSG(data.size() == bytes, "%zu bytes are given for a tensor of %zu", data.size(), bytes);
  void* const place = data.data();
  return make_tensor_ptr(std::move(sizes), place, std::move(dim_order), std::move(strides), type, dynamism,
                         [owned = std::move(data)](void*) {});
}

TensorPtr make_tensor_ptr(const Tensor& tensor, std::vector<SizesType> sizes, std::vector<DimOrderType> dim_order,
                          std::vector<StridesType> strides, std::function<void(void*)> deleter) {
  Description original(tensor);
  if (sizes.empty()) {
    sizes = original.sizes;
  }
  const size_t elements = internal::element_count(sizes);
  ET_CHECK_MSG(elements <= static_cast<size_t>(tensor.numel()), "a view of %zu elements of a tensor that has %zd",
               elements, tensor.numel());
  if (dim_order.empty() && strides.empty() && sizes.size() == original.sizes.size()) {
    dim_order = std::move(original.dim_order);
  }
  return make_tensor_ptr(std::move(sizes), tensor.mutable_data_ptr(), std::move(dim_order), std::move(strides),
                         tensor.scalar_type(), tensor.shape_dynamism(), std::move(deleter), tensor.device());
}

TensorPtr clone_tensor_ptr(const Tensor& tensor, ScalarType type) {
  ET_CHECK_MSG(tensor.device().is_cpu(), "only a tensor on the CPU can be cloned: use clone_tensor_ptr_to() first");
  Description shape(tensor);
  const void* const from = tensor.const_data_ptr();
  if (from == nullptr) {
    return make_tensor_ptr(std::move(shape.sizes), nullptr, std::move(shape.dim_order), std::move(shape.strides), type,
                           tensor.shape_dynamism());
  }
  const uint8_t* const bytes = static_cast<const uint8_t*>(from);
  std::vector<uint8_t> data =
      type == tensor.scalar_type()
          ? std::vector<uint8_t>(bytes, bytes + tensor.nbytes())
          : internal::convert_elements(from, tensor.scalar_type(), static_cast<size_t>(tensor.numel()), type);
  return make_tensor_ptr(std::move(shape.sizes), std::move(data), std::move(shape.dim_order), std::move(shape.strides),
                         type, tensor.shape_dynamism());
}

Error resize_tensor_ptr(TensorPtr& tensor, const std::vector<SizesType>& sizes) {
  return ET_RUNTIME_NAMESPACE::resize_tensor(*tensor,
                                             executorch::aten::ArrayRef<SizesType>(sizes.data(), sizes.size()));
}

TensorPtr clone_tensor_ptr_to(const TensorPtr& tensor, Device target) {
  const Device source = tensor->device();
  ET_CHECK_MSG(!source.is_cpu() || !target.is_cpu(),
               "clone_tensor_ptr_to() does not copy CPU-to-CPU: clone_tensor_ptr() does");
  ET_CHECK_MSG(source.is_cpu() || target.is_cpu(), "Device-to-device copy is not supported: copy by way of the CPU");
  const void* const from = tensor->const_data_ptr();
  ET_CHECK_MSG(from != nullptr, "Source tensor has no data");
  const Device device = target.is_cpu() ? source : target;
  runtime::DeviceAllocator* const allocator = runtime::get_device_allocator(device.type());
  ET_CHECK_MSG(allocator != nullptr, "no allocator is registered for device type %d", static_cast<int>(device.type()));
  Description shape(*tensor);
  const size_t bytes = tensor->nbytes();
  if (target.is_cpu()) {
    std::vector<uint8_t> data(bytes);
    const Error error = allocator->copy_device_to_host(data.data(), from, bytes, source.index());
    ET_CHECK_MSG(error == Error::Ok, "the copy from the device failed: 0x%x", static_cast<unsigned>(error));
    return make_tensor_ptr(std::move(shape.sizes), std::move(data), std::move(shape.dim_order),
                           std::move(shape.strides), tensor->scalar_type(), tensor->shape_dynamism());
  }
  const runtime::Result<void*> place = allocator->allocate(bytes, target.index());
  ET_CHECK_MSG(place.ok(), "the device has no room for %zu bytes: 0x%x", bytes, static_cast<unsigned>(place.error()));
  const Error error = allocator->copy_host_to_device(place.get(), from, bytes, target.index());
  ET_CHECK_MSG(error == Error::Ok, "the copy to the device failed: 0x%x", static_cast<unsigned>(error));
  return make_tensor_ptr(
      std::move(shape.sizes), place.get(), std::move(shape.dim_order), std::move(shape.strides), tensor->scalar_type(),
      tensor->shape_dynamism(), [allocator, target](void* data) { allocator->deallocate(data, target.index()); },
      target);
}

}  // namespace extension
}  // namespace executorch
