// SPDX-License-Identifier: BSD-3-Clause
// Compares the loops under float convolutions of this board's instruction set with plain ones, over random shapes. All
// numbers are small integers, so that sums are exact in any order. And converts every half there and back, as FPUs with
// halves do it themselves.

#include <executorch/runtime/core/portable_type/half.h>
#include <math.h>
#include <stdint.h>
#include <wick/board.h>

#include "src/kernels/portable/convolution.h"
#include "src/kernels/simd/float_tile.h"
#include "tests/firmware/random_checks.h"

namespace {

using wick::portable::ConvolutionShape;
namespace simd = wick::simd;

constexpr int32_t kGuard = 16;
constexpr float kUntouched = 12345.0f;
float input[16384], weights[4096], bias[64], output[16384];

void fill(float* values, int32_t n) {
  for (int32_t i = 0; i < n; ++i) {
    values[i] = static_cast<float>(between(-8, 8));
  }
}

/// Strides of [n, c, h, w], contiguous or channels-last.
void lay_out(ptrdiff_t (&strides)[4], int32_t c, const int32_t (&size)[2], bool channels_last) {
  const int32_t plane = size[0] * size[1];
  strides[0] = c * plane;
  strides[1] = channels_last ? 1 : plane;
  strides[2] = size[1] * (channels_last ? c : 1);
  strides[3] = channels_last ? c : 1;
}

/// False if the arrays here cannot hold it.
bool random_shape(ConvolutionShape& s) {
  s.batch = between(1, 2);
  s.groups = between(1, 5);
  s.in_channels = 1;
  s.out_channels = between(1, 3);
  s.transposed = false;
  const bool large = between(0, 5) == 0;
  for (int axis = 0; axis < 2; ++axis) {
    s.kernel[axis] = between(1, 5);
    s.stride[axis] = between(1, 4);
    s.dilation[axis] = between(1, 3);
    s.padding[axis] = between(0, 4);
    s.in_size[axis] = between(1, large ? 90 : 14);
    const int32_t reach = s.dilation[axis] * (s.kernel[axis] - 1) + 1;
    s.out_size[axis] = (s.in_size[axis] + 2 * s.padding[axis] - reach) / s.stride[axis] + 1;
    if (s.in_size[axis] + 2 * s.padding[axis] < reach) {
      return false;
    }
  }
  const int32_t channels = s.groups * s.out_channels;
  lay_out(s.in, s.groups, s.in_size, between(0, 1) != 0);
  lay_out(s.out, channels, s.out_size, between(0, 1) != 0);
  lay_out(s.weight, 1, s.kernel, false);
  s.weight_group = s.weight[0] * s.out_channels;
  return s.batch * s.in[0] <= 16384 && s.batch * s.out[0] + 2 * kGuard <= 16384 && wick::portable::is_depthwise(s);
}

float expected(const ConvolutionShape& s, int32_t n, int32_t channel, int32_t y, int32_t x) {
  const int32_t group = channel / s.out_channels;
  float sum = bias[channel];
  for (int32_t ky = 0; ky < s.kernel[0]; ++ky) {
    for (int32_t kx = 0; kx < s.kernel[1]; ++kx) {
      const int32_t iy = wick::portable::input_index(s, 0, y, ky), ix = wick::portable::input_index(s, 1, x, kx);
      if (iy >= 0 && iy < s.in_size[0] && ix >= 0 && ix < s.in_size[1]) {
        sum += input[n * s.in[0] + group * s.in[1] + iy * s.in[2] + ix * s.in[3]] *
               weights[channel * s.weight[0] + ky * s.weight[2] + kx * s.weight[3]];
      }
    }
  }
  return sum;
}

void check_depthwise() {
  ConvolutionShape s;
  if (!random_shape(s)) {
    return;
  }
  const int32_t n_out = static_cast<int32_t>(s.batch * s.out[0]);
  for (int32_t i = 0; i < n_out + 2 * kGuard; ++i) {
    output[i] = kUntouched;
  }
  wick::portable::convolve_depthwise(s, input, weights, bias, output + kGuard);
  for (int32_t i = 0; i < kGuard; ++i) {
    check(output[i] == kUntouched && output[kGuard + n_out + i] == kUntouched,
          "depthwise: a write outside of the output");
  }
  for (int32_t n = 0; n < s.batch; ++n) {
    for (int32_t c = 0; c < s.groups * s.out_channels; ++c) {
      for (int32_t y = 0; y < s.out_size[0]; ++y) {
        for (int32_t x = 0; x < s.out_size[1]; ++x) {
          check(output[kGuard + n * s.out[0] + c * s.out[1] + y * s.out[2] + x * s.out[3]] == expected(s, n, c, y, x),
                "depthwise: a wrong sum");
        }
      }
    }
  }
}

void check_tiles() {
  constexpr int32_t kRows = simd::kTileRows, kColumns = simd::kTileColumns;
  const int32_t depth = between(0, 40), lda = depth + between(0, 5), ldb = kColumns + between(0, 9);
  const int32_t ldc = kColumns + between(0, 9), count = between(1, 5), rows = count * kRows;
  const bool starts = between(0, 1) != 0, all_same = between(0, 1) != 0;
  fill(output, rows * ldc);
  float want[5 * kRows * kColumns];
  for (int32_t r = 0; r < rows; ++r) {
    for (int32_t j = 0; j < kColumns; ++j) {
      float sum = starts ? bias[all_same ? r % kRows : r] : output[r * ldc + j];
      for (int32_t k = 0; k < depth; ++k) {
        sum += weights[r * lda + k] * input[k * ldb + j];
      }
      want[r * kColumns + j] = sum;
    }
  }
  simd::Tiles<float> tiles = {weights,
                              lda,
                              input,
                              ldb,
                              static_cast<size_t>(depth),
                              starts ? bias : nullptr,
                              starts && !all_same ? kRows : 0,
                              output,
                              ldc,
                              static_cast<size_t>(count)};
  simd::multiply_tiles(tiles);
  for (int32_t i = 0; i < rows * kColumns; ++i) {
    check(output[i / kColumns * ldc + i % kColumns] == want[i], "tiles: a wrong sum");
  }
}

/// Every half is the half of its value as a float, and what lies in the middle between two is the even one.
void check_halves() {
  using executorch::runtime::etensor::Half;
  const auto value = [](uint32_t bits) {
    return static_cast<float>(Half(static_cast<uint16_t>(bits), Half::from_bits()));
  };
  for (uint32_t bits = 0; bits <= 0x7bff; ++bits) {
    const float low = value(bits);
    const float high = bits == 0x7bff ? 65536.0f : value(bits + 1);
    const float middle = (low + high) / 2;
    check(low < high && low == ldexpf(static_cast<float>(bits < 0x400 ? bits : (bits & 0x3ff) | 0x400),
                                      bits < 0x400 ? -24 : static_cast<int>(bits >> 10) - 25),
          "halves: a wrong float");
    check(Half(low).x == bits && Half(-low).x == (bits | 0x8000), "halves: not the half it was");
    check(Half(middle).x == bits + (bits & 1), "halves: a middle is not rounded to the even one");
    check(Half(nextafterf(middle, low)).x == bits && Half(nextafterf(middle, high)).x == bits + 1,
          "halves: not rounded to the nearest");
  }
  check(isnan(value(0x7e01)) && isnan(value(0xfc01)) && value(0xfc00) == -INFINITY && Half(1e6f).x == 0x7c00 &&
            Half(-NAN).x == 0xfe00 && Half(NAN).x == 0x7e00,
        "halves: infinity or NaN");
}

}  // namespace

int main() {
  check_halves();
  fill(input, 16384);
  fill(weights, 4096);
  fill(bias, 64);
  for (int32_t i = 0; i < 600; ++i) {
    check_depthwise();
    check_tiles();
  }
  if (!failed) {
    wick_board_puts("PASS\n");
  }
  return failed ? 1 : 0;
}
