// SPDX-License-Identifier: BSD-3-Clause
// A function as a type, with its signature: EXECUTORCH_FN(function, name).
// Part of make_boxed_from_unboxed_functor.h.
//
//     static constexpr const char name[] = "my::op.out";
//     auto kernel = executorch::extension::make_boxed_kernel(name, EXECUTORCH_FN(my_op_out, name));

#pragma once

#include <executorch/extension/kernel_util/type_list.h>

#include <type_traits>

namespace executorch::extension::kernel_util_internal {

template <class T>
struct is_function_type : std::is_function<T> {};
template <class T>
using is_function_type_t = typename is_function_type<T>::type;

/// A function, known at compile time, with the name of the operator that it implements.
template <class FuncType_, FuncType_* func_ptr_, const char* func_name>
struct CompileTimeFunctionPointer final {
  static_assert(is_function_type<FuncType_>::value, "EXECUTORCH_FN can only wrap function types.");
  using FuncType = FuncType_;
  static constexpr const char* func_name_ = func_name;

  static constexpr FuncType* func_ptr() { return func_ptr_; }
};

template <class T>
struct is_compile_time_function_pointer : std::false_type {};
template <class FuncType, FuncType* func_ptr, const char* func_name>
struct is_compile_time_function_pointer<CompileTimeFunctionPointer<FuncType, func_ptr, func_name>> : std::true_type {};

/// Result and parameters of a function type.
template <class Func>
struct function_traits;
template <class Result, class... Args>
struct function_traits<Result(Args...)> {
  using func_type = Result(Args...);
  using return_type = Result;
  using parameter_types = typelist<Args...>;
  static constexpr auto number_of_parameters = sizeof...(Args);
};

/// The same of functions, pointers to functions, and objects that can be called.
template <typename Functor>
struct infer_function_traits : infer_function_traits<decltype(&Functor::operator())> {};
template <typename Result, typename... Args>
struct infer_function_traits<Result(Args...)> {
  using type = function_traits<Result(Args...)>;
};
template <typename Result, typename... Args>
struct infer_function_traits<Result (*)(Args...)> : infer_function_traits<Result(Args...)> {};
template <typename Class, typename Result, typename... Args>
struct infer_function_traits<Result (Class::*)(Args...)> : infer_function_traits<Result(Args...)> {};
template <typename Class, typename Result, typename... Args>
struct infer_function_traits<Result (Class::*)(Args...) const> : infer_function_traits<Result(Args...)> {};
template <typename T>
using infer_function_traits_t = typename infer_function_traits<T>::type;

}  // namespace executorch::extension::kernel_util_internal

#define EXECUTORCH_FN_TYPE(func, name)                                       \
  ::executorch::extension::kernel_util_internal::CompileTimeFunctionPointer< \
      std::remove_pointer_t<std::remove_reference_t<decltype(func)>>, func, name>
#define EXECUTORCH_FN(func, name) EXECUTORCH_FN_TYPE(func, name)()
