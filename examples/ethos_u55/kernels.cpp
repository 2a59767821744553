// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of this image, in the order of their names: what kws.ethosu55.pte leaves to the processor.
#include <wick/kernel_table.h>

#define KERNELS(KERNEL)                                                             \
  KERNEL(aten_avg_pool2d_out, "aten::avg_pool2d.out")                               \
  KERNEL(cortex_m_dequantize_per_tensor_out, "cortex_m::dequantize_per_tensor.out") \
  KERNEL(cortex_m_quantize_per_tensor_out, "cortex_m::quantize_per_tensor.out")

WICK_DEFINE_KERNEL_TABLE(KERNELS)
