// SPDX-License-Identifier: BSD-3-Clause
//
// What the runtime reports to a tracer. Compiled twice: with wick::tracing, and without, where nothing is reported.
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/runner_util/inputs.h>
#include <wick/wick.h>

#include <cstring>

#include "tests/executor/pools.h"
#include "tests/extension/etdump_reader.h"

namespace {

using namespace etdump_reader;
using executorch::etdump::ETDumpGen;
using executorch::etdump::ETDumpResult;
using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::EventTracerDebugLogLevel;
using executorch::runtime::EventTracerProfilingLevel;
using executorch::runtime::Program;

/// A program that runs once under a tracer.
class Traced {
 public:
  explicit Traced(const char* name)
      : image_(name), loader_(image_.data(), image_.size()), dump({memory_, sizeof(memory_)}) {}

  /// The runs that the tracer saw.
  std::vector<const Table*> run() {
    const auto program = Program::load(&loader_);
    Pools pools(*program, "forward");
    auto method = program->load_method("forward", pools.manager.get(), &dump);
    EXPECT_TRUE(method.ok());
    const auto inputs = executorch::extension::prepare_input_tensors(*method);
    EXPECT_EQ(method->execute(), Error::Ok);
    const auto output = method->get_output(0).toTensor();
    last_output.assign(static_cast<const char*>(output.const_data_ptr()), output.nbytes());
    const ETDumpResult file = dump.get_etdump_data();
    return file.buf == nullptr ? std::vector<const Table*>() : runs(file.buf, file.size);
  }

 private:
  Image image_;
  BufferDataLoader loader_;
  alignas(8) uint8_t memory_[16384];

 public:
  ETDumpGen dump;
  std::string last_output;
};

#ifdef ET_EVENT_TRACER_ENABLED

TEST(Tracing, ReportsEveryOperatorOnceByName) {
  Traced kws("kws.float.pte");
  const auto blocks = kws.run();
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(text(profile(events(blocks[0]).at(0)), 0), "Program::load_method");
  const auto all = events(blocks[1]);
  ASSERT_EQ(all.size(), 24U);  // 23 calls and the whole
  for (size_t i = 0; i < 23; ++i) {
    EXPECT_EQ(text(profile(all[i]), 0).find("native_call_"), 0U) << i;
    EXPECT_EQ(number<int32_t>(profile(all[i]), 2, -1), static_cast<int32_t>(i));
  }
  EXPECT_EQ(text(profile(all[1]), 0), "native_call_convolution.out");
  EXPECT_EQ(text(profile(all[22]), 0), "native_call__softmax.out");
  EXPECT_EQ(text(profile(all[23]), 0), "Method::execute");
  EXPECT_GE(number<uint64_t>(profile(all[23]), 7, 0), number<uint64_t>(profile(all[22]), 7, 0));
}

TEST(Tracing, ReportsOnlyTheMethodIfNoMoreIsWanted) {
  Traced kws("kws.float.pte");
  kws.dump.set_event_tracer_profiling_level(EventTracerProfilingLevel::kProfileMethodOnly);
  const auto blocks = kws.run();
  ASSERT_EQ(events(blocks.at(1)).size(), 1U);
  EXPECT_EQ(text(profile(events(blocks[1])[0]), 0), "Method::execute");
}

TEST(Tracing, TheCApiHandsATracerOn) {
  alignas(8) static uint8_t memory[4096];
  ETDumpGen dump({memory, sizeof(memory)});
  Image image("add.float.pte");
  std::vector<uint8_t> arena(16384);
  wick_options_t options = {};
  options.arena = arena.data();
  options.arena_bytes = arena.size();
  options.tracer = reinterpret_cast<wick_tracer_t*>(static_cast<executorch::runtime::EventTracer*>(&dump));
  wick_model_t model;
  ASSERT_EQ(wick_model_init(&model, &options), 0U);
  ASSERT_EQ(wick_model_load(&model, image.data(), image.size()), 0U) << wick_model_message(&model);
  ASSERT_EQ(wick_model_run(&model), 0U);
  wick_model_close(&model);
  const ETDumpResult file = dump.get_etdump_data();
  const auto blocks = runs(file.buf, file.size);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(text(profile(events(blocks[1]).at(0)), 0), "native_call_add.out");
}

TEST(Tracing, StoresResultsOfOperatorsAndOfTheMethod) {
  Traced mlp("mlp.float.pte");
  alignas(64) static uint8_t sink[1 << 16];
  ASSERT_TRUE(mlp.dump.set_debug_buffer({sink, sizeof(sink)}).ok());
  mlp.dump.set_event_tracer_debug_level(EventTracerDebugLogLevel::kIntermediateOutputs);
  const auto blocks = mlp.run();
  size_t calls = 0;
  size_t results = 0;
  size_t outputs = 0;
  for (const Table* event : events(blocks.at(1))) {
    calls += profile(event) != nullptr && text(profile(event), 0).find("native_call_") == 0;
    if (debug(event) == nullptr) {
      continue;
    }
    const Table* value = child(debug(event), 2);
    if (child(value, 7) == nullptr) {
      EXPECT_EQ(number<int32_t>(debug(event), 1, -1), static_cast<int32_t>(results));
      ++results;
    } else {
      ++outputs;
      const auto offset = static_cast<size_t>(number<int64_t>(child(value, 1), 3, 0));
      EXPECT_EQ(std::memcmp(sink + offset, mlp.last_output.data(), mlp.last_output.size()), 0);
    }
  }
  EXPECT_GT(calls, 3U);
  EXPECT_EQ(results, calls);
  EXPECT_EQ(outputs, 1U);
}

TEST(Tracing, StoresOutputsOnlyIfNoMoreIsWanted) {
  Traced mlp("mlp.float.pte");
  alignas(64) static uint8_t sink[1 << 12];
  ASSERT_TRUE(mlp.dump.set_debug_buffer({sink, sizeof(sink)}).ok());
  mlp.dump.set_event_tracer_debug_level(EventTracerDebugLogLevel::kProgramOutputs);
  (void)mlp.run();
  EXPECT_EQ(mlp.dump.get_data_sink()->get_used_bytes(), mlp.last_output.size());
}

#else

TEST(WithoutTracing, NothingIsReported) {
  Traced kws("kws.float.pte");
  EXPECT_TRUE(kws.run().empty());
  EXPECT_EQ(kws.dump.get_num_blocks(), 0U);
}

#endif

}  // namespace
