// SPDX-License-Identifier: BSD-3-Clause
// What delegates take is in the figures of memory_required(), to the byte.
#include <executorch/extension/runner_util/inputs.h>
#include <gtest/gtest.h>
#include <wick/memory_required.h>
#include <wick/model.h>

#include "tests/executor/pools.h"

namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::Program;
using executorch::runtime::Result;
using wick::MemoryRequired;

class EthosUMemory : public testing::Test {
 protected:
  MemoryRequired need(wick::Layout layout) {
    const Result<MemoryRequired> required =
        wick::memory_required(program_.get(), "forward", {workspace_, sizeof(workspace_)}, layout);
    EXPECT_TRUE(required.ok());
    return required.get();
  }

  Error run(size_t method_bytes, size_t temp_bytes) {
    Pools pools(program_.get(), "forward", method_bytes, temp_bytes);
    auto method = program_->load_method("forward", pools.manager.get());
    if (!method.ok()) return method.error();
    const auto inputs = executorch::extension::prepare_input_tensors(*method);
    return method->execute();
  }

  Image image_{"kws.ethosu55.pte"};
  BufferDataLoader loader_{image_.data(), image_.size()};
  Result<Program> program_ = Program::load(&loader_);
  alignas(16) uint8_t workspace_[4096];
};

TEST_F(EthosUMemory, PoolsOfTheseSizesAreEnoughAndNoByteLess) {
  const MemoryRequired required = need(wick::Layout::kNative);
  EXPECT_EQ(required.delegates, 0U);
  EXPECT_EQ(run(required.method, required.temp()), Error::Ok);
  EXPECT_EQ(run(required.method - 1, required.temp()), Error::MemoryAllocationFailed);
  EXPECT_EQ(run(required.method, required.temp() - 1), Error::MemoryAllocationFailed);
}

// Golden values: planned and method as examples/ethos_u55 measures them on a Cortex-M55, and the larger of the scratch
// sizes of the two payloads.
TEST_F(EthosUMemory, FiguresOfTheTargetAreThoseThatTheTargetMeasures) {
  const MemoryRequired required = need(wick::Layout::k32Bit);
  EXPECT_EQ(required.delegates, 0U);
  EXPECT_EQ(required.method, 1108U);
  EXPECT_EQ(required.delegate_scratch, 22192U);
  EXPECT_EQ(required.planned, 40000U);
}

TEST_F(EthosUMemory, AnArenaOfThisSizeIsEnoughAndNoByteLess) {
  const size_t bytes = need(wick::Layout::kNative).arena();
  std::vector<std::max_align_t> memory(bytes / sizeof(std::max_align_t) + 1);
  for (const size_t missing : {0, 1}) {
    wick::Model::Options options;
    options.arena = {reinterpret_cast<uint8_t*>(memory.data()), bytes - missing};
    wick::Model model(options);
    ASSERT_EQ(model.load(image_.data(), image_.size()), Error::Ok) << model.message();
    for (float& value : model.input<float>(0)) value = 0;
    EXPECT_EQ(model.run(), missing == 0 ? Error::Ok : Error::MemoryAllocationFailed) << model.message();
  }
}

}  // namespace
