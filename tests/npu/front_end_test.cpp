// SPDX-License-Identifier: BSD-3-Clause
// The ways into the model: payloads, command streams, the register file, text; and what each says of malformed input.
#include <gtest/gtest.h>

#include <cstring>

#include "builder.h"
#include "case.h"
#include "npu/disassembler.h"
#include "npu/payload.h"
#include "npu/register_file.h"

namespace wick::npu::test {
namespace {

Case stored(const char* name) { return load_case(data_folder() + "/" + name); }

Result run_alone(const Stream& stream, const char* name = "ethos-u55-128", Options options = {}) {
  std::vector<std::uint8_t> memory(1024), workspace(65536);
  const Region regions[] = {read_only(memory.data(), memory.size()), read_write(memory.data(), memory.size())};
  return run(part(name), stream.bytes(), regions, 2, {workspace.data(), workspace.size()}, options);
}

// A 1x1 AVERAGE over `count` bytes of region 1, in place.
Stream copy_stream(std::int32_t count) {
  const Tensor t = make_tensor(1, 1, count);
  Stream s;
  set_ifm(s, t, 0);
  set_ofm(s, t, 0, kGlobalScale | kRoundNatural);
  s.set(reg::kKernelStride, 0).scale(wide::kOfmScale, 1, 0).operation(op::kPool, 1).stop();
  return s;
}

TEST(Payload, EveryTruncationIsRefused) {
  const Case c = stored("u55-128/add.d0.json");
  Payload payload;
  ASSERT_EQ(parse_payload({c.payload.data(), c.payload.size()}, payload), nullptr);
  for (std::size_t size = 0; size < c.payload.size(); ++size) {
    const std::vector<std::uint8_t> cut(c.payload.begin(), c.payload.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(parse_payload({cut.data(), cut.size()}, payload), nullptr) << size;
  }
}

TEST(Payload, SaysWhichBlockIsWrong) {
  const Case c = stored("u55-128/add.d0.json");
  const auto with = [&](const char* block, std::size_t offset, std::uint8_t value) {
    std::vector<std::uint8_t> bytes = c.payload;
    for (std::size_t i = 0; i + 32 < bytes.size(); i += 16) {
      if (std::strncmp(reinterpret_cast<const char*>(bytes.data() + i), block, 16) == 0) {
        bytes[i + offset] = value;
        break;
      }
    }
    Payload payload;
    const char* wrong = parse_payload({bytes.data(), bytes.size()}, payload);
    return std::string(wrong != nullptr ? wrong : "");
  };
  EXPECT_EQ(with("vela_bin_stream", 0, 'w'), "the payload does not begin with vela_bin_stream");
  EXPECT_EQ(with("scratch_size", 0, 'w'), "a block of unknown name");
  EXPECT_EQ(with("cmd_data", 19, 0xFF), "a block is longer than the payload");
  EXPECT_EQ(with("inputs", 32, 0xFF), "inputs or outputs: more records than bytes");
  EXPECT_EQ(with("inputs", 20, 1), "only cmd_data and weight_data can be external");
}

TEST(Payload, ReadsTheSecondDriverFormat) {
  // Header, one entry with metadata padded by 0xFF to 16, then a stream of two words.
  std::vector<std::uint8_t> bytes = {'C', 'O', 'P', '2', 1, 0, 0, 0};
  const auto word = [&](std::uint32_t v) {
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(v >> (8 * i)));
  };
  word(56);
  word(0);
  word(1);
  word(48);
  word(32);  // metadata after this word: "VEUM", version, size, CONFIG, ID, flags, staging bytes
  bytes.insert(bytes.end(), {'V', 'E', 'U', 'M'});
  word(1);
  word(20);
  word(0x1807);
  word(0x10066001);
  word(0);
  word(0);
  word(0);
  while (bytes.size() % 16 != 0) bytes.push_back(0xFF);
  word(0x1111);
  word(0xFFFF0000);
  CommandStream stream;
  ASSERT_EQ(parse_driver_payload({bytes.data(), bytes.size()}, stream), nullptr);
  EXPECT_EQ(stream.config_word, 0x1807u);
  ASSERT_GE(stream.words.size, 8u);
}

TEST(Stream, FaultsAreTheHardwaresAndNameTheCommand) {
  const auto fault = [](const Stream& s) { return run_alone(s).fault; };
  EXPECT_EQ(fault(Stream().stop()), Fault::kNone);
  EXPECT_EQ(fault(Stream()), Fault::kCommand);                                    // no OP_STOP
  EXPECT_EQ(fault(Stream().word(4).stop()), Fault::kCommand);                     // no such operation
  EXPECT_EQ(fault(Stream().word(0x8000).stop()), Fault::kCommand);                // no such kind
  EXPECT_EQ(fault(Stream().word(0x0400).stop()), Fault::kCommand);                // reserved bits
  EXPECT_EQ(fault(Stream().set(reg::kIfmBroadcast, 0).stop()), Fault::kCommand);  // U85's register
  EXPECT_EQ(run_alone(Stream().set(reg::kIfmBroadcast, 0).stop(), "ethos-u85-256").fault, Fault::kNone);
  Stream cut;
  cut.word(wide::kIfmBase0 | 1u << 14);  // the payload is missing
  EXPECT_EQ(fault(cut), Fault::kCommand);
  const Result late = run_alone(Stream().set(reg::kIfmPadTop, 0).word(4).stop());
  EXPECT_EQ(late.command_offset, 4u);
  EXPECT_EQ(status_register(late) & 1u << 4, 1u << 4);
}

TEST(Stream, AccessesEndAtTheRegion) {
  EXPECT_EQ(run_alone(copy_stream(1024)).fault, Fault::kNone);
  const Result over = run_alone(copy_stream(1025));
  EXPECT_EQ(over.fault, Fault::kBus);
  EXPECT_EQ(over.channel, Channel::kIfmRead);
  const Tensor t = make_tensor(1, 1, 16);
  Stream s;
  set_ifm(s, t, 0);
  set_ofm(s, t, 0, kGlobalScale);
  s.set(reg::kOfmRegion, 0).operation(op::kPool, 1).stop();  // region 0 cannot be written
  const Result refused = run_alone(s);
  EXPECT_EQ(refused.fault, Fault::kBus);
  EXPECT_EQ(refused.channel, Channel::kOfmWrite);
}

TEST(Stream, AnInputWithoutStorageIsNotRead) {
  const Tensor t = make_tensor(1, 1, 16);
  const auto pool = [&t](std::uint32_t storage) {
    Stream s;
    set_ifm(s, t, 0, 0, storage << 14);
    set_ofm(s, t, 0, kGlobalScale);
    s.operation(op::kPool, 1).stop();
    return run_alone(s, "ethos-u85-256");
  };
  EXPECT_EQ(pool(0).fault, Fault::kNone);
  const Result without = pool(3);
  EXPECT_EQ(without.fault, Fault::kBus);
  EXPECT_EQ(without.channel, Channel::kIfmRead);
}

TEST(Stream, IrqMasksAreCollected) {
  const Result r = run_alone(Stream().operation(op::kIrq, 0x12).stop());
  EXPECT_EQ(r.irq_history, 0xFFFF);
  EXPECT_EQ(run_alone(Stream().operation(op::kIrq, 0x12).operation(op::kStop, 1)).irq_history, 0x13);
}

TEST(Stream, EndlessWorkStopsAtTheLimit) {
  Stream loop;  // U85: a branch to itself
  loop.word(op::kBranch | 1u << 14).word(0).stop();
  Options options;
  options.work_limit = 1 << 20;
  EXPECT_EQ(run_alone(loop, "ethos-u85-256", options).fault, Fault::kWork);
  const Tensor t = make_tensor(1, 1, 1);
  Stream wide_stream;  // strides of zero: 2^48 elements in one byte
  set_ifm(wide_stream, t, 0);
  set_ofm(wide_stream, t, 0, kGlobalScale);
  for (const std::uint32_t code : {wide::kIfmStrideX, wide::kIfmStrideY, wide::kOfmStrideX, wide::kOfmStrideY}) {
    wide_stream.wide(code, 0);
  }
  for (const std::uint32_t code : {reg::kIfmWidth0M1, reg::kIfmHeight0M1, reg::kIfmHeight1M1, reg::kOfmWidth0M1,
                                   reg::kOfmHeight0M1, reg::kOfmHeight1M1, reg::kOfmWidthM1, reg::kOfmHeightM1}) {
    wide_stream.set(code, 0xFFFF);
  }
  wide_stream.operation(op::kPool, 1).stop();
  EXPECT_EQ(run_alone(wide_stream, "ethos-u55-128", options).fault, Fault::kWork);
}

TEST(Stream, ATablePastTheShramIsAFaultUnlessAccepted) {
  Stream s;
  s.set(reg::kDma0SrcRegion, 0).set(reg::kDma0DstRegion, 1 << 8 | 3);
  s.wide(wide::kDma0Src, 0).wide(wide::kDma0Dst, 16384).wide(wide::kDma0Len, 256).operation(op::kDmaStart).stop();
  EXPECT_EQ(run_alone(s, "ethos-u55-32").fault, Fault::kBus);
  Options options;
  options.table_past_shram = true;
  EXPECT_EQ(run_alone(s, "ethos-u55-32", options).fault, Fault::kNone);
}

TEST(Stream, ATinyWorkspaceIsRefusedWithTheSizeThatWouldDo) {
  const Stream s = copy_stream(1024);
  std::vector<std::uint8_t> memory(1024), workspace(65536);
  const Region regions[] = {{}, read_write(memory.data(), memory.size())};
  std::size_t size = 0;
  Result r;
  for (int i = 0; i < 10; ++i) {
    r = run(part("ethos-u55-128"), s.bytes(), regions, 2, {workspace.data(), size});
    if (r.fault != Fault::kWorkspace) break;
    ASSERT_GT(r.workspace, size);
    size = r.workspace;
  }
  EXPECT_TRUE(r.ok()) << r.message;
  EXPECT_LT(size, std::size_t{32768});
}

TEST(Stream, DescribesWithoutExecuting) {
  Options options;
  options.execute = false;
  OperationTrace seen;
  options.trace = [](void* context, const OperationTrace& op) { *static_cast<OperationTrace*>(context) = op; };
  options.trace_context = &seen;
  EXPECT_TRUE(run_alone(copy_stream(77), "ethos-u55-128", options).ok());
  EXPECT_STREQ(seen.name, "POOL AVERAGE");
  EXPECT_EQ(seen.ofm.depth, 77);
  EXPECT_EQ(seen.ifm_bytes, 77u);
  EXPECT_GT(seen.cycles, 0u);
}

TEST(Disassembler, NamesRegistersAndFields) {
  Stream s;
  s.set(reg::kIfmPrecision, 0x41).wide(wide::kOfmStrideY, 0xFFFFFFFF).scale(wide::kOfmScale, 0x80000001, 31);
  s.operation(op::kElementwise, 1).word(4).stop();
  char text[kDisassemblyLine];
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < s.bytes().size;) {
    at = disassemble(part("ethos-u55-128"), s.bytes(), at, text, sizeof text);
    lines.push_back(text);
  }
  const std::vector<std::string> want = {"0x000000  IFM_PRECISION int8 NHWCB16, operand scaling both 16 bits double",
                                         "0x000004  OFM_STRIDE_Y -1",
                                         "0x00000c  OFM_SCALE 0x80000001 shift 31",
                                         "0x000014  OP_ELEMENTWISE ADD",
                                         "0x000018  (no command: 0x00000004)",
                                         "0x00001c  OP_STOP mask 0xffff"};
  EXPECT_EQ(lines, want);
}

// A driver's view: registers, one block of memory at a bus address.
class Board {
 public:
  static constexpr std::uint32_t kBase = 0x20000000;
  explicit Board(const Stream& stream) : memory(4096), workspace(65536) {
    std::copy_n(stream.bytes().data, stream.bytes().size, memory.begin() + 2048);
    npu.write(kRegisterReset, 1);
    npu.write(kRegisterQbase, kBase + 2048);
    npu.write(kRegisterQsize, static_cast<std::uint32_t>(stream.bytes().size));
    npu.write(kRegisterBasep0 + 8, kBase);
  }
  std::vector<std::uint8_t> memory, workspace;
  RegisterFile npu{part("ethos-u55-128"), {workspace.data(), workspace.size()}, &Board::lookup, this};

 private:
  static Region lookup(void* context, std::uint64_t address) {
    Board& board = *static_cast<Board*>(context);
    if (address < kBase || address >= kBase + board.memory.size()) return {};
    return read_write(board.memory.data() + (address - kBase), board.memory.size() - (address - kBase));
  }
};

TEST(RegisterFile, RunsAStreamAsADriverWould) {
  Stream s = copy_stream(4);
  Board board(s);
  EXPECT_EQ(board.npu.read(kRegisterId) >> 12 & 15, 4u);
  EXPECT_EQ(board.npu.read(kRegisterConfig), 0x1807u);
  EXPECT_EQ(board.npu.read(kRegisterProt), 1u);
  EXPECT_EQ(board.npu.read(kRegisterStatus) & 8, 0u);
  EXPECT_FALSE(board.npu.interrupt());
  board.npu.write(kRegisterCmd, 0xC | 1);
  EXPECT_TRUE(board.npu.interrupt());
  EXPECT_EQ(board.npu.read(kRegisterStatus), 0xFFFF0022u);
  EXPECT_EQ(board.npu.read(kRegisterQread), s.bytes().size);
  board.npu.write(kRegisterCmd, 0xFFFF0000u | 0xC | 2);
  EXPECT_FALSE(board.npu.interrupt());
  EXPECT_EQ(board.npu.read(kRegisterStatus), 0x20u);
  EXPECT_EQ(board.npu.read(kRegisterCmd), 0xCu);
}

TEST(RegisterFile, AFaultStaysUntilReset) {
  Board board(copy_stream(3000));
  board.memory.resize(2048 + 256);  // the IFM passes the end of the block
  board.npu.write(kRegisterCmd, 1);
  EXPECT_NE(board.npu.read(kRegisterStatus) & 1u << 2, 0u);
  EXPECT_EQ(board.npu.result().fault, Fault::kBus);
  board.npu.write(kRegisterCmd, 2);
  EXPECT_FALSE(board.npu.interrupt());
  EXPECT_NE(board.npu.read(kRegisterStatus) & 1u << 2, 0u);
  board.npu.write(kRegisterCmd, 1);  // refused
  EXPECT_FALSE(board.npu.interrupt());
  board.npu.write(kRegisterReset, 0);
  EXPECT_EQ(board.npu.read(kRegisterStatus), 0u);
}

TEST(RegisterFile, AnUnmappedStreamIsABusFault) {
  Board board(copy_stream(4));
  board.npu.write(kRegisterQbase, 0x10);
  board.npu.write(kRegisterCmd, 1);
  EXPECT_NE(board.npu.read(kRegisterStatus) & 1u << 2, 0u);
}

TEST(Config, WordsAndNames) {
  for (const char* name :
       {"ethos-u55-32", "ethos-u55-64", "ethos-u55-128", "ethos-u55-256", "ethos-u65-256", "ethos-u65-512",
        "ethos-u85-128", "ethos-u85-256", "ethos-u85-512", "ethos-u85-1024", "ethos-u85-2048"}) {
    Config by_name, by_word;
    ASSERT_TRUE(config_from_name(name, by_name));
    ASSERT_TRUE(config_from_word(by_name.config_word, by_word));
    EXPECT_STREQ(config_name(by_word), name);
  }
  Config config;
  EXPECT_FALSE(config_from_word(0x1809, config));  // U55 with 512 MACs
  EXPECT_FALSE(config_from_word(0xFFFFFFFF, config));
  EXPECT_FALSE(config_from_name("ethos-u55-512", config));
}

}  // namespace
}  // namespace wick::npu::test
