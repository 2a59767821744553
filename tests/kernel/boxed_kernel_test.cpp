// SPDX-License-Identifier: BSD-3-Clause
// Users' kernels: EXECUTORCH_LIBRARY on plain functions.

#include <executorch/extension/kernel_util/make_boxed_from_unboxed_functor.h>
#include <executorch/runtime/kernel/kernel_includes.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace {

using namespace executorch::runtime;
using executorch::aten::MemoryFormat;
using executorch::aten::Scalar;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;

/// A tensor of two floats.
struct Floats {
  float data[2] = {};
  TensorImpl::SizesType sizes[1] = {2};
  TensorImpl::DimOrderType order[1] = {0};
  TensorImpl::StridesType strides[1] = {1};
  TensorImpl impl{ScalarType::Float, 1, sizes, data, order, strides};
  EValue value{Tensor(&impl)};
};

std::string seen;

Tensor& every_type_out(KernelRuntimeContext&, const Tensor& in, int64_t i, double d, bool b, const Scalar& scalar,
                       std::string_view text, std::optional<int64_t> number, std::optional<ScalarType> dtype,
                       ArrayRef<int64_t> ints, ArrayRef<bool> bools, ArrayRef<double> doubles,
                       std::optional<ArrayRef<int64_t>> maybe_ints, ArrayRef<Tensor> tensors,
                       ArrayRef<std::optional<Tensor>> maybe_tensors, std::optional<Tensor> maybe_tensor, Tensor& out) {
  seen = std::to_string(i) + " " + std::to_string(static_cast<int>(d)) + " " + std::to_string(b) + " " +
         std::to_string(scalar.to<int64_t>()) + " " + std::string(text) + " " +
         (number ? std::to_string(*number) : "-") + " " + (dtype ? "dtype" : "-") + " " + std::to_string(ints.size()) +
         std::to_string(bools.size()) + std::to_string(doubles.size()) + (maybe_ints ? "+" : "-") +
         std::to_string(tensors.size()) + std::to_string(maybe_tensors.size()) +
         (maybe_tensors[0].has_value() ? "+" : "-") + (maybe_tensor ? "+" : "-");
  out.mutable_data_ptr<float>()[0] = in.const_data_ptr<float>()[0] + 1;
  return out;
}
EXECUTORCH_LIBRARY(boxed, "every_type.out", every_type_out);

TEST(BoxedKernel, EveryTypeOfArgumentArrives) {
  Floats in, out;
  in.data[0] = 41;
  EValue i(int64_t{5}), d(2.5), b(true), scalar(int64_t{7}), none;
  ArrayRef<char> characters("text", 4);
  EValue text(&characters);
  EValue* int_values[] = {&i, &scalar};
  int64_t int_room[2];
  BoxedEvalueList<int64_t> int_list(int_values, int_room, 2);
  EValue ints(&int_list);
  const bool bool_items[] = {true};
  ArrayRef<bool> bool_list(bool_items, 1);
  EValue bools(&bool_list);
  const double double_items[] = {1, 2, 3};
  ArrayRef<double> double_list(double_items, 3);
  EValue doubles(&double_list);
  EValue* tensor_values[] = {&in.value};
  Tensor tensor_room[1] = {Tensor(&in.impl)};
  BoxedEvalueList<Tensor> tensor_list(tensor_values, tensor_room, 1);
  EValue tensors(&tensor_list);
  EValue* optional_values[] = {&none, &in.value};
  std::optional<Tensor> optional_room[2];
  BoxedEvalueList<std::optional<Tensor>> optional_list(optional_values, optional_room, 2);
  EValue maybe_tensors(&optional_list);
  EValue* stack[] = {&in.value, &i,     &d,       &b,    &scalar,  &text,          &none,     &i,
                     &ints,     &bools, &doubles, &none, &tensors, &maybe_tensors, &in.value, &out.value};

  const auto function = get_op_function_from_registry("boxed::every_type.out");
  ASSERT_TRUE(function.ok());
  KernelRuntimeContext context;
  (*function)(context, Span<EValue*>(stack));
  EXPECT_EQ(context.failure_state(), Error::Ok);
  EXPECT_EQ(seen, "5 2 1 7 text - dtype 213-12-+");
  EXPECT_EQ(out.data[0], 42.0f);
}

int calls = 0;
Tensor& count_out(KernelRuntimeContext&, int64_t n, Tensor& out) {
  calls += static_cast<int>(n);
  return out;
}
EXECUTORCH_LIBRARY(boxed, "count.out", count_out);

TEST(BoxedKernel, AValueOfAnotherTypeFailsTheCall) {
  const OpFunction function = *get_op_function_from_registry("boxed::count.out");
  Floats out;
  EValue number(int64_t{1}), real(1.5), none;
  calls = 0;
  for (EValue* wrong : {&real, &none, &out.value}) {
    KernelRuntimeContext context;
    EValue* stack[] = {wrong, &out.value};
    function(context, Span<EValue*>(stack));
    EXPECT_EQ(context.failure_state(), Error::InvalidType);
  }
  KernelRuntimeContext context;
  EValue* stack[] = {&number, &number};
  function(context, Span<EValue*>(stack));
  EXPECT_EQ(context.failure_state(), Error::InvalidType);
  EXPECT_EQ(calls, 0);
}

TEST(BoxedKernel, TooFewArgumentsFailTheCallAndMoreAreIgnored) {
  const OpFunction function = *get_op_function_from_registry("boxed::count.out");
  Floats out;
  EValue number(int64_t{1});
  EValue* stack[] = {&number, &out.value, &out.value};
  calls = 0;
  KernelRuntimeContext few;
  function(few, Span<EValue*>(stack, size_t{1}));
  EXPECT_EQ(few.failure_state(), Error::InvalidArgument);
  EXPECT_EQ(calls, 0);
  KernelRuntimeContext more;
  function(more, Span<EValue*>(stack, size_t{3}));
  EXPECT_EQ(more.failure_state(), Error::Ok);
  EXPECT_EQ(calls, 1);
}

Tensor& without_context_out(int64_t n, Tensor& out) {
  calls += static_cast<int>(n);
  return out;
}

TEST(BoxedKernel, AFunctionMayTakeNoContext) {
  static constexpr const char name[] = "boxed::without_context.out";
  const Kernel kernel = executorch::extension::make_boxed_kernel(name, EXECUTORCH_FN(without_context_out, name));
  EXPECT_STREQ(kernel.name_, name);
  EXPECT_TRUE(kernel.kernel_key_.is_fallback());
  Floats out;
  EValue number(int64_t{3});
  EValue* stack[] = {&number, &out.value};
  calls = 0;
  KernelRuntimeContext context;
  kernel.op_(context, Span<EValue*>(stack));
  EXPECT_EQ(calls, 3);
}

TEST(BoxedKernel, SignaturesAreTakenApart) {
  using namespace executorch::extension;
  static constexpr const char name[] = "boxed::count.out";
  using Wrapped = WrapUnboxedIntoFunctor<EXECUTORCH_FN_TYPE(count_out, name)>;
  static_assert(std::is_same_v<Wrapped::ReturnType, Tensor&>);
  static_assert(std::is_same_v<Wrapped::TrueType, Tensor&(KernelRuntimeContext&, int64_t, Tensor&)>);
  static_assert(std::is_same_v<Wrapped::ContextRemovedArgsType, kernel_util_internal::typelist<int64_t, Tensor&>>);
  using kernel_util_internal::typelist;
  static_assert(std::is_same_v<kernel_util_internal::drop_if_nonempty_t<typelist<int, bool>, 3>, typelist<>>);
  static_assert(std::is_same_v<kernel_util_internal::element_t<1, typelist<int, Tensor&>>, Tensor&>);
  static_assert(std::is_same_v<kernel_util_internal::head_with_default_t<void, typelist<>>, void>);
}

}  // namespace
