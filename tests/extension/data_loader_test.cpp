// SPDX-License-Identifier: BSD-3-Clause
//
// Loaders of files and of shared memory: ranges, alignment, errors, ownership.
#include <executorch/extension/data_loader/file_data_loader.h>
#include <executorch/extension/data_loader/file_descriptor_data_loader.h>
#include <executorch/extension/data_loader/mmap_data_loader.h>
#include <executorch/extension/data_loader/shared_ptr_data_loader.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include "tests/executor/pools.h"
#include "tests/extension/temporary_file.h"

namespace {

using executorch::extension::FileDataLoader;
using executorch::extension::FileDescriptorDataLoader;
using executorch::extension::MmapDataLoader;
using executorch::extension::SharedPtrDataLoader;
using executorch::runtime::DataLoader;
using executorch::runtime::Error;
using executorch::runtime::Program;

const DataLoader::SegmentInfo kInfo(DataLoader::SegmentInfo::Type::Program);

/// 10,000 bytes, more than two pages.
std::string contents() {
  std::string text(10000, '\0');
  for (size_t i = 0; i < text.size(); ++i) {
    text[i] = static_cast<char>(i * 7 + i / 256);
  }
  return text;
}

std::string bytes_of(const executorch::runtime::FreeableBuffer& buffer) {
  return {static_cast<const char*>(buffer.data()), buffer.size()};
}

void check_ranges(const DataLoader& loader) {
  const std::string all = contents();
  ASSERT_EQ(loader.size().get(), all.size());
  const struct {
    size_t offset;
    size_t size;
  } good[] = {{0, 8}, {0, 10000}, {4095, 3}, {4096, 5904}, {9997, 3}, {10000, 0}, {5, 0}};
  for (const auto& range : good) {
    auto loaded = loader.load(range.offset, range.size, kInfo);
    ASSERT_TRUE(loaded.ok()) << range.offset;
    EXPECT_EQ(bytes_of(*loaded), all.substr(range.offset, range.size)) << range.offset;
    std::string copy(range.size + 1, '#');
    ASSERT_EQ(loader.load_into(range.offset, range.size, kInfo, copy.data()), Error::Ok) << range.offset;
    EXPECT_EQ(copy, all.substr(range.offset, range.size) + "#") << range.offset;
  }
  const struct {
    size_t offset;
    size_t size;
  } bad[] = {{0, 10001}, {10001, 0}, {9999, 2}, {SIZE_MAX, 2}, {2, SIZE_MAX}};
  char byte = 0;
  for (const auto& range : bad) {
    EXPECT_EQ(loader.load(range.offset, range.size, kInfo).error(), Error::InvalidArgument) << range.offset;
    EXPECT_EQ(loader.load_into(range.offset, range.size, kInfo, &byte), Error::InvalidArgument) << range.offset;
  }
  EXPECT_EQ(loader.load_into(0, 1, kInfo, nullptr), Error::InvalidArgument);
}

std::string uri_of(const char* path) { return "fd:///" + std::to_string(::open(path, O_RDONLY)); }

TEST(DataLoaders, GiveTheBytesOfARangeAndRefuseOthers) {
  TemporaryFile file(contents());
  check_ranges(*FileDataLoader::from(file.path()));
  check_ranges(*FileDescriptorDataLoader::fromFileDescriptorUri(uri_of(file.path()).c_str()));
  check_ranges(*MmapDataLoader::from(file.path(), MmapDataLoader::MlockConfig::NoMlock));
  check_ranges(*MmapDataLoader::from(file.path(), MmapDataLoader::MlockConfig::UseMlockIgnoreErrors));
  check_ranges(*MmapDataLoader::from(file.path(), MmapDataLoader::MlockConfig::UseMadvise));
}

TEST(DataLoaders, AlignWhatTheyRead) {
  TemporaryFile file(contents());
  for (const size_t alignment : {1, 4, 16, 128, 4096}) {
    const auto by_name = FileDataLoader::from(file.path(), alignment);
    const auto by_descriptor = FileDescriptorDataLoader::fromFileDescriptorUri(uri_of(file.path()).c_str(), alignment);
    ASSERT_TRUE(by_name.ok() && by_descriptor.ok()) << alignment;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(by_name->load(3, 50, kInfo)->data()) % alignment, 0U);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(by_descriptor->load(3, 50, kInfo)->data()) % alignment, 0U);
  }
  for (const size_t alignment : {0, 3, 17, 4095}) {
    EXPECT_EQ(FileDataLoader::from(file.path(), alignment).error(), Error::InvalidArgument);
    EXPECT_EQ(FileDescriptorDataLoader::fromFileDescriptorUri("fd:///0", alignment).error(), Error::InvalidArgument);
  }
}

TEST(DataLoaders, NameWhatDoesNotOpen) {
  EXPECT_EQ(FileDataLoader::from("/nowhere/model.pte").error(), Error::AccessFailed);
  EXPECT_EQ(FileDataLoader::from(nullptr).error(), Error::InvalidArgument);
  EXPECT_EQ(MmapDataLoader::from("/nowhere/model.pte").error(), Error::AccessFailed);
  EXPECT_EQ(MmapDataLoader::from(nullptr).error(), Error::AccessFailed);
  for (const char* text : {"3", "fd://3", "fd:///", "fd:///x", "fd:///3x", "fd:///-1", "fd:///99999999999"}) {
    EXPECT_EQ(FileDescriptorDataLoader::fromFileDescriptorUri(text).error(), Error::InvalidArgument) << text;
  }
  EXPECT_EQ(FileDescriptorDataLoader::fromFileDescriptorUri("fd:///54321").error(), Error::AccessFailed);
}

template <typename Loader>
void check_move(executorch::runtime::Result<Loader> result) {
  Loader& first = *result;
  const Loader second(std::move(first));
  char byte = 0;
  EXPECT_EQ(first.size().error(), Error::InvalidState);
  EXPECT_EQ(first.load(0, 0, kInfo).error(), Error::InvalidState);
  EXPECT_EQ(first.load_into(0, 1, kInfo, &byte), Error::InvalidState);
  EXPECT_EQ(bytes_of(*second.load(1, 9, kInfo)), contents().substr(1, 9));
}

TEST(DataLoaders, MoveTheFileToTheNewOwner) {
  TemporaryFile file(contents());
  check_move(FileDataLoader::from(file.path()));
  check_move(FileDescriptorDataLoader::fromFileDescriptorUri(uri_of(file.path()).c_str()));
  check_move(MmapDataLoader::from(file.path(), MmapDataLoader::MlockConfig::NoMlock));
}

TEST(DataLoaders, CloseTheFileTheyOwn) {
  TemporaryFile file(contents());
  const int descriptor = ::open(file.path(), O_RDONLY);
  { auto loader = FileDescriptorDataLoader::fromFileDescriptorUri(("fd:///" + std::to_string(descriptor)).c_str()); }
  EXPECT_EQ(::fcntl(descriptor, F_GETFD), -1);
}

TEST(DataLoaders, ReportAFileThatBecameShorter) {
  TemporaryFile file(contents());
  const auto loader = FileDataLoader::from(file.path());
  ASSERT_EQ(::truncate(file.path(), 100), 0);
  EXPECT_EQ(loader->load(0, 200, kInfo).error(), Error::AccessFailed);
  EXPECT_TRUE(loader->load(0, 100, kInfo).ok());
}

TEST(SharedPtrLoader, KeepsItsMemoryAlive) {
  auto memory = std::make_shared<std::string>("0123456789");
  std::weak_ptr<std::string> watch = memory;
  {
    const SharedPtrDataLoader loader(std::shared_ptr<void>(memory, memory->data()), memory->size());
    memory.reset();
    EXPECT_FALSE(watch.expired());
    EXPECT_EQ(bytes_of(*loader.load(2, 3, kInfo)), "234");
    EXPECT_EQ(loader.load(8, 3, kInfo).error(), Error::InvalidArgument);
    EXPECT_EQ(loader.size().get(), 10U);
  }
  EXPECT_TRUE(watch.expired());
}

TEST(DataLoaders, LoadPrograms) {
  auto file = FileDataLoader::from(WICK_CASES "/mlp.float.pte");
  auto mapped = MmapDataLoader::from(WICK_CASES "/mlp.float.pte", MmapDataLoader::MlockConfig::NoMlock);
  for (DataLoader* loader : {static_cast<DataLoader*>(&*file), static_cast<DataLoader*>(&*mapped)}) {
    const auto program = Program::load(loader);
    ASSERT_TRUE(program.ok());
    Pools pools(*program, "forward");
    auto method = program->load_method("forward", pools.manager.get());
    ASSERT_TRUE(method.ok());
    EXPECT_EQ(method->inputs_size(), 1U);
  }
}

}  // namespace
