// SPDX-License-Identifier: BSD-3-Clause
//
// The shape of a convolution, checked once, for its forward and backward operators. A 1-d convolution is a 2-d one of
// height 1; strides are those of the tensors as they lie, so no dim order needs a case of its own.
#pragma once

#include "src/kernels/portable/elements.h"

namespace wick {
namespace portable {

struct ConvolutionShape {
  int32_t batch, groups;
  int32_t in_channels, out_channels;  ///< per group
  int32_t in_size[2], out_size[2], kernel[2], stride[2], padding[2], dilation[2];
  bool transposed;
  // Strides in elements: [n, c, h, w] and, for weights, [out channel, in channel, h, w] within a group.
  ptrdiff_t in[4], out[4], weight[4];
  ptrdiff_t weight_group;
};

/// What aten::convolution takes besides tensors; lists may have one item for all dimensions, or none for the default.
struct ConvolutionArguments {
  IntArrayRef stride, padding, dilation, output_padding;
  bool transposed;
  int64_t groups;
};

/// Checks tensors and arguments, fills `shape` (all but the out strides) and gives the sizes of the result.
/// False, with the context failed, if anything does not fit.
bool plan_convolution(KernelRuntimeContext& ctx, const Tensor& in, const Tensor& weight,
                      const ConvolutionArguments& arguments, ConvolutionShape& shape, Shape& out_sizes);

/// True if convolve_depthwise() computes it: one input channel per group, a kernel of moderate size, not transposed.
bool is_depthwise(const ConvolutionShape& shape);
/// A float convolution that is_depthwise(); bias may be null.
void convolve_depthwise(const ConvolutionShape& shape, const float* in, const float* weight, const float* bias,
                        float* out);

/// Strides of a tensor [n, c, h, w] or [n, c, w] as [n, c, h, w].
void plane_strides(const Tensor& tensor, ptrdiff_t (&strides)[4]);

/// Index of the input row (or column) that output index `out` meets at kernel index `k`; negative or >= size if none.
inline int32_t input_index(const ConvolutionShape& shape, int axis, int32_t out, int32_t k) {
  if (!shape.transposed) {
    return out * shape.stride[axis] - shape.padding[axis] + k * shape.dilation[axis];
  }
  const int32_t at = out + shape.padding[axis] - k * shape.dilation[axis];
  return at >= 0 && at % shape.stride[axis] == 0 ? at / shape.stride[axis] : -1;
}

}  // namespace portable
}  // namespace wick
