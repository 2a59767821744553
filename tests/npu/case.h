// SPDX-License-Identifier: BSD-3-Clause
// Cases at the delegate's boundary: a payload, inputs, and outputs of a reference that is not this model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "npu/machine.h"
#include "npu/payload.h"

namespace wick::npu::test {

struct TensorBytes {
  std::vector<std::uint8_t> bytes;
  std::size_t element_bytes = 1;
};

struct Sample {
  std::vector<TensorBytes> inputs, expected;
};

struct Case {
  std::string path;
  std::vector<std::uint8_t> payload;
  std::vector<Sample> samples;
  std::uint64_t fast_scratch_size = 0;
  int tolerance = 0;
  bool past_shram = false;      // the case needs Options::table_past_shram
  bool zeroed_scratch = false;  // variable tensors start at zero
};

// Folder of the copied cases, and of the whole corpus ("" when it is not there).
std::string data_folder();
std::string corpus_folder();

// Paths of all delegate cases below `folder`, sorted.
std::vector<std::string> find_cases(const std::string& folder);

std::vector<std::uint8_t> read_file(const std::string& path);
Case load_case(const std::string& path);

struct Outcome {
  Result result;
  std::string error;          // of the payload or the case; empty when the run took place
  std::size_t differing = 0;  // output elements beyond the tolerance
  std::string first_difference;
  double seconds = 0;
};

struct RunSettings {
  std::size_t workspace = kWorkspaceFast;
  TraceFunction trace = nullptr;
  void* trace_context = nullptr;
};

// Parses the payload, runs one sample on junk-filled scratch and compares every output.
Outcome run_case(const Case& test_case, std::size_t sample, const RunSettings& settings = {});

}  // namespace wick::npu::test
