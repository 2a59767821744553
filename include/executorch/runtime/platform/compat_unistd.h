// SPDX-License-Identifier: BSD-3-Clause
// File descriptor functions (open, read, close, pread) for the file loaders of hosts.
// On systems without <unistd.h> nothing is declared: the loaders that read from memory need none of it.
//
//     ssize_t n = ::pread(fd, buffer, size, offset);

#pragma once

#include <executorch/runtime/platform/compiler.h>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif
