// SPDX-License-Identifier: BSD-3-Clause
// What the delegate reports to a tracer. Linked twice: with wick::tracing, and without, where nothing is reported.
#include <executorch/devtools/etdump/etdump_flatcc.h>
#include <executorch/extension/runner_util/inputs.h>

#include <cstring>

#include "tests/executor/pools.h"
#include "tests/extension/etdump_reader.h"

namespace {

using namespace etdump_reader;
using executorch::etdump::ETDumpGen;
using executorch::etdump::ETDumpResult;
using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::Program;

/// Runs the keyword network, which has two delegates.
void run(ETDumpGen& dump) {
  Image image("kws.ethosu55.pte");
  BufferDataLoader loader(image.data(), image.size());
  const auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  Pools pools(*program, "forward");
  auto method = program->load_method("forward", pools.manager.get(), &dump);
  ASSERT_TRUE(method.ok());
  const auto inputs = executorch::extension::prepare_input_tensors(*method);
  ASSERT_EQ(method->execute(), Error::Ok);
}

#ifdef ET_EVENT_TRACER_ENABLED

TEST(EthosUTracing, EachDelegateReportsItsTimeAndTheCyclesOfTheNpu) {
  alignas(8) static uint8_t memory[4096];
  ETDumpGen dump({memory, sizeof(memory)});
  run(dump);
  const ETDumpResult file = dump.get_etdump_data();
  const auto blocks = runs(file.buf, file.size);
  ASSERT_EQ(blocks.size(), 2U);
  const Table* inner = nullptr;  // the delegate's own event ends before that of the call
  int calls = 0;
  for (const Table* event : events(blocks[1])) {
    const Table* profiled = profile(event);
    if (text(profiled, 4) == "Ethos-U") {
      inner = profiled;
    } else if (text(profiled, 0) == "DELEGATE_CALL") {
      ++calls;
      ASSERT_NE(inner, nullptr);
      EXPECT_GE(number<uint64_t>(inner, 6, 0), number<uint64_t>(profiled, 6, 0));
      EXPECT_GT(number<uint64_t>(inner, 7, 0), number<uint64_t>(inner, 6, 0));
      EXPECT_LE(number<uint64_t>(inner, 7, 0), number<uint64_t>(profiled, 7, 0));
      EXPECT_EQ(number<int32_t>(inner, 2, -1), number<int32_t>(profiled, 2, -2));
      const std::vector<uint8_t> metadata = numbers<uint8_t>(inner, 5);
      uint64_t cycles = 0;
      ASSERT_EQ(metadata.size(), sizeof(cycles));
      std::memcpy(&cycles, metadata.data(), sizeof(cycles));
      EXPECT_GT(cycles, 500U);
      EXPECT_LT(cycles, 1000000U);
      inner = nullptr;
    }
  }
  EXPECT_EQ(calls, 2);
}

#else

TEST(EthosUWithoutTracing, NothingIsReported) {
  alignas(8) static uint8_t memory[4096];
  ETDumpGen dump({memory, sizeof(memory)});
  run(dump);
  EXPECT_EQ(dump.get_num_blocks(), 0U);
}

#endif

}  // namespace
