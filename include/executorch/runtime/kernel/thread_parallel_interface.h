// SPDX-License-Identifier: BSD-3-Clause
// parallel_for: splits a range of work over threads. wick has one thread, so the whole range is one call
// (in debug builds one call per item, backwards, which finds code that relies on the order).
// With ET_USE_THREADPOOL the functions are only declared, for a thread pool that the program brings.
//
//     executorch::extension::parallel_for(0, n, 1, [&](int64_t begin, int64_t end) { work(begin, end); });

#pragma once

#include <c10/util/irange.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/function_ref.h>
#include <executorch/runtime/platform/assert.h>

#include <cstdint>

namespace executorch::extension {
namespace internal {

/// The items that are worth a thread, as in PyTorch.
constexpr int64_t GRAIN_SIZE = 32768;

/// Calls f(begin, end) for parts of the range. False, with nothing called, if the range or the grain size is not valid.
template <typename Func>
inline bool parallel_for_no_threadpool(const int64_t begin, const int64_t end, const int64_t grain_size,
                                       const Func& f) {
  ET_CHECK_OR_RETURN_FALSE(begin >= 0 && end >= begin, "begin = %" PRId64 ", end = %" PRId64, begin, end);
  ET_CHECK_OR_RETURN_FALSE(grain_size > 0, "grain_size = %" PRId64, grain_size);
#ifndef NDEBUG
  for (int64_t i = end; i > begin; --i) f(i - 1, i);
#else
  f(begin, end);
#endif
  return true;
}

}  // namespace internal

#ifdef ET_USE_THREADPOOL

/// Calls f(begin, end) on parts of the range of at least `grain_size` items each, on several threads at once. False,
/// with nothing called, if the range or the grain size is not valid.
bool parallel_for(const int64_t begin, const int64_t end, const int64_t grain_size,
                  runtime::FunctionRef<void(int64_t, int64_t)> f);

int64_t get_thread_count();
int64_t get_thread_num();
void set_thread_num(int64_t thread_num);

#else  // ET_USE_THREADPOOL

template <typename Func>
bool parallel_for(const int64_t begin, const int64_t end, const int64_t grain_size, const Func& func) {
  return internal::parallel_for_no_threadpool(begin, end, grain_size, func);
}

/// The number of threads that parallel_for() uses.
inline int64_t get_thread_count() { return 1; }

/// The number of the calling thread.
inline int64_t get_thread_num() { return 0; }

/// A mistake in a build without threads.
inline void set_thread_num(int64_t) { ET_DCHECK_MSG(false, "set_thread_num() needs ET_USE_THREADPOOL"); }

#endif  // ET_USE_THREADPOOL
}  // namespace executorch::extension

namespace torch::executor {
// Deprecated names.
using ::executorch::extension::get_thread_num;
using ::executorch::extension::parallel_for;
using ::executorch::extension::set_thread_num;
}  // namespace torch::executor
