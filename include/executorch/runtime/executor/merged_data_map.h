// SPDX-License-Identifier: BSD-3-Clause
//
// Two data maps seen as one: what a delegate gets when weights come from a .ptd file and from the program itself.
//
//   Result<MergedDataMap> merged = MergedDataMap::load(&ptd_map, pte_map);
#pragma once

#include <executorch/runtime/core/named_data_map.h>
#include <executorch/runtime/platform/log.h>

namespace executorch {
namespace ET_RUNTIME_NAMESPACE {
namespace internal {

class MergedDataMap final : public NamedDataMap {
 public:
  /// Errors: InvalidArgument for a null map, or a key that both maps hold.
  static Result<MergedDataMap> load(const NamedDataMap* first, const NamedDataMap* second) {
    if (first == nullptr || second == nullptr) {
      ET_LOG(Error, "cannot merge data maps: one is null");
      return Error::InvalidArgument;
    }
    Result<uint32_t> count = first->get_num_keys();
    for (uint32_t i = 0; count.ok() && i < count.get(); ++i) {
      Result<const char*> key = first->get_key(i);
      if (!key.ok()) {
        return key.error();
      }
      Error error = second->get_tensor_layout(key.get()).error();
      if (error != Error::NotFound && error != Error::NotImplemented) {
        ET_LOG(Error, "cannot merge data maps: both hold the key '%s'", key.get());
        return Error::InvalidArgument;
      }
    }
    return MergedDataMap(first, second);
  }

  Result<const TensorLayout> get_tensor_layout(std::string_view key) const override {
    Result<const TensorLayout> layout = first_->get_tensor_layout(key);
    if (layout.ok() || layout.error() != Error::NotFound) {
      return layout;
    }
    return second_->get_tensor_layout(key);
  }
  Result<FreeableBuffer> get_data(std::string_view key) const override {
    Result<FreeableBuffer> data = first_->get_data(key);
    if (data.error() != Error::NotFound) {
      return data;
    }
    return second_->get_data(key);
  }
  ET_NODISCARD Error load_data_into(std::string_view key, void* buffer, size_t size) const override {
    Error error = first_->load_data_into(key, buffer, size);
    return error == Error::NotFound ? second_->load_data_into(key, buffer, size) : error;
  }
  Result<uint32_t> get_num_keys() const override {
    return first_->get_num_keys().get() + second_->get_num_keys().get();
  }
  Result<const char*> get_key(uint32_t index) const override {
    uint32_t in_first = first_->get_num_keys().get();
    return index < in_first ? first_->get_key(index) : second_->get_key(index - in_first);
  }

  MergedDataMap(MergedDataMap&&) noexcept = default;
  ~MergedDataMap() override = default;

 private:
  MergedDataMap(const NamedDataMap* first, const NamedDataMap* second) : first_(first), second_(second) {}
  MergedDataMap(const MergedDataMap&) = delete;
  MergedDataMap& operator=(MergedDataMap&&) = delete;
  MergedDataMap& operator=(const MergedDataMap&) = delete;

  const NamedDataMap* first_;
  const NamedDataMap* second_;
};

}  // namespace internal
}  // namespace ET_RUNTIME_NAMESPACE
}  // namespace executorch
