// SPDX-License-Identifier: BSD-3-Clause
// NamedDataMap: data by name, kept outside of the program - in its own segments or in a .ptd file.
// extension/flat_tensor has the one for .ptd files.
//
//     Result<FreeableBuffer> weight = data_map->get_data("conv1.weight");

#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/core/tensor_layout.h>
#include <executorch/runtime/platform/compiler.h>
#include <wick/virtual_delete.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace executorch::ET_RUNTIME_NAMESPACE {

class NamedDataMap {
 public:
  WICK_DELETE_WITHOUT_HEAP
  virtual ~NamedDataMap() = default;

  /// Type and shape of the tensor of this name; NotFound when there is none.
  ET_NODISCARD virtual Result<const TensorLayout> get_tensor_layout(std::string_view key) const = 0;

  /// The bytes of this name; NotFound when there are none.
  ET_NODISCARD virtual Result<FreeableBuffer> get_data(std::string_view key) const = 0;

  /// Copies `size` bytes of this name into the caller's buffer.
  ET_NODISCARD virtual Error load_data_into(std::string_view key, void* buffer, size_t size) const = 0;

  /// Number of names, and the name of an index.
  ET_NODISCARD virtual Result<uint32_t> get_num_keys() const = 0;
  ET_NODISCARD virtual Result<const char*> get_key(uint32_t index) const = 0;
};

}  // namespace executorch::ET_RUNTIME_NAMESPACE
