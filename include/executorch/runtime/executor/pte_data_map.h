// SPDX-License-Identifier: BSD-3-Clause
//
// The named data that a .pte file carries itself (weights of delegates, mostly), behind the NamedDataMap interface.
//
//   Result<const NamedDataMap*> map = program->get_named_data_map();
//   Result<FreeableBuffer> data = map.get()->get_data("key");
#pragma once

#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/named_data_map.h>

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {
namespace internal {

class PteDataMap final : public NamedDataMap {
 public:
  /// `data`, `size`: the program's FlatBuffer, which must outlive the map, as must the loader.
  PteDataMap(DataLoader* loader, size_t segment_base_offset, const void* data, size_t size)
      : loader_(loader), segment_base_offset_(segment_base_offset), data_(data), size_(size) {}

  /// Named data of a program has no layout: NotImplemented for every key.
  Result<const TensorLayout> get_tensor_layout(ET_UNUSED std::string_view key) const override {
    return Error::NotImplemented;
  }
  /// Errors: NotFound, InvalidProgram, those of the loader.
  Result<FreeableBuffer> get_data(std::string_view key) const override;
  ET_NODISCARD Error load_data_into(ET_UNUSED std::string_view key, ET_UNUSED void* buffer,
                                    ET_UNUSED size_t size) const override {
    return Error::NotImplemented;
  }
  Result<uint32_t> get_num_keys() const override;
  Result<const char*> get_key(uint32_t index) const override;

 private:
  DataLoader* loader_;
  size_t segment_base_offset_;
  const void* data_;
  size_t size_;
};

}  // namespace internal
}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch
