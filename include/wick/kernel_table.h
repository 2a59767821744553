// SPDX-License-Identifier: BSD-3-Clause
// The kernels of an image: one constant table in flash, sorted by operator name, defined once per program.
// Linking wick::kernels_all or a model's own table defines it; an image without kernels defines an empty one:
//
//     extern const wick::KernelTable wick_kernel_table = {nullptr, 0};

#pragma once

#include <executorch/runtime/core/span.h>

#include <cstddef>

namespace executorch::runtime {
class KernelRuntimeContext;
struct EValue;
}  // namespace executorch::runtime

namespace wick {

/// A boxed kernel: the same type as executorch::runtime::OpFunction.
using KernelFunction = void (*)(executorch::runtime::KernelRuntimeContext&,
                                executorch::runtime::Span<executorch::runtime::EValue*>);

struct KernelEntry {
  const char* name;  ///< operator and overload, such as "aten::add.out"
  KernelFunction function;
};

/// Entries in the order of strcmp() on their names, without doubles.
struct KernelTable {
  const KernelEntry* entries;
  size_t size;
};

/// Compares the name of an entry with "name.overload", or with "name" if the overload is null or empty: negative, zero
/// or positive as strcmp().
int compare_operator_name(const char* entry, const char* name, const char* overload);

/// The entry of an operator, or null. No string is built of name and overload.
const KernelEntry* find_kernel(const KernelTable& table, const char* name, const char* overload);

/// The entry of an operator named in full ("aten::add.out"), or null.
const KernelEntry* find_kernel(const KernelTable& table, const char* name);

}  // namespace wick

/// The kernels of this image. A link error that names it means: link wick::kernels_all, or the table of the model.
extern const wick::KernelTable wick_kernel_table;

/// Defines the kernels of an image by hand. KERNELS is a macro that applies its parameter to each kernel's symbol and
/// operator, in the order of strcmp() on the operators:
///
///     #define KERNELS(KERNEL) KERNEL(aten_add_out, "aten::add.out") KERNEL(aten_mul_out, "aten::mul.out")
///     WICK_DEFINE_KERNEL_TABLE(KERNELS)
#define WICK_DEFINE_KERNEL_TABLE(KERNELS)                                           \
  namespace wick {                                                                  \
  namespace kernels {                                                               \
  KERNELS(WICK_DECLARE_KERNEL)                                                      \
  }                                                                                 \
  }                                                                                 \
  namespace {                                                                       \
  constexpr wick::KernelEntry wick_kernel_entries[] = {KERNELS(WICK_KERNEL_ENTRY)}; \
  }                                                                                 \
  extern const wick::KernelTable wick_kernel_table = {wick_kernel_entries,          \
                                                      sizeof(wick_kernel_entries) / sizeof(wick_kernel_entries[0])};
#define WICK_DECLARE_KERNEL(symbol, name)                   \
  void symbol(::executorch::runtime::KernelRuntimeContext&, \
              ::executorch::runtime::Span<::executorch::runtime::EValue*>);
#define WICK_KERNEL_ENTRY(symbol, name) {name, &wick::kernels::symbol},
