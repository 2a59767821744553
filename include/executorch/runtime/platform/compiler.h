// SPDX-License-Identifier: BSD-3-Clause
// One name for each thing that compilers spell differently: attributes, hints, the place of a call.
// The only header of wick that asks which compiler it meets.
//
//     ET_NODISCARD Error start();
//     if ET_UNLIKELY (size == 0) { return Error::InvalidArgument; }

#pragma once

#if !defined(__clang__) && defined(__GNUC__) && __GNUC__ < 7
#error "gcc is too old: C++17 needs gcc 7 or later"
#endif
#if defined(__clang__) && __clang_major__ < 5
#error "clang is too old: C++17 needs clang 5 or later"
#endif
#if (defined(_MSVC_LANG) && _MSVC_LANG < 201703L) || (!defined(_MSVC_LANG) && __cplusplus < 201703L)
#error "C++17 is needed: pass -std=c++17 or later"
#endif

// size_t and ssize_t.
#if defined(_MSC_VER)
#include <stddef.h>
using ssize_t = ptrdiff_t;
#else
#include <stddef.h>
#include <sys/types.h>
#endif

#ifndef __has_builtin
#define __has_builtin(x) (0)
#endif

// Standard attributes.
#define ET_NORETURN [[noreturn]]
#define ET_DEPRECATED [[deprecated]]
#define ET_EXPERIMENTAL [[deprecated("This API is experimental: it may change in any release.")]]
#define ET_FALLTHROUGH [[fallthrough]]
#define ET_NODISCARD [[nodiscard]]
#define ET_UNUSED [[maybe_unused]]

// Attributes and hints without a standard spelling. Indices of ET_PRINTFLIKE count from 1; for a
// va_list the second one is 0.
#if defined(_MSC_VER)
#include <sal.h>
#define ET_NOINLINE __declspec(noinline)
#define ET_INLINE __forceinline
#define ET_RESTRICT __restrict
#define ET_WEAK
#define ET_PRINTFLIKE(_string_index, _va_index) _Printf_format_string_
#define ET_UNREACHABLE() __assume(0)
#else
#define ET_NOINLINE __attribute__((noinline))
#define ET_INLINE __attribute__((always_inline)) inline
#define ET_RESTRICT __restrict__
#define ET_WEAK __attribute__((weak))
#define ET_PRINTFLIKE(_string_index, _va_index) __attribute__((format(printf, _string_index, _va_index)))
#define ET_UNREACHABLE() __builtin_unreachable()
#endif

// Branch hints, written in place of the parentheses of a condition: `if ET_LIKELY (x > 0) { ... }`.
#if defined(__GNUC__)
#define ET_LIKELY(expr) (__builtin_expect(static_cast<bool>(expr), true))
#define ET_UNLIKELY(expr) (__builtin_expect(static_cast<bool>(expr), false))
#elif __cplusplus >= 202002L
#define ET_LIKELY(expr) (expr) [[likely]]
#define ET_UNLIKELY(expr) (expr) [[unlikely]]
#else
#define ET_LIKELY(expr) (expr)
#define ET_UNLIKELY(expr) (expr)
#endif

// Where a call stands in the source. The file has no directory: it would cost flash and name the build machine.
#if defined(__FILE_NAME__)
#define ET_SHORT_FILENAME __FILE_NAME__
#elif __has_builtin(__builtin_strrchr)
#define ET_SHORT_FILENAME (__builtin_strrchr("/" __FILE__, '/') + 1)
#else
#define ET_SHORT_FILENAME __FILE__
#endif

#if __has_builtin(__builtin_LINE)
#define ET_LINE __builtin_LINE()
#else
#define ET_LINE __LINE__
#endif

#if __has_builtin(__builtin_FUNCTION) && !(defined(ET_USE_BUILTIN_FUNCTION_NAME) && ET_USE_BUILTIN_FUNCTION_NAME == 0)
#define ET_FUNCTION __builtin_FUNCTION()
#else
#define ET_FUNCTION __FUNCTION__
#endif

// Conversions for size_t and ssize_t in formats. ET_LOG understands `z` on every target; the libc of Xtensa does not.
#if defined(__XTENSA__)
#define ET_PRIsize_t "u"
#define ET_PRIssize_t "d"
#else
#define ET_PRIsize_t "zu"
#define ET_PRIssize_t "zd"
#endif

// Whether `({ ... })` is an expression (ET_UNWRAP in users' code needs it).
#ifndef ET_HAVE_GNU_STATEMENT_EXPRESSIONS
#if defined(__GNUC__) || defined(__clang__)
#define ET_HAVE_GNU_STATEMENT_EXPRESSIONS 1
#else
#define ET_HAVE_GNU_STATEMENT_EXPRESSIONS 0
#endif
#endif

#if defined(__EXCEPTIONS) || (defined(_HAS_EXCEPTIONS) && _HAS_EXCEPTIONS)
#define ET_HAS_EXCEPTIONS 1
#else
#define ET_HAS_EXCEPTIONS 0
#endif

// Deprecated spellings.
#define __ET_DEPRECATED ET_DEPRECATED
#define __ET_FALLTHROUGH ET_FALLTHROUGH
#define __ET_FUNCTION ET_FUNCTION
#define __ET_HAVE_GNU_STATEMENT_EXPRESSIONS ET_HAVE_GNU_STATEMENT_EXPRESSIONS
#define __ET_INLINE ET_INLINE
#define __ET_LIKELY ET_LIKELY
#define __ET_LINE ET_LINE
#define __ET_NODISCARD ET_NODISCARD
#define __ET_NOINLINE ET_NOINLINE
#define __ET_NORETURN ET_NORETURN
#define __ET_PRINTFLIKE ET_PRINTFLIKE
#define __ET_SHORT_FILENAME ET_SHORT_FILENAME
#define __ET_UNLIKELY ET_UNLIKELY
#define __ET_UNREACHABLE ET_UNREACHABLE
#define __ET_UNUSED ET_UNUSED
#define __ET_WEAK ET_WEAK
