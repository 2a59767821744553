// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of this image, in the order of their names: what kws.float.pte calls. Nothing else is linked.
#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <wick/kernel_table.h>

#define KERNELS(KERNEL)                                         \
  KERNEL(aten__softmax_out, "aten::_softmax.out")               \
  KERNEL(aten_addmm_out, "aten::addmm.out")                     \
  KERNEL(aten_avg_pool2d_out, "aten::avg_pool2d.out")           \
  KERNEL(aten_constant_pad_nd_out, "aten::constant_pad_nd.out") \
  KERNEL(aten_convolution_out, "aten::convolution.out")         \
  KERNEL(aten_permute_copy_out, "aten::permute_copy.out")       \
  KERNEL(aten_relu_out, "aten::relu.out")

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
