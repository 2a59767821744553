// SPDX-License-Identifier: BSD-3-Clause
// Kernels that a program registers, in front of the table of the image.

#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <gtest/gtest.h>
#include <wick/kernel_table.h>

#include <string>
#include <vector>

namespace {

using namespace executorch::runtime;
using executorch::aten::DimOrderType;
using executorch::aten::ScalarType;

void in_table(KernelRuntimeContext&, Span<EValue*>) {}
void fallback(KernelRuntimeContext&, Span<EValue*>) {}
void for_float(KernelRuntimeContext&, Span<EValue*>) {}
void for_long(KernelRuntimeContext&, Span<EValue*>) {}

const wick::KernelEntry table_entries[] = {{"test::both.out", in_table}, {"test::table.out", in_table}};

}  // namespace

extern const wick::KernelTable wick_kernel_table = {table_entries, 2};

namespace {

/// Tensors of two dimensions and these dtypes.
class Tensors {
 public:
  explicit Tensors(std::vector<ScalarType> dtypes) {
    for (ScalarType dtype : dtypes) metas_.push_back(TensorMeta(dtype, Span<DimOrderType>(order_, 2)));
  }
  Span<const TensorMeta> span() const { return Span<const TensorMeta>(metas_.data(), metas_.size()); }

 private:
  DimOrderType order_[2] = {0, 1};
  std::vector<TensorMeta> metas_;
};

TEST(OperatorRegistry, KernelsOfTheTableAreFound) {
  EXPECT_TRUE(registry_has_op_function("test::table.out"));
  EXPECT_EQ(*get_op_function_from_registry("test::table.out"), in_table);
  EXPECT_EQ(*get_op_function_from_registry("test::table.out", Tensors({ScalarType::Float}).span()), in_table);
  EXPECT_TRUE(torch::executor::hasOpsFn("test::table.out"));
  EXPECT_EQ(torch::executor::getOpsFn("test::table.out"), in_table);
}

TEST(OperatorRegistry, UnknownOperatorsAreMissing) {
  EXPECT_FALSE(registry_has_op_function("test::none.out"));
  EXPECT_EQ(get_op_function_from_registry("test::none.out").error(), Error::OperatorMissing);
  EXPECT_EQ(get_op_function_from_registry("test::table.out", {}, {}).error(), Error::OperatorMissing);
  EXPECT_DEATH(torch::executor::getOpsFn("test::none.out"), "");
}

TEST(OperatorRegistry, RegisteredKernelsComeBeforeTheTable) {
  ASSERT_EQ(*get_op_function_from_registry("test::both.out"), in_table);
  ASSERT_EQ(register_kernel(Kernel("test::both.out", fallback)), Error::Ok);
  EXPECT_EQ(*get_op_function_from_registry("test::both.out"), fallback);
}

TEST(OperatorRegistry, RegisteredKernelsAreListed) {
  const size_t before = get_registered_kernels().size();
  ASSERT_EQ(register_kernel(Kernel("test::listed.out", fallback)), Error::Ok);
  ASSERT_EQ(get_registered_kernels().size(), before + 1);
  EXPECT_STREQ(get_registered_kernels()[before].name_, "test::listed.out");
  EXPECT_EQ(torch::executor::get_kernels().size(), before + 1);
}

TEST(OperatorRegistry, TheMostSpecificKernelIsChosen) {
  const Kernel kernels[] = {Kernel("test::special.out", "v1/6;0,1|6;0,1", for_float),
                            Kernel("test::special.out", fallback), Kernel("test::special.out", "v1/4;0,1", for_long)};
  ASSERT_EQ(register_kernels({kernels, 3}), Error::Ok);
  const auto chosen = [](std::vector<ScalarType> dtypes) {
    return *get_op_function_from_registry("test::special.out", Tensors(dtypes).span());
  };
  EXPECT_EQ(chosen({ScalarType::Float, ScalarType::Float}), for_float);
  EXPECT_EQ(chosen({ScalarType::Long}), for_long);
  EXPECT_EQ(chosen({ScalarType::Float}), fallback);
  EXPECT_EQ(chosen({ScalarType::Float, ScalarType::Float, ScalarType::Float}), fallback);
  EXPECT_EQ(chosen({}), fallback);
}

TEST(OperatorRegistry, ASpecialKernelAloneDoesNotServeOthers) {
  ASSERT_EQ(register_kernel(Kernel("test::only_long.out", "v1/4;0,1", for_long)), Error::Ok);
  EXPECT_TRUE(registry_has_op_function("test::only_long.out", Tensors({ScalarType::Long}).span()));
  EXPECT_FALSE(registry_has_op_function("test::only_long.out", Tensors({ScalarType::Float}).span()));
  EXPECT_FALSE(registry_has_op_function("test::only_long.out"));
}

TEST(OperatorRegistry, AListIsSearchedAlone) {
  const Kernel kernels[] = {Kernel("test::special_list.out", "v1/4;0,1", for_long)};
  const Span<const Kernel> list(kernels, 1);
  EXPECT_EQ(*get_op_function_from_registry("test::special_list.out", Tensors({ScalarType::Long}).span(), list),
            for_long);
  EXPECT_EQ(get_op_function_from_registry("test::table.out", {}, list).error(), Error::OperatorMissing);
}

TEST(OperatorRegistry, KeysThatCannotBeWrittenAreInvalid) {
  EXPECT_EQ(get_op_function_from_registry("test::none.out", Tensors({static_cast<ScalarType>(-1)}).span()).error(),
            Error::InvalidArgument);
  EXPECT_EQ(
      get_op_function_from_registry("test::none.out", Tensors(std::vector<ScalarType>(500, ScalarType::Float)).span())
          .error(),
      Error::InvalidArgument);
}

TEST(OperatorRegistry, AKeyIsWrittenWithinItsBuffer) {
  const Tensors tensors({ScalarType::Float, ScalarType::Bool});
  const std::string key = "v1/6;0,1|11;0,1";
  for (size_t size = 0; size < key.size() + 3; ++size) {
    std::vector<char> buffer(size);
    const Error error = internal::make_kernel_key_string(tensors.span(), buffer.data(), size);
    EXPECT_EQ(error, size > key.size() ? Error::Ok : Error::InvalidArgument) << size;
    if (error == Error::Ok) {
      EXPECT_STREQ(buffer.data(), key.c_str());
    }
  }
}

TEST(OperatorRegistryDeathTest, RegisteringTwiceAborts) {
  const Kernel kernels[] = {Kernel("test::twice.out", fallback), Kernel("test::twice.out", fallback)};
  EXPECT_DEATH((void)register_kernels({kernels, 2}), "test::twice.out, key any, is registered already");
}

TEST(OperatorRegistryDeathTest, AFullRegistrySaysHowManySlotsAreNeeded) {
  const std::vector<Kernel> kernels(2001, Kernel("test::many.out", fallback));
  EXPECT_DEATH((void)register_kernels({kernels.data(), kernels.size()}),
               "larger than the limit 2000: build the runtime with MAX_KERNEL_NUM=20");
}

TEST(KernelKey, FallbacksAreEqualToEachOtherOnly) {
  EXPECT_EQ(KernelKey(), KernelKey());
  EXPECT_NE(KernelKey(), KernelKey("v1/6;0,1"));
  EXPECT_EQ(KernelKey("v1/6;0,1"), KernelKey(std::string("v1/6;0,1").c_str()));
  EXPECT_NE(KernelKey("v1/6;0,1"), KernelKey("v1/6;1,0"));
}

TEST(KernelRuntimeContext, RemembersAFailure) {
  KernelRuntimeContext context;
  EXPECT_EQ(context.failure_state(), Error::Ok);
  context.fail(Error::NotSupported);
  EXPECT_EQ(context.failure_state(), Error::NotSupported);
}

TEST(KernelRuntimeContext, TemporaryMemoryMustBeGivenAndSuffice) {
  EXPECT_EQ(KernelRuntimeContext().allocate_temp(4).error(), Error::NotFound);
  alignas(16) uint8_t pool[64];
  MemoryAllocator allocator(sizeof(pool), pool);
  KernelRuntimeContext context(nullptr, &allocator);
  const Result<void*> memory = context.allocate_temp(16, 16);
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(*memory) % 16, 0u);
  EXPECT_EQ(context.allocate_temp(100).error(), Error::MemoryAllocationFailed);
}

}  // namespace
