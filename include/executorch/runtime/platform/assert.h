// SPDX-License-Identifier: BSD-3-Clause
// Checks for mistakes of the programmer: they log at level Fatal and abort.
// What a bad model or a bad argument can cause is an Error instead (see core/error.h).
//
//     ET_CHECK(pool != nullptr);
//     ET_CHECK_MSG(index < count, "index %zu, but there are %zu values", index, count);

#pragma once

#include <executorch/runtime/platform/abort.h>
#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/log.h>

namespace executorch::runtime::internal {

/// Logs "In function f(), assert failed (condition): message"; the condition may be null.
ET_PRINTFLIKE(5, 6)
void log_failed_check(const char* filename, const char* function, size_t line, const char* condition,
                      const char* format, ...);

/// Logs "In function f(), assert failed: condition".
void log_failed_check(const char* filename, const char* function, size_t line, const char* condition);

}  // namespace executorch::runtime::internal

// Strings are passed, not pasted together: each condition and each message is stored once, and there is
// always at least one variable argument.
#if ET_LOG_ENABLED
#define WICK_LOG_FAILED_CHECK(...) \
  ::executorch::runtime::internal::log_failed_check(ET_SHORT_FILENAME, ET_FUNCTION, ET_LINE, __VA_ARGS__)
#else
#define WICK_LOG_FAILED_CHECK(...) ((void)0)
#endif

/// ET_ASSERT_MESSAGE_EMIT(format, ...): logs a failed assertion and does not abort.
#define ET_ASSERT_MESSAGE_EMIT(...) WICK_LOG_FAILED_CHECK(static_cast<const char*>(nullptr), __VA_ARGS__)

/// ET_CHECK_MSG(condition, format, ...): aborts when the condition is false, in every build.
#define ET_CHECK_MSG(_cond, ...)                  \
  do {                                            \
    if ET_UNLIKELY (!(_cond)) {                   \
      WICK_LOG_FAILED_CHECK(#_cond, __VA_ARGS__); \
      ::executorch::runtime::runtime_abort();     \
    }                                             \
  } while (0)

/// Aborts when the condition is false, in every build.
#define ET_CHECK(_cond)                       \
  do {                                        \
    if ET_UNLIKELY (!(_cond)) {               \
      WICK_LOG_FAILED_CHECK(#_cond);          \
      ::executorch::runtime::runtime_abort(); \
    }                                         \
  } while (0)

// The same in debug builds only. ET_DEBUG_ONLY marks a variable that only such checks use.
#ifdef NDEBUG
#define ET_DCHECK_MSG(_cond, ...) ((void)0)
#define ET_DCHECK(_cond) ((void)0)
#define ET_DEBUG_ONLY [[maybe_unused]]
#else
#define ET_DCHECK_MSG(_cond, ...) ET_CHECK_MSG(_cond, __VA_ARGS__)
#define ET_DCHECK(_cond) ET_CHECK(_cond)
#define ET_DEBUG_ONLY
#endif

/// Aborts: control must never come here.
#define ET_ASSERT_UNREACHABLE()                                   \
  do {                                                            \
    ET_CHECK_MSG(false, "Execution should not reach this point"); \
    ET_UNREACHABLE();                                             \
  } while (0)

/// ET_ASSERT_UNREACHABLE_MSG(format, ...): as above; the message says how to avoid it and starts with a literal.
#define ET_ASSERT_UNREACHABLE_MSG(...)                                          \
  do {                                                                          \
    ET_CHECK_MSG(false, "Execution should not reach this point. " __VA_ARGS__); \
    ET_UNREACHABLE();                                                           \
  } while (0)
