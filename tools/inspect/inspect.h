// SPDX-License-Identifier: BSD-3-Clause
// `wick inspect`: what is in a program file, and what of it this build does not have.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/common/bytes.h"

namespace wick::tools {

/// Describes a .pte: header, segments, constants, named data, exporter generation, and per method inputs, outputs,
/// operators with the number of calls, delegates, planned buffers. Throws ToolError when its tables are corrupt.
nlohmann::json inspect_program(const uint8_t* data, size_t size);

/// Describes a file of any kind: .pte, .bpte (the program inside) or .ptd. Throws ToolError when it is none of these.
nlohmann::json inspect_file(const std::string& path);

/// The description in words.
std::string inspection_text(const nlohmann::json& inspection);

}  // namespace wick::tools
