// SPDX-License-Identifier: BSD-3-Clause
// A kernel that C++ code hands to the C API: an aten::add.out that fills its result with sevens.
#include "tests/firmware/facade_fill.h"

#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <wick/model.h>

namespace {

using executorch::runtime::EValue;
using executorch::runtime::Kernel;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::Span;

void fill_with_seven(KernelRuntimeContext&, Span<EValue*> args) {
  const executorch::aten::Tensor& out = args[args.size() - 1]->toTensor();
  for (ssize_t i = 0; i < out.numel(); ++i) {
    out.mutable_data_ptr<float>()[i] = 7.0f;
  }
}

}  // namespace

const wick_kernels_t* facade_fill_kernels(void) {
  static const Kernel kernels[] = {Kernel("aten::add.out", fill_with_seven)};
  static const wick::KernelsOption option(Span<const Kernel>(kernels, 1));
  return reinterpret_cast<const wick_kernels_t*>(&option);
}
