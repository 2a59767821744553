// SPDX-License-Identifier: BSD-3-Clause
// The driver payload in a delegate's block cmd_data: the command stream, and the NPU that it was compiled for.
#pragma once

#include <wick/ethos_u.h>

namespace wick::ethos_u {

struct CommandData {
  uint32_t config = 0;  ///< CONFIG register of the NPU that the program was compiled for
  uint32_t id = 0;      ///< ID register likewise
  View stream{nullptr, 0};
};

/// Reads "COP1" and "COP2"; null, or what is wrong.
const char* parse_command_data(View bytes, CommandData& data);

}  // namespace wick::ethos_u
