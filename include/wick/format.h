// SPDX-License-Identifier: BSD-3-Clause
// The formatter behind ET_LOG: printf's language without the C library, whose embedded versions get
// `%zu`, `%lld` and `%f` wrong or leave them out. No heap, no locale, no floating-point instruction.
//
// Conversions: d i u x X o c s p f F e E g G %, with the flags `-+ #0`, width, precision, `*` and the lengths
// hh h l ll z j t L (a long double is formatted as a double). Anything else is copied as it stands.

#pragma once

#include <executorch/runtime/platform/compiler.h>

#include <cstdarg>
#include <cstddef>

namespace wick {

/// Writes at most `capacity` bytes including the final NUL, as snprintf does; nothing if `capacity` is 0.
/// Returns the length of the whole text, which was cut if that is not below `capacity`.
ET_PRINTFLIKE(3, 0)
size_t format_va(char* buffer, size_t capacity, const char* format, va_list args);

ET_PRINTFLIKE(3, 4)
size_t format(char* buffer, size_t capacity, const char* format, ...);

}  // namespace wick
