// SPDX-License-Identifier: BSD-3-Clause
//
// Bundled programs (.bpte): their test cases pass, and cases whose tensors claim more than their data are refused.
#include <executorch/devtools/bundled_program/bundled_program.h>
#include <flatbuffers/flatbuffers.h>

#include <cstring>

#include "tests/executor/pools.h"

namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::Method;
using executorch::runtime::Program;
using executorch::runtime::Result;
using flatbuffers::Table;
namespace bundled = executorch::bundled_program;

/// The bundle of the add program and its method, loaded.
class Bundle : public ::testing::Test {
 protected:
  void SetUp() override {
    const void* program = nullptr;
    size_t size = 0;
    ASSERT_EQ(bundled::get_program_data(image_.data(), image_.size(), &program, &size), Error::Ok);
    loader_ = std::make_unique<BufferDataLoader>(program, size);
    program_ = std::make_unique<Result<Program>>(Program::load(loader_.get()));
    ASSERT_TRUE(program_->ok());
    pools_ = std::make_unique<Pools>(program_->get(), "forward");
    method_ = std::make_unique<Result<Method>>(program_->get().load_method("forward", pools_->manager.get()));
    ASSERT_TRUE(method_->ok());
  }

  Method& method() { return method_->get(); }
  void* data() { return image_.data(); }
  /// The tensor of the first input of the first test case.
  Table* tensor() {
    return field<Table>(item(item(item(flatbuffers::GetMutableRoot<Table>(image_.data()), 1), 1), 0), 1);
  }
  template <typename T>
  static T* field(Table* table, unsigned number) {
    return table->GetPointer<T*>(static_cast<flatbuffers::voffset_t>(4 + 2 * number));
  }
  /// The first table of a list.
  static Table* item(Table* table, unsigned number) {
    return const_cast<Table*>(field<flatbuffers::Vector<flatbuffers::Offset<Table>>>(table, number)->Get(0));
  }

 private:
  Image image_{"add.float.bpte"};
  std::unique_ptr<BufferDataLoader> loader_;
  std::unique_ptr<Result<Program>> program_;
  std::unique_ptr<Pools> pools_;
  std::unique_ptr<Result<Method>> method_;
};

TEST_F(Bundle, LoadsInputsAndVerifiesOutputs) {
  ASSERT_EQ(bundled::load_bundled_input(method(), data(), 0), Error::Ok);
  ASSERT_EQ(method().execute(), Error::Ok);
  EXPECT_EQ(bundled::verify_method_outputs(method(), data(), 0), Error::Ok);
  const bundled::ErrorStats stats = bundled::compute_method_output_error_stats(method(), data(), 0);
  EXPECT_EQ(stats.status, Error::Ok);
  EXPECT_EQ(stats.max_abs_error, 0);
}

TEST_F(Bundle, AWrongOutputIsFound) {
  ASSERT_EQ(bundled::load_bundled_input(method(), data(), 0), Error::Ok);
  ASSERT_EQ(method().execute(), Error::Ok);
  method().get_output(0).toTensor().mutable_data_ptr<float>()[0] += 1;
  EXPECT_EQ(bundled::verify_method_outputs(method(), data(), 0), Error::NotFound);
  EXPECT_NEAR(bundled::compute_method_output_error_stats(method(), data(), 0).max_abs_error, 1, 1e-6);
}

TEST_F(Bundle, ACaseThatDoesNotExistIsRefused) {
  EXPECT_EQ(bundled::load_bundled_input(method(), data(), 999), Error::InvalidArgument);
}

TEST_F(Bundle, ATensorLargerThanItsDataIsRefused) {
  int32_t huge = 1 << 30;
  std::memcpy(field<flatbuffers::Vector<int32_t>>(tensor(), 1)->Data(), &huge, sizeof(huge));
  EXPECT_EQ(bundled::load_bundled_input(method(), data(), 0), Error::NotSupported);
}

TEST_F(Bundle, DataShorterThanItsTensorIsRefused) {
  const uint32_t short_by_one = field<flatbuffers::Vector<uint8_t>>(tensor(), 2)->size() - 1;
  std::memcpy(field<uint8_t>(tensor(), 2), &short_by_one, sizeof(short_by_one));
  EXPECT_EQ(bundled::load_bundled_input(method(), data(), 0), Error::NotSupported);
}

}  // namespace
