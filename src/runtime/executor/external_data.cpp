// SPDX-License-Identifier: BSD-3-Clause
//
// Tensors whose data is in a data file (.ptd): an optional part of the loader, linked by programs that give a data map.
#include <executorch/runtime/core/tensor_layout.h>

#include <cstring>
#include <new>

#include "src/runtime/executor/method_loader.h"

namespace wick {

extern const ExternalData external_data = {
    [](MethodLoader& loader, pte::Table tensor, const char* name, size_t nbytes) {
      return loader.external_constant(tensor, name, nbytes);
    },
    [](MethodLoader& loader, pte::Table tensor, const char* name, size_t nbytes, void* data) {
      loader.external_initial_value(tensor, name, nbytes, data);
    }};

/// Compares the layout that the data file declares for `name` with the program's.
bool MethodLoader::check_layout(pte::Table tensor, const char* name) {
  Result<const executorch::runtime::TensorLayout> layout = request_.data_map->get_tensor_layout(name);
  if (!layout.ok()) {
    ET_LOG(Error, "the data map has no tensor '%s'", name);
    fail(layout.error());
    return false;
  }
  const pte::Vector sizes = buffer_.vector_field(tensor, pte::tensor::kSizes, 4);
  const pte::Vector order = buffer_.vector_field(tensor, pte::tensor::kDimOrder, 1);
  bool same = static_cast<uint8_t>(layout->scalar_type()) == buffer_.u8_field(tensor, pte::tensor::kScalarType) &&
              layout->sizes().size() == sizes.count && layout->dim_order().size() == order.count;
  for (uint32_t i = 0; same && i < sizes.count; ++i) {
    same = layout->sizes()[i] == buffer_.i32_item(sizes, i) && layout->dim_order()[i] == buffer_.bytes(order.at)[i];
  }
  if (!same) {
    ET_LOG(Error, "'%s' has another type, shape or dim order in the data file than in the program", name);
    fail(Error::InvalidExternalData);
  }
  return same;
}

void* MethodLoader::external_constant(pte::Table tensor, const char* name, size_t nbytes) {
  if (!check_layout(tensor, name)) {
    return nullptr;
  }
  for (ExternalConstant* known = method_.external_constants_; known != nullptr; known = known->next) {
    if (std::strcmp(known->name, name) == 0 && known->data.size() >= nbytes) {
      return const_cast<void*>(known->data.data());
    }
  }
  Result<FreeableBuffer> data = request_.data_map->get_data(name);
  if (!data.ok() || data->size() < nbytes) {
    ET_LOG(Error, "the data of '%s' cannot be had or is shorter than %" ET_PRIsize_t " bytes", name, nbytes);
    return fail(Error::InvalidExternalData);
  }
  auto* entry = take<ExternalConstant>(1);
  if (entry == nullptr) {
    return nullptr;
  }
  new (entry) ExternalConstant{name, std::move(data.get()), method_.external_constants_};
  method_.external_constants_ = entry;
  return const_cast<void*>(entry->data.data());
}

void MethodLoader::external_initial_value(pte::Table tensor, const char* name, size_t nbytes, void* data) {
  if (check_layout(tensor, name)) {
    fail(request_.data_map->load_data_into(name, data, nbytes));
  }
}

}  // namespace wick
