// SPDX-License-Identifier: BSD-3-Clause
//
// Loading and running methods: pools, inputs in any dim order, steps, limits, hooks, users' kernels.
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/kernel/operator_registry.h>

#include <cstring>

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
using executorch::runtime::MemoryManager;
using executorch::runtime::Method;
using executorch::runtime::Program;
using executorch::runtime::Result;
using executorch::runtime::Span;

/// add.float: two inputs of 128 floats; the output is their sum.
class AddTest : public ::testing::Test {
 protected:
  AddTest() : image_("add.float.pte"), loader_(image_.data(), image_.size()), program_(Program::load(&loader_)) {
    for (int i = 0; i < 128; ++i) {
      a_[i] = static_cast<float>(i);
      b_[i] = 0.5F;
    }
  }

  void SetUp() override {
    ASSERT_TRUE(program_.ok());
    const auto info = program_->method_meta("forward")->input_tensor_meta(0);
    ASSERT_TRUE(info.ok());
    ASSERT_EQ(info->nbytes(), sizeof(a_));
    sizes_.assign(info->sizes().begin(), info->sizes().end());
    order_.assign(info->dim_order().begin(), info->dim_order().end());
    strides_.resize(sizes_.size());
    int32_t step = 1;
    for (size_t i = sizes_.size(); i-- > 0;) {
      strides_[i] = step;
      step *= sizes_[i];
    }
  }

  EValue tensor(float* data) {
    impls_.push_back(std::make_unique<TensorImpl>(ScalarType::Float, static_cast<ssize_t>(sizes_.size()), sizes_.data(),
                                                  data, order_.data(), strides_.data()));
    return EValue(Tensor(impls_.back().get()));
  }

  Error set_both(Method& method) {
    const Error first = method.set_input(tensor(a_), 0);
    return first != Error::Ok ? first : method.set_input(tensor(b_), 1);
  }

  static const float* output(const Method& method) { return method.get_output(0).toTensor().const_data_ptr<float>(); }

  Image image_;
  BufferDataLoader loader_;
  Result<Program> program_;
  float a_[128];
  float b_[128];
  std::vector<int32_t> sizes_;
  std::vector<uint8_t> order_;
  std::vector<int32_t> strides_;
  std::vector<std::unique_ptr<TensorImpl>> impls_;
};

TEST_F(AddTest, Runs) {
  Pools pools(*program_, "forward");
  auto method = program_->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  ASSERT_EQ(set_both(*method), Error::Ok);
  ASSERT_EQ(method->execute(), Error::Ok);
  EXPECT_EQ(output(*method)[127], 127.5F);
}

TEST_F(AddTest, RefusesToRunWithoutItsInputs) {
  Pools pools(*program_, "forward");
  auto method = program_->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  EXPECT_EQ(method->execute(), Error::InvalidArgument);
  EXPECT_EQ(method->set_input(EValue(int64_t{1}), 0), Error::InvalidArgument);
  EXPECT_EQ(method->set_input(tensor(a_), 2), Error::InvalidArgument);
}

TEST_F(AddTest, FitsTheMethodPoolExactlyOrSaysNo) {
  size_t used = 0;
  {
    Pools pools(*program_, "forward");
    ASSERT_TRUE(program_->load_method("forward", pools.manager.get()).ok());
    used = pools.method->used_size();
  }
  Pools exact(*program_, "forward", used);
  EXPECT_TRUE(program_->load_method("forward", exact.manager.get()).ok());
  for (size_t bytes = 0; bytes < used; bytes += 4) {
    Pools small(*program_, "forward", bytes);
    EXPECT_EQ(program_->load_method("forward", small.manager.get()).error(), Error::MemoryAllocationFailed) << bytes;
  }
}

TEST_F(AddTest, LoadsWithoutATempAllocator) {
  Pools pools(*program_, "forward");
  MemoryManager manager(pools.method.get(), pools.manager->planned_memory(), nullptr);
  auto method = program_->load_method("forward", &manager);
  ASSERT_TRUE(method.ok());
  ASSERT_EQ(set_both(*method), Error::Ok);
  EXPECT_EQ(method->execute(), Error::Ok);
}

TEST_F(AddTest, WithoutPlannedMemoryIsAnError) {
  Pools pools(*program_, "forward");
  MemoryManager manager(pools.method.get(), nullptr, pools.temp.get());
  EXPECT_EQ(program_->load_method("forward", &manager).error(), Error::InvalidState);
}

TEST_F(AddTest, StepsToTheEndAndBeginsAgain) {
  Pools pools(*program_, "forward");
  auto method = program_->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  ASSERT_EQ(set_both(*method), Error::Ok);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  EXPECT_EQ(method->reset_execution(), Error::InvalidState);
  EXPECT_EQ(method->step(), Error::Ok);
  EXPECT_FALSE(method->in_progress());
  EXPECT_EQ(method->step(), Error::EndOfMethod);
  EXPECT_EQ(method->reset_execution(), Error::Ok);
#pragma GCC diagnostic pop
  EXPECT_EQ(output(*method)[1], 1.5F);
  EXPECT_EQ(method->execute(), Error::Ok);
}

TEST_F(AddTest, StopsAtTheInstructionLimitAndRunsAgain) {
  Pools pools(*program_, "forward");
  auto method = program_->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  ASSERT_EQ(set_both(*method), Error::Ok);
  method->set_instruction_limit(0);
  EXPECT_EQ(method->execute(), Error::InvalidProgram);
  method->set_instruction_limit(1);
  EXPECT_EQ(method->execute(), Error::Ok);
}

TEST_F(AddTest, AHookSeesEveryInstructionAndMayStopTheRun) {
  Pools pools(*program_, "forward");
  auto method = program_->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  ASSERT_EQ(set_both(*method), Error::Ok);
  struct Seen {
    size_t calls = 0;
    size_t count = 0;
    bool go_on = false;
  } seen;
  method->set_operator_hook(
      [](void* context, size_t, size_t count) {
        auto* s = static_cast<Seen*>(context);
        ++s->calls;
        s->count = count;
        return s->go_on;
      },
      &seen);
  EXPECT_EQ(method->execute(), Error::InvalidState);
  seen.go_on = true;
  EXPECT_EQ(method->execute(), Error::Ok);
  EXPECT_EQ(seen.calls, 2U);
  EXPECT_EQ(seen.count, 1U);
}

void constant_seven(KernelRuntimeContext&, Span<EValue*> args) {
  float* out = args[args.size() - 1]->toTensor().mutable_data_ptr<float>();
  for (ssize_t i = 0; i < args[args.size() - 1]->toTensor().numel(); ++i) {
    out[i] = 7.0F;
  }
}

TEST_F(AddTest, TakesAKernelFromTheListOfLoadMethod) {
  Pools pools(*program_, "forward");
  const Kernel kernels[] = {Kernel("aten::add.out", constant_seven)};
  auto method = program_->load_method("forward", pools.manager.get(), nullptr, nullptr, nullptr, {kernels, 1});
  ASSERT_TRUE(method.ok());
  ASSERT_EQ(set_both(*method), Error::Ok);
  ASSERT_EQ(method->execute(), Error::Ok);
  EXPECT_EQ(output(*method)[5], 7.0F);
}

TEST_F(AddTest, AKernelForOtherTensorsDoesNotMatch) {
  Pools pools(*program_, "forward");
  const Kernel kernels[] = {Kernel("aten::add.out", "v1/3;0|3;0|3;0|3;0", constant_seven)};
  auto method = program_->load_method("forward", pools.manager.get(), nullptr, nullptr, nullptr, {kernels, 1});
  ASSERT_TRUE(method.ok());  // wick's own kernel takes the call
  ASSERT_EQ(set_both(*method), Error::Ok);
  ASSERT_EQ(method->execute(), Error::Ok);
  EXPECT_EQ(output(*method)[5], 5.5F);
}

TEST_F(AddTest, AMovedMethodStillRuns) {
  Pools pools(*program_, "forward");
  auto loaded = program_->load_method("forward", pools.manager.get());
  ASSERT_TRUE(loaded.ok());
  Method method(std::move(loaded.get()));
  ASSERT_EQ(set_both(method), Error::Ok);
  EXPECT_EQ(method.execute(), Error::Ok);
}

TEST(Method, TakesAnInputInAnotherDimOrderWithTheSameValues) {
  // ExecuTorch issue 21837: the same tensor, channels last, must give the same result.
  Image image("smallcnn.float_cl.pte");
  BufferDataLoader loader(image.data(), image.size());
  auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  const auto info = program->method_meta("forward")->input_tensor_meta(0);
  ASSERT_TRUE(info.ok());
  ASSERT_EQ(info->sizes().size(), 4U);
  std::vector<int32_t> sizes(info->sizes().begin(), info->sizes().end());
  const int32_t c = sizes[1], h = sizes[2], w = sizes[3];
  std::vector<float> last(info->nbytes() / sizeof(float)), first(last.size());
  for (int32_t n = 0; n < sizes[0]; ++n) {
    for (int32_t k = 0; k < c; ++k) {
      for (int32_t y = 0; y < h; ++y) {
        for (int32_t x = 0; x < w; ++x) {
          const float value = static_cast<float>((k * 31 + y * 7 + x * 3 + n) % 17) / 8.0F - 1.0F;
          first[static_cast<size_t>(((n * c + k) * h + y) * w + x)] = value;
          last[static_cast<size_t>(((n * h + y) * w + x) * c + k)] = value;
        }
      }
    }
  }
  std::vector<std::vector<float>> results;
  for (const bool channels_last : {true, false}) {
    Pools pools(*program, "forward");
    auto method = program->load_method("forward", pools.manager.get());
    ASSERT_TRUE(method.ok());
    uint8_t order_last[] = {0, 2, 3, 1}, order_first[] = {0, 1, 2, 3};
    int32_t strides_last[] = {h * w * c, 1, w * c, c}, strides_first[] = {c * h * w, h * w, w, 1};
    TensorImpl impl(ScalarType::Float, 4, sizes.data(), channels_last ? last.data() : first.data(),
                    channels_last ? order_last : order_first, channels_last ? strides_last : strides_first);
    ASSERT_EQ(method->set_input(EValue(Tensor(&impl)), 0), Error::Ok);
    ASSERT_EQ(method->execute(), Error::Ok);
    const Tensor& out = method->get_output(0).toTensor();
    results.emplace_back(out.const_data_ptr<float>(), out.const_data_ptr<float>() + out.numel());
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(AddTest, APlannedInputGivenWithoutDataKeepsWhatItHolds) {
  // As upstream: such a tensor only says that the input, filled in place, is set.
  Pools pools(*program_, "forward");
  auto method = program_->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  ASSERT_EQ(set_both(*method), Error::Ok);
  EXPECT_EQ(method->set_input(tensor(nullptr), 0), Error::Ok);
  ASSERT_EQ(method->execute(), Error::Ok);
  EXPECT_EQ(output(*method)[127], 127.5F);
}

TEST_F(AddTest, AnInputWithoutADimOrderIsContiguous) {
  // Builds with debug checks, such as that with sanitizers, refuse to make a list of it.
  Pools pools(*program_, "forward");
  auto method = program_->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  for (size_t i = 0; i < 2; ++i) {
    TensorImpl impl(ScalarType::Float, static_cast<ssize_t>(sizes_.size()), sizes_.data(), i == 0 ? a_ : b_);
    ASSERT_EQ(method->set_input(EValue(Tensor(&impl)), i), Error::Ok);
  }
  ASSERT_EQ(method->execute(), Error::Ok);
  EXPECT_EQ(output(*method)[127], 127.5F);
}

TEST(Method, AnInputUsedInPlaceNeedsDataInTheSamePlaces) {
  Image image("kws.float_noio.pte");
  BufferDataLoader loader(image.data(), image.size());
  auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  Pools pools(*program, "forward");
  auto method = program->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  const auto info = method->method_meta().input_tensor_meta(0);
  ASSERT_TRUE(info.ok());
  std::vector<int32_t> sizes(info->sizes().begin(), info->sizes().end());
  std::vector<float> data(info->nbytes() / sizeof(float));
  TensorImpl nothing(ScalarType::Float, static_cast<ssize_t>(sizes.size()), sizes.data());
  TensorImpl something(ScalarType::Float, static_cast<ssize_t>(sizes.size()), sizes.data(), data.data());
  EXPECT_EQ(method->set_input(EValue(Tensor(&nothing)), 0), Error::InvalidArgument);
  EXPECT_EQ(method->set_input(EValue(Tensor(&something)), 0), Error::Ok);
  // ExecuTorch issue 22520: where a dimension of size 1 stands in the order does not matter.
  ASSERT_EQ(sizes, (std::vector<int32_t>{1, 1, 49, 10}));
  uint8_t order[] = {0, 2, 1, 3};
  int32_t strides[] = {490, 10, 10, 1};
  TensorImpl permuted(ScalarType::Float, 4, sizes.data(), data.data(), order, strides);
  EXPECT_EQ(method->set_input(EValue(Tensor(&permuted)), 0), Error::Ok);
}

TEST(Method, DoesNotRunWithoutAPlaceForAnOutput) {
  Image image("kws.float_noio.pte");
  BufferDataLoader loader(image.data(), image.size());
  auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  Pools pools(*program, "forward");
  auto method = program->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  int32_t sizes[] = {1, 1, 49, 10};
  std::vector<float> input(490), output(12);
  TensorImpl impl(ScalarType::Float, 4, sizes, input.data());
  ASSERT_EQ(method->set_input(EValue(Tensor(&impl)), 0), Error::Ok);
  EXPECT_EQ(method->execute(), Error::InvalidArgument);
  EXPECT_EQ(method->set_output_data_ptr(output.data(), 11 * sizeof(float), 0), Error::InvalidArgument);
  ASSERT_EQ(method->set_output_data_ptr(output.data(), 12 * sizeof(float), 0), Error::Ok);
  EXPECT_EQ(method->execute(), Error::Ok);
}

TEST(Method, LoadingSurvivesEveryDamagedByte) {
  // One byte at a time, several values: an error or a normal load, under sanitizers.
  const std::vector<uint8_t> good = Image::read(WICK_CASES "/cond.float.pte");
  for (size_t at = 0; at < good.size(); ++at) {
    for (const uint8_t flip : {uint8_t{0x01}, uint8_t{0x80}, uint8_t{0xFF}}) {
      Image image(good);
      image.data()[at] = static_cast<uint8_t>(image.data()[at] ^ flip);
      BufferDataLoader loader(image.data(), image.size());
      auto program = Program::load(&loader);
      if (!program.ok()) {
        continue;
      }
      std::vector<uint8_t> planned(4096), method_pool(16384), temp(8192);
      Span<uint8_t> span(planned.data(), planned.size());
      executorch::runtime::HierarchicalAllocator planned_memory({&span, 1});
      executorch::runtime::MemoryAllocator method_memory(static_cast<uint32_t>(method_pool.size()), method_pool.data());
      executorch::runtime::MemoryAllocator temp_memory(static_cast<uint32_t>(temp.size()), temp.data());
      MemoryManager manager(&method_memory, &planned_memory, &temp_memory);
      (void)program->load_method("forward", &manager).error();
    }
  }
}

}  // namespace
