// SPDX-License-Identifier: BSD-3-Clause
//
// Float convolutions with one input channel per group. A strip of a channel's plane is copied between borders of zeros,
// rows and columns that a stride leads to beside each other: there every tap of the kernel is at one distance from all
// pixels, whatever row they are in, and all of them are summed as one line.
#include <cstring>

#include "src/kernels/portable/convolution.h"
#include "src/kernels/simd/float_taps.h"

namespace wick {
namespace portable {
namespace {

constexpr int32_t kMostTaps = 64;
constexpr int32_t kMostPhases = 16;
constexpr int32_t kStrip = 480;  // elements of the input at once, with borders
constexpr int32_t kSums = 240;   // elements of the output at once, with what lies between its rows
constexpr int32_t kBeyond = simd::kTapPixels - 1;

int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

// One axis of strips: every `phases`-th row (or column) of the input lies in a phase of its own, `length` of them.
struct Axis {
  int32_t stride, dilation, kernel, padding, in_size, out_size;
  int32_t phases, more;  // a phase has `more` items more than the output
  int32_t out, length;   // of a strip
  int32_t first;         // output of the current strip

  Axis(const ConvolutionShape& s, int axis)
      : stride(s.stride[axis]),
        dilation(s.dilation[axis]),
        kernel(s.kernel[axis]),
        padding(s.padding[axis]),
        in_size(s.in_size[axis]),
        out_size(s.out_size[axis]) {
    const int32_t last = (kernel - 1) * dilation;
    phases = smaller(stride, last + 1);
    more = last / stride;
  }

  void set_out(int32_t most) {
    out = smaller(out_size, most);
    length = out + more;
  }
  int32_t phase_of(int32_t tap) const { return tap * dilation % stride; }
  int32_t place_of(int32_t tap) const { return tap * dilation / stride; }

  // Items [begin, end) of a phase that lie in the input, the first at index `from`.
  struct Inside {
    int32_t begin, end, from;
  };
  Inside inside(int32_t phase) const {
    const int32_t top = first * stride - padding + phase, left = in_size - top;
    const int32_t begin = top < 0 ? (stride - 1 - top) / stride : 0;
    return {begin, left > 0 ? smaller((left - 1) / stride + 1, length) : 0, top + begin * stride};
  }
};

// Strips of both axes. Small enough for the memory of a Depthwise if fits().
struct Strips {
  Axis y, x;

  explicit Strips(const ConvolutionShape& shape) : y(shape, 0), x(shape, 1) {
    const bool small = y.phases <= kMostPhases && x.phases <= kMostPhases && phases() <= kMostPhases &&
                       y.more < kStrip && x.more < kStrip;
    const int32_t room = small ? kStrip / phases() : 0;  // of a phase
    x.set_out(smaller(room / (y.more + 1), kSums) - x.more);
    y.set_out(x.out > 0 ? smaller(room / x.length - y.more, kSums / x.length) : 0);
  }
  int32_t phases() const { return y.phases * x.phases; }
  bool fits() const { return x.out > 0 && y.out > 0; }
  int32_t phase_size() const { return y.length * x.length; }
};

class Depthwise {
 public:
  Depthwise(const ConvolutionShape& shape, const float* weight, const float* bias)
      : shape_(shape), weight_(weight), bias_(bias), strips_(shape) {
    simd::Tap* tap = taps_;
    for (int32_t ky = 0; ky < y_.kernel; ++ky) {
      for (int32_t kx = 0; kx < x_.kernel; ++kx, ++tap) {
        const int32_t phase = y_.phase_of(ky) * x_.phases + x_.phase_of(kx);
        tap->distance = (phase * strips_.phase_size() + y_.place_of(ky) * x_.length + x_.place_of(kx)) *
                        static_cast<int32_t>(sizeof(float));
      }
    }
  }

  /// One image.
  void run(const float* in, float* out) {
    for (y_.first = 0; y_.first < y_.out_size; y_.first += y_.out) {
      for (x_.first = 0; x_.first < x_.out_size; x_.first += x_.out) {
        enter();
        for (int32_t group = 0; group < shape_.groups; ++group) {
          load(in + group * shape_.in[1]);
          for (int32_t c = 0; c < shape_.out_channels; ++c) {
            channel(group, c, out);
          }
        }
      }
    }
  }

 private:
  // What of a phase lies in the input.
  struct Part {
    ptrdiff_t from;
    int32_t to, rows, columns;
  };

  // Zeros the strip, and finds what of it is in the input.
  void enter() {
    std::memset(strip_, 0, sizeof(strip_));
    Part* part = parts_;
    int32_t phase = 0;
    for (int32_t py = 0; py < y_.phases; ++py) {
      for (int32_t px = 0; px < x_.phases; ++px, ++part, phase += strips_.phase_size()) {
        const Axis::Inside rows = y_.inside(py), columns = x_.inside(px);
        part->from = rows.from * shape_.in[2] + columns.from * shape_.in[3];
        part->to = phase + rows.begin * x_.length + columns.begin;
        part->rows = rows.end - rows.begin;
        part->columns = columns.end - columns.begin;
      }
    }
  }

  void load(const float* plane) {
    const simd::Plane<const float> in = {plane, y_.stride * shape_.in[2], x_.stride * shape_.in[3]};
    for (int32_t i = 0; i < strips_.phases(); ++i) {
      const Part& part = parts_[i];
      if (part.rows > 0 && part.columns > 0) {
        simd::copy_plane({strip_ + part.to, x_.length, 1}, {in.data + part.from, in.row, in.column}, part.rows,
                         part.columns);
      }
    }
  }

  void channel(int32_t group, int32_t c, float* out) {
    const float* weight = weight_ + group * shape_.weight_group + c * shape_.weight[0];
    simd::copy_plane({&taps_[0].weight, 2 * x_.kernel, 2}, {weight, shape_.weight[2], shape_.weight[3]}, y_.kernel,
                     x_.kernel);
    const int32_t rows = smaller(y_.out, y_.out_size - y_.first), columns = smaller(x_.out, x_.out_size - x_.first);
    const int32_t at = group * shape_.out_channels + c;
    // One line of all rows and what lies between them, where several sums cost no more than one.
    constexpr bool kOneLine = simd::kTapPixels > 1;
    for (int32_t line = 0; line < (kOneLine ? 1 : rows); ++line) {
      simd::sum_taps(taps_, y_.kernel * x_.kernel, bias_ == nullptr ? 0.0f : bias_[at], strip_ + line * x_.length,
                     sums_ + line * x_.length, kOneLine ? rows * x_.length : columns);
    }
    out += at * shape_.out[1] + y_.first * shape_.out[2] + x_.first * shape_.out[3];
    simd::copy_plane({out, shape_.out[2], shape_.out[3]}, {sums_, x_.length, 1}, rows, columns);
  }

  const ConvolutionShape& shape_;
  const float* weight_;
  const float* bias_;
  Strips strips_;
  Axis &y_ = strips_.y, &x_ = strips_.x;
  Part parts_[kMostPhases];
  simd::Tap taps_[kMostTaps];
  float strip_[kStrip + kBeyond];
  float sums_[kSums + kBeyond];
};

}  // namespace

bool is_depthwise(const ConvolutionShape& shape) {
  return !shape.transposed && shape.in_channels == 1 && int64_t{shape.kernel[0]} * shape.kernel[1] <= kMostTaps &&
         Strips(shape).fits();
}

ET_NOINLINE void convolve_depthwise(const ConvolutionShape& shape, const float* in, const float* weight,
                                    const float* bias, float* out) {
  Depthwise depthwise(shape, weight, bias);
  for (int32_t n = 0; n < shape.batch; ++n, in += shape.in[0], out += shape.out[0]) {
    depthwise.run(in, out);
  }
}

}  // namespace portable
}  // namespace wick
