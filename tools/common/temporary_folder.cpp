// SPDX-License-Identifier: BSD-3-Clause
// mkdtemp with an owner.
#include "tools/common/temporary_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>

#include "tools/common/bytes.h"

namespace wick::tools {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "wick-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw ToolError(fmt::format("{}: no temporary folder can be made: {}", name, std::strerror(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace wick::tools
