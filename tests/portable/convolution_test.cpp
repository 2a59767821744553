// SPDX-License-Identifier: BSD-3-Clause
// Convolutions and matrix products against their definitions, written here as plain loops, over forms, dim orders and
// dtypes; and that bad arguments fail without a write.

#include <cmath>

#include "tests/portable/kernel_call.h"

namespace {

using namespace wick::test;
using namespace wick::kernels;
using executorch::aten::Half;
using testing::ElementsAre;

using Order = std::vector<DimOrderType>;
const Order kContiguous = {0, 1, 2, 3};
const Order kChannelsLast = {0, 2, 3, 1};
const Order kOdd = {0, 2, 1, 3};

struct Form {
  int n, c, h, w, o, kh, kw, stride, padding, dilation, groups;
  bool transposed;
  int output_padding = 0;
};

int extent(const Form& f, int size, int kernel) {
  const int reach = f.dilation * (kernel - 1) + 1;
  return f.transposed ? (size - 1) * f.stride - 2 * f.padding + reach + f.output_padding
                      : (size + 2 * f.padding - reach) / f.stride + 1;
}

template <typename T>
std::vector<T> numbers(size_t n, int salt) {
  std::vector<T> values(n);
  for (size_t i = 0; i < n; ++i) {
    const int small = static_cast<int>((i * 7 + static_cast<size_t>(salt) * 5) % 11) - 5;
    values[i] = static_cast<T>(static_cast<float>(small) * (std::is_integral_v<T> ? 1.0f : 0.25f));
  }
  return values;
}

// The definition: every input element meets every weight of its group where the geometry says.
template <typename T>
std::vector<double> expected(const Form& f, const std::vector<T>& in, const std::vector<T>& weight,
                             const std::vector<T>& bias) {
  const int oh = extent(f, f.h, f.kh), ow = extent(f, f.w, f.kw);
  const int ic = f.c / f.groups, oc = f.o / f.groups;
  std::vector<double> out(static_cast<size_t>(f.n * f.o * oh * ow));
  const auto at = [](int a, int b, int c, int d, int nb, int nc, int nd) {
    return static_cast<size_t>(((a * nb + b) * nc + c) * nd + d);
  };
  for (int n = 0; n < f.n; ++n) {
    for (int o = 0; o < f.o; ++o) {
      for (int y = 0; y < oh * ow; ++y) {
        out[at(n, o, y / ow, y % ow, f.o, oh, ow)] =
            bias.empty() ? 0 : static_cast<double>(bias[static_cast<size_t>(o)]);
      }
      for (int c = 0; c < ic; ++c) {
        const int channel = o / oc * ic + c;
        for (int ky = 0; ky < f.kh; ++ky) {
          for (int kx = 0; kx < f.kw; ++kx) {
            const size_t w =
                f.transposed ? at(channel, o % oc, ky, kx, oc, f.kh, f.kw) : at(o, c, ky, kx, ic, f.kh, f.kw);
            for (int i = 0; i < (f.transposed ? f.h * f.w : oh * ow); ++i) {
              const int width = f.transposed ? f.w : ow;
              const int moved_y = i / width * f.stride - f.padding + ky * f.dilation;
              const int moved_x = i % width * f.stride - f.padding + kx * f.dilation;
              const int y = f.transposed ? moved_y : i / width, x = f.transposed ? moved_x : i % width;
              const int iy = f.transposed ? i / width : moved_y, ix = f.transposed ? i % width : moved_x;
              if (y >= 0 && y < oh && x >= 0 && x < ow && iy >= 0 && iy < f.h && ix >= 0 && ix < f.w) {
                out[at(n, o, y, x, f.o, oh, ow)] +=
                    static_cast<double>(in[at(n, channel, iy, ix, f.c, f.h, f.w)]) * static_cast<double>(weight[w]);
              }
            }
          }
        }
      }
    }
  }
  return out;
}

template <typename T>
void check(const Form& f, const Order& in_order, const Order& weight_order, const Order& out_order, bool with_bias) {
  const auto length = [](int a, int b, int c, int d) { return static_cast<size_t>(a * b * c * d); };
  const int w0 = f.transposed ? f.c : f.o;
  const int w1 = (f.transposed ? f.o : f.c) / f.groups;
  const std::vector<T> in_values = numbers<T>(length(f.n, f.c, f.h, f.w), 1);
  const std::vector<T> weight_values = numbers<T>(length(w0, w1, f.kh, f.kw), 2);
  const std::vector<T> bias_values = with_bias ? numbers<T>(static_cast<size_t>(f.o), 3) : std::vector<T>{};
  Held<T> in({f.n, f.c, f.h, f.w}, in_values, in_order), weight({w0, w1, f.kh, f.kw}, weight_values, weight_order);
  Held<T> bias({f.o}, bias_values), out({f.n, f.o, extent(f, f.h, f.kh), extent(f, f.w, f.kw)}, {}, out_order);
  const auto run = [&](auto&& bias_argument) {
    return call(aten_convolution_out, in, weight, bias_argument, IntsArgument({f.stride}), IntsArgument({f.padding}),
                IntsArgument({f.dilation}), f.transposed, IntsArgument({f.output_padding}), f.groups, out);
  };
  ASSERT_EQ(with_bias ? run(bias) : run(none), Error::Ok);
  EXPECT_TRUE(out.untouched());
  const std::vector<double> want = expected(f, in_values, weight_values, bias_values);
  const std::vector<T> got = out.logical();
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_NEAR(static_cast<double>(got[i]), want[i], std::fabs(want[i]) * 1e-3 + 1e-4)
        << "element " << i << ", " << f.c << "x" << f.h << "x" << f.w << " kernel " << f.kh << "x" << f.kw << " stride "
        << f.stride << " padding " << f.padding << " groups " << f.groups;
  }
}

// Tails of tiles, kernels beyond one block, all geometries.
const Form kForms[] = {
    {1, 3, 9, 7, 5, 3, 3, 1, 1, 1, 1, false},     {2, 3, 9, 7, 4, 3, 2, 2, 0, 1, 1, false},
    {1, 4, 5, 5, 6, 1, 1, 1, 0, 1, 1, false},     {1, 70, 4, 5, 3, 1, 1, 1, 0, 1, 1, false},
    {1, 2, 12, 14, 3, 11, 10, 1, 5, 1, 1, false}, {1, 4, 8, 9, 6, 3, 3, 1, 2, 2, 2, false},
    {1, 6, 9, 10, 6, 3, 3, 1, 1, 1, 6, false},    {1, 3, 11, 40, 6, 3, 3, 2, 1, 1, 3, false},
    {1, 4, 10, 10, 4, 5, 4, 3, 2, 1, 4, false},   {1, 2, 9, 130, 2, 3, 3, 1, 1, 2, 2, false},
    {1, 2, 5, 300, 2, 3, 3, 1, 1, 1, 2, false},   {1, 64, 3, 3, 16, 3, 3, 1, 1, 1, 1, false},
    {1, 4, 4, 5, 6, 3, 3, 2, 1, 1, 1, true, 1},   {2, 4, 4, 3, 6, 2, 3, 1, 0, 2, 2, true},
    {1, 3, 1, 1, 2, 1, 1, 1, 0, 1, 1, false},     {1, 2, 1, 900, 4, 1, 9, 1, 4, 2, 2, false},
    {2, 3, 30, 33, 3, 3, 3, 2, 2, 1, 3, false},   {1, 2, 23, 26, 2, 2, 3, 5, 1, 1, 2, false},
    {1, 2, 20, 19, 2, 2, 2, 4, 0, 3, 2, false},   {1, 1, 14, 130, 3, 5, 3, 1, 6, 3, 1, false},
};

TEST(Convolution, FollowsItsDefinitionInEveryFormAndDimOrder) {
  for (const Form& form : kForms) {
    for (const Order& in : {kContiguous, kChannelsLast, kOdd}) {
      for (const Order& weight : {kContiguous, kChannelsLast, Order{1, 0, 2, 3}}) {
        check<float>(form, in, weight, kContiguous, true);
        check<float>(form, in, weight, kChannelsLast, false);
      }
    }
  }
}

TEST(Convolution, ComputesOtherDtypes) {
  for (const Form& form : kForms) {
    check<double>(form, kContiguous, kContiguous, kContiguous, true);
    check<double>(form, kChannelsLast, kChannelsLast, kChannelsLast, false);
    check<Half>(form, kContiguous, kContiguous, kChannelsLast, true);
    check<int32_t>(form, kChannelsLast, kOdd, kContiguous, true);
  }
}

TEST(Convolution, TakesDimOrdersThatDifferOnlyInDimensionsOfSizeOne) {
  check<float>({1, 8, 6, 6, 8, 3, 3, 1, 1, 1, 8, false}, kContiguous, kOdd, kContiguous, true);
  check<float>({1, 1, 12, 10, 4, 4, 3, 2, 1, 1, 1, false}, kOdd, kContiguous, kChannelsLast, true);
}

TEST(Convolution, HalvesAreSummedInFloat) {
  Held<Half> in({1, 4096, 1}, std::vector<Half>(4096, Half(0.5f))),
      weight({1, 4096, 1}, std::vector<Half>(4096, Half(0.5f)));
  Held<Half> out({1, 1, 1});
  EXPECT_EQ(call(aten_convolution_out, in, weight, none, IntsArgument({1}), IntsArgument({0}), IntsArgument({1}), false,
                 IntsArgument({0}), 1, out),
            Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(Half(1024.0f)));
}

TEST(Convolution, RefusesWhatDoesNotFit) {
  struct Bad {
    std::vector<SizesType> weight;
    std::vector<int64_t> stride, padding, dilation;
    int64_t groups;
  };
  const Bad cases[] = {
      {{2, 2, 3, 3}, {0}, {0}, {1}, 1},         {{2, 2, 3, 3}, {1}, {-1}, {1}, 1},
      {{2, 2, 3, 3}, {1}, {0}, {0}, 1},         {{2, 2, 3, 3}, {1}, {0}, {1}, 0},
      {{2, 3, 3, 3}, {1}, {0}, {1}, 1},         {{2, 2, 9, 3}, {1}, {0}, {1}, 1},
      {{2, 2, 3, 3}, {1}, {0}, {INT64_MAX}, 1}, {{2, 2, 3, 3}, {1}, {INT64_MAX}, {1}, 1},
      {{2, 2, 3, 3}, {1, 1, 1}, {0}, {1}, 1},   {{2, 2, 3}, {1}, {0}, {1}, 1},
      {{2, 2, 3, 3}, {1}, {0}, {1}, INT64_MIN}, {{2, 2, 3, 3}, {1}, {0}, {1}, 3},
  };
  for (const Bad& bad : cases) {
    Held<float> in({1, 2, 4, 4}), weight(bad.weight), out({1, 2, 2, 2});
    EXPECT_EQ(call(aten_convolution_out, in, weight, none, IntsArgument(bad.stride), IntsArgument(bad.padding),
                   IntsArgument(bad.dilation), false, IntsArgument({0}), bad.groups, out),
              Error::InvalidArgument);
    EXPECT_TRUE(out.untouched(true));
  }
}

TEST(Convolution, BackwardGivesTheGradientsOfItsDefinition) {
  // d/dw of sum(conv(x, w)) with a gradient of ones is the sum of the inputs that each tap meets.
  Held<float> grad({1, 1, 2, 2}, {1, 1, 1, 1}), in({1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, kChannelsLast);
  Held<float> weight({1, 1, 2, 2}, {1, 10, 100, 1000});
  Held<float> grad_in({1, 1, 3, 3}), grad_weight({1, 1, 2, 2}), grad_bias({1});
  bool mask_items[3] = {true, true, true};
  executorch::aten::ArrayRef<bool> mask(mask_items, 3);
  EValue values[] = {grad.value(), in.value(), weight.value(), EValue()};
  IntsArgument one({1, 1}), zero({0, 0});
  EValue rest[] = {one.value(),        zero.value(),  one.value(),     EValue(false),       zero.value(),
                   EValue(int64_t{1}), EValue(&mask), grad_in.value(), grad_weight.value(), grad_bias.value()};
  std::vector<EValue*> pointers;
  for (EValue& value : values) {
    pointers.push_back(&value);
  }
  for (EValue& value : rest) {
    pointers.push_back(&value);
  }
  executorch::runtime::runtime_init();
  KernelRuntimeContext context;
  aten_convolution_backward_out(context, Span<EValue*>(pointers.data(), pointers.size()));
  ASSERT_EQ(context.failure_state(), Error::Ok);
  EXPECT_THAT(grad_weight.logical(), ElementsAre(12, 16, 24, 28));
  EXPECT_THAT(grad_bias.logical(), ElementsAre(4));
  EXPECT_THAT(grad_in.logical(), ElementsAre(1, 11, 10, 101, 1111, 1010, 100, 1100, 1000));
}

template <typename T>
void check_product(int m, int k, int n, const Order& a_order, const Order& b_order, const Order& out_order) {
  const std::vector<T> a_values = numbers<T>(static_cast<size_t>(m * k), 1);
  const std::vector<T> b_values = numbers<T>(static_cast<size_t>(k * n), 2);
  Held<T> a({m, k}, a_values, a_order), b({k, n}, b_values, b_order), bias({n}, numbers<T>(static_cast<size_t>(n), 3));
  Held<T> out({m, n}, {}, out_order);
  ASSERT_EQ(call(aten_addmm_out, bias, a, b, 2, 3, out), Error::Ok);
  EXPECT_TRUE(out.untouched());
  const std::vector<T> bias_values = bias.logical();
  const std::vector<T> got = out.logical();
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int l = 0; l < k; ++l) {
        sum += static_cast<double>(a_values[static_cast<size_t>(i * k + l)]) *
               static_cast<double>(b_values[static_cast<size_t>(l * n + j)]);
      }
      const double want = 2 * static_cast<double>(bias_values[static_cast<size_t>(j)]) + 3 * sum;
      ASSERT_NEAR(static_cast<double>(got[static_cast<size_t>(i * n + j)]), want, std::fabs(want) * 1e-3 + 1e-4)
          << m << "x" << k << "x" << n << " at " << i << ", " << j;
    }
  }
}

TEST(Addmm, FollowsItsDefinitionInEverySizeAndOrder) {
  for (const Order& a : {Order{0, 1}, Order{1, 0}}) {
    for (const Order& b : {Order{0, 1}, Order{1, 0}}) {
      for (const Order& out : {Order{0, 1}, Order{1, 0}}) {
        for (const int m : {1, 2, 5, 13}) {
          for (const int n : {1, 3, 4, 12, 70}) {
            for (const int k : {1, 4, 7, 130}) {
              check_product<float>(m, k, n, a, b, out);
            }
          }
        }
        check_product<double>(5, 70, 13, a, b, out);
        check_product<Half>(5, 9, 13, a, b, out);
        check_product<int32_t>(5, 70, 13, a, b, out);
      }
    }
  }
}

TEST(Addmm, IgnoresTheAddendWhenBetaIsZero) {
  Held<float> bias({2}, {NAN, NAN}), a({1, 1}, {2}), b({1, 2}, {3, 4}), out({1, 2});
  EXPECT_EQ(call(aten_addmm_out, bias, a, b, 0, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(6, 8));
}

TEST(Linear, TakesAnyNumberOfDimensionsInAnyOrder) {
  for (const Order& order : {Order{0, 1, 2}, Order{0, 2, 1}, Order{2, 1, 0}}) {
    Held<float> in({2, 1, 2}, {1, 2, 3, 4}, order), weight({1, 2}, {10, 1}), bias({1}, {100}), out({2, 1, 1});
    EXPECT_EQ(call(aten_linear_out, in, weight, bias, out), Error::Ok);
    EXPECT_THAT(out.logical(), ElementsAre(112, 134));
  }
}

// [1 + 2i, 3 - i] * [2, i] = 2 + 4i + 3i + 1
TEST(Bmm, MultipliesComplexMatrices) {
  using executorch::runtime::etensor::complex;
  Held<complex<float>> a({1, 1, 2}, {{1, 2}, {3, -1}}), b({1, 2, 1}, {{2, 0}, {0, 1}}), out({1, 1, 1});
  EXPECT_EQ(call(aten_bmm_out, a, b, out), Error::Ok);
  EXPECT_EQ(out.logical()[0].real(), 3);
  EXPECT_EQ(out.logical()[0].imag(), 7);
}

}  // namespace
