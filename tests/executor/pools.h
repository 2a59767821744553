// SPDX-License-Identifier: BSD-3-Clause
//
// What the tests of the executor share: a program from a file, memory for its methods.
#pragma once

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

/// A file's bytes at a multiple of 16.
class Image {
 public:
  explicit Image(const std::string& name) : Image(read(std::string(WICK_CASES "/") + name)) {}
  explicit Image(const std::vector<uint8_t>& bytes) : size_(bytes.size()), storage_(bytes.size() / 16 + 1) {
    std::copy(bytes.begin(), bytes.end(), data());
  }
  uint8_t* data() { return reinterpret_cast<uint8_t*>(storage_.data()); }
  size_t size() const { return size_; }

  static std::vector<uint8_t> read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.good()) << path;
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  size_t size_;
  std::vector<Block> storage_;
};

/// Pools of chosen sizes, and planned buffers as the method asks.
class Pools {
 public:
  Pools(const executorch::runtime::Program& program, const char* name, size_t method_bytes = 1 << 16,
        size_t temp_bytes = 1 << 16)
      : method_bytes_(method_bytes), temp_bytes_(temp_bytes) {
    const auto meta = program.method_meta(name);
    EXPECT_TRUE(meta.ok());
    for (size_t i = 0; i < meta->num_memory_planned_buffers(); ++i) {
      buffers_.emplace_back(static_cast<size_t>(meta->memory_planned_buffer_size(i).get()) / 16 + 1);
      spans_.emplace_back(reinterpret_cast<uint8_t*>(buffers_.back().data()), buffers_.back().size() * 16);
    }
    planned_ = std::make_unique<executorch::runtime::HierarchicalAllocator>(
        executorch::runtime::Span<executorch::runtime::Span<uint8_t>>(spans_.data(), spans_.size()));
    method_memory_.resize(method_bytes / 16 + 1);
    temp_memory_.resize(temp_bytes / 16 + 1);
    method = std::make_unique<executorch::runtime::MemoryAllocator>(static_cast<uint32_t>(method_bytes),
                                                                    reinterpret_cast<uint8_t*>(method_memory_.data()));
    temp = std::make_unique<executorch::runtime::MemoryAllocator>(static_cast<uint32_t>(temp_bytes),
                                                                  reinterpret_cast<uint8_t*>(temp_memory_.data()));
    manager = std::make_unique<executorch::runtime::MemoryManager>(method.get(), planned_.get(), temp.get());
  }

  /// A planned buffer.
  executorch::runtime::Span<uint8_t> planned(size_t i) { return spans_[i]; }

  std::unique_ptr<executorch::runtime::MemoryAllocator> method;
  std::unique_ptr<executorch::runtime::MemoryAllocator> temp;
  std::unique_ptr<executorch::runtime::MemoryManager> manager;

 private:
  struct alignas(16) Block {
    uint8_t bytes[16];
  };
  size_t method_bytes_;
  size_t temp_bytes_;
  std::vector<std::vector<Block>> buffers_;
  std::vector<executorch::runtime::Span<uint8_t>> spans_;
  std::unique_ptr<executorch::runtime::HierarchicalAllocator> planned_;
  std::vector<Block> method_memory_;
  std::vector<Block> temp_memory_;
};
