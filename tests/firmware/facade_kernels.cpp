// SPDX-License-Identifier: BSD-3-Clause
// The kernels that the models of facade_models.cpp call, in the order of their names.
#include <wick/kernel_table.h>

#define KERNELS(KERNEL)                                         \
  KERNEL(aten__softmax_out, "aten::_softmax.out")               \
  KERNEL(aten_add_out, "aten::add.out")                         \
  KERNEL(aten_addmm_out, "aten::addmm.out")                     \
  KERNEL(aten_arange_start_out, "aten::arange.start_out")       \
  KERNEL(aten_avg_pool2d_out, "aten::avg_pool2d.out")           \
  KERNEL(aten_bmm_out, "aten::bmm.out")                         \
  KERNEL(aten_constant_pad_nd_out, "aten::constant_pad_nd.out") \
  KERNEL(aten_convolution_out, "aten::convolution.out")         \
  KERNEL(aten_copy_, "aten::copy_")                             \
  KERNEL(aten_div_out, "aten::div.out")                         \
  KERNEL(aten_expand_copy_out, "aten::expand_copy.out")         \
  KERNEL(aten_full_like_out, "aten::full_like.out")             \
  KERNEL(aten_gelu_out, "aten::gelu.out")                       \
  KERNEL(aten_index_put_out, "aten::index_put.out")             \
  KERNEL(aten_le_Tensor_out, "aten::le.Tensor_out")             \
  KERNEL(aten_mm_out, "aten::mm.out")                           \
  KERNEL(aten_permute_copy_out, "aten::permute_copy.out")       \
  KERNEL(aten_relu_out, "aten::relu.out")                       \
  KERNEL(aten_view_copy_out, "aten::view_copy.out")             \
  KERNEL(aten_where_self_out, "aten::where.self_out")

WICK_DEFINE_KERNEL_TABLE(KERNELS)
