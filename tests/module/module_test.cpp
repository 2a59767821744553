// SPDX-License-Identifier: BSD-3-Clause
//
// Module and BundledModule on stored programs: ways to open them, methods, data files, shared memory, errors.
#include <executorch/extension/data_loader/file_data_loader.h>
#include <executorch/extension/module/bundled_module.h>
#include <executorch/extension/tensor/tensor.h>
#include <gtest/gtest.h>

namespace {

using namespace executorch::extension;
using executorch::extension::bundled_module::BundledModule;
using executorch::runtime::Error;
using executorch::runtime::EValue;

std::string path(const char* name) { return std::string(WICK_CASES "/") + name; }

float first(const EValue& value) { return value.toTensor().const_data_ptr<float>()[0]; }

TEST(Module, RunsAProgramHoweverItIsRead) {
  for (Module::LoadMode mode : {Module::LoadMode::File, Module::LoadMode::Mmap, Module::LoadMode::MmapUseMadvise,
                                Module::LoadMode::MmapUseMlockIgnoreErrors}) {
    Module module(path("add.float.pte"), mode);
    EXPECT_FALSE(module.is_loaded());
    const auto outputs = module.forward({ones({1, 8, 4, 4}), full({1, 8, 4, 4}, 2)});
    ASSERT_TRUE(outputs.ok());
    EXPECT_EQ(first(outputs.get()[0]), 3.0f) << "1 + 2";
    EXPECT_TRUE(module.is_method_loaded("forward"));
    EXPECT_TRUE(module.unload_forward());
    EXPECT_FALSE(module.unload_forward());
  }
}

TEST(Module, KeepsInputsThatWereSet) {
  Module module(path("add.float.pte"));
  const TensorPtr one = ones({1, 8, 4, 4});
  ASSERT_EQ(module.set_input(one, 0), Error::Ok);
  ASSERT_EQ(module.set_input(one, 1), Error::Ok);
  ASSERT_TRUE(module.execute("forward").ok());
  EXPECT_EQ(first(module.get_output().get()), 2.0f);
  EXPECT_EQ(module.get_output(1).error(), Error::InvalidArgument);
  EXPECT_EQ(module.get_outputs()->size(), 1u);
}

TEST(Module, NamesItsMethodsAndRunsEach) {
  Module module(path("multi.float.pte"));
  EXPECT_EQ(module.num_methods().get(), 5u);
  EXPECT_EQ(module.method_names()->count("decode"), 1u);
  EXPECT_EQ(module.get("get_dim")->toInt(), 10) << "the program's own constant";
  EXPECT_EQ(module.load_method("no_such_method"), Error::InvalidArgument);
}

TEST(Module, ReportsAFileThatIsNotThere) {
  Module module("/no/such/file.pte");
  EXPECT_EQ(module.load(), Error::AccessFailed);
  EXPECT_EQ(module.forward().error(), Error::AccessFailed);
}

TEST(Module, TakesWeightsFromDataFiles) {
  Module without(path("ptdnet.ext2.pte"));
  EXPECT_NE(without.load_forward(), Error::Ok);
  Module module(path("ptdnet.ext2.pte"),
                std::vector<std::string>{path("ptdnet.ext2.w0.ptd"), path("ptdnet.ext2.w1.ptd")});
  EXPECT_EQ(module.load_forward(), Error::Ok);
  Module same(path("ptdnet.ext2.pte"),
              std::vector<std::string>{path("ptdnet.ext2.w0.ptd"), path("ptdnet.ext2.w0.ptd")});
  EXPECT_EQ(same.load(), Error::InvalidArgument) << "two files with one key";
}

TEST(Module, BindsOutputsOnlyWhereTheProgramLeavesThemOpen) {
  Module open(path("kws.float_noio.pte"));
  float scores[12] = {};
  const TensorPtr output = from_blob(scores, {1, 12});
  ASSERT_EQ(open.set_output(output), Error::Ok);
  ASSERT_TRUE(open.forward(ones({1, 1, 49, 10})).ok());
  EXPECT_NE(scores[0], 0.0f);
  EXPECT_EQ(open.set_outputs({output, output}), Error::InvalidArgument);
  EXPECT_EQ(open.set_output(EValue(int64_t{1})), Error::InvalidArgument);
  Module planned(path("kws.float.pte"));
  EXPECT_EQ(planned.set_output(output), Error::InvalidState);
}

TEST(Module, SharesOneProgram) {
  Module first_module(path("add.float.pte"));
  ASSERT_EQ(first_module.load(), Error::Ok);
  Module second(first_module.program());
  EXPECT_TRUE(second.is_loaded());
  EXPECT_TRUE(second.forward({ones({1, 8, 4, 4}), ones({1, 8, 4, 4})}).ok());
}

TEST(Module, MethodsShareArenasWhenAsked) {
  Module module(path("multi.float.pte"), Module::LoadMode::File, nullptr, nullptr, nullptr, true);
  ASSERT_EQ(module.load_method("encode"), Error::Ok);
  ASSERT_EQ(module.load_method("decode"), Error::Ok);
  const auto address = [&](const char* name) {
    return module.get_outputs(name).get()[0].toTensor().const_data_ptr<float>();
  };
  const ptrdiff_t apart = address("encode") - address("decode");
  EXPECT_LT(apart < 0 ? -apart : apart, 368 / 4) << "both lie in one buffer of 368 bytes";
}

TEST(BundledModule, RunsAndVerifiesItsTestCases) {
  auto module = BundledModule::from_file(path("add.float.bpte"));
  ASSERT_TRUE(module.ok());
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(module.get()->execute("forward", i).ok());
    EXPECT_EQ(module.get()->verify_method_outputs("forward", i), Error::Ok);
  }
  EXPECT_NE(module.get()->verify_method_outputs("forward", 0), Error::Ok) << "the outputs are those of case 1";
  EXPECT_EQ(module.get()->execute("forward", 10000).error(), Error::InvalidArgument);
}

TEST(BundledModule, RefusesAPlainProgram) {
  auto module = BundledModule::from_file(path("add.float.pte"));
  ASSERT_TRUE(module.ok());
  EXPECT_EQ(module.get()->execute("forward", 0).error(), Error::InvalidArgument);
  EXPECT_FALSE(module.get()->is_loaded());
}

}  // namespace
