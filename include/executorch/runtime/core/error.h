// SPDX-License-Identifier: BSD-3-Clause
// Error codes, and macros that return one when a condition does not hold.
// Codes are grouped: 0x0_ state of the system, 0x1_ request, 0x2_ resource, 0x3_ delegate.
//
//     ET_CHECK_OR_RETURN_ERROR(size > 0, InvalidArgument, "size is 0; give at least %d bytes", 16);
//     ET_CHECK_OK_OR_RETURN_ERROR(method->execute());

#pragma once

#include <executorch/runtime/platform/log.h>
#include <stdint.h>

namespace executorch::runtime {

/// Integer type of an error code.
typedef uint32_t error_code_t;

/// What went wrong; Ok when nothing did.
enum class Error : error_code_t {
  Ok = 0x00,
  /// A fault inside the runtime.
  Internal = 0x01,
  /// The object is not in a state that allows the call.
  InvalidState = 0x02,
  /// step(): no instruction is left.
  EndOfMethod = 0x03,
  /// The resource was loaded before.
  AlreadyLoaded = 0x04,

  /// Not possible in this context.
  NotSupported = 0x10,
  /// Not written.
  NotImplemented = 0x11,
  /// The caller passed something wrong.
  InvalidArgument = 0x12,
  /// The object's type does not fit the operation.
  InvalidType = 0x13,
  /// The program calls an operator that has no kernel here.
  OperatorMissing = 0x14,
  /// More kernels were registered than there is room for.
  RegistrationExceedingMaxKernels = 0x15,
  /// A kernel of this name was registered before.
  RegistrationAlreadyRegistered = 0x16,

  /// There is nothing of that name or index.
  NotFound = 0x20,
  /// A memory pool is too small.
  MemoryAllocationFailed = 0x21,
  /// A resource exists but cannot be read or written.
  AccessFailed = 0x22,
  /// The bytes of the program are wrong.
  InvalidProgram = 0x23,
  /// The bytes of the external data are wrong.
  InvalidExternalData = 0x24,
  /// Something other than memory ran out.
  OutOfResources = 0x25,

  /// A delegate was compiled for another version or another device.
  DelegateInvalidCompatibility = 0x30,
  /// A delegate could not get the memory that it needs.
  DelegateMemoryAllocationFailed = 0x31,
  /// A delegate was handed a handle that it does not know.
  DelegateInvalidHandle = 0x32,
};

/// The name of an error code, as "Error::NotFound"; "Error::Unknown" for other numbers.
constexpr const char* to_string(const Error error) {
  switch (error) {
#define WICK_CASE(name) \
  case Error::name:     \
    return "Error::" #name;
    WICK_CASE(Ok)
    WICK_CASE(Internal)
    WICK_CASE(InvalidState)
    WICK_CASE(EndOfMethod)
    WICK_CASE(AlreadyLoaded)
    WICK_CASE(NotSupported)
    WICK_CASE(NotImplemented)
    WICK_CASE(InvalidArgument)
    WICK_CASE(InvalidType)
    WICK_CASE(OperatorMissing)
    WICK_CASE(RegistrationExceedingMaxKernels)
    WICK_CASE(RegistrationAlreadyRegistered)
    WICK_CASE(NotFound)
    WICK_CASE(MemoryAllocationFailed)
    WICK_CASE(AccessFailed)
    WICK_CASE(InvalidProgram)
    WICK_CASE(InvalidExternalData)
    WICK_CASE(OutOfResources)
    WICK_CASE(DelegateInvalidCompatibility)
    WICK_CASE(DelegateMemoryAllocationFailed)
    WICK_CASE(DelegateInvalidHandle)
#undef WICK_CASE
    default:
      return "Error::Unknown";
  }
}

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::Error;
using ::executorch::runtime::error_code_t;
}  // namespace torch::executor

// WICK_IF_MORE(one, more, args...): `one` when args is a single argument, `more` for two to ten.
#define WICK_EXPAND(x) x
#define WICK_ELEVENTH(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, eleventh, ...) eleventh
#define WICK_IF_MORE(one, more, ...) \
  WICK_EXPAND(WICK_ELEVENTH(__VA_ARGS__, more, more, more, more, more, more, more, more, more, one, 0))

// WICK_LOG_FALSE(condition as a string, format, ...): "Check failed (condition): message".
#define WICK_LOG_FALSE_1(text, format) ET_LOG(Error, "Check failed (%s): " format, text)
#define WICK_LOG_FALSE_N(text, format, ...) ET_LOG(Error, "Check failed (%s): " format, text, __VA_ARGS__)
#define WICK_LOG_FALSE(text, ...) \
  WICK_EXPAND(WICK_IF_MORE(WICK_LOG_FALSE_1, WICK_LOG_FALSE_N, __VA_ARGS__)(text, __VA_ARGS__))

/// ET_CHECK_OR_RETURN_ERROR(condition, error, format, ...): when the condition is false, logs and returns Error::error.
#define ET_CHECK_OR_RETURN_ERROR(cond__, error__, ...) \
  {                                                    \
    if (!(cond__)) {                                   \
      ET_LOG(Error, __VA_ARGS__);                      \
      return ::executorch::runtime::Error::error__;    \
    }                                                  \
  }

/// ET_CHECK_OR_RETURN_FALSE(condition, format, ...): when the condition is false, logs and returns false.
#define ET_CHECK_OR_RETURN_FALSE(cond__, ...) \
  {                                           \
    if (!(cond__)) {                          \
      WICK_LOG_FALSE(#cond__, __VA_ARGS__);   \
      return false;                           \
    }                                         \
  }

/// ET_CHECK_OK_OR_RETURN_ERROR(error [, format, ...]): returns the error unless it is Ok, logging the message if any.
#define ET_CHECK_OK_OR_RETURN_ERROR(...) \
  WICK_EXPAND(WICK_IF_MORE(WICK_RETURN_UNLESS_OK_1, WICK_RETURN_UNLESS_OK_N, __VA_ARGS__)(__VA_ARGS__))

#define WICK_RETURN_UNLESS_OK_1(error__)                  \
  do {                                                    \
    const auto et_error__ = (error__);                    \
    if (et_error__ != ::executorch::runtime::Error::Ok) { \
      return et_error__;                                  \
    }                                                     \
  } while (0)

#define WICK_RETURN_UNLESS_OK_N(error__, ...)             \
  do {                                                    \
    const auto et_error__ = (error__);                    \
    if (et_error__ != ::executorch::runtime::Error::Ok) { \
      ET_LOG(Error, __VA_ARGS__);                         \
      return et_error__;                                  \
    }                                                     \
  } while (0)
