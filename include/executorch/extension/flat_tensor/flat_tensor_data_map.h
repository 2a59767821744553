// SPDX-License-Identifier: BSD-3-Clause
//
// A data file (.ptd): weights by name, outside of the program. Both generations of the format are read.
// Data is used where the loader has it: with BufferDataLoader in place, in flash.
//
//   Result<FlatTensorDataMap> weights = FlatTensorDataMap::load(&loader);
//   Result<Method> method = program->load_method("forward", &memory, nullptr, &weights.get());
#pragma once

#include <cstdint>
#include <utility>

#include <executorch/extension/flat_tensor/serialize/flat_tensor_header.h>
#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/tensor_layout.h>
#include <executorch/runtime/platform/compiler.h>

namespace executorch {
namespace extension {

class FlatTensorDataMap final : public executorch::ET_RUNTIME_NAMESPACE::NamedDataMap {
 public:
  static constexpr uint32_t kMaxSupportedSchemaVersion = 0;

  /// `loader` must outlive the map. Errors: InvalidExternalData (not a data file, corrupt, of a newer version),
  /// InvalidArgument (memory not aligned), those of the loader.
  static executorch::runtime::Result<FlatTensorDataMap> load(executorch::runtime::DataLoader* loader);

  /// Type, sizes and dim order stored with `key`. Errors: NotFound, InvalidExternalData.
  ET_NODISCARD executorch::runtime::Result<const executorch::ET_RUNTIME_NAMESPACE::TensorLayout> get_tensor_layout(
      std::string_view key) const override;
  /// The data of `key`. Errors: NotFound, InvalidExternalData, those of the loader.
  ET_NODISCARD executorch::runtime::Result<executorch::runtime::FreeableBuffer> get_data(
      std::string_view key) const override;
  /// Copies `size` bytes of the data of `key`. Errors: as get_data, InvalidArgument if fewer are stored.
  ET_NODISCARD executorch::runtime::Error load_data_into(std::string_view key, void* buffer,
                                                         size_t size) const override;
  ET_NODISCARD executorch::runtime::Result<uint32_t> get_num_keys() const override;
  ET_NODISCARD executorch::runtime::Result<const char*> get_key(uint32_t index) const override;

  FlatTensorDataMap(FlatTensorDataMap&&) noexcept = default;
  ~FlatTensorDataMap() override = default;

 private:
  /// Where the data of one key lies in the file, and its layout in the FlatBuffer (0: none).
  struct Entry {
    size_t offset;
    size_t size;
    uint32_t layout;
    bool first_generation;
  };

  FlatTensorDataMap(const FlatTensorHeader& header, executorch::runtime::FreeableBuffer&& flat_tensor_data,
                    executorch::runtime::DataLoader* loader)
      : header_(header), flat_tensor_data_(std::move(flat_tensor_data)), loader_(loader) {}
  FlatTensorDataMap(const FlatTensorDataMap&) = delete;
  FlatTensorDataMap& operator=(FlatTensorDataMap&&) = delete;
  FlatTensorDataMap& operator=(const FlatTensorDataMap&) = delete;

  executorch::runtime::Result<Entry> find(std::string_view key) const;

  FlatTensorHeader header_;
  executorch::runtime::FreeableBuffer flat_tensor_data_;
  executorch::runtime::DataLoader* loader_;
};

}  // namespace extension
}  // namespace executorch
