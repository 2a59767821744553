// SPDX-License-Identifier: BSD-3-Clause
// Places a case's parts as the runner firmware does: each into the first of the two regions where it fits.
#include "tools/verify/fits.h"

#include <fmt/format.h>

#include <algorithm>

namespace wick::tools {
namespace {

// The job, shapes of tensors, tables.
constexpr uint64_t kBookkeeping = 256 * 1024;
constexpr uint64_t kAlignment = 64;

uint64_t size_of(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

/// The parts of the largest session of the item, in bytes, in the order in which the runner allocates them.
std::vector<uint64_t> parts_of(const Item& item) {
  std::vector<uint64_t> parts = {kBookkeeping, size_of(item.path)};
  if (!item.test) {
    return parts;
  }
  const Case& test = *item.test;
  parts[1] = size_of(item.form == Form::kBundle ? test.bundle : test.program);
  if (test.payload) {
    // With the smallest workspace of the NPU model.
    parts[1] = test.payload->size;
    parts.insert(parts.end(), {96 * 1024, test.payload->fast_scratch_size, test.payload->scratch_size});
  }
  for (const auto& file : test.data_files) {
    parts.push_back(size_of(file));
  }
  std::vector<uint64_t> planned;
  uint64_t values = 0;
  for (const CaseMethod& method : test.methods) {
    planned.resize(std::max(planned.size(), method.planned_buffers.size()));
    for (size_t i = 0; i < method.planned_buffers.size(); ++i) {
      planned[i] = std::max(planned[i], static_cast<uint64_t>(std::max<int64_t>(method.planned_buffers[i], 0)));
    }
    for (const Sample& sample : method.samples) {
      uint64_t bytes = 0;
      for (const Value& input : sample.inputs) {
        bytes += input.nbytes;
      }
      for (const auto& [source, outputs] : sample.expected) {
        for (const Value& output : outputs) {
          bytes += source == test.reference ? output.nbytes : 0;
        }
      }
      const bool kept = test.stateful || !test.sequence.empty();
      values = kept ? values + bytes : std::max(values, bytes);
    }
  }
  parts.insert(parts.end(), planned.begin(), planned.end());
  parts.push_back(values);
  return parts;
}

}  // namespace

std::string too_big_for(const Board& board, const Item& item) {
  uint64_t left[] = {board.bytes_of("ram_large"), board.bytes_of("model")};
  const uint64_t most = left[0] + left[1];
  uint64_t total = 0;
  for (const uint64_t part : parts_of(item)) {
    const uint64_t bytes = (part + kAlignment - 1) / kAlignment * kAlignment;
    total += bytes;
    uint64_t* region = bytes <= left[0] ? &left[0] : bytes <= left[1] ? &left[1] : nullptr;
    if (region == nullptr) {
      return fmt::format("too big for {}: {} bytes needed so far, {} available", board.name, total, most);
    }
    *region -= bytes;
  }
  return "";
}

}  // namespace wick::tools
