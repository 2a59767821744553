// SPDX-License-Identifier: BSD-3-Clause
//
// ETDumps: what is written is read back by the FlatBuffers library; full buffers, misuse, values, delegates.
#include <executorch/devtools/etdump/data_sinks/file_data_sink.h>
#include <executorch/devtools/etdump/etdump_flatcc.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "tests/extension/etdump_reader.h"
#include "tests/extension/temporary_file.h"

namespace {

using namespace etdump_reader;
using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::etdump::BufferDataSink;
using executorch::etdump::ETDumpGen;
using executorch::etdump::ETDumpResult;
using executorch::etdump::FileDataSink;
using executorch::runtime::ArrayRef;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::kUnsetDelegateDebugIntId;
using executorch::runtime::LoggedEValueType;
using executorch::runtime::Result;
using executorch::runtime::Span;

/// Each test runs with a caller's buffer and with the heap.
class ETDump : public testing::TestWithParam<bool> {
 protected:
  ETDump() : memory_(16 * 1024 / 8) {
    dump_ =
        GetParam()
            ? std::make_unique<ETDumpGen>(Span<uint8_t>(reinterpret_cast<uint8_t*>(memory_.data()), memory_.size() * 8))
            : std::make_unique<ETDumpGen>();
  }
  ~ETDump() override { forget(); }

  std::vector<const Table*> read() {
    forget();
    result_ = dump_->get_etdump_data();
    return result_.buf == nullptr ? std::vector<const Table*>() : runs(result_.buf, result_.size);
  }

  void event(const char* name, int chain = 0, uint32_t handle = 1) {
    dump_->end_profiling(dump_->start_profiling(name, chain, handle));
  }

  std::unique_ptr<ETDumpGen> dump_;
  ETDumpResult result_ = {nullptr, 0};

 private:
  void forget() {
    if (!GetParam()) {
      std::free(result_.buf);
    }
  }
  std::vector<uint64_t> memory_;
};

INSTANTIATE_TEST_SUITE_P(Memory, ETDump, testing::Bool(),
                         [](const auto& memory) { return memory.param ? "Static" : "Heap"; });

/// A tensor of floats 0, 1, 2, ...
struct FloatTensor {
  explicit FloatTensor(std::vector<int32_t> shape) : sizes(std::move(shape)) {
    size_t count = 1;
    for (size_t i = 0; i < sizes.size(); ++i) {
      order.push_back(static_cast<uint8_t>(i));
      count *= static_cast<size_t>(sizes[i]);
    }
    strides.resize(sizes.size(), 1);
    for (size_t i = sizes.size(); i-- > 1;) {
      strides[i - 1] = strides[i] * sizes[i];
    }
    for (size_t i = 0; i < count; ++i) {
      data.push_back(static_cast<float>(i));
    }
    impl = std::make_unique<TensorImpl>(ScalarType::Float, static_cast<ssize_t>(sizes.size()), sizes.data(),
                                        data.data(), order.data(), strides.data());
  }
  Tensor tensor() { return Tensor(impl.get()); }
  std::vector<int32_t> sizes, strides;
  std::vector<uint8_t> order;
  std::vector<float> data;
  std::unique_ptr<TensorImpl> impl;
};

TEST_P(ETDump, IsEmptyUntilABlockBegins) {
  EXPECT_EQ(dump_->get_etdump_data().buf, nullptr);
  EXPECT_EQ(dump_->get_num_blocks(), 0U);
  EXPECT_EQ(dump_->is_static_etdump(), GetParam());
}

TEST_P(ETDump, HoldsBlocksOfEvents) {
  dump_->create_event_block("load");
  event("init");
  dump_->create_event_block("run");
  dump_->create_event_block("run");
  event("conv", 2, 7);
  event("add", 0, 0);
  const auto blocks = read();
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(dump_->get_num_blocks(), 3U);
  EXPECT_EQ(text(blocks[0], 0), "load");
  EXPECT_EQ(text(blocks[2], 0), "run");
  EXPECT_EQ(number<int32_t>(blocks[0], 1, -1), -1);  // no bundled input
  ASSERT_EQ(events(blocks[0]).size(), 1U);
  EXPECT_TRUE(events(blocks[1]).empty());
  ASSERT_EQ(events(blocks[2]).size(), 2U);
  const Table* conv = profile(events(blocks[2])[0]);
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(text(conv, 0), "conv");
  EXPECT_EQ(number<int32_t>(conv, 1, 0), 2);
  EXPECT_EQ(number<int32_t>(conv, 2, -1), 7);
  EXPECT_LE(number<uint64_t>(conv, 6, 0), number<uint64_t>(conv, 7, 0));
  const Table* add = profile(events(blocks[2])[1]);
  EXPECT_EQ(number<int32_t>(add, 2, -1), 0);
  EXPECT_LE(number<uint64_t>(conv, 7, 0), number<uint64_t>(add, 7, 0));
}

TEST_P(ETDump, TakesUnsetIdsFromTheRunningInstruction) {
  dump_->create_event_block("run");
  dump_->set_chain_debug_handle(3, 14);
  dump_->end_profiling(dump_->start_profiling("op"));
  const auto blocks = read();
  const Table* op = profile(events(blocks.at(0)).at(0));
  EXPECT_EQ(number<int32_t>(op, 1, 0), 3);
  EXPECT_EQ(number<int32_t>(op, 2, -1), 14);
}

TEST_P(ETDump, BeginsANewFileAfterOneWasRead) {
  dump_->create_event_block("first");
  event("a");
  const auto stale = dump_->start_profiling("stale", 0, 1);
  ASSERT_EQ(read().size(), 1U);
  const std::string first(static_cast<char*>(result_.buf), result_.size);
  ASSERT_EQ(read().size(), 1U);
  EXPECT_EQ(std::string(static_cast<char*>(result_.buf), result_.size), first);  // reading again changes nothing

  dump_->create_event_block("second");
  dump_->end_profiling(stale);  // its name was in the first file
  event("b");
  const auto blocks = read();
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(text(blocks[0], 0), "second");
  ASSERT_EQ(events(blocks[0]).size(), 2U);
  EXPECT_EQ(text(profile(events(blocks[0])[0]), 0), "");
  EXPECT_EQ(text(profile(events(blocks[0])[1]), 0), "b");
}

TEST_P(ETDump, TracksAllocators) {
  dump_->create_event_block("run");
  EXPECT_EQ(dump_->track_allocator("method"), 1U);
  EXPECT_EQ(dump_->track_allocator("temp"), 2U);
  dump_->track_allocation(2, 64);
  event("op");
  dump_->track_allocation(1, size_t{1} << 20);
  EXPECT_DEATH((void)dump_->track_allocator("late"), "before any events");
  const auto blocks = read();
  const auto allocators = children(blocks.at(0), 2);
  ASSERT_EQ(allocators.size(), 2U);
  EXPECT_EQ(text(allocators[0], 0), "method");
  EXPECT_EQ(text(allocators[1], 0), "temp");
  const auto all = events(blocks[0]);
  ASSERT_EQ(all.size(), 3U);
  ASSERT_NE(allocation(all[0]), nullptr);
  EXPECT_EQ(number<int32_t>(allocation(all[0]), 0, 0), 2);
  EXPECT_EQ(number<uint64_t>(allocation(all[2]), 1, 0), 1U << 20);
  EXPECT_EQ(profile(all[0]), nullptr);
}

TEST_P(ETDump, HoldsEventsOfDelegates) {
  dump_->create_event_block("run");
  dump_->set_chain_debug_handle(0, 5);
  const auto by_name = dump_->start_profiling_delegate("matmul", kUnsetDelegateDebugIntId);
  dump_->end_profiling_delegate(by_name, "meta", 4);
  const auto by_number = dump_->start_profiling_delegate(nullptr, 23);
  dump_->end_profiling_delegate(by_number, nullptr, 0);
  dump_->log_profiling_delegate(nullptr, 24, 100, 350, nullptr, 0);
  EXPECT_DEATH(dump_->log_profiling_delegate("both", 1, 0, 1, nullptr, 0), "Only name or delegate_debug_index");
  EXPECT_DEATH((void)dump_->start_profiling_delegate(nullptr, -1), "Only name or delegate_debug_index");
  EXPECT_DEATH(dump_->end_profiling(by_number), "end_profiling_delegate");
  const auto blocks = read();
  const auto all = events(blocks.at(0));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(text(profile(all[0]), 4), "matmul");
  EXPECT_EQ(number<int32_t>(profile(all[0]), 3, -1), -1);
  EXPECT_EQ(numbers<uint8_t>(profile(all[0]), 5), (std::vector<uint8_t>{'m', 'e', 't', 'a'}));
  EXPECT_EQ(number<int32_t>(profile(all[0]), 2, -1), 5);
  EXPECT_EQ(number<int32_t>(profile(all[1]), 3, -1), 23);
  EXPECT_EQ(number<uint64_t>(profile(all[2]), 6, 0), 100U);
  EXPECT_EQ(number<uint64_t>(profile(all[2]), 7, 0), 350U);
}

TEST_P(ETDump, StoresTensorsInTheDebugBuffer) {
  alignas(64) uint8_t sink[512];
  FloatTensor a({3, 2});
  FloatTensor empty({2, 0});
  dump_->create_event_block("run");
  EXPECT_DEATH((void)dump_->log_evalue(EValue(a.tensor())), "set_debug_buffer");
  ASSERT_TRUE(dump_->set_debug_buffer({sink, sizeof(sink)}).ok());
  EXPECT_TRUE(dump_->log_evalue(EValue(a.tensor())).get());
  EXPECT_TRUE(dump_->log_evalue(EValue(a.tensor()), LoggedEValueType::kProgramOutput).get());
  EXPECT_TRUE(dump_->log_evalue(EValue(empty.tensor())).get());
  EXPECT_EQ(dump_->get_data_sink()->get_used_bytes(), 64U + 24U);
  const auto blocks = read();
  const auto all = events(blocks.at(0));
  ASSERT_EQ(all.size(), 3U);
  const Table* value = child(debug(all[0]), 2);
  EXPECT_EQ(number<int8_t>(value, 0, 0), 5);
  EXPECT_EQ(child(value, 7), nullptr);
  const Table* tensor = child(value, 1);
  EXPECT_EQ(number<int8_t>(tensor, 0, 0), static_cast<int8_t>(ScalarType::Float));
  EXPECT_EQ(numbers<int64_t>(tensor, 1), (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(numbers<int64_t>(tensor, 2), (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(number<int64_t>(tensor, 3, 0), 0);
  const Table* output = child(debug(all[1]), 2);
  EXPECT_EQ(number<int64_t>(child(output, 1), 3, 0), 64);
  ASSERT_NE(child(output, 7), nullptr);
  EXPECT_EQ(number<uint8_t>(child(output, 7), 0, 0), 1);
  EXPECT_EQ(std::memcmp(sink + 64, a.data.data(), 24), 0);
  EXPECT_EQ(number<int64_t>(child(child(debug(all[2]), 2), 1), 3, 0), -1);
}

TEST_P(ETDump, StoresNumbersAndLists) {
  alignas(64) uint8_t memory[1024];
  auto sink = BufferDataSink::create(memory, sizeof(memory));
  dump_->set_data_sink(&*sink);
  FloatTensor a({2});
  FloatTensor b({1, 3});
  Tensor pair[] = {a.tensor(), b.tensor()};
  dump_->create_event_block("run");
  EXPECT_TRUE(dump_->log_evalue(EValue(int64_t{-5})).get());
  EXPECT_TRUE(dump_->log_evalue(EValue(0.5)).get());
  EXPECT_TRUE(dump_->log_evalue(EValue(true)).get());
  EXPECT_TRUE(
      dump_->log_intermediate_output_delegate("pair", kUnsetDelegateDebugIntId, ArrayRef<Tensor>(pair, 2)).get());
  EXPECT_TRUE(dump_->log_intermediate_output_delegate(nullptr, 8, 12).get());
  EXPECT_EQ(dump_->log_evalue(EValue()).error(), Error::NotSupported);
  EXPECT_EQ(dump_->log_intermediate_output_delegate("x", 8, 12).error(), Error::InvalidArgument);
  const auto blocks = read();
  const auto all = events(blocks.at(0));
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(number<int64_t>(child(child(debug(all[0]), 2), 3), 0, 0), -5);
  EXPECT_EQ(number<double>(child(child(debug(all[1]), 2), 5), 0, 0), 0.5);
  EXPECT_EQ(number<uint8_t>(child(child(debug(all[2]), 2), 6), 0, 0), 1);
  EXPECT_EQ(text(debug(all[3]), 4), "pair");
  const auto list = children(child(child(debug(all[3]), 2), 2), 0);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(numbers<int64_t>(list[1], 1), (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(number<int64_t>(list[1], 3, 0), 64);
  EXPECT_EQ(number<int32_t>(debug(all[4]), 3, -1), 8);
}

class SkipOdd : public executorch::runtime::EventTracerFilterBase {
 public:
  Result<bool> filter(const char*, executorch::runtime::DelegateDebugIntId number) override {
    if (number > 100) {
      return Error::NotFound;
    }
    return number % 2 == 1;
  }
};

TEST_P(ETDump, FiltersDelegatesValues) {
  SkipOdd filter;
  dump_->set_delegation_intermediate_output_filter(&filter);
  dump_->create_event_block("run");
  EXPECT_FALSE(dump_->log_intermediate_output_delegate(nullptr, 1, 12).get());
  EXPECT_TRUE(dump_->log_intermediate_output_delegate(nullptr, 2, 12).get());
  EXPECT_EQ(dump_->log_intermediate_output_delegate(nullptr, 101, 12).error(), Error::NotFound);
  EXPECT_EQ(events(read().at(0)).size(), 1U);
}

TEST_P(ETDump, RefusesEventsOutsideBlocks) {
  EXPECT_DEATH(event("early"), "create_event_block");
  dump_->create_event_block("run");
  (void)read();
  EXPECT_DEATH(event("late"), "create_event_block");
}

TEST_P(ETDump, RemembersWhichBundledInputRan) {
  dump_->set_bundled_input_index(4);
  dump_->create_event_block("run");
  EXPECT_EQ(number<int32_t>(read().at(0), 1, -1), 4);
}

TEST(ETDumpOnHeap, GrowsAsNeeded) {
  ETDumpGen dump;
  dump.create_event_block("run");
  for (uint32_t i = 0; i < 20000; ++i) {
    dump.end_profiling(dump.start_profiling(("op" + std::to_string(i % 50)).c_str(), 0, i));
  }
  const ETDumpResult result = dump.get_etdump_data();
  const auto blocks = runs(result.buf, result.size);
  const auto all = events(blocks.at(0));
  ASSERT_EQ(all.size(), 20000U);
  EXPECT_EQ(dump.dropped_events(), 0U);
  for (uint32_t i = 0; i < all.size(); i += 777) {
    EXPECT_EQ(text(profile(all[i]), 0), "op" + std::to_string(i % 50));
    EXPECT_EQ(number<int32_t>(profile(all[i]), 2, -1), static_cast<int32_t>(i));
  }
  std::free(result.buf);
}

TEST(ETDumpInABuffer, KeepsWhatFitsWhateverTheSize) {
  for (size_t size = ETDumpGen::kMinBufferSize; size < 6000; size += 37) {
    std::vector<uint64_t> memory(size / 8 + 3, 0xCDCDCDCDCDCDCDCD);
    auto* bytes = reinterpret_cast<uint8_t*>(memory.data()) + 8 + size % 8;
    ETDumpGen dump({bytes, size});
    alignas(64) uint8_t sink[4096];
    ASSERT_TRUE(dump.set_debug_buffer({sink, sizeof(sink)}).ok());
    FloatTensor tensor({1, 2, 3});
    for (int block = 0; block < 3; ++block) {
      dump.create_event_block(block == 0 ? "first" : "next");
      (void)dump.track_allocator("pool");
      for (uint32_t i = 0; i < 12; ++i) {
        dump.end_profiling(dump.start_profiling("native_call_convolution.out", 0, i));
        (void)dump.log_evalue(EValue(tensor.tensor()));
        dump.log_profiling_delegate("part", kUnsetDelegateDebugIntId, 1, 2, "metadata", 8);
      }
    }
    const ETDumpResult result = dump.get_etdump_data();
    ASSERT_GE(static_cast<uint8_t*>(result.buf), bytes);
    ASSERT_LE(static_cast<uint8_t*>(result.buf) + result.size, bytes + size);
    const auto blocks = runs(result.buf, result.size);
    ASSERT_EQ(blocks.size(), dump.get_num_blocks()) << size;
    ASSERT_GE(blocks.size(), 1U);
    EXPECT_EQ(text(blocks[0], 0), "first");
    EXPECT_GT(dump.dropped_events(), 0U) << size;
    EXPECT_EQ(memory.front(), 0xCDCDCDCDCDCDCDCD);
    EXPECT_EQ(memory.back(), 0xCDCDCDCDCDCDCDCD);
  }
}

TEST(ETDumpInABuffer, NeedsSomeSize) {
  uint8_t small[100];
  EXPECT_DEATH(ETDumpGen({small, sizeof(small)}), "at least 1024 bytes");
}

TEST(ETDumpInABuffer, SpendsFewBytesOnAnEvent) {
  std::vector<uint64_t> memory(4096);
  ETDumpGen dump({reinterpret_cast<uint8_t*>(memory.data()), memory.size() * 8});
  dump.create_event_block("run");
  for (uint32_t i = 1; i <= 100; ++i) {
    dump.end_profiling(dump.start_profiling("native_call_convolution.out", 0, i));
  }
  EXPECT_LE(dump.get_etdump_data().size, 100U * 48 + 200);
}

TEST(DataSinks, BufferRefusesWhatDoesNotFit) {
  alignas(64) uint8_t memory[100];
  auto sink = BufferDataSink::create(memory, sizeof(memory), 16);
  EXPECT_EQ(BufferDataSink::create(memory, sizeof(memory), 3).error(), Error::InvalidArgument);
  EXPECT_EQ(sink->get_storage_size().get(), 100U);
  EXPECT_EQ(sink->write("abc", 3).get(), 0U);
  EXPECT_EQ(sink->write("de", 2).get(), 16U);
  EXPECT_EQ(sink->write(memory, 100).error(), Error::OutOfResources);
  EXPECT_EQ(sink->get_used_bytes(), 18U);
  EXPECT_EQ(sink->write("", 0).get(), 18U);
  const uint8_t rest[100 - 32] = {};
  EXPECT_EQ(sink->write(rest, sizeof(rest)).get(), 32U);
  EXPECT_EQ(std::memcmp(memory, "abc\0\0", 5), 0);
}

TEST(DataSinks, FileHoldsPiecesWithoutGaps) {
  TemporaryFile file("old");
  auto sink = FileDataSink::create(file.path());
  ASSERT_TRUE(sink.ok());
  EXPECT_EQ(sink->write("abc", 3).get(), 0U);
  EXPECT_EQ(sink->write("de", 2).get(), 3U);
  EXPECT_EQ(sink->get_used_bytes(), 5U);
  sink->close();
  sink->close();
  EXPECT_EQ(sink->write("f", 1).error(), Error::AccessFailed);
  std::ifstream stream(file.path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "abcde");
  EXPECT_EQ(FileDataSink::create("/nowhere/file").error(), Error::AccessFailed);
}

}  // namespace
