// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's question to a kernel, whether it takes so many arguments: a call with a list that is never read.
#pragma once

#include <executorch/runtime/core/evalue.h>

namespace wick::internal {

/// Stands for the argument list in the question. Not null: a span of that length may not be.
inline executorch::runtime::EValue** question_arguments() {
  return reinterpret_cast<executorch::runtime::EValue**>(alignof(executorch::runtime::EValue*));
}

}  // namespace wick::internal
