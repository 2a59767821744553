// SPDX-License-Identifier: BSD-3-Clause
//
// The real size of a program that lies in memory, found in the program itself: nobody needs to know it by hand.
//
//   const void* p = flash_base;                                   // memory-mapped, 8 MB, a .pte at its start
//   Result<size_t> size = wick::pte_size(p, 8 << 20);
//   BufferDataLoader loader(p, size.get());
#pragma once

#include <cstddef>

#include <executorch/runtime/core/result.h>

namespace wick {

/// Bytes of the .pte at `data`, of which at most `limit` may be read (the size of the flash region). Programs whose
/// header lacks the size (exporters before 1.0, and programs without constants) are measured by their furthest table
/// or segment. Errors: InvalidProgram (not a .pte, erased memory, or it does not fit `limit`; a message says which),
/// InvalidArgument (`data` is null or not 8-byte aligned).
executorch::runtime::Result<size_t> pte_size(const void* data, size_t limit);

}  // namespace wick
