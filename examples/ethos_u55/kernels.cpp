// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of this image, in the order of their names: what kws.ethosu55.pte leaves to the processor.
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <wick/kernel_table.h>

#define KERNELS(KERNEL)                                                             \
  KERNEL(aten_avg_pool2d_out, "aten::avg_pool2d.out")                               \
  KERNEL(cortex_m_dequantize_per_tensor_out, "cortex_m::dequantize_per_tensor.out") \
  KERNEL(cortex_m_quantize_per_tensor_out, "cortex_m::quantize_per_tensor.out")

namespace wick::kernels {
#define DECLARE(symbol, name) \
  void symbol(executorch::runtime::KernelRuntimeContext&, executorch::runtime::Span<executorch::runtime::EValue*>);
KERNELS(DECLARE)
}  // namespace wick::kernels

namespace {
#define ENTRY(symbol, name) {name, wick::kernels::symbol},
constexpr wick::KernelEntry entries[] = {KERNELS(ENTRY)};
}  // namespace

extern const wick::KernelTable wick_kernel_table = {entries, sizeof(entries) / sizeof(entries[0])};
