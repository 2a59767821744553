// SPDX-License-Identifier: BSD-3-Clause
// ET_LOG writes one printf-like line to the board's console (et_pal_emit_log_message).
// ET_LOG_ENABLED=0 removes calls and strings from the image; ET_MIN_LOG_LEVEL=Error keeps errors only.
//
//     ET_LOG(Info, "ready");
//     ET_LOG(Error, "input %zu has %" PRId64 " elements", index, numel);

#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdlib>

#if __has_include(<cinttypes>)
#include <cinttypes>
#endif

#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/types.h>

/// Messages below this level are not compiled in; a name of LogLevel.
#ifndef ET_MIN_LOG_LEVEL
#define ET_MIN_LOG_LEVEL Info
#endif

/// 0 compiles out all logging, format strings included.
#ifndef ET_LOG_ENABLED
#define ET_LOG_ENABLED 1
#endif

// For a C library whose headers lack them.
#ifndef PRIu64
#define PRIu64 "llu"
#endif
#ifndef PRId64
#define PRId64 "lld"
#endif

namespace executorch::runtime {

/// How serious a message is, least first.
enum class LogLevel : uint8_t {
  /// Detail for debugging, compiled out by default.
  Debug,
  /// What the system is doing.
  Info,
  /// Something went wrong inside the runtime.
  Error,
  /// The reason for an abort that follows; logging it does not abort by itself.
  Fatal,
  /// Number of levels.
  NumLevels,
};

namespace internal {

/// The time given to a log message, in ticks.
et_timestamp_t get_log_timestamp();

/// Formats a message and hands it to the platform. `args` belong to `format`.
ET_PRINTFLIKE(6, 0)
void vlogf(LogLevel level, et_timestamp_t timestamp, const char* filename, const char* function, size_t line,
           const char* format, va_list args);

ET_PRINTFLIKE(6, 7)
void logf(LogLevel level, et_timestamp_t timestamp, const char* filename, const char* function, size_t line,
          const char* format, ...);

/// logf() with the present time: one argument less at each of the many places that log.
ET_PRINTFLIKE(5, 6)
void log_now(LogLevel level, const char* filename, const char* function, size_t line, const char* format, ...);

}  // namespace internal
}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::LogLevel;
}  // namespace torch::executor

// The format is the first of the variable arguments, so that there is always at least one: a message without
// further arguments is then standard C++, not a GNU extension.
#if ET_LOG_ENABLED

/// ET_LOG(level, format, ...): `level` is a name of LogLevel.
#define ET_LOG(_level, ...)                                                                                \
  do {                                                                                                     \
    if constexpr (static_cast<uint32_t>(::executorch::runtime::LogLevel::_level) >=                        \
                  static_cast<uint32_t>(::executorch::runtime::LogLevel::ET_MIN_LOG_LEVEL)) {              \
      ::executorch::runtime::internal::log_now(::executorch::runtime::LogLevel::_level, ET_SHORT_FILENAME, \
                                               ET_FUNCTION, ET_LINE, __VA_ARGS__);                         \
    }                                                                                                      \
  } while (0)

/// ET_CHECK_OR_LOG_ERROR(condition, format, ...): logs at level Error when the condition is false, and goes on.
#define ET_CHECK_OR_LOG_ERROR(_condition, ...) \
  do {                                         \
    if (!(_condition)) {                       \
      ET_LOG(Error, __VA_ARGS__);              \
    }                                          \
  } while (0)

#else  // ET_LOG_ENABLED

#define ET_LOG(_level, ...) ((void)0)
#define ET_CHECK_OR_LOG_ERROR(_condition, ...) ((void)0)

#endif  // ET_LOG_ENABLED
