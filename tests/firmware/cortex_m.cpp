// SPDX-License-Identifier: BSD-3-Clause
// Compares the int8 kernels of this board's instruction set with the definitions compiled into the same image, over
// random shapes, zero points, multipliers and shifts with the edges over-represented. Also counts whether the number of
// instructions depends on the data.

#include <stdint.h>
#include <string.h>
#include <wick/board.h>

#include "src/kernels/cortex_m/conv.h"
#include "src/kernels/cortex_m/elementwise.h"
#include "src/kernels/cortex_m/matmul.h"
#include "src/kernels/cortex_m/pool.h"
#include "src/kernels/cortex_m/quantize.h"
#include "tests/firmware/random_checks.h"

namespace {

using namespace wick::cortex_m;
namespace simd = wick::simd;

alignas(16) int8_t input[16384], weights[16384], output[16384], expected[16384];
alignas(16) int32_t bias[256], multiplier[256], shift[256];
alignas(16) uint8_t scratch[4464];
float floats[64];

bool chance(int32_t percent) { return between(1, 100) <= percent; }
int8_t value() { return static_cast<int8_t>(chance(10) ? (chance(50) ? -128 : 127) : between(-128, 127)); }
int32_t zero_point() { return chance(30) ? (chance(50) ? -128 : 127) : between(-128, 127); }

void fill_values() {
  for (int8_t& v : input) {
    v = value();
  }
  for (int8_t& v : weights) {
    v = value();
  }
}

/// The largest products, but for two neighbouring taps of a channel that both are -128.
void fill_extremes(int32_t channels, int32_t taps) {
  const int8_t extremes[] = {-128, -127, 127};
  for (int8_t& v : input) {
    v = extremes[between(0, 2)];
  }
  for (int32_t i = 0; i < channels * taps; ++i) {
    weights[i] = extremes[between(0, 2)];
    if (i / channels % 2 != 0 && weights[i] == -128 && weights[i - channels] == -128) {
      weights[i] = 127;
    }
  }
}

void fill_scales() {
  const bool usual = chance(70);
  for (int i = 0; i < 256; ++i) {
    bias[i] = usual ? between(-20000, 20000) : between(-(1 << 30), 1 << 30) * 2;
    multiplier[i] = chance(20) ? 0x40000000 : 0x40000000 + between(0, 0x3FFFFFFF);
    shift[i] = usual ? between(-12, -1) : between(-31, 30);
  }
}

Image nhwc(int32_t h, int32_t w, int32_t c) { return {h, w, c, h * w * c, w * c, c, 1}; }

/// A random convolution; false if it does not fit the buffers.
bool random_convolution(Convolution& v, bool depthwise) {
  v = {};
  v.batch = 1;
  v.transposed = !depthwise && chance(15);
  v.source = v.transposed ? wick::cortex_m::source_of_transposed : wick::cortex_m::source;
  v.y = v.x = {chance(60) ? 3 : between(1, 4), between(1, 2), between(0, 1), chance(85) ? 1 : 2};
  if (chance(30)) {
    v.y = v.x = {1, 1, 0, 1};
  }
  v.in = nhwc(between(1, 7), between(1, 7), chance(60) ? 8 * between(1, 12) : between(1, 40));
  v.kernel_channels = depthwise ? 1 : v.in.channels;
  int32_t channels = chance(60) ? 4 * between(1, 18) : between(1, 20);
  if (depthwise) {
    channels = v.in.channels * (v.in.channels < 4 ? between(1, 20) : 1);
  }
  const auto size = [&v](const Axis& a, int32_t in) {
    const int32_t reach = a.dilation * (a.kernel - 1) + 1;
    return v.transposed ? (in - 1) * a.stride - 2 * a.padding + reach : (in + 2 * a.padding - reach) / a.stride + 1;
  };
  v.out = nhwc(size(v.y, v.in.height), size(v.x, v.in.width), channels);
  v.input_offset = -zero_point();
  v.rescale = {chance(10) ? nullptr : bias, multiplier, shift, 1, zero_point(), -128, 127};
  v.input = input;
  v.weights = weights;
  v.output = output;
  return v.in.height + 2 * v.y.padding > v.y.dilation * (v.y.kernel - 1) &&
         v.in.width + 2 * v.x.padding > v.x.dilation * (v.x.kernel - 1) && v.out.height > 0 && v.out.width > 0 &&
         v.y.kernel * v.x.kernel * v.kernel_channels * channels <= 16384 && v.out.stride_n <= 16384;
}

void test_convolutions() {
  for (int round = 0; round < 400; ++round) {
    Convolution v;
    const bool depthwise = round % 2 != 0;
    fill_scales();
    if (!random_convolution(v, depthwise)) {
      continue;
    }
    if (depthwise && chance(30)) {
      fill_extremes(v.out.channels, v.y.kernel * v.x.kernel);
    } else if (round % 16 == 0) {
      fill_values();
    }
    const Workspace workspace = {scratch, chance(50) ? sizeof(scratch) : 0};
    depthwise ? convolve_depthwise(v, workspace) : convolve(v, workspace);
    v.output = expected;
    convolve_plainly(v, depthwise);
    check(memcmp(output, expected, static_cast<size_t>(v.out.stride_n)) == 0, depthwise ? "depthwise" : "convolution");
  }
}

void test_products() {
  for (int round = 0; round < 100; ++round) {
    fill_scales();
    Product p = {};
    p.rows = chance(50) ? 1 : between(2, 5);
    p.columns = between(1, 80);
    p.k = between(1, 200);
    p.a = input;
    p.b = weights;
    p.a_offset = -zero_point();
    p.b_offset = chance(70) ? 0 : -zero_point();
    p.rescale = {bias, multiplier, shift, 0, zero_point(), -128, 127};
    p.output = output;
    multiply(p);
    for (int32_t i = 0; i < p.rows * p.columns; ++i) {
      const int32_t row = i / p.columns, column = i % p.columns;
      uint32_t sum = static_cast<uint32_t>(bias[column]);
      for (int32_t k = 0; k < p.k; ++k) {
        sum += static_cast<uint32_t>((input[row * p.k + k] + p.a_offset) * (weights[column * p.k + k] + p.b_offset));
      }
      const int32_t scaled = simd::requantize(static_cast<int32_t>(sum), multiplier[0], shift[0]);
      check(output[i] == simd::offset_and_saturate8(scaled, p.rescale.output_offset), "product");
    }
  }
}

void test_elements() {
  for (int round = 0; round < 100; ++round) {
    Binary p;
    for (int i = 0; i < 2; ++i) {
      p.offset[i] = -zero_point();
      p.multiplier[i] = chance(50) ? 1 << 30 : 0x40000000 + between(0, 0x3FFFFFFF);
      p.shift[i] = chance(50) ? 0 : between(-8, 1);
    }
    p.output_multiplier = 0x40000000 + between(0, 0x3FFFFFFF);
    p.output_shift = between(-20, -14);
    p.output_offset = zero_point();
    const int32_t n = between(1, 60);
    simd::isa::add(p, input, weights, output, n);
    for (int32_t i = 0; i < n; ++i) {
      check(output[i] == simd::generic::add_one(p, input[i], weights[i]), "sum");
    }
    const double scale = between(1, 1000) * 0.001;
    for (float& v : floats) {
      v = static_cast<float>(between(-100000, 100000)) * 0.001f;
    }
    quantize(floats, output, n, scale, p.output_offset, -128, 127);
    for (int32_t i = 0; i < n; ++i) {
      check(output[i] == quantize_bits(bits_of(floats[i]), bits_of(nearest_inverse(scale)), p.output_offset, -128, 127),
            "quantised value");
    }
  }
}

void test_counts() {
  for (int round = 0; round < 40; ++round) {
    Convolution v;
    fill_scales();
    for (int32_t& s : shift) {
      s = between(-12, -1);  // a saturating left shift may cost an instruction more or less
    }
    if (!random_convolution(v, round % 2 != 0)) {
      continue;
    }
    uint64_t counts[2];
    fill_values();
    for (uint64_t& count : counts) {
      for (int8_t& x : input) {
        x = value();
      }
      const uint64_t start = wick_board_instructions();
      v.y.kernel == 3 && v.kernel_channels == 1 ? convolve_depthwise(v, {scratch, sizeof(scratch)})
                                                : convolve(v, {scratch, sizeof(scratch)});
      count = wick_board_instructions() - start;
    }
    check(counts[0] - counts[1] + 2 <= 4, "instructions depend on the data");
  }
}

}  // namespace

int main() {
  fill_values();
  test_convolutions();
  test_products();
  test_elements();
  test_counts();
  wick_board_puts(failed ? "FAILED\n" : "PASS\n");
  return failed ? 1 : 0;
}
