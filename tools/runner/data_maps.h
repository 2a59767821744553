// SPDX-License-Identifier: BSD-3-Clause
// Several named-data maps (.ptd files) seen as one; the first that knows a key answers.
#pragma once

#include <executorch/runtime/core/named_data_map.h>

namespace wick::runner {

class DataMaps final : public executorch::runtime::NamedDataMap {
 public:
  using Error = executorch::runtime::Error;
  template <typename T>
  using Result = executorch::runtime::Result<T>;

  DataMaps(NamedDataMap* const* maps, uint32_t count) : maps_(maps), count_(count) {}

  Result<const executorch::runtime::TensorLayout> get_tensor_layout(std::string_view key) const override {
    for (uint32_t i = 0; i < count_; ++i) {
      auto layout = maps_[i]->get_tensor_layout(key);
      if (layout.ok()) {
        return layout;
      }
    }
    return Error::NotFound;
  }

  Result<executorch::runtime::FreeableBuffer> get_data(std::string_view key) const override {
    for (uint32_t i = 0; i < count_; ++i) {
      auto data = maps_[i]->get_data(key);
      if (data.ok()) {
        return data;
      }
    }
    return Error::NotFound;
  }

  Error load_data_into(std::string_view key, void* buffer, size_t size) const override {
    for (uint32_t i = 0; i < count_; ++i) {
      const Error error = maps_[i]->load_data_into(key, buffer, size);
      if (error != Error::NotFound) {
        return error;
      }
    }
    return Error::NotFound;
  }

  Result<uint32_t> get_num_keys() const override {
    uint32_t total = 0;
    for (uint32_t i = 0; i < count_; ++i) {
      const auto keys = maps_[i]->get_num_keys();
      if (!keys.ok()) {
        return keys.error();
      }
      total += *keys;
    }
    return total;
  }

  Result<const char*> get_key(uint32_t index) const override {
    for (uint32_t i = 0; i < count_; ++i) {
      const auto keys = maps_[i]->get_num_keys();
      if (!keys.ok()) {
        return keys.error();
      }
      if (index < *keys) {
        return maps_[i]->get_key(index);
      }
      index -= *keys;
    }
    return Error::InvalidArgument;
  }

 private:
  NamedDataMap* const* maps_;
  uint32_t count_;
};

}  // namespace wick::runner
