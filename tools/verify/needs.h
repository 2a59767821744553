// SPDX-License-Identifier: BSD-3-Clause
// What a case needs that this build does not have: the only reason to skip it.
#pragma once

#include <string>
#include <vector>

#include "tools/verify/discover.h"

namespace wick::tools {

/// Names of the missing operators, backends and readers, without repeats; empty when the item can be run.
std::vector<std::string> missing_needs(const Item& item);

}  // namespace wick::tools
