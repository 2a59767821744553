// SPDX-License-Identifier: BSD-3-Clause
// The kernel table of wick_firmware: the names of wick's kernels without the kernels, which it has no need to compile.
// A rehearsal of loading (memory.cpp) asks no more of them than to be there.
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>

#include "src/kernels/kernel_table_builder.h"

namespace {

void stand_in(executorch::runtime::KernelRuntimeContext&, executorch::runtime::Span<executorch::runtime::EValue*>) {}

constexpr wick::KernelEntry kNames[] = {
#define WICK_OP(symbol, name) {name, &stand_in},
#include "wick_all_kernels.def"
#undef WICK_OP
};
constexpr auto kSortedNames = wick::internal::sort_kernels(kNames);

}  // namespace

extern const wick::KernelTable wick_kernel_table;
const wick::KernelTable wick_kernel_table = {kSortedNames.entries, sizeof(kNames) / sizeof(kNames[0])};
