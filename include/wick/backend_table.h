// SPDX-License-Identifier: BSD-3-Clause
// The backends of an image that need no registration at start-up: a constant table, empty unless something
// such as wick::ethos_u defines it.
//
//     static MyBackend backend;
//     static const executorch::runtime::Backend entries[] = {{"MyBackend", &backend}};
//     extern const wick::BackendTable wick_backend_table = {entries, 1};

#pragma once

#include <cstddef>

#include <wick/optional_parts.h>

namespace executorch::runtime {
struct Backend;
}  // namespace executorch::runtime

namespace wick {

struct BackendTable {
  const executorch::runtime::Backend* entries;
  size_t count;
  const ForeignCalls* support = &foreign_calls;  ///< the part of the loader that delegates need; null in an empty table
};

}  // namespace wick

/// The backends of this image. The default is weak and empty. A linker takes the first definition that it finds, so a
/// definition in a static library must be asked for: `-u wick_backend_table` before the library of the runtime.
extern const wick::BackendTable wick_backend_table;
