// SPDX-License-Identifier: BSD-3-Clause
// The kernel table of a program that links wick::kernels_all: every kernel of every room, for tools, tests and runners
// of any model. wick_all_kernels.def is written by CMake and includes the kernels.def of each room.

#include <executorch/runtime/core/exec_aten/exec_aten.h>

#include "src/kernels/kernel_table_builder.h"

namespace wick::kernels {

#define WICK_OP(symbol, name)                                       \
  void symbol(::executorch::runtime::KernelRuntimeContext& context, \
              ::executorch::runtime::Span<::executorch::runtime::EValue*> arguments);
#include "wick_all_kernels.def"
#undef WICK_OP

}  // namespace wick::kernels

namespace {

constexpr wick::KernelEntry kUnsorted[] = {
#define WICK_OP(symbol, name) {name, &wick::kernels::symbol},
#include "wick_all_kernels.def"
#undef WICK_OP
};

constexpr auto kSorted = wick::internal::sort_kernels(kUnsorted);
static_assert(wick::internal::all_different(kSorted), "an operator stands twice in the kernels.def files");

}  // namespace

extern const wick::KernelTable wick_kernel_table;
const wick::KernelTable wick_kernel_table = {kSorted.entries, sizeof(kSorted.entries) / sizeof(kSorted.entries[0])};
