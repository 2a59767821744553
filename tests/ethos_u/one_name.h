// SPDX-License-Identifier: BSD-3-Clause
// Named data with one name, for blocks of a payload that are external.
#pragma once

#include <executorch/runtime/core/named_data_map.h>
#include <wick/ethos_u.h>

#include <string>

namespace wick::ethos_u {

inline const std::string kKey(64, 'k');

/// Plain data by one key.
class OneName final : public executorch::runtime::NamedDataMap {
 public:
  explicit OneName(View data) : data_(data) {}
  executorch::runtime::Result<const executorch::runtime::TensorLayout> get_tensor_layout(
      std::string_view) const override {
    return executorch::runtime::Error::NotFound;
  }
  executorch::runtime::Result<executorch::runtime::FreeableBuffer> get_data(std::string_view key) const override {
    if (key != kKey) return executorch::runtime::Error::NotFound;
    return executorch::runtime::FreeableBuffer(data_.data, data_.size, nullptr);
  }
  executorch::runtime::Error load_data_into(std::string_view, void*, size_t) const override {
    return executorch::runtime::Error::NotFound;
  }
  executorch::runtime::Result<uint32_t> get_num_keys() const override { return 1; }
  executorch::runtime::Result<const char*> get_key(uint32_t) const override { return kKey.c_str(); }

 private:
  View data_;
};

}  // namespace wick::ethos_u
