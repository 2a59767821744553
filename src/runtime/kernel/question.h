// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's question to a kernel, whether it takes so many arguments: a call with a list that is never read. A
// kernel may answer more: what the loader can do at load for its call.
#pragma once

#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>

#include "src/pte/flatbuffer.h"

namespace wick {

class MethodLoader;
struct Instruction;

namespace internal {

/// The context of the question.
struct Question : executorch::runtime::KernelRuntimeContext {
  /// Set by a kernel to be called before the operands are made; it may make them, and change the instruction.
  void (*prepare)(MethodLoader& loader, pte::Table call, Instruction* out) = nullptr;
};

/// Makes the result of a permute_copy, transpose_copy or t_copy of a constant a view of it (constant_views.cpp).
void view_constant(MethodLoader& loader, pte::Table call, Instruction* out);

/// Fails the loader if the call's tensors differ in dtype (call_dtypes.cpp).
void require_one_dtype(MethodLoader& loader, pte::Table call, Instruction* out);

/// Stands for the argument list in the question. Not null: a span of that length may not be.
inline executorch::runtime::EValue** question_arguments() {
  return reinterpret_cast<executorch::runtime::EValue**>(alignof(executorch::runtime::EValue*));
}

}  // namespace internal
}  // namespace wick
