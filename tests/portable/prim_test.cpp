// SPDX-License-Identifier: BSD-3-Clause
// Operators on plain numbers: Python's arithmetic; et_view and et_copy_index on tensors.

#include "tests/portable/kernel_call.h"

namespace {

using namespace wick::test;
using namespace wick::kernels;
using testing::ElementsAre;

// Calls a kernel whose last argument is its result.
template <typename... Arguments>
EValue result_of(Kernel kernel, Arguments... arguments) {
  EValue values[] = {boxed(arguments)..., EValue()};
  EValue* pointers[sizeof...(Arguments) + 1];
  for (size_t i = 0; i <= sizeof...(Arguments); ++i) pointers[i] = &values[i];
  KernelRuntimeContext context;
  executorch::runtime::runtime_init();
  kernel(context, Span<EValue*>(pointers, sizeof...(Arguments) + 1));
  return context.failure_state() == Error::Ok ? values[sizeof...(Arguments)] : EValue();
}

TEST(Prim, IntegersStayIntegers) {
  EXPECT_EQ(result_of(prim_add_Scalar, 2, 3).toInt(), 5);
  EXPECT_EQ(result_of(prim_sub_Scalar, 2, 3).toInt(), -1);
  EXPECT_EQ(result_of(prim_mul_Scalar, 2, 1.5).toDouble(), 3.0);
  EXPECT_EQ(result_of(prim_truediv_Scalar, 1, 2).toDouble(), 0.5);
  EXPECT_EQ(result_of(prim_neg_Scalar, 7).toInt(), -7);
  EXPECT_EQ(result_of(prim_sym_max_Scalar, 3, 5).toInt(), 5);
  EXPECT_EQ(result_of(prim_sym_min_Scalar, 3, 5).toInt(), 3);
}

TEST(Prim, DivisionFloorsAsInPython) {
  EXPECT_EQ(result_of(prim_floordiv_Scalar, -7, 2).toInt(), -4);
  EXPECT_EQ(result_of(prim_floordiv_int, 7, 2).toInt(), 3);
  EXPECT_EQ(result_of(prim_mod_Scalar, -7, 2).toInt(), 1);
  EXPECT_TRUE(result_of(prim_floordiv_Scalar, 1, 0).isNone());
  EXPECT_TRUE(result_of(prim_mod_int, 1, 0).isNone());
}

TEST(Prim, ComparisonsGiveBools) {
  EXPECT_TRUE(result_of(prim_eq_Scalar, 2, 2.0).toBool());
  EXPECT_FALSE(result_of(prim_gt_Scalar, 2, 2).toBool());
  EXPECT_TRUE(result_of(prim_le_Scalar, 2, 2).toBool());
  EXPECT_TRUE(result_of(prim_eq_Scalar, true, true).toBool());
  EXPECT_FALSE(result_of(prim_sym_not_Scalar, true).toBool());
  EXPECT_EQ(result_of(prim_sym_ite_Scalar, true, 4, 5).toInt(), 4);
}

TEST(Prim, RoundsHalvesToEven) {
  EXPECT_EQ(result_of(prim_round_Scalar, 2.5).toInt(), 2);
  EXPECT_EQ(result_of(prim_round_Scalar, -3.5).toInt(), -4);
  EXPECT_EQ(result_of(prim_ceil_Scalar, 2.1).toInt(), 3);
  EXPECT_EQ(result_of(prim_trunc_Scalar, -2.9).toInt(), -2);
  EXPECT_TRUE(result_of(prim_trunc_Scalar, 1e300).isNone());
}

TEST(Prim, ArithmeticRefusesWhatIsNoNumber) {
  EXPECT_TRUE(result_of(prim_add_Scalar, true, 1).isNone());
  EXPECT_TRUE(result_of(prim_add_Scalar, none, 1).isNone());
}

TEST(Prim, TensorsTellTheirSizes) {
  Held<float> tensor({2, 3}, {1, 2, 3, 4, 5, 6});
  EValue values[] = {tensor.value(), EValue(int64_t{-1}), EValue()};
  EValue* pointers[] = {&values[0], &values[1], &values[2]};
  KernelRuntimeContext context;
  aten_sym_size_int(context, Span<EValue*>(pointers, 3));
  EXPECT_EQ(values[2].toInt(), 3);
}

TEST(EtView, SharesMemoryUnderOtherSizes) {
  Held<float> tensor({2, 3}, {1, 2, 3, 4, 5, 6}), view({3, 2});
  EXPECT_EQ(call(prim_et_view_default, tensor, IntsArgument({-1, 2}), view), Error::Ok);
  EXPECT_EQ(view.tensor().const_data_ptr(), tensor.data());
  EXPECT_NE(call(prim_et_view_default, tensor, IntsArgument({4, 2}), view), Error::Ok);
  EXPECT_NE(call(prim_et_view_default, tensor, IntsArgument({-1, -1}), view), Error::Ok);
  Held<float> turned({2, 3}, {1, 2, 3, 4, 5, 6}, {1, 0});
  EXPECT_NE(call(prim_et_view_default, turned, IntsArgument({3, 2}), view), Error::Ok);
}

TEST(EtCopyIndex, CollectsAlongTheFirstDimension) {
  Held<float> row({2}, {7, 8}), all({3, 2}, {1, 2, 0, 0, 0, 0}, {}, TensorShapeDynamism::DYNAMIC_BOUND);
  EXPECT_EQ(call(prim_et_copy_index_tensor, all, row, 1), Error::Ok);
  EXPECT_THAT(all.sizes(), ElementsAre(2, 2));
  EXPECT_EQ(all.data()[3], 8);
  EXPECT_NE(call(prim_et_copy_index_tensor, all, row, 3), Error::Ok);
  EXPECT_NE(call(prim_et_copy_index_tensor, all, row, -1), Error::Ok);
}

}  // namespace
