// SPDX-License-Identifier: BSD-3-Clause
// Registers a plain C++ function as a kernel: its parameters say which EValue goes where. At most one
// EXECUTORCH_LIBRARY per source line. (wick's own kernels need no registration: see wick/kernel.h.)
//
//     Tensor& my_op_out(KernelRuntimeContext& context, const Tensor& in, std::optional<int64_t> n, Tensor& out);
//     EXECUTORCH_LIBRARY(my_ns, "my_op.out", my_op_out);

#pragma once

#include <executorch/extension/kernel_util/meta_programming.h>
#include <executorch/extension/kernel_util/type_list.h>
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/event_tracer_hooks.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <executorch/runtime/platform/profiler.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace executorch::extension {
namespace kernel_util_internal {

/// The number of results: the non-const tensors at the end of a list of parameters.
template <class... Parameters>
constexpr size_t count_results(typelist<Parameters...>*) {
  size_t count = 0;
  ((count = std::is_same_v<Parameters, executorch::aten::Tensor&> ? count + 1 : 0), ...);
  return count;
}

/// An EValue as an argument of type T. A value of another type makes the call fail; get() is not called then.
template <class T>
class Argument {
 public:
  Argument(runtime::KernelRuntimeContext& context, runtime::EValue& value) : value_(value.tryTo<T>()) {
    if (!value_.ok()) context.fail(value_.error());
  }
  T& get() { return *value_; }

 private:
  runtime::Result<T> value_;
};

template <class T>
class Argument<std::optional<T>> {
 public:
  Argument(runtime::KernelRuntimeContext& context, runtime::EValue& value) {
    if (value.isNone()) return;
    runtime::Result<T> result = value.tryTo<T>();
    if (result.ok()) {
      value_.emplace(*result);
    } else {
      context.fail(result.error());
    }
  }
  std::optional<T>& get() { return value_; }

 private:
  std::optional<T> value_;
};

template <>
class Argument<executorch::aten::Tensor> {
 public:
  Argument(runtime::KernelRuntimeContext& context, runtime::EValue& value) : value_(value) {
    if (!value.isTensor()) context.fail(runtime::Error::InvalidType);
  }
  executorch::aten::Tensor& get() { return value_.toTensor(); }

 private:
  runtime::EValue& value_;
};

/// Calls a kernel with arguments that were converted before.
template <class Functor, bool with_context, typename... Arguments>
void call_unless_failed(runtime::KernelRuntimeContext& context, Arguments&&... arguments) {
  if (context.failure_state() != runtime::Error::Ok) {
    ET_LOG(Error, "%s: an argument has a type that the kernel does not take", Functor::func_name_);
    return;
  }
  if constexpr (with_context) {
    (void)(*Functor::func_ptr())(context, arguments.get()...);
  } else {
    (void)(*Functor::func_ptr())(arguments.get()...);
  }
}

template <class Functor, bool with_context, size_t... indices, typename... Parameters>
void call_with_values(runtime::KernelRuntimeContext& context, [[maybe_unused]] runtime::Span<runtime::EValue*> values,
                      std::index_sequence<indices...>, typelist<Parameters...>*) {
  call_unless_failed<Functor, with_context>(context, Argument<std::decay_t<Parameters>>(context, *values[indices])...);
}

}  // namespace kernel_util_internal

/// The boxed form of EXECUTORCH_FN(function, name). The function may take a KernelRuntimeContext& first.
template <class FuncType>
struct WrapUnboxedIntoFunctor {
  static_assert(kernel_util_internal::is_compile_time_function_pointer<FuncType>::value,
                "Can't handle function other than EXECUTORCH_FN");
  using TrueType = typename FuncType::FuncType;
  using ReturnType = typename kernel_util_internal::infer_function_traits_t<TrueType>::return_type;
  using ArgsType = typename kernel_util_internal::infer_function_traits_t<TrueType>::parameter_types;
  static constexpr bool first_arg_is_context =
      std::is_same_v<runtime::KernelRuntimeContext,
                     std::remove_reference_t<kernel_util_internal::head_with_default_t<void, ArgsType>>>;
  using ContextRemovedArgsType =
      std::conditional_t<first_arg_is_context, kernel_util_internal::drop_if_nonempty_t<ArgsType, 1>, ArgsType>;

  /// Fails with Error::InvalidArgument if there are fewer values than parameters, with Error::InvalidType if one has a
  /// type that the function does not take. Logs the results to the event tracer.
  static void call(runtime::KernelRuntimeContext& ctx, runtime::Span<runtime::EValue*> stack) {
    constexpr size_t count = kernel_util_internal::size<ContextRemovedArgsType>::value;
    constexpr auto parameters = static_cast<ContextRemovedArgsType*>(nullptr);
    if (stack.size() < count) {
      ET_LOG(Error, "%s takes %zu arguments, not %zu", FuncType::func_name_, count, stack.size());
      ctx.fail(runtime::Error::InvalidArgument);
      return;
    }
    runtime::internal::EventTracerProfileOpScope scope(ctx.internal_event_tracer(), FuncType::func_name_);
    EXECUTORCH_SCOPE_PROF(FuncType::func_name_);
    kernel_util_internal::call_with_values<FuncType, first_arg_is_context>(
        ctx, stack, std::make_index_sequence<count>(), parameters);
    for (size_t i = count - kernel_util_internal::count_results(parameters); i < count; ++i) {
      runtime::internal::event_tracer_log_evalue(ctx.internal_event_tracer(), *stack[i]);
    }
  }
};

/// A kernel to register: make_boxed_kernel("my_ns::my_op.out", EXECUTORCH_FN(my_op_out, name)).
template <typename FuncType>
static runtime::Kernel make_boxed_kernel(const char* name, FuncType) {
  return runtime::Kernel(name, WrapUnboxedIntoFunctor<FuncType>::call);
}

}  // namespace executorch::extension

#define ET_CONCATENATE_IMPL(s1, s2) s1##s2
#define ET_CONCATENATE(s1, s2) ET_CONCATENATE_IMPL(s1, s2)
#define ET_UID __LINE__

/// EXECUTORCH_LIBRARY(my_ns, "my_op.out", function): registers `function` as the kernel of my_ns::my_op.out.
#define EXECUTORCH_LIBRARY(ns, op_name, func) _EXECUTORCH_LIBRARY_IMPL(ns, op_name, func, ET_UID)

#define _EXECUTORCH_LIBRARY_IMPL(ns, op_name, func, uid)                                 \
  static constexpr const char ET_CONCATENATE(name_of_op_, uid)[] = #ns "::" op_name;     \
  static auto ET_CONCATENATE(res_##ns##_, uid) =                                         \
      ::executorch::runtime::register_kernel(::executorch::extension::make_boxed_kernel( \
          ET_CONCATENATE(name_of_op_, uid), EXECUTORCH_FN(func, ET_CONCATENATE(name_of_op_, uid))))

namespace torch::executor {
// Deprecated names.
using ::executorch::extension::make_boxed_kernel;
using ::executorch::extension::WrapUnboxedIntoFunctor;
}  // namespace torch::executor
