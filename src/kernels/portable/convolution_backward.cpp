// SPDX-License-Identifier: BSD-3-Clause
//
// aten::convolution_backward: gradients of input, weight and bias, each element summed in the compute type.
#include <tuple>

#include "src/kernels/portable/convolution.h"

namespace wick {
namespace portable {

namespace {

struct Gradients {
  const ConvolutionShape& shape;
  ScalarType type;
  ptrdiff_t size;
  const char* grad_output;
  const char* in;
  const char* weight;

  template <typename C>
  C get(const char* data, ptrdiff_t at) const {
    return load_one<C>(type, data + at * size);
  }
};

bool inside(int32_t i, int32_t size) { return i >= 0 && i < size; }

// d/d in[n, group, c, iy, ix]: all outputs that a kernel tap connects with it. Seen from the input, a convolution is a
// transposed one and the other way round.
template <typename C>
C input_gradient(const Gradients& g, const ConvolutionShape& flipped, int32_t n, int32_t group, int32_t c, int32_t iy,
                 int32_t ix) {
  const ConvolutionShape& s = g.shape;
  C sum = 0;
  for (int32_t ky = 0; ky < s.kernel[0]; ++ky) {
    const int32_t y = input_index(flipped, 0, iy, ky);
    for (int32_t kx = 0; kx < s.kernel[1]; ++kx) {
      const int32_t x = input_index(flipped, 1, ix, kx);
      if (!inside(y, s.out_size[0]) || !inside(x, s.out_size[1])) {
        continue;
      }
      for (int32_t o = 0; o < s.out_channels; ++o) {
        sum += g.get<C>(g.grad_output,
                        n * s.out[0] + (group * s.out_channels + o) * s.out[1] + y * s.out[2] + x * s.out[3]) *
               g.get<C>(g.weight, group * s.weight_group + o * s.weight[0] + c * s.weight[1] + ky * s.weight[2] +
                                      kx * s.weight[3]);
      }
    }
  }
  return sum;
}

template <typename C>
C weight_gradient(const Gradients& g, int32_t group, int32_t o, int32_t c, int32_t ky, int32_t kx) {
  const ConvolutionShape& s = g.shape;
  C sum = 0;
  for (int32_t n = 0; n < s.batch; ++n) {
    for (int32_t y = 0; y < s.out_size[0]; ++y) {
      const int32_t iy = input_index(s, 0, y, ky);
      for (int32_t x = 0; x < s.out_size[1]; ++x) {
        const int32_t ix = input_index(s, 1, x, kx);
        if (inside(iy, s.in_size[0]) && inside(ix, s.in_size[1])) {
          sum += g.get<C>(g.grad_output,
                          n * s.out[0] + (group * s.out_channels + o) * s.out[1] + y * s.out[2] + x * s.out[3]) *
                 g.get<C>(g.in, n * s.in[0] + (group * s.in_channels + c) * s.in[1] + iy * s.in[2] + ix * s.in[3]);
        }
      }
    }
  }
  return sum;
}

template <typename C>
void write_input_gradient(const Gradients& g, Tensor& out) {
  const ConvolutionShape& s = g.shape;
  ConvolutionShape flipped = s;
  flipped.transposed = !s.transposed;
  ptrdiff_t strides[4];
  plane_strides(out, strides);
  char* data = static_cast<char*>(out.mutable_data_ptr());
  for (int32_t n = 0; n < s.batch; ++n) {
    for (int32_t channel = 0; channel < s.groups * s.in_channels; ++channel) {
      for (int32_t y = 0; y < s.in_size[0]; ++y) {
        for (int32_t x = 0; x < s.in_size[1]; ++x) {
          const C sum = input_gradient<C>(g, flipped, n, channel / s.in_channels, channel % s.in_channels, y, x);
          const ptrdiff_t at = n * strides[0] + channel * strides[1] + y * strides[2] + x * strides[3];
          store_one(g.type, data + at * g.size, sum);
        }
      }
    }
  }
}

template <typename C>
void write_weight_gradient(const Gradients& g, Tensor& out) {
  const ConvolutionShape& s = g.shape;
  ptrdiff_t strides[4];
  plane_strides(out, strides);
  const ptrdiff_t o_stride = s.transposed ? strides[1] : strides[0];
  const ptrdiff_t c_stride = s.transposed ? strides[0] : strides[1];
  const ptrdiff_t group_stride = strides[0] * (s.transposed ? s.in_channels : s.out_channels);
  char* data = static_cast<char*>(out.mutable_data_ptr());
  for (int32_t group = 0; group < s.groups; ++group) {
    for (int32_t o = 0; o < s.out_channels; ++o) {
      for (int32_t c = 0; c < s.in_channels; ++c) {
        for (int32_t ky = 0; ky < s.kernel[0]; ++ky) {
          for (int32_t kx = 0; kx < s.kernel[1]; ++kx) {
            const ptrdiff_t at = group * group_stride + o * o_stride + c * c_stride + ky * strides[2] + kx * strides[3];
            store_one(g.type, data + at * g.size, weight_gradient<C>(g, group, o, c, ky, kx));
          }
        }
      }
    }
  }
}

template <typename C>
void write_bias_gradient(const Gradients& g, Tensor& out) {
  const ConvolutionShape& s = g.shape;
  char* data = static_cast<char*>(out.mutable_data_ptr());
  for (int32_t channel = 0; channel < s.groups * s.out_channels; ++channel) {
    C sum = 0;
    for (int32_t n = 0; n < s.batch; ++n) {
      for (int32_t y = 0; y < s.out_size[0]; ++y) {
        for (int32_t x = 0; x < s.out_size[1]; ++x) {
          sum += g.get<C>(g.grad_output, n * s.out[0] + channel * s.out[1] + y * s.out[2] + x * s.out[3]);
        }
      }
    }
    store_one(g.type, data + channel * g.size, sum);
  }
}

template <typename C>
void backward(const Gradients& g, ArrayRef<bool> mask, Tensor& grad_in, Tensor& grad_weight, Tensor& grad_bias) {
  if (mask[0]) {
    write_input_gradient<C>(g, grad_in);
  }
  if (mask[1]) {
    write_weight_gradient<C>(g, grad_weight);
  }
  if (mask[2]) {
    write_bias_gradient<C>(g, grad_bias);
  }
}

std::tuple<Tensor&, Tensor&, Tensor&> convolution_backward_out(
    KernelRuntimeContext& ctx, const Tensor& grad_output, const Tensor& in, const Tensor& weight,
    std::optional<IntArrayRef>, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation, bool transposed,
    IntArrayRef output_padding, int64_t groups, ArrayRef<bool> output_mask, Tensor& grad_in, Tensor& grad_weight,
    Tensor& grad_bias) {
  constexpr DtypeSet kTypes = kFloating & selected_dtypes("aten::convolution_backward.out");
  const std::tuple<Tensor&, Tensor&, Tensor&> outputs(grad_in, grad_weight, grad_bias);
  ConvolutionShape shape;
  Shape out_sizes;
  WICK_REQUIRE(ctx, output_mask.size() == 3, outputs, "convolution_backward: the output mask must have 3 items");
  if (!require_dtype(ctx, in, kTypes) || !require_same_dtype(ctx, in, weight) ||
      !require_same_dtype(ctx, in, grad_output) ||
      !plan_convolution(ctx, in, weight, {stride, padding, dilation, output_padding, transposed, groups}, shape,
                        out_sizes)) {
    return outputs;
  }
  WICK_REQUIRE(ctx, grad_output.sizes().equals(out_sizes), outputs,
               "convolution_backward: the gradient does not have the convolution's sizes");
  Shape channels;
  channels.push(out_sizes[1]);
  if ((output_mask[0] && (!require_same_dtype(ctx, in, grad_in) || !resize_as(ctx, grad_in, in))) ||
      (output_mask[1] && (!require_same_dtype(ctx, in, grad_weight) || !resize_as(ctx, grad_weight, weight))) ||
      (output_mask[2] && (!require_same_dtype(ctx, in, grad_bias) || !resize(ctx, grad_bias, channels)))) {
    return outputs;
  }
  plane_strides(grad_output, shape.out);
  const Gradients gradients = {shape,
                               in.scalar_type(),
                               static_cast<ptrdiff_t>(in.element_size()),
                               static_cast<const char*>(grad_output.const_data_ptr()),
                               static_cast<const char*>(in.const_data_ptr()),
                               static_cast<const char*>(weight.const_data_ptr())};
  if constexpr (is_in(ScalarType::Double, kTypes)) {
    if (in.scalar_type() == ScalarType::Double) {
      backward<double>(gradients, output_mask, grad_in, grad_weight, grad_bias);
      return outputs;
    }
  }
  if constexpr ((kTypes & ~dtypes(ScalarType::Double)) != 0) {
    backward<float>(gradients, output_mask, grad_in, grad_weight, grad_bias);
  }
  return outputs;
}

}  // namespace

}  // namespace portable
}  // namespace wick

WICK_KERNEL(aten_convolution_backward_out, wick::portable::convolution_backward_out)
