// SPDX-License-Identifier: BSD-3-Clause
// What nearly every kernel includes, in one line: tensors, dtypes, checks of shapes, the context.
//
//     #include <executorch/runtime/kernel/kernel_includes.h>

#pragma once

#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/exec_aten/util/tensor_util.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>

#include <cstddef>

// The name of an operator as a template argument, for the ET_SWITCH macros: a constant array, or, where the compiler
// refuses those (MSVC), a class type of C++20 that holds a copy.
#if defined(_MSC_VER) && defined(_MSVC_LANG) && _MSVC_LANG >= 202002L
#define ET_USE_STRUCTURAL_OPERATOR_NAME 1
namespace executorch::runtime {

template <std::size_t N>
struct OperatorName {
  char value[N];

  constexpr OperatorName(const char (&name)[N]) : value{} {
    for (std::size_t i = 0; i < N; ++i) value[i] = name[i];
  }

  constexpr operator const char*() const { return value; }
};

}  // namespace executorch::runtime
#define ET_OPERATOR_NAME_TYPE ::executorch::runtime::OperatorName
#define ET_DEFINE_OPERATOR_NAME(variable, name) \
  static constexpr auto variable = ::executorch::runtime::OperatorName { name }
#else
#define ET_USE_STRUCTURAL_OPERATOR_NAME 0
#define ET_OPERATOR_NAME_TYPE const char*
#define ET_DEFINE_OPERATOR_NAME(variable, name) static constexpr const char variable[] = name
#endif
