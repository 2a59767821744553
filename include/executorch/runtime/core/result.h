// SPDX-License-Identifier: BSD-3-Clause
// Result<T>: a value, or the Error that says why there is none.
// Reading the value of a failed Result aborts, so look at ok() first.
//
//     Result<Program> program = Program::load(&loader);
//     if (!program.ok()) { return program.error(); }
//     size_t methods = program->num_methods();

#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/platform/assert.h>

#include <new>
#include <type_traits>
#include <utility>

namespace executorch::runtime {

template <typename T>
class Result final {
 public:
  typedef T value_type;

  /// A failure. Error::Ok is no reason for one and becomes Error::Internal.
  /* implicit */ Result(Error error) : error_(error == Error::Ok ? Error::Internal : error), has_value_(false) {}

  /* implicit */ Result(const T& value) : value_(value), has_value_(true) {}
  /* implicit */ Result(T&& value) : value_(std::move(value)), has_value_(true) {}

  /* implicit */ Result(Result&& other) noexcept : has_value_(other.has_value_) {
    if (has_value_) {
      new (const_cast<std::remove_cv_t<T>*>(&value_)) T(std::move(other.value_));
    } else {
      error_ = other.error_;
    }
  }

  ~Result() {
    if (has_value_) {
      value_.~T();
    }
  }

  // A value may not be copyable, and a Result is not a variable to use twice.
  Result() = delete;
  Result(const Result&) = delete;
  Result& operator=(const Result&) = delete;
  Result& operator=(Result&&) = delete;

  /// True when there is a value; then and only then error() is Error::Ok.
  ET_NODISCARD ET_INLINE bool ok() const { return has_value_; }
  ET_NODISCARD ET_INLINE Error error() const { return has_value_ ? Error::Ok : error_; }

  /// The value. Aborts when there is none.
  ET_INLINE T& get() {
    check_ok();
    return value_;
  }
  ET_INLINE const T& get() const {
    check_ok();
    return value_;
  }

  /// Short for get().
  ET_INLINE const T& operator*() const& { return get(); }
  ET_INLINE T& operator*() & { return get(); }
  ET_INLINE const T* operator->() const { return &get(); }
  ET_INLINE T* operator->() { return &get(); }

 private:
  ET_INLINE void check_ok() const { ET_CHECK(has_value_); }

  union {
    T value_;
    Error error_;
  };
  const bool has_value_;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::Result;
}  // namespace torch::executor

// ET_UNWRAP is an expression with a `return` inside, which only GNU compilers offer; see ET_ASSIGN_OR_RETURN.
#if ET_HAVE_GNU_STATEMENT_EXPRESSIONS
#define WICK_UNWRAP_1(result__)    \
  __extension__({                  \
    auto et_result__ = (result__); \
    if (!et_result__.ok()) {       \
      return et_result__.error();  \
    }                              \
    ::std::move(*et_result__);     \
  })
#define WICK_UNWRAP_N(result__, ...) \
  __extension__({                    \
    auto et_result__ = (result__);   \
    if (!et_result__.ok()) {         \
      ET_LOG(Error, __VA_ARGS__);    \
      return et_result__.error();    \
    }                                \
    ::std::move(*et_result__);       \
  })

/// ET_UNWRAP(result [, format, ...]): the value; or logs the message, if any, and returns the error from the caller.
#define ET_UNWRAP(...) WICK_EXPAND(WICK_IF_MORE(WICK_UNWRAP_1, WICK_UNWRAP_N, __VA_ARGS__)(__VA_ARGS__))
#endif

/// ET_ASSIGN_OR_RETURN(name, result [, format, ...]): declares `name` with the value, or returns the error. Any
/// compiler.
#define ET_ASSIGN_OR_RETURN(var__, ...) \
  WICK_EXPAND(WICK_IF_MORE(WICK_ASSIGN_1, WICK_ASSIGN_N, __VA_ARGS__)(var__, __VA_ARGS__))

#define WICK_ASSIGN_1(var__, result__)        \
  auto et_assign_result_##var__ = (result__); \
  if (!et_assign_result_##var__.ok()) {       \
    return et_assign_result_##var__.error();  \
  }                                           \
  auto var__ = ::std::move(*et_assign_result_##var__)

#define WICK_ASSIGN_N(var__, result__, ...)   \
  auto et_assign_result_##var__ = (result__); \
  if (!et_assign_result_##var__.ok()) {       \
    ET_LOG(Error, __VA_ARGS__);               \
    return et_assign_result_##var__.error();  \
  }                                           \
  auto var__ = ::std::move(*et_assign_result_##var__)
