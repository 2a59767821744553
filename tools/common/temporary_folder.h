// SPDX-License-Identifier: BSD-3-Clause
// A folder that exists as long as its object.
#pragma once

#include <filesystem>

namespace wick::tools {

class TemporaryFolder {
 public:
  /// Throws ToolError when no folder can be made.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace wick::tools
