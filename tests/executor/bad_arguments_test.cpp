// SPDX-License-Identifier: BSD-3-Clause
//
// Operators with bad arguments: the stored program of each operator is changed, one number or size at a time, to
// values that do not fit. Loading or executing may fail or not, but must return, and (under AddressSanitizer) stay
// inside of its memory. Planned buffers are allocations of exactly their size.
#include <executorch/runtime/platform/platform.h>

#include <cstring>
#include <filesystem>

#include "src/pte/flatbuffer.h"
#include "src/pte/schema.h"
#include "tests/executor/pools.h"

namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::MemoryAllocator;
using executorch::runtime::MemoryManager;
using executorch::runtime::Program;
using executorch::runtime::Span;
namespace pte = wick::pte;

/// A number in the file: 8 bytes (integers) or 4 (sizes).
struct Place {
  pte::Position at;
  uint32_t bytes;
};

std::vector<Place> numbers_of(const Image& image) {
  std::vector<Place> places;
  pte::Buffer file(const_cast<Image&>(image).data(), image.size());
  const pte::Vector plans = file.vector_field(file.root(), pte::program::kExecutionPlan, 4);
  for (uint32_t p = 0; p < plans.count; ++p) {
    const pte::Vector values = file.vector_field(file.table_item(plans, p), pte::plan::kValues, 4);
    for (uint32_t i = 0; i < values.count; ++i) {
      const pte::Table value = file.table_item(values, i);
      const uint8_t type = file.u8_field(value, pte::evalue::kType);
      const pte::Table content = file.table_field(value, pte::evalue::kValue);
      if (type == pte::evalue::kInt && file.field(content, pte::evalue::kContent) != 0) {
        places.push_back({file.field(content, pte::evalue::kContent), 8});
      } else if (type == pte::evalue::kTensor) {
        const pte::Vector sizes = file.vector_field(content, pte::tensor::kSizes, 4);
        for (uint32_t d = 0; d < sizes.count; ++d) {
          places.push_back({sizes.at + 4 * d, 4});
        }
      }
    }
  }
  EXPECT_FALSE(file.bad());
  return places;
}

/// Executes on the inputs as they are in memory: zeros, and the numbers the program was made for.
bool execute(executorch::runtime::Method& method) {
  bool good = true;
  for (size_t i = 0; i < method.inputs_size(); ++i) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // the one way to the input that the program declares
    const executorch::runtime::EValue declared = method.get_input(i);
#pragma GCC diagnostic pop
    good = method.set_input(declared, i) == Error::Ok && good;
  }
  return method.execute() == Error::Ok && good;
}

/// Loads and executes all methods, on zeros; true if all went well.
bool run(Image& image) {
  BufferDataLoader loader(image.data(), image.size());
  auto program = Program::load(&loader);
  bool good = program.ok();
  for (size_t i = 0; program.ok() && i < program->num_methods(); ++i) {
    const char* name = *program->get_method_name(i);
    const auto meta = program->method_meta(name);
    if (!meta.ok()) {
      good = false;
      continue;
    }
    std::vector<std::vector<uint8_t>> buffers;
    std::vector<Span<uint8_t>> spans;
    for (size_t b = 0; b < meta->num_memory_planned_buffers(); ++b) {
      buffers.emplace_back(static_cast<size_t>(*meta->memory_planned_buffer_size(b)));
      spans.emplace_back(buffers.back().data(), buffers.back().size());
    }
    HierarchicalAllocator planned({spans.data(), spans.size()});
    std::vector<uint8_t> method_memory(1 << 16), temp_memory(1 << 16);
    MemoryAllocator pool(static_cast<uint32_t>(method_memory.size()), method_memory.data());
    MemoryAllocator temp(static_cast<uint32_t>(temp_memory.size()), temp_memory.data());
    MemoryManager manager(&pool, &planned, &temp);
    auto method = program->load_method(name, &manager);
    good = method.ok() && execute(*method) && good;
  }
  return good;
}

TEST(BadArguments, AreRefusedOrComputedInsideTheirMemory) {
  // Tens of thousands of messages would say what is wrong with each.
  const auto silent = executorch::runtime::PalImpl::create(
      [](et_timestamp_t, et_pal_log_level_t, const char*, const char*, size_t, const char*, size_t) {}, "silent");
  const auto before = *executorch::runtime::get_pal_impl();
  executorch::runtime::register_pal(silent);
  const int64_t edges[] = {0, 1, -1, 2, 64, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
  size_t runs = 0, refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WICK_OPS)) {
    if (entry.path().extension() != ".pte") {
      continue;
    }
    SCOPED_TRACE(entry.path().string());
    const std::vector<uint8_t> bytes = Image::read(entry.path().string());
    for (const Place& place : numbers_of(Image(bytes))) {
      for (const int64_t edge : edges) {
        Image image(bytes);
        std::memcpy(image.data() + place.at, &edge, place.bytes);
        ++runs;
        refused += run(image) ? 0 : 1;
      }
    }
  }
  executorch::runtime::register_pal(before);
  EXPECT_GT(runs, 5000U);
  EXPECT_GT(refused, runs / 10);
  EXPECT_LT(refused, runs - runs / 10);
}

}  // namespace
