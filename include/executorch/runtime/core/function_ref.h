// SPDX-License-Identifier: BSD-3-Clause
// FunctionRef<R(Args...)>: a reference to anything callable, without owning it and without the heap.
// The callable must outlive the reference, so it is meant for parameters.
//
//     void visit(FunctionRef<void(size_t)> f) { for (size_t i = 0; i < 3; ++i) f(i); }
//     visit([&](size_t i) { total += i; });

#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace executorch::runtime {

template <typename Fn>
class FunctionRef;

template <typename Ret, typename... Params>
class FunctionRef<Ret(Params...)> {
 public:
  FunctionRef() = default;
  FunctionRef(std::nullptr_t) {}

  /// Refers to anything that can be called with Params and gives something that converts to Ret.
  template <typename Callable,
            std::enable_if_t<!std::is_same_v<std::remove_cv_t<std::remove_reference_t<Callable>>, FunctionRef> &&
                                 std::is_invocable_r_v<Ret, Callable, Params...>,
                             int> = 0>
  FunctionRef(Callable&& callable)
      : call_(call<std::remove_reference_t<Callable>>), callable_(reinterpret_cast<intptr_t>(&callable)) {}

  Ret operator()(Params... params) const { return call_(callable_, std::forward<Params>(params)...); }

  explicit operator bool() const { return call_ != nullptr; }
  bool operator==(const FunctionRef& other) const { return callable_ == other.callable_; }

 private:
  template <typename Callable>
  static Ret call(intptr_t callable, Params... params) {
    return (*reinterpret_cast<Callable*>(callable))(std::forward<Params>(params)...);
  }

  Ret (*call_)(intptr_t callable, Params... params) = nullptr;
  intptr_t callable_ = 0;
};

}  // namespace executorch::runtime
