// SPDX-License-Identifier: BSD-3-Clause
// Whether a case fits the memory that a board declares.
#pragma once

#include <string>

#include "tools/common/boards.h"
#include "tools/verify/discover.h"

namespace wick::tools {

/// Why the item cannot be run on the board, in words; empty when it fits.
std::string too_big_for(const Board& board, const Item& item);

}  // namespace wick::tools
