// SPDX-License-Identifier: BSD-3-Clause
// The functional model as the delegate's NPU: inferences of two threads do not meet, and init() does nothing.
#include <gtest/gtest.h>

#include <thread>

#include "tests/ethos_u/job.h"

namespace wick::ethos_u {
namespace {

using executorch::runtime::Error;

TEST(ModelTest, TwoThreadsGetTheirOwnResults) {
  ASSERT_EQ(init(Settings()), Error::Ok);
  const auto run = [](const char* name, int* wrong) {
    Job job(name);
    for (int round = 0; round < 20; ++round) {
      const size_t sample = static_cast<size_t>(round % 2);
      Inference inference = job.inference(sample);
      *wrong += wick_ethos_u_invoke(inference) == Error::Ok && job.has_reference(sample) ? 0 : 1;
    }
  };
  int wrong[2] = {};
  std::thread first(run, "u55-128/conv_relu6.d0", &wrong[0]);
  std::thread second(run, "u85-256/layernorm.d0", &wrong[1]);
  first.join();
  second.join();
  EXPECT_EQ(wrong[0], 0);
  EXPECT_EQ(wrong[1], 0);
}

TEST(ModelTest, MalformedPayloadsAreRefused) {
  Job job("u55-128/add.d0");
  Inference inference = job.inference(0);
  inference.command_data.size = 16;
  EXPECT_EQ(wick_ethos_u_invoke(inference), Error::InvalidProgram);
  inference = job.inference(0);
  inference.scratch_size = 16;
  EXPECT_EQ(wick_ethos_u_invoke(inference), Error::InvalidProgram);
}

}  // namespace
}  // namespace wick::ethos_u
