// SPDX-License-Identifier: BSD-3-Clause
//
#include <executorch/extension/runner_util/inputs.h>
#include <wick/copying_data_loader.h>

#include <cstring>

#include "tests/executor/pools.h"

namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::DataLoader;
using executorch::runtime::Error;
using executorch::runtime::Method;
using executorch::runtime::Program;
using executorch::runtime::Span;
using wick::CopyingDataLoader;
using Type = DataLoader::SegmentInfo::Type;

/// Storage that counts reads and can stop to answer.
struct Flash {
  explicit Flash(const char* name) : bytes(Image::read(std::string(WICK_CASES "/") + name)) {}

  static Error read(void* context, size_t offset, size_t size, void* out) {
    auto* flash = static_cast<Flash*>(context);
    if (flash->reads++ == flash->failing_read) {
      std::memset(out, 0xAA, size / 2);  // as a transfer that breaks off
      return Error::AccessFailed;
    }
    EXPECT_LE(offset + size, flash->bytes.size());
    std::memcpy(out, flash->bytes.data() + offset, size);
    return Error::Ok;
  }

  std::vector<uint8_t> bytes;
  int reads = 0;
  int failing_read = -1;
};

struct alignas(16) Block {
  uint8_t bytes[16];
};

/// Memory with the bytes before and behind watched.
class Arena {
 public:
  explicit Arena(size_t size) : size_(size), blocks_(size / 16 + 3) {
    std::memset(blocks_.data(), 0x5C, blocks_.size() * 16);
  }
  Span<uint8_t> span() { return {reinterpret_cast<uint8_t*>(blocks_.data() + 1), size_}; }
  bool holds(const void* p) { return p >= span().data() && static_cast<const uint8_t*>(p) < span().data() + size_; }
  ~Arena() {
    const auto* all = reinterpret_cast<const uint8_t*>(blocks_.data());
    for (size_t i = 0; i < 16; ++i) {
      EXPECT_EQ(all[i], 0x5C);
      EXPECT_EQ(all[16 + size_ + i], 0x5C);
    }
  }

 private:
  size_t size_;
  std::vector<Block> blocks_;
};

std::vector<float> run(const Program& program) {
  Pools pools(program, "forward");
  auto method = program.load_method("forward", pools.manager.get());
  EXPECT_TRUE(method.ok());
  auto input = method->method_meta().input_tensor_meta(0);
  std::vector<float> data(input->nbytes() / sizeof(float));
  for (size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<float>(i % 17) / 8.0F - 1.0F;
  }
  EXPECT_EQ(executorch::extension::internal::fill_and_set_input(*method, *input, 0, data.data(), false), Error::Ok);
  EXPECT_EQ(method->execute(), Error::Ok);
  const auto output = method->get_output(0).toTensor();
  return {output.const_data_ptr<float>(), output.const_data_ptr<float>() + output.numel()};
}

std::vector<float> expected(const char* name) {
  Image image(name);
  BufferDataLoader loader(image.data(), image.size());
  return run(*Program::load(&loader));
}

TEST(CopyingDataLoader, RunsAProgramFromTheArena) {
  Flash flash("mlp.float.pte");
  Arena arena(flash.bytes.size());
  CopyingDataLoader loader(Flash::read, &flash, flash.bytes.size(), arena.span());
  const auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(arena.holds(program->get_constant_buffer_data(1, 4).get()));
  EXPECT_GT(program->model_bytes_copied(), 0U);
  EXPECT_LE(program->model_bytes_copied(), flash.bytes.size());
  EXPECT_EQ(program->model_bytes_copied(), loader.bytes_in_ram());
  EXPECT_EQ(run(*program), expected("mlp.float.pte"));
}

TEST(CopyingDataLoader, GivesTheMemoryBackWithTheProgram) {
  Flash flash("mlp.float.pte");
  Arena arena(flash.bytes.size());
  CopyingDataLoader loader(Flash::read, &flash, flash.bytes.size(), arena.span());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Program::load(&loader).ok()) << i;
    EXPECT_EQ(loader.bytes_in_ram(), 0U);
  }
}

TEST(CopyingDataLoader, PutsConstantsWhereTheCallerWants) {
  Flash flash("kws.float.pte");
  Arena tables(flash.bytes.size());
  Arena constants(flash.bytes.size());
  CopyingDataLoader loader(Flash::read, &flash, flash.bytes.size(), tables.span());
  loader.set_arena(Type::Constant, constants.span());
  const auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  EXPECT_TRUE(constants.holds(program->get_constant_buffer_data(1, 4).get()));
  EXPECT_TRUE(tables.holds(program->get_method_name(0).get()));
  EXPECT_EQ(run(*program), expected("kws.float.pte"));
}

TEST(CopyingDataLoader, AlignsInAMisalignedArena) {
  Flash flash("mlp.float.pte");
  Arena arena(flash.bytes.size() + 64);
  CopyingDataLoader loader(Flash::read, &flash, flash.bytes.size(), {arena.span().data() + 3, flash.bytes.size() + 61});
  const auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(run(*program), expected("mlp.float.pte"));
}

TEST(CopyingDataLoader, SaysHowMuchMemoryIsMissing) {
  Flash flash("mlp.float.pte");
  Arena small(3000);
  CopyingDataLoader loader(Flash::read, &flash, flash.bytes.size(), small.span());
  testing::internal::CaptureStderr();
  EXPECT_EQ(Program::load(&loader).error(), Error::MemoryAllocationFailed);
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_NE(message.find("of the arena's 3000 are free"), std::string::npos) << message;
  EXPECT_EQ(loader.bytes_in_ram(), 0U);
}

TEST(CopyingDataLoader, PassesOnWhatReadingSays) {
  Flash good("mlp.float.pte");
  Arena arena(good.bytes.size());
  {
    CopyingDataLoader loader(Flash::read, &good, good.bytes.size(), arena.span());
    ASSERT_TRUE(Program::load(&loader).ok());
  }
  ASSERT_GE(good.reads, 3);  // header, tables, constants
  for (int failing = 0; failing < good.reads; ++failing) {
    Flash flash("mlp.float.pte");
    flash.failing_read = failing;
    CopyingDataLoader loader(Flash::read, &flash, flash.bytes.size(), arena.span());
    EXPECT_EQ(Program::load(&loader).error(), Error::AccessFailed) << failing;
    EXPECT_EQ(loader.bytes_in_ram(), 0U) << failing;
    EXPECT_TRUE(Program::load(&loader).ok()) << failing;  // the flash answers again
  }
}

TEST(CopyingDataLoader, CopiesStateStraightIntoPlannedMemory) {
  Flash flash("accuminit.float.pte");
  Arena arena(flash.bytes.size());
  CopyingDataLoader loader(Flash::read, &flash, flash.bytes.size(), arena.span());
  const auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  const size_t before = loader.bytes_in_ram();
  Pools pools(*program, "forward");
  ASSERT_TRUE(program->load_method("forward", pools.manager.get()).ok());
  EXPECT_EQ(loader.bytes_in_ram(), before);
  EXPECT_GT(program->model_bytes_copied(), before);
}

TEST(CopyingDataLoader, RefusesRangesOutsideTheStorage) {
  Flash flash("mlp.float.pte");
  Arena arena(256);
  const CopyingDataLoader loader(Flash::read, &flash, 100, arena.span());
  const DataLoader::SegmentInfo info(Type::Program);
  uint8_t byte = 0;
  EXPECT_EQ(loader.load(101, 0, info).error(), Error::InvalidArgument);
  EXPECT_EQ(loader.load(90, 11, info).error(), Error::InvalidArgument);
  EXPECT_EQ(loader.load(2, SIZE_MAX, info).error(), Error::InvalidArgument);
  EXPECT_EQ(loader.load_into(100, 1, info, &byte), Error::InvalidArgument);
  EXPECT_EQ(loader.load_into(0, 1, info, nullptr), Error::InvalidArgument);
  EXPECT_EQ(flash.reads, 0);
}

}  // namespace
