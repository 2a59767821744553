// SPDX-License-Identifier: BSD-3-Clause
//
// wick::Model and exec::Program: what they accept, refuse, say, and where they put things.
#include <gmock/gmock.h>
#include <wick/memory_required.h>

#include <executor.hpp>

#include "tests/model/case.h"
#include "tests/model/data_files.h"

namespace {

using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::runtime::Error;
using executorch::runtime::Span;
using testing::HasSubstr;
using wick::Model;

TEST(Model, RunsEverySampleInAnArenaOfAnyAlignment) {
  const Case kws("kws.float");
  for (size_t skew : {size_t{0}, size_t{1}, size_t{15}}) {
    Aligned memory(128 * 1024);
    Model model({{memory.data() + skew, memory.size() - skew}});
    ASSERT_EQ(model.load(kws.image.data(), kws.image.size()), Error::Ok) << model.message();
    for (size_t i = 0; i < kws.samples(); ++i) {
      kws.fill(model, i);
      ASSERT_EQ(model.run(), Error::Ok) << model.message();
      kws.check(model, i);
    }
  }
}

TEST(Model, FindsTheProgramInALargerMemory) {
  const Case mlp("mlp.float");
  Aligned flash(1 << 20);
  std::memset(flash.data(), 0xFF, flash.size());
  std::memcpy(flash.data(), mlp.image.data(), mlp.image.size());
  Aligned memory(128 * 1024);
  Model model({memory.span()});
  ASSERT_EQ(model.load(flash.data(), flash.size()), Error::Ok) << model.message();
  EXPECT_EQ(model.program().model_bytes_copied(), 0u);
  EXPECT_EQ(model.load(flash.data() + (1 << 19), 1 << 19), Error::InvalidProgram);
  EXPECT_THAT(model.message(), HasSubstr("erased"));
  EXPECT_FALSE(model.is_loaded());
  EXPECT_EQ(model.run(), Error::InvalidState);
}

TEST(Model, SaysByHowMuchAnArenaIsTooSmallAndThatIsExact) {
  for (const char* stem : {"kws.float", "mlp.float", "kvcache.float", "kws.cortex_m"}) {
    const Case model_case(stem);
    Aligned memory(256 * 1024);
    std::vector<size_t> sizes{2048};
    // An arena in which the loader cannot even list the values (a word each) learns a lower bound first.
    for (int attempt = 0; attempt < 3; ++attempt) {
      Model model({{memory.data(), sizes.back()}});
      if (model.load(model_case.image.data(), model_case.image.size()) == Error::Ok) {
        break;
      }
      size_t missing = 0;
      const bool exact = std::sscanf(model.message(), "the arena is %zu bytes too small", &missing) == 1;
      const bool bound =
          std::sscanf(model.message(), "the arena of %*u bytes is too small by at least %zu", &missing) == 1;
      ASSERT_TRUE(exact || (bound && attempt == 0)) << model.message();
      sizes.push_back(sizes.back() + missing);
    }
    Model enough({{memory.data(), sizes.back()}});
    EXPECT_EQ(enough.load(model_case.image.data(), model_case.image.size()), Error::Ok) << stem << enough.message();
    Model less({{memory.data(), sizes.back() - 1}});
    EXPECT_EQ(less.load(model_case.image.data(), model_case.image.size()), Error::MemoryAllocationFailed) << stem;
  }
}

TEST(Model, RunsOnZerosWhenNoInputIsSet) {
  const Case add("add.float");
  Aligned memory(16 * 1024);
  Model model({memory.span()});
  ASSERT_EQ(model.load(add.image.data(), add.image.size()), Error::Ok) << model.message();
  std::fill_n(memory.data() + 64, 512, uint8_t{0x55});
  ASSERT_EQ(model.run(), Error::Ok) << model.message();
  EXPECT_THAT(model.output<float>(0), testing::Each(0.0f));
  model.input<float>(0)[0] = 1;
  EXPECT_EQ(model.run(), Error::Ok) << "the others stay zero";
  EXPECT_EQ(model.output<float>(0)[0], 1.0f);
}

TEST(Model, RefusesToRunWithSomeInputsSetOnly) {
  const Case add("add.float");
  Aligned memory(16 * 1024);
  Model model({memory.span()});
  ASSERT_EQ(model.load(add.image.data(), add.image.size()), Error::Ok);
  model.input<float>(0)[0] = 1;
  EXPECT_EQ(model.run(), Error::InvalidArgument);
}

TEST(Model, GivesSpansOfTheDeclaredTypeOnly) {
  const Case add("add.float");
  Aligned memory(16 * 1024);
  Model model({memory.span()});
  ASSERT_EQ(model.load(add.image.data(), add.image.size()), Error::Ok);
  EXPECT_EQ(model.input<float>(0).size(), 128u);
  EXPECT_EQ(model.input<int8_t>(0).size(), 0u);
  EXPECT_STREQ(model.message(), "input 0 is Float, not Char");
  EXPECT_EQ(model.output<float>(1).size(), 0u);
  EXPECT_THAT(model.message(), HasSubstr("output 1 is no tensor"));
}

TEST(Model, ConvertsTheDimOrderWhereItCopies) {
  const Case cnn("smallcnn.float_cl");
  Aligned memory(256 * 1024);
  Model model({memory.span()});
  ASSERT_EQ(model.load(cnn.image.data(), cnn.image.size()), Error::Ok) << model.message();
  const Tensor input = model.input_tensor(0).get();
  ASSERT_EQ(input.dim_order()[1], 2) << "the program is channels-last";
  // The same values in plain order.
  const std::vector<float> stored = cnn.input(0, 0);
  std::vector<float> plain(stored.size());
  const auto channels = static_cast<size_t>(input.size(1));
  const size_t pixels = stored.size() / channels;
  for (size_t p = 0; p < pixels; ++p) {
    for (size_t c = 0; c < channels; ++c) {
      plain[c * pixels + p] = stored[p * channels + c];
    }
  }
  TensorImpl::SizesType sizes[4];
  std::copy(input.sizes().begin(), input.sizes().end(), sizes);
  TensorImpl impl(ScalarType::Float, 4, sizes, plain.data());
  TensorImpl::DimOrderType order[] = {0, 1, 2, 3};
  TensorImpl::StridesType strides[] = {sizes[1] * sizes[2] * sizes[3], sizes[2] * sizes[3], sizes[3], 1};
  TensorImpl ordered(ScalarType::Float, 4, sizes, plain.data(), order, strides);
  ASSERT_EQ(model.set_input(0, Tensor(&ordered)), Error::Ok) << model.message();
  ASSERT_EQ(model.run(), Error::Ok) << model.message();
  cnn.check(model, 0);
}

TEST(Model, BindsBuffersWhereTheProgramLeavesThePlaceOpen) {
  const Case kws("kws.float_noio");
  Aligned memory(128 * 1024);
  Model model({memory.span()});
  ASSERT_EQ(model.load(kws.image.data(), kws.image.size()), Error::Ok) << model.message();
  const size_t used = model.usage().method;
  Aligned in[2] = {Aligned(1960), Aligned(1960)};
  Aligned out[2] = {Aligned(48), Aligned(48)};
  for (size_t i = 0; i < 2; ++i) {
    std::memcpy(in[i].data(), kws.input(i, 0).data(), 1960);
    ASSERT_EQ(model.bind_input(0, in[i].data(), in[i].size()), Error::Ok) << model.message();
    ASSERT_EQ(model.bind_output(0, out[i].data(), out[i].size()), Error::Ok) << model.message();
    ASSERT_EQ(model.run(), Error::Ok) << model.message();
  }
  for (size_t i = 0; i < 2; ++i) {
    kws.check({reinterpret_cast<float*>(out[i].data()), 12}, i);
  }
  EXPECT_EQ(model.usage().method, used);
  EXPECT_EQ(model.input_alignment(0), 4u);
  EXPECT_EQ(model.bind_input(0, in[0].data() + 1, 1960), Error::InvalidArgument);
  EXPECT_THAT(model.message(), HasSubstr("multiple of 4"));
  EXPECT_EQ(model.bind_output(0, out[0].data(), 47), Error::InvalidArgument);
  EXPECT_EQ(model.bind_output(1, out[0].data(), 48), Error::InvalidArgument);
}

TEST(Model, GivesOpenInputsAndOutputsAPlaceInTheArena) {
  const Case kws("kws.float_noio");
  Aligned memory(128 * 1024);
  Model model({memory.span()});
  ASSERT_EQ(model.load(kws.image.data(), kws.image.size()), Error::Ok);
  for (size_t i = 0; i < kws.samples(); ++i) {
    kws.fill(model, i);
    ASSERT_EQ(model.run(), Error::Ok) << model.message();
    kws.check(model, i);
  }
}

TEST(Model, RefusesToBindWhereTheProgramPlans) {
  const Case mlp("mlp.float");
  Aligned memory(128 * 1024);
  Aligned buffer(4096);
  Model model({memory.span()});
  ASSERT_EQ(model.load(mlp.image.data(), mlp.image.size()), Error::Ok);
  EXPECT_EQ(model.bind_input(0, buffer.data(), buffer.size()), Error::InvalidState);
  EXPECT_THAT(model.message(), HasSubstr("alloc_graph_input=False"));
  EXPECT_EQ(model.bind_output(0, buffer.data(), buffer.size()), Error::InvalidState);
}

TEST(Model, PutsPlannedMemoryWhereTheRegionsSay) {
  const Case mlp("mlp.float");
  Aligned arena(4096);
  Aligned fast(104 * 1024);
  Span<uint8_t> regions[] = {fast.span()};
  Model::Options options;
  options.arena = arena.span();
  options.regions = {regions, 1};
  Model model(options);
  ASSERT_EQ(model.load(mlp.image.data(), mlp.image.size()), Error::Ok) << model.message();
  mlp.fill(model, 1);
  ASSERT_EQ(model.run(), Error::Ok);
  mlp.check(model, 1);
  const auto* const output = reinterpret_cast<const uint8_t*>(model.output<float>(0).data());
  EXPECT_TRUE(output >= fast.data() && output < fast.data() + fast.size());

  regions[0] = {fast.data(), 64};
  EXPECT_EQ(model.load(mlp.image.data(), mlp.image.size()), Error::MemoryAllocationFailed);
  EXPECT_THAT(model.message(), HasSubstr("memory id 1 has 64 bytes"));
}

struct Visits {
  size_t calls;
  size_t stop_at;
  size_t last_count;
  static bool visit(void* context, size_t index, size_t count) {
    auto* const visits = static_cast<Visits*>(context);
    ++visits->calls;
    visits->last_count = count;
    return index != visits->stop_at;
  }
};

TEST(Model, AsksBeforeEachOperatorAndStopsWhenToldTo) {
  const Case kws("kws.float");
  Aligned memory(128 * 1024);
  Visits visits{0, 5, 0};
  Model::Options options;
  options.arena = memory.span();
  options.on_operator = &Visits::visit;
  options.context = &visits;
  Model model(options);
  ASSERT_EQ(model.load(kws.image.data(), kws.image.size()), Error::Ok);
  kws.fill(model, 0);
  EXPECT_EQ(model.run(), Error::InvalidState);
  EXPECT_EQ(visits.calls, 6u);
  visits = {0, SIZE_MAX, 0};
  kws.fill(model, 0);
  ASSERT_EQ(model.run(), Error::Ok) << model.message();
  kws.check(model, 0);
  EXPECT_EQ(visits.calls, visits.last_count);
}

TEST(Model, StateLastsBetweenRunsAndCanBeReset) {
  const Case accum("accum.float");
  Aligned memory(16 * 1024);
  Model model({memory.span()});
  ASSERT_EQ(model.load(accum.image.data(), accum.image.size()), Error::Ok) << model.message();
  for (int round = 0; round < 2; ++round) {
    for (size_t i = 0; i < accum.samples(); ++i) {
      accum.fill(model, i);
      ASSERT_EQ(model.run(), Error::Ok);
      accum.check(model, i);
    }
    ASSERT_EQ(model.reset_state(), Error::Ok) << model.message();
  }
}

TEST(Model, InterleavedModelsShareTransientMemoryWithStateIntact) {
  const Case cases[] = {Case("kws.float"), Case("mlp.float"), Case("kvcache.float")};
  Aligned shared(112 * 1024);
  wick::TransientMemory transient{shared.data(), shared.size()};
  std::vector<std::unique_ptr<Aligned>> arenas;
  std::vector<std::unique_ptr<Model>> models;
  for (const Case& one : cases) {
    arenas.push_back(std::make_unique<Aligned>(8 * 1024));
    Model::Options options;
    options.arena = arenas.back()->span();
    options.transient = &transient;
    models.push_back(std::make_unique<Model>(options));
    ASSERT_EQ(models.back()->load(one.image.data(), one.image.size()), Error::Ok) << models.back()->message();
  }
  for (size_t i = 0; i < 3; ++i) {
    for (size_t m = 0; m < 3; ++m) {
      cases[m].fill(*models[m], i);
      ASSERT_EQ(models[m]->run(), Error::Ok) << models[m]->message();
      cases[m].check(*models[m], i);
    }
  }
  cases[0].fill(*models[0], 0);
  cases[1].fill(*models[1], 0);
  EXPECT_EQ(models[0]->run(), Error::InvalidState) << "its inputs were overwritten";
  EXPECT_THAT(models[0]->message(), HasSubstr("another model"));
}

TEST(Model, TakesWeightsFromDataFiles) {
  for (const char* stem : {"ptdnet.ext", "ptdnet.ext2"}) {
    const Case model_case(stem);
    const DataFiles files(std::string(WICK_CASES "/") + stem + ".pte");
    Aligned memory(64 * 1024);
    Model::Options options;
    options.arena = memory.span();
    options.data_map = files.get();
    Model model(options);
    ASSERT_EQ(model.load(model_case.image.data(), model_case.image.size()), Error::Ok) << model.message();
    for (size_t i = 0; i < model_case.samples(); ++i) {
      model_case.fill(model, i);
      ASSERT_EQ(model.run(), Error::Ok) << model.message();
      model_case.check(model, i);
    }
    Model without({memory.span()});
    EXPECT_NE(without.load(model_case.image.data(), model_case.image.size()), Error::Ok);
  }
}

void fill_with_seven(executorch::runtime::KernelRuntimeContext&, Span<executorch::runtime::EValue*> args) {
  Tensor& out = args[args.size() - 1]->toTensor();
  std::fill_n(out.mutable_data_ptr<float>(), out.numel(), 7.0f);
}

TEST(Model, PrefersTheKernelsItIsGiven) {
  const Case add("add.float");
  const executorch::runtime::Kernel kernels[] = {executorch::runtime::Kernel("aten::add.out", fill_with_seven)};
  Aligned memory(64 * 1024);
  exec::Options options;
  options.tensor_arena = memory.data();
  options.tensor_arena_size = memory.size();
  options.kernels = Span<const executorch::runtime::Kernel>(kernels, 1);
  exec::Program program(options);
  ASSERT_EQ(program.load(add.image.data(), add.image.size()), Error::Ok) << program.message();
  add.fill(program, 0);
  ASSERT_EQ(program.run(), Error::Ok) << program.message();
  for (float value : program.output<float>(0)) {
    EXPECT_EQ(value, 7.0f);
  }
}

TEST(ExecProgram, FollowsTheProgramUnlessTheOptionContradictsIt) {
  const Case mlp("mlp.float");
  Aligned memory(128 * 1024);
  exec::Options opts;
  opts.tensor_arena = memory.data();
  opts.tensor_arena_size = memory.size();
  exec::Program program(opts);
  EXPECT_EQ(program.load(mlp.image.data(), mlp.image.size()), Error::Ok);
  EXPECT_EQ(program.run(), Error::Ok);
  opts.use_ethos_u55 = true;
  exec::Program wrong(opts);
  EXPECT_EQ(wrong.load(mlp.image.data(), mlp.image.size()), Error::DelegateInvalidCompatibility);
  EXPECT_THAT(wrong.message(), HasSubstr("use_ethos_u55"));
  EXPECT_EQ(wrong.run(), Error::InvalidState);
}

}  // namespace
