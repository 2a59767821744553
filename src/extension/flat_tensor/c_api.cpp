// SPDX-License-Identifier: BSD-3-Clause
//
// The C API's data files: a FlatTensorDataMap in the caller's wick_data_t, merged with the one that comes next.
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/runtime/executor/merged_data_map.h>
#include <wick/model.h>
#include <wick/wick.h>

#include <new>
#include <optional>

using executorch::extension::BufferDataLoader;
using executorch::extension::FlatTensorDataMap;
using executorch::runtime::Error;
using executorch::runtime::Result;
using executorch::runtime::internal::MergedDataMap;

namespace {

struct Data {
  wick::DataMapOption option;  ///< comes first: what wick_model_init() reads
  BufferDataLoader loader;
  std::optional<FlatTensorDataMap> file;
  std::optional<MergedDataMap> merged;
  Data(const void* image, size_t bytes) : loader(image, bytes) {}
};
static_assert(sizeof(Data) <= sizeof(wick_data_t) && alignof(Data) <= alignof(wick_data_t),
              "wick_data_t is too small for a data map");

/// Opens the file in `data`; its option stays empty unless all is well.
Error open(Data& data, const wick_data_t* next) {
  Result<FlatTensorDataMap> file = FlatTensorDataMap::load(&data.loader);
  if (!file.ok()) {
    return file.error();
  }
  data.file.emplace(std::move(file.get()));
  if (next == nullptr) {
    data.option = &*data.file;
    return Error::Ok;
  }
  const Data& before = *std::launder(reinterpret_cast<const Data*>(next));
  Result<MergedDataMap> merged = MergedDataMap::load(&*data.file, before.option.map);
  if (!merged.ok()) {
    return merged.error();
  }
  data.merged.emplace(std::move(merged.get()));
  data.option = &*data.merged;
  return Error::Ok;
}

}  // namespace

wick_error_t wick_data_open(wick_data_t* data, const void* image, size_t bytes, const wick_data_t* next) {
  return static_cast<wick_error_t>(open(*new (data) Data(image, bytes), next));
}
