// SPDX-License-Identifier: BSD-3-Clause
//
// mlp.float multiplies by transposed weights. A transposition that nobody can tell from a view is a view, made at load;
// all others are copied as the program says.
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>
#include <wick/memory_required.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "src/pte/schema.h"
#include "tests/executor/pools.h"

namespace {

using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::Kernel;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::Method;
using executorch::runtime::Program;
using executorch::runtime::Result;
using executorch::runtime::Span;
namespace pte = wick::pte;

constexpr size_t kWeightBytes = 784 * 32 * 4;  // the first weight's, and most of what the program plans

class ConstantViewTest : public ::testing::Test {
 protected:
  ConstantViewTest() : image_("mlp.float.pte") {}

  /// Where argument `i` of instruction `instruction` stands in the image.
  uint8_t* argument(uint32_t instruction, uint32_t i) { return image_.data() + arguments(instruction).at + 4 * i; }

  /// Where the number in a value stands.
  uint8_t* number(uint32_t value) {
    pte::Buffer buffer(image_.data(), image_.size());
    const pte::Table content = buffer.table_field(
        buffer.table_item(buffer.vector_field(plan(buffer), pte::plan::kValues, 4), value), pte::evalue::kValue);
    return image_.data() + buffer.field(content, pte::evalue::kContent);
  }

  /// Runs on inputs of one. Returns the bytes of planned memory that the run wrote to.
  size_t run(Span<const Kernel> kernels = {}) {
    BufferDataLoader loader(image_.data(), image_.size());
    Result<Program> program = Program::load(&loader);
    EXPECT_TRUE(program.ok());
    Pools pools(*program, "forward");
    Result<Method> method = program->load_method("forward", pools.manager.get(), nullptr, nullptr, {}, kernels);
    EXPECT_TRUE(method.ok());
    Span<uint8_t> planned = pools.planned(0);
    std::fill(planned.begin(), planned.end(), uint8_t{0xA5});
    std::vector<float> ones(784, 1.0F);
    TensorImpl::SizesType sizes[] = {1, 784};
    TensorImpl::DimOrderType order[] = {0, 1};
    TensorImpl::StridesType strides[] = {784, 1};
    TensorImpl input(ScalarType::Float, 2, sizes, ones.data(), order, strides);
    EXPECT_EQ(method->set_input(EValue(Tensor(&input)), 0), Error::Ok);
    error_ = method->execute();
    if (error_ == Error::Ok) {
      const float* output = method->get_output(0).toTensor().const_data_ptr<float>();
      output_.assign(output, output + 10);
    }
    return static_cast<size_t>(planned.end() - planned.begin() - std::count(planned.begin(), planned.end(), 0xA5));
  }

  Image image_;
  Error error_ = Error::Ok;
  std::vector<float> output_;

 private:
  static pte::Table plan(pte::Buffer& buffer) {
    return buffer.table_item(buffer.vector_field(buffer.root(), pte::program::kExecutionPlan, 4), 0);
  }
  pte::Vector arguments(uint32_t instruction) {
    pte::Buffer buffer(image_.data(), image_.size());
    const pte::Vector chains = buffer.vector_field(plan(buffer), pte::plan::kChains, 4);
    const pte::Vector list = buffer.vector_field(buffer.table_item(chains, 0), pte::chain::kInstructions, 4);
    const pte::Table call = buffer.table_field(buffer.table_item(list, instruction), pte::instruction::kArguments);
    return buffer.vector_field(call, pte::call::kArgs, 4);
  }
};

// The program: 0 permute_copy(0, 8) -> 5; 1 addmm(1, 4, 5, ..) -> 9; 2 relu(9) -> 12; 3 permute_copy(2, 16) -> 13;
// 4 addmm(3, 12, 13, ..) -> 17.

TEST_F(ConstantViewTest, TransposedWeightIsNotCopied) {
  EXPECT_LT(run(), kWeightBytes / 10);
  EXPECT_EQ(error_, Error::Ok);
}

/// A user's permute_copy of a matrix.
void users_permute(KernelRuntimeContext&, Span<EValue*> args) {
  const auto& in = args[0]->toTensor();
  const auto& out = args[2]->toTensor();
  for (ssize_t i = 0; i < in.numel(); ++i) {
    out.mutable_data_ptr<float>()[i % in.size(1) * in.size(0) + i / in.size(1)] = in.const_data_ptr<float>()[i];
  }
}

TEST_F(ConstantViewTest, AViewAndACopyGiveTheSameResult) {
  run();
  const std::vector<float> viewed = output_;
  const Kernel kernels[] = {Kernel("aten::permute_copy.out", users_permute)};
  EXPECT_GT(run({kernels, 1}), kWeightBytes / 2);
  ASSERT_EQ(viewed.size(), output_.size());
  for (size_t i = 0; i < viewed.size(); ++i) {
    EXPECT_NEAR(viewed[i], output_[i], 1e-5F * std::fabs(output_[i]) + 1e-6F);
  }
}

TEST_F(ConstantViewTest, ReadBySomethingElseIsCopied) {
  const int32_t weight = 5;
  std::memcpy(argument(2, 0), &weight, sizeof(weight));
  EXPECT_GT(run(), kWeightBytes / 2);
}

TEST_F(ConstantViewTest, WrittenByTwoTranspositionsIsCopied) {
  const int32_t weight = 5;
  std::memcpy(argument(3, 2), &weight, sizeof(weight));
  std::memcpy(argument(3, 3), &weight, sizeof(weight));
  EXPECT_GT(run(), kWeightBytes / 2);
}

TEST_F(ConstantViewTest, WrittenTwiceIsCopied) {
  const int32_t weight = 5;
  std::memcpy(argument(2, 1), &weight, sizeof(weight));
  std::memcpy(argument(2, 2), &weight, sizeof(weight));
  EXPECT_GT(run(), kWeightBytes / 2);
}

/// A user's kernel may read its arguments as if they were contiguous.
size_t inner_stride = 0;
void users_addmm(KernelRuntimeContext&, Span<EValue*> args) {
  inner_stride = static_cast<size_t>(args[2]->toTensor().strides()[1]);
}

TEST_F(ConstantViewTest, ReadByAUsersKernelIsCopied) {
  const Kernel kernels[] = {Kernel("aten::addmm.out", users_addmm)};
  EXPECT_GT(run({kernels, 1}), kWeightBytes / 2);
  EXPECT_EQ(inner_stride, 1U);
}

TEST_F(ConstantViewTest, DimsThatDoNotTransposeAreLeftToTheKernel) {
  int32_t dims_value = 0;
  std::memcpy(&dims_value, argument(0, 1), sizeof(dims_value));
  ASSERT_EQ(dims_value, 8);
  int64_t one = 0;
  std::memcpy(&one, number(6), sizeof(one));
  ASSERT_EQ(one, 1) << "values 6 and 7 are the dims 1 and 0";
  const int64_t beyond = 3;
  std::memcpy(number(6), &beyond, sizeof(beyond));
  run();
  EXPECT_EQ(error_, Error::InvalidArgument);
}

TEST_F(ConstantViewTest, MemoryFiguresStayExact) {
  BufferDataLoader loader(image_.data(), image_.size());
  Result<Program> program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  uint8_t workspace[4096];
  const auto need = wick::memory_required(*program, "forward", {workspace, sizeof(workspace)});
  ASSERT_TRUE(need.ok());
  EXPECT_EQ(need->views, 2U);
  Pools enough(*program, "forward", need->method);
  EXPECT_TRUE(program->load_method("forward", enough.manager.get()).ok());
  Pools less(*program, "forward", need->method - 1);
  EXPECT_EQ(program->load_method("forward", less.manager.get()).error(), Error::MemoryAllocationFailed);
}

}  // namespace
