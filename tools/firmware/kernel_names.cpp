// SPDX-License-Identifier: BSD-3-Clause
// The kernel table of wick_firmware: the names of wick's kernels without the kernels, which it has no need to compile.
// A rehearsal of loading (memory.cpp) asks of them to be there, and of those that transpose to say so, as
// src/kernels/portable/permute.cpp does: the loader makes their results views of constants. tests/package compares.
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>

#include <string_view>

#include "src/kernels/kernel_table_builder.h"
#include "src/runtime/kernel/question.h"

namespace {

using executorch::runtime::KernelRuntimeContext;
using Arguments = executorch::runtime::Span<executorch::runtime::EValue*>;

void stand_in(KernelRuntimeContext&, Arguments) {}

void transpose(KernelRuntimeContext& context, Arguments) {
  static_cast<wick::internal::Question&>(context).prepare = wick::internal::view_constant;
}

constexpr auto stand_in_for(std::string_view name) {
  const bool transposes =
      name == "aten::permute_copy.out" || name == "aten::transpose_copy.int_out" || name == "aten::t_copy.out";
  return transposes ? &transpose : &stand_in;
}

constexpr wick::KernelEntry kNames[] = {
#define WICK_OP(symbol, name) {name, stand_in_for(name)},
#include "wick_all_kernels.def"
#undef WICK_OP
};
constexpr auto kSortedNames = wick::internal::sort_kernels(kNames);

}  // namespace

extern const wick::KernelTable wick_kernel_table;
const wick::KernelTable wick_kernel_table = {kSortedNames.entries, sizeof(kNames) / sizeof(kNames[0])};
