// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of this image, in the order of their names: what kws.float.pte calls. Nothing else is linked.
#include <wick/kernel_table.h>

#define KERNELS(KERNEL)                                         \
  KERNEL(aten__softmax_out, "aten::_softmax.out")               \
  KERNEL(aten_addmm_out, "aten::addmm.out")                     \
  KERNEL(aten_avg_pool2d_out, "aten::avg_pool2d.out")           \
  KERNEL(aten_constant_pad_nd_out, "aten::constant_pad_nd.out") \
  KERNEL(aten_convolution_out, "aten::convolution.out")         \
  KERNEL(aten_permute_copy_out, "aten::permute_copy.out")       \
  KERNEL(aten_relu_out, "aten::relu.out")

WICK_DEFINE_KERNEL_TABLE(KERNELS)
