// SPDX-License-Identifier: BSD-3-Clause
// Reading and writing whole files.
#include "tools/common/bytes.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace wick::tools {

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || std::filesystem::is_directory(path)) {
    throw ToolError(path.string() + ": cannot be opened: " + std::strerror(errno));
  }
  Bytes bytes(static_cast<size_t>(file.tellg()));
  file.seekg(0);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file) {
    throw ToolError(path.string() + ": cannot be read to its end");
  }
  return bytes;
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.flush()) {
    throw ToolError(path.string() + ": cannot be written: " + std::strerror(errno));
  }
}

}  // namespace wick::tools
