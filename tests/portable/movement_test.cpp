// SPDX-License-Identifier: BSD-3-Clause
// Operators that move data: whatever dim orders input and output have, the result is that of contiguous tensors; and
// bad arguments fail without a write. Expected values follow from the definitions.

#include <functional>

#include "tests/portable/kernel_call.h"

namespace {

using namespace wick::test;
using namespace wick::kernels;
using testing::ElementsAre;

using Order = std::vector<DimOrderType>;
using Sizes = std::vector<SizesType>;
const Order kContiguous = {0, 1, 2, 3};
const Order kChannelsLast = {0, 2, 3, 1};
const Order kReversed = {3, 2, 1, 0};

std::vector<float> count_up(size_t n) {
  std::vector<float> values(n);
  std::iota(values.begin(), values.end(), 1.0f);
  return values;
}

// Runs an operator [2, 4, 4, 6] -> `sizes` in all combinations of orders; the contiguous result counts.
void same_in_all_orders(const Sizes& sizes, const std::function<Error(Held<float>&, Held<float>&)>& run) {
  std::vector<float> want;
  for (const Order& in_order : {kContiguous, kChannelsLast, kReversed}) {
    for (const Order& out_order : {Order{}, kChannelsLast, kReversed}) {
      Held<float> in({2, 4, 4, 6}, count_up(192), in_order);
      Held<float> out(sizes, {}, sizes.size() == 4 ? out_order : Order{});
      ASSERT_EQ(run(in, out), Error::Ok);
      EXPECT_TRUE(out.untouched());
      if (want.empty()) {
        want = out.logical();
      }
      EXPECT_EQ(out.logical(), want);
    }
  }
}

TEST(Movement, IsTheSameInAllDimOrders) {
  const auto ints = [](std::vector<int64_t> items) { return IntsArgument(std::move(items)); };
  same_in_all_orders({6, 2, 4, 4}, [&](auto& in, auto& out) {
    return call(aten_permute_copy_out, in, ints({3, 0, 1, 2}), out);
  });
  same_in_all_orders({2, 4, 2, 6},
                     [&](auto& in, auto& out) { return call(aten_slice_copy_Tensor_out, in, 2, 0, 4, 2, out); });
  same_in_all_orders({2, 4, 6}, [&](auto& in, auto& out) { return call(aten_select_copy_int_out, in, 1, -1, out); });
  same_in_all_orders({2, 4, 4, 6}, [&](auto& in, auto& out) { return call(aten_flip_out, in, ints({1, 3}), out); });
  same_in_all_orders({2, 4, 4, 6}, [&](auto& in, auto& out) {
    return call(aten_roll_out, in, ints({1, -2}), ints({1, 3}), out);
  });
  same_in_all_orders({2, 4, 4, 6},
                     [&](auto& in, auto& out) { return call(aten_roll_out, in, ints({5}), ints({}), out); });
  same_in_all_orders({2, 8, 4, 6}, [&](auto& in, auto& out) {
    return call(aten_repeat_out, in, ints({1, 2, 1, 1}), out);
  });
  same_in_all_orders({2, 1, 8, 12}, [&](auto& in, auto& out) { return call(aten_pixel_shuffle_out, in, 2, out); });
  same_in_all_orders({2, 16, 2, 3}, [&](auto& in, auto& out) { return call(aten_pixel_unshuffle_out, in, 2, out); });
  same_in_all_orders({4, 2, 6, 4}, [&](auto& in, auto& out) {
    return call(aten_view_copy_out, in, ints({4, 2, -1, 4}), out);
  });
  same_in_all_orders({2, 4, 5, 5}, [&](auto& in, auto& out) {
    return call(aten_constant_pad_nd_out, in, ints({1, -2, 0, 1}), 7.0, out);
  });
  same_in_all_orders({2, 4, 7, 9}, [&](auto& in, auto& out) {
    return call(aten_reflection_pad2d_out, in, ints({1, 2, 3, 0}), out);
  });
  same_in_all_orders({2, 4, 7, 9}, [&](auto& in, auto& out) {
    return call(aten_replication_pad2d_out, in, ints({1, 2, 3, 0}), out);
  });
  same_in_all_orders({2, 4, 4, 6}, [&](auto& in, auto& out) { return call(aten_tril_out, in, 1, out); });
  same_in_all_orders({2, 4, 4, 6}, [&](auto& in, auto& out) { return call(aten__softmax_out, in, 1, false, out); });
  same_in_all_orders({2, 4, 4, 6}, [&](auto& in, auto& out) { return call(aten__log_softmax_out, in, 1, false, out); });
  same_in_all_orders({2, 4, 2, 3}, [&](auto& in, auto& out) {
    return call(aten_avg_pool2d_out, in, ints({2}), ints({}), ints({0}), false, true, none, out);
  });
  same_in_all_orders({2, 4, 8, 12}, [&](auto& in, auto& out) {
    return call(aten_upsample_nearest2d_vec_out, in, ints({8, 12}), none, out);
  });
  same_in_all_orders({2, 4, 8, 12}, [&](auto& in, auto& out) {
    return call(aten_upsample_bilinear2d_vec_out, in, ints({8, 12}), false, none, out);
  });
  same_in_all_orders({2, 4, 4, 6}, [&](auto& in, auto& out) { return call(aten_clone_out, in, none, out); });
  same_in_all_orders({2, 4, 3, 6}, [&](auto& in, auto& out) {
    Held<int64_t> index({3}, {0, 3, 1});
    return call(aten_index_select_out, in, 2, index, out);
  });
}

TEST(Permute, RefusesBadDims) {
  for (const std::vector<int64_t>& dims : {std::vector<int64_t>{0}, {0, 0}, {0, 2}, {-3, 0}, {0, 1, 2}}) {
    Held<float> in({2, 3}), out({3, 2});
    EXPECT_EQ(call(aten_permute_copy_out, in, IntsArgument(dims), out), Error::InvalidArgument);
    EXPECT_TRUE(out.untouched(true));
  }
}

TEST(Slice, ClampsLikePython) {
  Held<float> in({5}, {0, 1, 2, 3, 4}), out({2}), tail({3}), nothing({0});
  EXPECT_EQ(call(aten_slice_copy_Tensor_out, in, 0, -3, -1, 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(2, 3));
  EXPECT_EQ(call(aten_slice_copy_Tensor_out, in, 0, none, INT64_MAX, 2, tail), Error::Ok);
  EXPECT_THAT(tail.logical(), ElementsAre(0, 2, 4));
  EXPECT_EQ(call(aten_slice_copy_Tensor_out, in, 0, 4, INT64_MIN, 1, nothing), Error::Ok);
  EXPECT_EQ(call(aten_slice_copy_Tensor_out, in, 0, 0, 5, 0, out), Error::InvalidArgument);
}

TEST(Pad, CropsByNegativeAmountsAndRefusesTooMuch) {
  Held<float> in({1, 4}, {1, 2, 3, 4}), out({1, 4}), bad({1, 1});
  EXPECT_EQ(call(aten_constant_pad_nd_out, in, IntsArgument({-3, 3}), 9.0, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(4, 9, 9, 9));
  for (const std::vector<int64_t>& pad :
       {std::vector<int64_t>{-5, 0}, {1}, {INT64_MAX, 1}, {INT64_MIN, 1}, {0, 0, 0, 0, 0, 0}}) {
    EXPECT_EQ(call(aten_constant_pad_nd_out, in, IntsArgument(pad), 9.0, bad), Error::InvalidArgument);
  }
  EXPECT_TRUE(bad.untouched(true));
  EXPECT_EQ(call(aten_reflection_pad1d_out, in, IntsArgument({4, 0}), bad), Error::InvalidArgument);
  EXPECT_TRUE(bad.untouched(true));
}

TEST(AsStrided, StaysInsideItsInput) {
  Held<float> in({6}, count_up(6)), out({2, 3}), bad({2, 3});
  EXPECT_EQ(call(aten_as_strided_copy_out, in, IntsArgument({2, 3}), IntsArgument({2, 1}), 1, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(2, 3, 4, 4, 5, 6));
  EXPECT_EQ(call(aten_as_strided_copy_out, in, IntsArgument({2, 3}), IntsArgument({3, 1}), 1, bad),
            Error::InvalidArgument);
  EXPECT_EQ(call(aten_as_strided_copy_out, in, IntsArgument({2, 3}), IntsArgument({INT32_MAX, INT32_MAX}), 0, bad),
            Error::InvalidArgument);
  EXPECT_EQ(call(aten_as_strided_copy_out, in, IntsArgument({2, 3}), IntsArgument({-1, 1}), 3, bad),
            Error::InvalidArgument);
  EXPECT_TRUE(bad.untouched(true));
}

TEST(Gather, RefusesIndicesOutOfRange) {
  for (const int64_t index : {int64_t{-1}, int64_t{2}, INT64_MAX, INT64_MIN}) {
    Held<float> in({2, 2}, {1, 2, 3, 4}), out({1, 2});
    Held<int64_t> places({1, 2}, {index, index});
    EXPECT_EQ(call(aten_gather_out, in, 0, places, false, out), Error::InvalidArgument);
    EXPECT_EQ(call(aten_scatter_src_out, in, 0, places, in, in), Error::InvalidArgument);
    EXPECT_TRUE(out.untouched() && in.untouched());
  }
}

TEST(Embedding, ReadsRowsOfAnyLayout) {
  for (const Order& order : {Order{0, 1}, Order{1, 0}}) {
    Held<float> weight({3, 2}, count_up(6), order), out({2, 2});
    Held<int64_t> indices({2}, {2, 0});
    EXPECT_EQ(call(aten_embedding_out, weight, indices, -1, false, false, out), Error::Ok);
    EXPECT_THAT(out.logical(), ElementsAre(5, 6, 1, 2));
  }
}

TEST(Topk, OrdersByValueThenPlaceAndKnowsNaN) {
  Held<float> in({5}, {3, NAN, 3, 5, 1}), values({3});
  Held<int64_t> indices({3});
  EXPECT_EQ(call(aten_topk_values, in, 3, 0, true, true, values, indices), Error::Ok);
  EXPECT_THAT(indices.logical(), ElementsAre(1, 3, 0));
  EXPECT_EQ(call(aten_topk_values, in, 3, 0, false, true, values, indices), Error::Ok);
  EXPECT_THAT(indices.logical(), ElementsAre(4, 0, 2));
  EXPECT_EQ(call(aten_topk_values, in, 6, 0, false, true, values, indices), Error::InvalidArgument);
}

TEST(MaxPool, PropagatesNaNAndGivesIndicesInThePlane) {
  Held<float> in({1, 1, 2, 4}, {1, 9, NAN, 2, 3, 4, 5, 6}, kChannelsLast), out({1, 1, 1, 2});
  Held<int64_t> indices({1, 1, 1, 2});
  EXPECT_EQ(call(aten_max_pool2d_with_indices_out, in, IntsArgument({2, 2}), IntsArgument({2, 2}), IntsArgument({0, 0}),
                 IntsArgument({1, 1}), false, out, indices),
            Error::Ok);
  EXPECT_EQ(out.logical()[0], 9);
  EXPECT_NE(out.logical()[1], out.logical()[1]);
  EXPECT_THAT(indices.logical(), ElementsAre(1, 2));
}

// Golden values: torch.nn.functional.interpolate(x, size=(4, 4), mode="bilinear"), which rounds rows first.
TEST(UpsampleBilinear, RoundsBytesAsTorchDoes) {
  Held<uint8_t> in({1, 1, 2, 2}, {1, 2, 3, 5}), out({1, 1, 4, 4});
  EXPECT_EQ(call(aten_upsample_bilinear2d_vec_out, in, IntsArgument({4, 4}), false, none, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 3, 4, 5, 5));
}

TEST(Clone, RefusesAnUnknownMemoryFormat) {
  Held<float> in({1}, {1}), out({1});
  EXPECT_EQ(call(aten_clone_out, in, 55, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_clone_out, in, 2, out), Error::Ok);
}

TEST(Fill, TakesAValueWithoutDimensions) {
  Held<float> in({2}), value({}, {3}), one({1}, {3}), out({2});
  EXPECT_EQ(call(aten_fill_Tensor_out, in, one, out), Error::InvalidArgument);
  EXPECT_EQ(call(aten_fill_Tensor_out, in, value, out), Error::Ok);
  EXPECT_THAT(out.logical(), ElementsAre(3, 3));
}

// As tensor.to(dtype) in torch.
TEST(ToCopy, KeepsTheRealPartOfComplexNumbers) {
  using executorch::runtime::etensor::complex;
  Held<complex<float>> in({3}, {{1.5f, 10}, {0, 2}, {0, 0}});
  Held<float> real({3});
  EXPECT_EQ(call(aten__to_copy_out, in, false, none, real), Error::Ok);
  EXPECT_THAT(real.logical(), ElementsAre(1.5f, 0, 0));
  Held<int32_t> integer({3});
  EXPECT_EQ(call(aten__to_copy_out, in, false, none, integer), Error::Ok);
  EXPECT_THAT(integer.logical(), ElementsAre(1, 0, 0));
  Held<bool> truth({3});
  EXPECT_EQ(call(aten__to_copy_out, in, false, none, truth), Error::Ok);
  EXPECT_THAT(truth.logical(), ElementsAre(true, true, false));
}

}  // namespace
