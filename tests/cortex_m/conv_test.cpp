// SPDX-License-Identifier: BSD-3-Clause
//
// Convolutions of random shapes against the plain reference.
#include "src/kernels/cortex_m/conv.h"

#include <gtest/gtest.h>

#include "tests/cortex_m/reference.h"

namespace {

using wick::cortex_m::Convolution;
using wick::cortex_m::Image;
using wick::cortex_m::Workspace;
using wick::test::Random;

enum class Kind { kDense, kDepthwise, kTransposed };

/// A convolution with its data.
struct Case {
  Convolution conv;
  Kind kind;
  std::vector<int8_t> input, weights, output;
  std::vector<int32_t> bias, multiplier, shift;
  std::vector<uint8_t> scratch;
  int32_t groups = 1;
};

Image nhwc(int32_t h, int32_t w, int32_t c) { return {h, w, c, h * w * c, w * c, c, 1}; }

int32_t output_size(Kind kind, int32_t in, const wick::cortex_m::Axis& a, int32_t extra) {
  const int32_t reach = a.dilation * (a.kernel - 1) + 1;
  return kind == Kind::kTransposed ? (in - 1) * a.stride - 2 * a.padding + reach + extra
                                   : (in + 2 * a.padding < reach ? 0 : (in + 2 * a.padding - reach) / a.stride + 1);
}

/// Fills in the data and derived sizes; false if the output would be empty.
bool complete(Case& c, Random& r) {
  Convolution& v = c.conv;
  v.transposed = c.kind == Kind::kTransposed;
  v.source = v.transposed ? wick::cortex_m::source_of_transposed : wick::cortex_m::source;
  const int32_t oh = output_size(c.kind, v.in.height, v.y, v.transposed ? r.between(0, v.y.stride - 1) : 0);
  const int32_t ow = output_size(c.kind, v.in.width, v.x, v.transposed ? r.between(0, v.x.stride - 1) : 0);
  if (oh <= 0 || ow <= 0) {
    return false;
  }
  const int32_t oc = v.out.channels;
  v.in = nhwc(v.in.height, v.in.width, v.in.channels);
  v.out = nhwc(oh, ow, oc);
  const int32_t taps = v.y.kernel * v.x.kernel;
  c.input = r.int8s(static_cast<size_t>(v.batch * v.in.stride_n));
  c.weights = r.int8s(static_cast<size_t>(taps * oc * (c.kind == Kind::kDepthwise ? 1 : v.kernel_channels)));
  c.output.assign(static_cast<size_t>(v.batch * v.out.stride_n), 77);
  const bool usual = r.chance(70);
  for (int32_t i = 0; i < oc; ++i) {
    c.bias.push_back(usual ? r.between(-20000, 20000) : r.bias());
    c.multiplier.push_back(r.multiplier());
    c.shift.push_back(usual ? r.between(-12, -1) : r.shift());
  }
  v.input_offset = -r.zero_point();
  v.rescale = {
      r.chance(10) ? nullptr : c.bias.data(), c.multiplier.data(), c.shift.data(), 1, r.zero_point(), -128, 127};
  if (r.chance(20)) {
    v.rescale.min = r.between(-128, 0);
    v.rescale.max = r.between(1, 127);
  }
  v.input = c.input.data();
  v.weights = c.weights.data();
  v.output = c.output.data();
  return true;
}

std::vector<int8_t> expected(const Case& c) {
  const Convolution& v = c.conv;
  const bool depthwise = c.kind == Kind::kDepthwise;
  const int32_t ic = depthwise ? 1 : v.kernel_channels;
  const int32_t groups = depthwise ? v.in.channels : c.groups;
  const int32_t oc_per_group = v.out.channels / groups;
  const int32_t taps = v.y.kernel * v.x.kernel;
  std::vector<int64_t> sums(static_cast<size_t>(v.batch * v.out.stride_n));
  for (int32_t n = 0; n < v.batch; ++n) {
    for (int32_t oy = 0; oy < v.out.height; ++oy) {
      for (int32_t ox = 0; ox < v.out.width; ++ox) {
        for (int32_t oc = 0; oc < v.out.channels; ++oc) {
          int64_t sum = v.rescale.bias == nullptr ? 0 : v.rescale.bias[oc];
          for (int32_t t = 0; t < taps; ++t) {
            const int32_t ky = t / v.x.kernel, kx = t % v.x.kernel;
            int32_t iy, ix;
            if (v.transposed) {
              iy = oy + v.y.padding - ky * v.y.dilation;
              ix = ox + v.x.padding - kx * v.x.dilation;
              if (iy % v.y.stride != 0 || ix % v.x.stride != 0) {
                continue;
              }
              iy /= v.y.stride;
              ix /= v.x.stride;
            } else {
              iy = oy * v.y.stride - v.y.padding + ky * v.y.dilation;
              ix = ox * v.x.stride - v.x.padding + kx * v.x.dilation;
            }
            if (iy < 0 || iy >= v.in.height || ix < 0 || ix >= v.in.width) {
              continue;
            }
            for (int32_t k = 0; k < ic; ++k) {
              const int32_t channel = oc / oc_per_group * ic + k;
              const int32_t w = depthwise ? v.weights[t * v.out.channels + oc] : v.weights[(oc * taps + t) * ic + k];
              sum +=
                  (v.input[n * v.in.stride_n + (iy * v.in.width + ix) * v.in.channels + channel] + v.input_offset) * w;
            }
          }
          sums[static_cast<size_t>(((n * v.out.height + oy) * v.out.width + ox) * v.out.channels + oc)] = sum;
        }
      }
    }
  }
  std::vector<int8_t> out;
  for (size_t i = 0; i < sums.size(); ++i) {
    const int32_t oc = static_cast<int32_t>(i) % v.out.channels;
    out.push_back(wick::test::finish(sums[i], v.rescale.multiplier[oc], v.rescale.shift[oc], v.rescale.output_offset,
                                     v.rescale.min, v.rescale.max));
  }
  return out;
}

/// Runs with a scratch of `bytes`, surrounded by guards.
void run(Case& c, size_t bytes) {
  c.scratch.assign(bytes + 64, 0xA5);
  uint8_t* start = c.scratch.data() + (32 - reinterpret_cast<uintptr_t>(c.scratch.data()) % 16);
  const Workspace workspace = {start, bytes};
  c.kind == Kind::kDepthwise ? convolve_depthwise(c.conv, workspace) : convolve(c.conv, workspace);
  for (const uint8_t* p = c.scratch.data(); p < start; ++p) {
    ASSERT_EQ(*p, 0xA5);
  }
  for (const uint8_t* p = start + bytes; p < c.scratch.data() + c.scratch.size(); ++p) {
    ASSERT_EQ(*p, 0xA5) << "scratch exceeded";
  }
}

wick::cortex_m::Axis axis(Random& r) {
  return {r.between(1, 5), r.between(1, 3), r.between(0, 2), r.chance(70) ? 1 : r.between(2, 3)};
}

void check_random(Kind kind, uint32_t seed) {
  Random r(seed);
  Case c;
  c.kind = kind;
  Convolution& v = c.conv;
  v = {};
  v.batch = r.chance(80) ? 1 : r.between(2, 3);
  v.in.height = r.between(1, 9);
  v.in.width = r.between(1, 9);
  v.y = axis(r);
  v.x = axis(r);
  if (r.chance(30)) {
    v.y = v.x = {r.chance(50) ? 1 : 3, r.between(1, 2), 0, 1};
  }
  v.y.padding = v.y.padding < v.y.kernel ? v.y.padding : 0;
  v.x.padding = v.x.padding < v.x.kernel ? v.x.padding : 0;
  if (kind == Kind::kDepthwise) {
    v.in.channels = r.chance(30) ? 1 : (r.chance(50) ? 8 * r.between(1, 10) : r.between(1, 70));
    v.out.channels = v.in.channels * (r.chance(60) ? 1 : r.between(2, v.in.channels == 1 ? 70 : 5));
    v.kernel_channels = 1;
  } else {
    c.groups = kind == Kind::kDense && r.chance(20) ? r.between(2, 4) : 1;
    v.kernel_channels = r.chance(40) ? 4 * r.between(1, 20) : r.between(1, 40);
    v.in.channels = v.kernel_channels * c.groups;
    v.out.channels = c.groups * (r.chance(50) ? 4 * r.between(1, 18) : r.between(1, 9));
  }
  if (!complete(c, r)) {
    return;
  }
  SCOPED_TRACE(testing::Message() << "seed " << seed << ": in " << v.batch << "x" << v.in.height << "x" << v.in.width
                                  << "x" << v.in.channels << " out " << v.out.height << "x" << v.out.width << "x"
                                  << v.out.channels << " kernel " << v.y.kernel << "x" << v.x.kernel);
  const size_t k = static_cast<size_t>(v.y.kernel * v.x.kernel * v.kernel_channels);
  const size_t sizes[] = {0, 4 * k, 4464, 20000};
  run(c, sizes[r.between(0, 3)]);
  ASSERT_EQ(c.output, expected(c));
}

TEST(Convolution, RandomDenseAndGroupedShapesAreBitExact) {
  for (uint32_t seed = 0; seed < 600 && !HasFatalFailure(); ++seed) {
    check_random(Kind::kDense, seed);
  }
}
TEST(Convolution, RandomDepthwiseShapesAreBitExact) {
  for (uint32_t seed = 0; seed < 600 && !HasFatalFailure(); ++seed) {
    check_random(Kind::kDepthwise, seed);
  }
}
TEST(Convolution, RandomTransposedShapesAreBitExact) {
  for (uint32_t seed = 0; seed < 300 && !HasFatalFailure(); ++seed) {
    check_random(Kind::kTransposed, seed);
  }
}

TEST(Convolution, ReadsAndWritesTensorsThatAreNotChannelsLast) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Random r(seed);
    Case c;
    c.kind = seed % 2 == 0 ? Kind::kDense : Kind::kDepthwise;
    Convolution& v = c.conv;
    v = {};
    v.batch = 2;
    v.in.height = 5;
    v.in.width = 4;
    v.in.channels = 3;
    v.kernel_channels = c.kind == Kind::kDense ? 3 : 1;
    v.out.channels = 6;
    v.y = v.x = {3, 1, 1, 1};
    ASSERT_TRUE(complete(c, r));
    const std::vector<int8_t> want = expected(c);
    std::vector<int8_t> planar(c.input.size());
    const int32_t pixels = v.in.height * v.in.width;
    for (int32_t n = 0; n < 2; ++n) {
      for (int32_t p = 0; p < pixels; ++p) {
        for (int32_t ch = 0; ch < 3; ++ch) {
          planar[static_cast<size_t>((n * 3 + ch) * pixels + p)] =
              c.input[static_cast<size_t>((n * pixels + p) * 3 + ch)];
        }
      }
    }
    v.input = planar.data();
    v.in.stride_c = pixels;
    v.in.stride_y = v.in.width;
    v.in.stride_x = 1;
    run(c, 0);
    ASSERT_EQ(c.output, want);
  }
}

}  // namespace
