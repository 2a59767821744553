// SPDX-License-Identifier: BSD-3-Clause
//
// What a delegate is told when it is made and when it runs, by a backend that only listens.
#include <executorch/runtime/backend/interface.h>

#include <string>

#include "tests/executor/pools.h"

namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::ArrayRef;
using executorch::runtime::BackendExecutionContext;
using executorch::runtime::BackendInitContext;
using executorch::runtime::CompileSpec;
using executorch::runtime::DelegateHandle;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::Program;
using executorch::runtime::Result;
using executorch::runtime::Span;

/// Does nothing, and notes for whom.
class Listener final : public executorch::runtime::BackendInterface {
 public:
  bool is_available() const override { return true; }
  Result<DelegateHandle*> init(BackendInitContext& context, FreeableBuffer*, ArrayRef<CompileSpec>) const override {
    initialised_for = context.get_method_name();
    return nullptr;
  }
  Error execute(BackendExecutionContext& context, DelegateHandle*, Span<EValue*>) const override {
    const char* const name = context.get_method_name();
    executed_for = name == nullptr ? "" : name;
    return Error::Ok;
  }
  mutable std::string initialised_for;
  mutable std::string executed_for;
};

TEST(Delegate, KnowsTheMethodThatItBelongsTo) {
  static Listener listener;
  ASSERT_EQ(executorch::runtime::register_backend({"EthosUBackend", &listener}), Error::Ok);
  Image image(Image::read(WICK_SOURCE_DIR "/models/kws.ethosu55.pte"));
  BufferDataLoader loader(image.data(), image.size());
  auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  Pools pools(*program, "forward");
  auto method = program->load_method("forward", pools.manager.get());
  ASSERT_TRUE(method.ok());
  EXPECT_EQ(listener.initialised_for, "forward");
  const auto info = method->method_meta().input_tensor_meta(0);
  ASSERT_TRUE(info.ok());
  std::vector<int32_t> sizes(info->sizes().begin(), info->sizes().end());
  std::vector<uint8_t> data(info->nbytes());
  executorch::aten::TensorImpl input(info->scalar_type(), static_cast<ssize_t>(sizes.size()), sizes.data(),
                                     data.data());
  ASSERT_EQ(method->set_input(EValue(executorch::aten::Tensor(&input)), 0), Error::Ok);
  ASSERT_EQ(method->execute(), Error::Ok);
  EXPECT_EQ(listener.executed_for, "forward");
}

}  // namespace
