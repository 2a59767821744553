// SPDX-License-Identifier: BSD-3-Clause
// FlatTensorDataMap over a file in memory, where the build has it.
#include "tools/runner/data_files.h"

#include <new>
#include <utility>

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>

namespace wick::runner {

using executorch::extension::BufferDataLoader;
using executorch::extension::FlatTensorDataMap;
using executorch::runtime::Error;
using executorch::runtime::NamedDataMap;
using executorch::runtime::Result;

bool data_files_supported() { return true; }

Result<NamedDataMap*> load_data_file(Port& port, const FileImage& file) {
  void* loader_memory = port.allocate(sizeof(BufferDataLoader));
  void* map_memory = port.allocate(sizeof(FlatTensorDataMap));
  if (loader_memory == nullptr || map_memory == nullptr) {
    return Error::MemoryAllocationFailed;
  }
  auto map = FlatTensorDataMap::load(new (loader_memory) BufferDataLoader(file.data, file.size));
  if (!map.ok()) {
    return map.error();
  }
  return static_cast<NamedDataMap*>(new (map_memory) FlatTensorDataMap(std::move(*map)));
}

void unload_data_file(NamedDataMap* map) { static_cast<FlatTensorDataMap*>(map)->~FlatTensorDataMap(); }

}  // namespace wick::runner
