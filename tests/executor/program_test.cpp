// SPDX-License-Identifier: BSD-3-Clause
//
// Program::load, pte_size and MethodMeta, on good files and on what else may lie in flash.
#include <wick/pte_size.h>

#include <cstring>

#include "tests/executor/pools.h"

namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::Program;
using executorch::runtime::Tag;

Error load_error(const void* data, size_t size) {
  BufferDataLoader loader(data, size);
  return Program::load(&loader).error();
}

TEST(PteSize, IsTheFilesSizeWithinALargerRegion) {
  for (const char* name : {"kws.float.pte", "mlp.float.pte", "kws.cortex_m.pte", "accuminit.float.pte"}) {
    std::vector<uint8_t> bytes = Image::read(std::string(WICK_CASES "/") + name);
    const size_t real = bytes.size();
    bytes.resize(real + 100000, 0xFF);
    Image image(bytes);
    const auto size = wick::pte_size(image.data(), image.size());
    ASSERT_TRUE(size.ok()) << name;
    EXPECT_EQ(size.get(), real) << name;
  }
}

TEST(PteSize, WithoutAHeaderReachesTheFurthestTable) {
  std::vector<uint8_t> bytes = Image::read(WICK_CASES "/add.float.pte");
  const size_t real = bytes.size();
  bytes.resize(real + 4096, 0xFF);
  Image image(bytes);
  const auto size = wick::pte_size(image.data(), image.size());
  ASSERT_TRUE(size.ok());
  EXPECT_LE(size.get(), real);
  EXPECT_GT(size.get() + 16, real);  // the file may end in padding
  EXPECT_EQ(load_error(image.data(), size.get()), Error::Ok);
}

TEST(PteSize, RefusesErasedAndCutAndMisplacedImages) {
  Image erased(std::vector<uint8_t>(4096, 0xFF));
  EXPECT_EQ(wick::pte_size(erased.data(), erased.size()).error(), Error::InvalidProgram);
  Image image("kws.float.pte");
  EXPECT_EQ(wick::pte_size(image.data(), image.size() - 1).error(), Error::InvalidProgram);
  EXPECT_EQ(wick::pte_size(image.data() + 4, image.size() - 4).error(), Error::InvalidArgument);
  EXPECT_EQ(wick::pte_size(nullptr, 100).error(), Error::InvalidArgument);
  EXPECT_EQ(wick::pte_size(image.data(), 10).error(), Error::InvalidProgram);
}

TEST(PteSize, IsBoundedOnEveryCutOfAProgramWithoutHeader) {
  const std::vector<uint8_t> bytes = Image::read(WICK_CASES "/add.float.pte");
  for (size_t cut = 0; cut < bytes.size(); cut += 7) {
    Image image(std::vector<uint8_t>(bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(cut)));
    const auto size = wick::pte_size(image.data(), cut);
    EXPECT_TRUE(!size.ok() || size.get() <= cut);
  }
}

TEST(ProgramLoad, AcceptsTheSizeOfTheRegionInPlaceOfTheFiles) {
  std::vector<uint8_t> bytes = Image::read(WICK_CASES "/kws.float.pte");
  bytes.resize(bytes.size() + 65536, 0xFF);
  Image image(bytes);
  EXPECT_EQ(load_error(image.data(), image.size()), Error::Ok);
}

TEST(ProgramLoad, NamesWhatIsWrong) {
  Image image("kws.float.pte");
  EXPECT_EQ(load_error(image.data(), image.size()), Error::Ok);
  EXPECT_EQ(load_error(image.data(), image.size() - 1), Error::InvalidProgram);
  EXPECT_EQ(load_error(image.data(), 63), Error::InvalidArgument);
  EXPECT_EQ(load_error(Image(std::vector<uint8_t>(1000, 0xFF)).data(), 1000), Error::InvalidProgram);
  EXPECT_EQ(load_error(Image(std::vector<uint8_t>(1000, 0)).data(), 1000), Error::InvalidProgram);
  std::memcpy(image.data() + 4, "ET13", 4);
  EXPECT_EQ(load_error(image.data(), image.size()), Error::InvalidProgram);
}

TEST(ProgramLoad, RefusesAMisalignedProgramWithoutReadingIt) {
  const std::vector<uint8_t> bytes = Image::read(WICK_CASES "/add.float.pte");
  std::vector<uint8_t> shifted(4, 0);
  shifted.insert(shifted.end(), bytes.begin(), bytes.end());
  Image image(shifted);
  EXPECT_EQ(load_error(image.data() + 4, bytes.size()), Error::InvalidArgument);
}

TEST(ProgramLoad, UsesConstantsInPlace) {
  Image image("mlp.float.pte");
  BufferDataLoader loader(image.data(), image.size());
  auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  const auto constant = program->get_constant_buffer_data(1, 4);
  ASSERT_TRUE(constant.ok());
  EXPECT_GE(constant.get(), image.data());
  EXPECT_LT(constant.get(), image.data() + image.size());
  EXPECT_EQ(program->get_constant_buffer_data(1, image.size()).error(), Error::InvalidProgram);
  EXPECT_EQ(program->get_constant_buffer_data(1000, 4).error(), Error::InvalidArgument);
  EXPECT_EQ(program->model_bytes_copied(), 0U);
}

TEST(MethodMeta, DescribesInputsOutputsAndMemory) {
  Image image("kws.float.pte");
  BufferDataLoader loader(image.data(), image.size());
  auto program = Program::load(&loader);
  ASSERT_TRUE(program.ok());
  ASSERT_EQ(program->num_methods(), 1U);
  EXPECT_STREQ(program->get_method_name(0).get(), "forward");
  EXPECT_EQ(program->get_method_name(1).error(), Error::InvalidArgument);
  EXPECT_EQ(program->method_meta("backward").error(), Error::InvalidArgument);
  const auto meta = program->method_meta("forward");
  ASSERT_TRUE(meta.ok());
  EXPECT_EQ(meta->num_inputs(), 1U);
  EXPECT_EQ(meta->input_tag(0).get(), Tag::Tensor);
  const auto input = meta->input_tensor_meta(0);
  ASSERT_TRUE(input.ok());
  EXPECT_EQ(input->nbytes(), 1960U);
  EXPECT_TRUE(input->is_memory_planned());
  EXPECT_EQ(meta->input_tensor_meta(1).error(), Error::InvalidArgument);
  EXPECT_EQ(meta->num_memory_planned_buffers(), 1U);
  EXPECT_EQ(meta->memory_planned_buffer_size(0).get(), 64000);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  EXPECT_EQ(meta->num_instructions(), 23U);
#pragma GCC diagnostic pop
  EXPECT_FALSE(meta->uses_backend("EthosUBackend"));
}

}  // namespace
