// SPDX-License-Identifier: BSD-3-Clause
//
// Float convolutions with one input channel per group. Nothing is copied but a few weights: the taps of an output pixel
// that lie inside of the input are read where they are, for runs of pixels that have the same taps.
#include "src/kernels/portable/convolution.h"
#include "src/kernels/simd/float_taps.h"

namespace wick {
namespace portable {
namespace {

constexpr int32_t kLanes = static_cast<int32_t>(simd::kTapLanes);
constexpr int32_t kMostTaps = 64;

/// Kernel indices [first, first + count) of an output index that lie inside of the input.
struct Inside {
  int32_t first, count;
  Inside(const ConvolutionShape& shape, int axis, int32_t out) {
    const int32_t dilation = shape.dilation[axis], kernel = shape.kernel[axis];
    const int32_t top = out * shape.stride[axis] - shape.padding[axis];
    const int32_t left = shape.in_size[axis] - top;  // input items from the first tap on
    const int32_t end = left <= 0 ? 0 : (left - 1) / dilation + 1;
    first = top < 0 ? (dilation - 1 - top) / dilation : 0;
    count = (end < kernel ? end : kernel) - first;
    count = count > 0 ? count : 0;
  }
};

/// A run of output columns that read the same columns of the kernel.
struct Segment {
  int32_t x, n, first, count;
};

/// All of them: pixels at the border one by one, and those in the middle.
class Segments {
 public:
  static constexpr int32_t kMostPadding = 8;

  explicit Segments(const ConvolutionShape& shape) {
    for (int32_t x = 0; x < shape.out_size[1]; ++x) {
      const Inside columns(shape, 1, x);
      Segment& last = list_[count_ == 0 ? 0 : count_ - 1];
      if (count_ > 0 && columns.count == shape.kernel[1] && last.count == columns.count) {
        ++last.n;
      } else {
        list_[count_++] = {x, 1, columns.first, columns.count};
      }
    }
  }
  const Segment* begin() const { return list_; }
  const Segment* end() const { return list_ + count_; }

 private:
  int32_t count_ = 0;
  Segment list_[2 * kMostPadding + 1];
};

class Depthwise {
 public:
  Depthwise(const ConvolutionShape& shape, const float* weight, const float* bias)
      : shape_(shape), weight_(weight), bias_(bias), segments_(shape) {
    run_.in_row = shape.dilation[0] * shape.in[2];
    run_.in_column = shape.dilation[1] * shape.in[3];
    run_.in_step = shape.stride[1] * shape.in[3];
    run_.weight_row = shape.kernel[1] * kLanes;
    run_.start = start_;
    run_.in_lane = in_lane_;
    run_.out_lane = out_lane_;
    run_.out_step = shape.out[3];
  }

  /// The channels from `first` on whose number is kLanes, for one image.
  void run(int32_t first, const float* in, float* out) {
    load(first);
    in += first / shape_.out_channels * shape_.in[1];
    out += first * shape_.out[1];
    for (int32_t y = 0; y < shape_.out_size[0]; ++y, out += shape_.out[2]) {
      const Inside rows(shape_, 0, y);
      row(rows, in + (y * shape_.stride[0] - shape_.padding[0] + rows.first * shape_.dilation[0]) * shape_.in[2], out);
    }
  }

 private:
  // Weights, biases and places of the lanes; lanes past the last channel repeat it.
  void load(int32_t first) {
    const int32_t channels = shape_.groups * shape_.out_channels, group = first / shape_.out_channels;
    for (int32_t lane = 0; lane < kLanes; ++lane) {
      const int32_t c = first + lane < channels ? first + lane : channels - 1, g = c / shape_.out_channels;
      start_[lane] = bias_ == nullptr ? 0.0f : bias_[c];
      in_lane_[lane] = static_cast<uint32_t>((g - group) * shape_.in[1]);
      out_lane_[lane] = static_cast<uint32_t>((c - first) * shape_.out[1]);
      const float* row = weight_ + g * shape_.weight_group + (c - g * shape_.out_channels) * shape_.weight[0];
      float* to = packed_ + lane;
      for (int32_t ky = 0; ky < shape_.kernel[0]; ++ky, row += shape_.weight[2]) {
        const float* from = row;
        for (int32_t kx = 0; kx < shape_.kernel[1]; ++kx, from += shape_.weight[3], to += kLanes) {
          *to = *from;
        }
      }
    }
  }

  void row(const Inside& rows, const float* in, float* out) {
    run_.rows = rows.count;
    const float* weight = packed_ + rows.first * run_.weight_row;
    for (const Segment& s : segments_) {
      run_.columns = s.count;
      run_.weight = weight + s.first * kLanes;
      simd::sum_taps(run_,
                     in + (s.x * shape_.stride[1] - shape_.padding[1] + s.first * shape_.dilation[1]) * shape_.in[3],
                     out + s.x * shape_.out[3], s.n);
    }
  }

  const ConvolutionShape& shape_;
  const float* weight_;
  const float* bias_;
  Segments segments_;
  simd::TapRun run_;
  alignas(16) float start_[kLanes];
  alignas(16) uint32_t in_lane_[kLanes], out_lane_[kLanes];
  alignas(16) float packed_[kMostTaps * kLanes];
};

}  // namespace

bool is_depthwise(const ConvolutionShape& shape) {
  return !shape.transposed && shape.in_channels == 1 && shape.padding[1] <= Segments::kMostPadding &&
         int64_t{shape.kernel[0]} * shape.kernel[1] <= kMostTaps;
}

ET_NOINLINE void convolve_depthwise(const ConvolutionShape& shape, const float* in, const float* weight,
                                    const float* bias, float* out) {
  Depthwise depthwise(shape, weight, bias);
  for (int32_t n = 0; n < shape.batch; ++n, in += shape.in[0], out += shape.out[0]) {
    for (int32_t first = 0; first < shape.groups * shape.out_channels; first += kLanes) {
      depthwise.run(first, in, out);
    }
  }
}

}  // namespace portable
}  // namespace wick
