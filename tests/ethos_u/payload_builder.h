// SPDX-License-Identifier: BSD-3-Clause
// Makes payloads of the Ethos-U delegate block by block, and keeps bytes where a sanitizer sees any read past them.
#pragma once

#include <wick/ethos_u.h>

#include <cstring>
#include <memory>
#include <vector>

namespace wick::ethos_u {

/// Bytes at a multiple of 16 whose end is the end of a heap block.
class Aligned {
 public:
  explicit Aligned(const std::vector<uint8_t>& bytes)
      : size_(bytes.size()), memory_(new (kAlign) uint8_t[size_ == 0 ? 1 : size_]) {
    if (size_ != 0) std::memcpy(memory_.get(), bytes.data(), size_);
  }
  View view() const { return {memory_.get(), size_}; }
  uint8_t* data() { return memory_.get(); }

 private:
  static constexpr std::align_val_t kAlign{16};
  struct Delete {
    void operator()(uint8_t* memory) const { operator delete[](memory, kAlign); }
  };
  size_t size_;
  std::unique_ptr<uint8_t[], Delete> memory_;
};

inline void add_word(std::vector<uint8_t>& bytes, uint32_t word) {
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(word >> (8 * i)));
}

inline void add_block(std::vector<uint8_t>& bytes, const char* name, const std::vector<uint8_t>& data,
                      bool external = false) {
  const size_t start = bytes.size();
  bytes.resize(start + 16);
  std::memcpy(bytes.data() + start, name, std::strlen(name));
  add_word(bytes, static_cast<uint32_t>(data.size()));
  bytes.push_back(external ? 1 : 0);
  bytes.resize(start + 32);
  bytes.insert(bytes.end(), data.begin(), data.end());
  bytes.resize((bytes.size() + 15) / 16 * 16);
}

}  // namespace wick::ethos_u
