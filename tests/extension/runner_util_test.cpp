// SPDX-License-Identifier: BSD-3-Clause
//
// Inputs that a runner prepares: ones, given bytes, numbers, limits.
#include <executorch/extension/runner_util/inputs.h>

#include "tests/executor/pools.h"

namespace {

using executorch::extension::BufferDataLoader;
using executorch::extension::prepare_input_tensors;
using executorch::extension::PrepareInputTensorsOptions;
using executorch::runtime::Error;
using executorch::runtime::Method;
using executorch::runtime::Program;
using Buffers = std::vector<std::pair<char*, size_t>>;

/// A loaded method and all that it needs.
class Loaded {
 public:
  explicit Loaded(const char* name)
      : image_(name),
        loader_(image_.data(), image_.size()),
        program_(Program::load(&loader_)),
        pools_(*program_, "forward"),
        method_(program_->load_method("forward", pools_.manager.get())) {}
  Method& operator*() { return *method_; }
  Method* operator->() { return &*method_; }

 private:
  Image image_;
  BufferDataLoader loader_;
  executorch::runtime::Result<Program> program_;
  Pools pools_;
  executorch::runtime::Result<Method> method_;
};

TEST(PrepareInputs, FillsTensorsWithOnes) {
  Loaded method("add.float.pte");
  const auto inputs = prepare_input_tensors(*method);
  ASSERT_TRUE(inputs.ok());
  ASSERT_EQ(method->execute(), Error::Ok);
  const auto output = method->get_output(0).toTensor();
  for (ssize_t i = 0; i < output.numel(); ++i) {
    EXPECT_EQ(output.const_data_ptr<float>()[i], 2.0F);  // 1 + 1
  }
}

TEST(PrepareInputs, TakesGivenBytes) {
  Loaded method("add.float.pte");
  const size_t nbytes = method->method_meta().input_tensor_meta(0)->nbytes();
  std::vector<float> left(nbytes / 4, 1.5F);
  std::vector<float> right(nbytes / 4, 2.25F);
  const Buffers buffers = {{reinterpret_cast<char*>(left.data()), nbytes},
                           {reinterpret_cast<char*>(right.data()), nbytes}};
  const auto inputs = prepare_input_tensors(*method, {}, buffers);
  ASSERT_TRUE(inputs.ok());
  ASSERT_EQ(method->execute(), Error::Ok);
  EXPECT_EQ(method->get_output(0).toTensor().const_data_ptr<float>()[0], 3.75F);

  EXPECT_EQ(prepare_input_tensors(*method, {}, {buffers[0]}).error(), Error::InvalidArgument);
  EXPECT_EQ(prepare_input_tensors(*method, {}, {buffers[0], {buffers[1].first, nbytes - 1}}).error(),
            Error::InvalidArgument);
}

TEST(PrepareInputs, StopsAtTheLimits) {
  Loaded method("add.float.pte");
  const size_t nbytes = method->method_meta().input_tensor_meta(0)->nbytes();
  PrepareInputTensorsOptions options;
  options.max_total_allocation_size = 2 * nbytes;
  EXPECT_TRUE(prepare_input_tensors(*method, options).ok());
  options.max_total_allocation_size = 2 * nbytes - 1;
  EXPECT_EQ(prepare_input_tensors(*method, options).error(), Error::InvalidProgram);
  options = {};
  options.max_inputs = 1;
  EXPECT_EQ(prepare_input_tensors(*method, options).error(), Error::InvalidProgram);
}

}  // namespace
