// SPDX-License-Identifier: BSD-3-Clause
// The table of backends of an image that has none. In a file of its own: a definition elsewhere replaces it.

#include <executorch/runtime/platform/compiler.h>
#include <wick/backend_table.h>

ET_WEAK extern const wick::BackendTable wick_backend_table = {nullptr, 0, nullptr};
