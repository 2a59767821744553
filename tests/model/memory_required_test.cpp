// SPDX-License-Identifier: BSD-3-Clause
//
// memory_required() against what load_method() takes: for every stored program whose operators and backends this image
// has (the whole corpus where it lies beside the checkout), and for both layouts where this machine can tell.
#include <wick/memory_required.h>

#include <filesystem>
#include <optional>
#include <set>

#include "tests/model/case.h"
#include "tests/model/data_files.h"

namespace {

using namespace executorch::runtime;
using executorch::extension::BufferDataLoader;
namespace fs = std::filesystem;

/// Loads a method with pools of these sizes; what it took of the method pool, or the error.
Result<size_t> load(const Program& program, const char* name, size_t method_bytes, size_t temp_bytes,
                    const NamedDataMap* data) {
  const MethodMeta meta = program.method_meta(name).get();
  std::vector<Aligned> buffers;
  for (size_t i = 0; i < meta.num_memory_planned_buffers(); ++i) {
    buffers.emplace_back(static_cast<size_t>(meta.memory_planned_buffer_size(i).get()));
  }
  std::vector<Span<uint8_t>> spans;
  for (Aligned& buffer : buffers) {
    spans.push_back(buffer.span());
  }
  Aligned method_memory(method_bytes);
  Aligned temp_memory(temp_bytes);
  MemoryAllocator method_pool(static_cast<uint32_t>(method_bytes), method_memory.data());
  MemoryAllocator temp_pool(static_cast<uint32_t>(temp_bytes), temp_memory.data());
  HierarchicalAllocator planned({spans.data(), spans.size()});
  MemoryManager memory(&method_pool, &planned, &temp_pool);
  Result<Method> method = program.load_method(name, &memory, nullptr, data);
  return method.ok() ? Result<size_t>(method_pool.used_size()) : Result<size_t>(method.error());
}

struct Count {
  size_t checked = 0;
  size_t skipped = 0;
};

void check_method(const Program& program, const char* name, const NamedDataMap* data, Count& count) {
  const Result<size_t> taken = load(program, name, 1 << 20, 1 << 20, data);
  if (!taken.ok()) {
    ++count.skipped;  // an operator or backend that this image lacks
    return;
  }
  Aligned workspace(1 << 20);
  const Result<wick::MemoryRequired> need = wick::memory_required(program, name, workspace.span());
  ASSERT_TRUE(need.ok());
  if (need->delegates == 0) {
    EXPECT_EQ(need->method, taken.get());
    EXPECT_EQ(load(program, name, need->method, need->load_scratch, data).error(), Error::Ok);
    EXPECT_EQ(load(program, name, need->method - 1, need->load_scratch, data).error(), Error::MemoryAllocationFailed);
  } else {
    EXPECT_LE(need->method, taken.get()) << "backends take more on top";
  }
  const Result<wick::MemoryRequired> target =
      wick::memory_required(program, name, workspace.span(), wick::Layout::k32Bit);
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->pointer_bytes, 4u);
  EXPECT_LE(target->method, need->method);
  EXPECT_EQ(target->planned, need->planned);
  ++count.checked;
}

void check_folder(const fs::path& folder, Count& count) {
  std::set<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".pte") {
      files.insert(entry.path());
    }
  }
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    Aligned image(read_file(file.string()));
    BufferDataLoader loader(image.data(), image.size());
    const Result<Program> program = Program::load(&loader);
    ASSERT_TRUE(program.ok());
    const DataFiles data(file.string());
    for (size_t i = 0; i < program->num_methods(); ++i) {
      check_method(program.get(), program->get_method_name(i).get(), data.get(), count);
    }
  }
}

TEST(MemoryRequired, IsWhatLoadingTakesToTheByte) {
  Count count;
  check_folder(WICK_CASES, count);
  EXPECT_GT(count.checked, 30u);
  EXPECT_EQ(count.skipped, 0u);
}

TEST(MemoryRequired, IsWhatLoadingTakesOverTheWholeCorpus) {
  const fs::path folder = fs::path(WICK_SOURCE_DIR).parent_path() / "shared/corpus/models";
  if (!fs::exists(folder)) {
    GTEST_SKIP() << "no corpus beside the checkout";
  }
  Count count;
  check_folder(folder, count);
  EXPECT_GT(count.checked, 60u);
  RecordProperty("checked", static_cast<int>(count.checked));
  RecordProperty("skipped", static_cast<int>(count.skipped));
}

/// Bytes of a 32-bit target's method pool.
size_t method_bytes(const fs::path& file) {
  Aligned image(read_file(file.string()));
  BufferDataLoader loader(image.data(), image.size());
  const Result<Program> program = Program::load(&loader);
  EXPECT_TRUE(program.ok()) << file;
  Aligned workspace(1 << 16);
  const Result<wick::MemoryRequired> need =
      wick::memory_required(program.get(), "forward", workspace.span(), wick::Layout::k32Bit);
  EXPECT_TRUE(need.ok()) << file;
  return need->method;
}

TEST(MemoryRequired, OfTheMethodPoolIsAThirdOfTheOfficialRuntimesOr512Bytes) {
  // The official runtime's method pool on the an547 board: ExecuTorch 1.5, measured with a counting allocator.
  EXPECT_LE(method_bytes(WICK_CASES "/kws.cortex_m.pte"), 12004u / 3);
  EXPECT_LE(method_bytes(WICK_CASES "/mlp.float.pte"), 512u);  // 976
  const fs::path vww = fs::path(WICK_SOURCE_DIR).parent_path() / "shared/corpus/models/vww.cortex_m.pte";
  if (fs::exists(vww)) {
    EXPECT_LE(method_bytes(vww), 31852u / 3);
  }
}

TEST(MemoryRequired, SaysWhenTheWorkspaceIsTooSmallOrTheMethodIsNotThere) {
  const Case kws("kws.float");
  BufferDataLoader loader(kws.image.data(), kws.image.size());
  const Result<Program> program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  Aligned workspace(100);
  EXPECT_EQ(wick::memory_required(program.get(), "forward", workspace.span()).error(), Error::MemoryAllocationFailed);
  EXPECT_EQ(wick::memory_required(program.get(), "backward", workspace.span()).error(), Error::InvalidArgument);
}

TEST(MemoryRequired, TellsBuffersWithStateFromOthers) {
  // In doubt a buffer counts as state (scan.float, whose loop reads what the round before has written).
  // Which models carry state is known from their sources (the corpus's README and json: "stateful").
  for (const auto& [stem, state] : std::vector<std::pair<const char*, bool>>{{"kvcache.float", true},
                                                                             {"accum.float", true},
                                                                             {"accuminit.float", true},
                                                                             {"kws.float", false},
                                                                             {"kws.cortex_m", false},
                                                                             {"mlp.float", false},
                                                                             {"cond.float", false},
                                                                             {"manyout.float", false}}) {
    const Case one(stem);
    BufferDataLoader loader(one.image.data(), one.image.size());
    const Result<Program> program = Program::load(&loader);
    ASSERT_TRUE(program.ok());
    Aligned workspace(1 << 16);
    const Result<wick::MemoryRequired> need = wick::memory_required(program.get(), "forward", workspace.span());
    ASSERT_TRUE(need.ok()) << stem;
    EXPECT_EQ(need->planned_state, state ? need->planned : 0) << stem;
  }
}

}  // namespace
