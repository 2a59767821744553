// SPDX-License-Identifier: BSD-3-Clause
// Files as bytes, and the little-endian builder of jobs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace wick::tools {

/// Something the user must hear about: what is wrong, with which file, and what was expected.
class ToolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Bytes = std::vector<uint8_t>;

/// The whole file; throws ToolError when it cannot be read.
Bytes read_file(const std::filesystem::path& path);

/// Writes the whole file; throws ToolError.
void write_file(const std::filesystem::path& path, std::string_view text);

/// Appends little-endian values; the counterpart of runner::Reader.
class ByteWriter {
 public:
  void u32(uint32_t value) { append(&value, sizeof(value)); }
  void i64(int64_t value) { append(&value, sizeof(value)); }
  void f64(double value) { append(&value, sizeof(value)); }
  /// Length, characters, and a zero that is not counted.
  void string(std::string_view text) {
    u32(static_cast<uint32_t>(text.size()));
    append(text.data(), text.size());
    bytes_.push_back(0);
  }
  /// A length-prefixed part.
  void part(const Bytes& part) {
    u32(static_cast<uint32_t>(part.size()));
    append(part.data(), part.size());
  }
  void raw(const Bytes& part) { append(part.data(), part.size()); }
  const Bytes& bytes() const { return bytes_; }

 private:
  void append(const void* data, size_t size) {
    const auto* at = static_cast<const uint8_t*>(data);
    bytes_.insert(bytes_.end(), at, at + size);
  }
  Bytes bytes_;
};

}  // namespace wick::tools
