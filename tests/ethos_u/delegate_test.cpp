// SPDX-License-Identifier: BSD-3-Clause
// The delegate "EthosUBackend" around an NPU that this program defines: what it lays into the scratch, what it takes
// out of it in which layout, what it refuses, and the hooks that applications define for ExecuTorch's delegate.
#include <executorch/runtime/backend/interface.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/ethos_u/one_name.h"
#include "tests/ethos_u/payload_builder.h"

namespace {

using executorch::runtime::Error;

std::function<Error(wick::ethos_u::Inference&)> npu;
std::vector<std::string> calls;

}  // namespace

extern "C" {
Error wick_ethos_u_invoke(wick::ethos_u::Inference& inference) {
  calls.push_back("npu");
  return npu(inference);
}
void EthosUBackend_execute_begin(void) { calls.push_back("begin"); }
void EthosUBackend_execute_end(void) { calls.push_back("end"); }
void arm_ethos_io_memcpy(void* to, const void* from, size_t bytes) {
  calls.push_back("copy " + std::to_string(bytes));
  std::memcpy(to, from, bytes);
}
}

namespace wick::ethos_u {
namespace {

using namespace executorch::runtime;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using testing::ElementsAre;

constexpr uint32_t kScratch = 64;

/// count, then the record of one tensor of rows by `last` elements of a byte.
std::vector<uint8_t> binding(uint32_t rows, uint32_t last, uint32_t offset) {
  std::vector<uint8_t> bytes;
  for (const uint32_t value : {1U, 1U, 1U, 1U, 1U, rows, last, 1U, offset, 1U}) add_word(bytes, value);
  return bytes;
}

/// Input 2 by 4 bytes at 16, output 2 by `last` at 32.
std::vector<uint8_t> payload(uint32_t last = 4, bool external = false) {
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> scratch;
  add_word(scratch, kScratch);
  add_block(bytes, "vela_bin_stream", {});
  add_block(bytes, "cmd_data", {'C', 'O', 'P', '1'});
  add_block(bytes, "weight_data",
            external ? std::vector<uint8_t>(kKey.begin(), kKey.end()) : std::vector<uint8_t>(20, 7), external);
  add_block(bytes, "scratch_size", scratch);
  add_block(bytes, "inputs", binding(2, 4, 16));
  add_block(bytes, "outputs", binding(2, last, 32));
  add_block(bytes, "vela_end_stream", {});
  return bytes;
}

/// A char tensor of 2 rows.
struct Rows {
  explicit Rows(int32_t width, ScalarType type = ScalarType::Char)
      : data(static_cast<size_t>(2 * width)),
        sizes{2, width},
        strides{width, 1},
        impl(type, 2, sizes, data.data(), dim_order, strides),
        value(Tensor(&impl)) {}
  std::vector<int8_t> data;
  int32_t sizes[2];
  uint8_t dim_order[2] = {0, 1};
  int32_t strides[2];
  TensorImpl impl;
  EValue value;
};

class DelegateTest : public testing::Test {
 protected:
  DelegateTest() {
    calls.clear();
    npu = [](Inference&) { return Error::Ok; };
  }

  Result<DelegateHandle*> init(const std::vector<uint8_t>& bytes, const NamedDataMap* data = nullptr) {
    payloads_.push_back(std::make_unique<Aligned>(bytes));
    const View view = payloads_.back()->view();
    FreeableBuffer processed(view.data, view.size, nullptr);
    BackendInitContext context(&method_, nullptr, "forward", data);
    return backend_->init(context, &processed, {});
  }

  Error execute(DelegateHandle* handle, std::vector<EValue*> arguments) {
    temp_.reset();
    BackendExecutionContext context(nullptr, &temp_, "forward");
    return backend_->execute(context, handle, {arguments.data(), arguments.size()});
  }

  BackendInterface* const backend_ = get_backend_class("EthosUBackend");
  alignas(16) uint8_t method_memory_[1024];
  alignas(16) uint8_t temp_memory_[kScratch];
  MemoryAllocator method_{sizeof(method_memory_), method_memory_};
  MemoryAllocator temp_{sizeof(temp_memory_), temp_memory_};
  std::vector<std::unique_ptr<Aligned>> payloads_;
};

TEST_F(DelegateTest, InputsGoIntoTheScratchAndOutputsComeOutOfIt) {
  npu = [](Inference& inference) {
    EXPECT_EQ(inference.weights.size, 20U);
    EXPECT_EQ(inference.scratch_size, kScratch);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(inference.scratch) % 16, 0U);
    for (int i = 0; i < 8; ++i) inference.scratch[32 + i] = static_cast<uint8_t>(inference.scratch[16 + i] + 1);
    return Error::Ok;
  };
  const auto handle = init(payload());
  ASSERT_TRUE(handle.ok());
  const size_t used = method_.used_size();
  Rows in(4), out(4);
  for (int8_t round = 0; round < 3; ++round) {
    in.data = {round, 2, 3, 4, 5, 6, 7, 8};
    ASSERT_EQ(execute(*handle, {&in.value, &out.value}), Error::Ok);
    EXPECT_THAT(out.data, ElementsAre(round + 1, 3, 4, 5, 6, 7, 8, 9));
  }
  EXPECT_EQ(method_.used_size(), used) << "an inference took method memory";
  backend_->destroy(*handle);
}

TEST_F(DelegateTest, EachByteIsCopiedOnceThroughTheApplicationsHook) {
  const auto handle = init(payload());
  Rows in(4), out(4);
  ASSERT_EQ(execute(*handle, {&in.value, &out.value}), Error::Ok);
  EXPECT_THAT(calls, ElementsAre("begin", "copy 8", "npu", "copy 8", "end"));
}

TEST_F(DelegateTest, PaddingOfTheLastDimensionIsLeftOut) {
  npu = [](Inference& inference) {
    for (int i = 0; i < 8; ++i) inference.scratch[32 + i] = static_cast<uint8_t>(i);
    return Error::Ok;
  };
  const auto handle = init(payload());
  Rows in(4), out(3);
  ASSERT_EQ(execute(*handle, {&in.value, &out.value}), Error::Ok);
  EXPECT_THAT(out.data, ElementsAre(0, 1, 2, 4, 5, 6));
}

TEST_F(DelegateTest, TwoInt4OfAByteBecomeTwoBytesLowOneFirst) {
  npu = [](Inference& inference) {
    const uint8_t packed[] = {0x21, 0xF8, 0x7F, 0x08};
    std::memcpy(inference.scratch + 32, packed, sizeof(packed));
    return Error::Ok;
  };
  const auto handle = init(payload(2));
  Rows in(4), out(4);
  ASSERT_EQ(execute(*handle, {&in.value, &out.value}), Error::Ok);
  EXPECT_THAT(out.data, ElementsAre(1, 2, -8, -1, -1, 7, -8, 0));
}

TEST_F(DelegateTest, TensorsOfAnotherSizeAreRefused) {
  const auto handle = init(payload());
  Rows in(4), out(4), small(3), large(16);
  EValue number(int64_t{1});
  EXPECT_EQ(execute(*handle, {&small.value, &out.value}), Error::InvalidProgram);
  EXPECT_EQ(execute(*handle, {&in.value, &large.value}), Error::InvalidProgram);
  EXPECT_EQ(execute(*handle, {&number, &out.value}), Error::InvalidProgram);
  EXPECT_EQ(execute(*handle, {&in.value, &number}), Error::InvalidProgram);
  EXPECT_EQ(execute(*handle, {&in.value}), Error::InvalidProgram);
}

TEST_F(DelegateTest, FailureOfTheNpuIsPassedOnAndTheHooksStayPaired) {
  npu = [](Inference&) { return Error::AccessFailed; };
  const auto handle = init(payload());
  Rows in(4), out(4);
  EXPECT_EQ(execute(*handle, {&in.value, &out.value}), Error::AccessFailed);
  EXPECT_THAT(calls, ElementsAre("begin", "copy 8", "npu", "end"));
}

TEST_F(DelegateTest, WithoutTempMemoryNothingRuns) {
  const auto handle = init(payload());
  Rows in(4), out(4);
  EValue* arguments[] = {&in.value, &out.value};
  BackendExecutionContext context(nullptr, nullptr, "forward");
  EXPECT_EQ(backend_->execute(context, *handle, {arguments, 2}), Error::MemoryAllocationFailed);
  EXPECT_TRUE(calls.empty());
}

TEST_F(DelegateTest, ExternalWeightsComeFromTheNamedData) {
  Aligned weights(std::vector<uint8_t>(48, 9));
  const OneName data(weights.view());
  const auto handle = init(payload(4, true), &data);
  ASSERT_TRUE(handle.ok());
  npu = [&](Inference& inference) {
    EXPECT_EQ(inference.weights.data, weights.view().data);
    EXPECT_EQ(inference.weights.size, 48U);
    return Error::Ok;
  };
  Rows in(4), out(4);
  EXPECT_EQ(execute(*handle, {&in.value, &out.value}), Error::Ok);
  backend_->destroy(*handle);
}

TEST_F(DelegateTest, ExternalWeightsThatAreMissingOrUnalignedAreRefused) {
  EXPECT_EQ(init(payload(4, true)).error(), Error::InvalidProgram);
  Aligned weights(std::vector<uint8_t>(48, 9));
  const OneName unaligned({weights.view().data + 8, 40});
  EXPECT_EQ(init(payload(4, true), &unaligned).error(), Error::InvalidProgram);
}

TEST_F(DelegateTest, RecordsOutsideOfTheScratchAreRefusedAtLoading) {
  EXPECT_EQ(init(payload(17)).error(), Error::InvalidProgram);
  EXPECT_TRUE(init(payload(16)).ok());
}

}  // namespace
}  // namespace wick::ethos_u
