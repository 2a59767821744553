// SPDX-License-Identifier: BSD-3-Clause
// Reading and running of delegate cases.
#include "case.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace wick::npu::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::vector<std::uint8_t> slice(const std::vector<std::uint8_t>& bytes, std::size_t offset, std::size_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) throw std::runtime_error("case: tensor outside its file");
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(offset);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

std::size_t size_of(const std::string& dtype) {
  if (dtype == "int8" || dtype == "uint8" || dtype == "bool") return 1;
  if (dtype == "int16") return 2;
  if (dtype == "int32" || dtype == "float32") return 4;
  throw std::runtime_error("case: dtype " + dtype);
}

std::vector<TensorBytes> tensors(const json& list, const std::vector<std::uint8_t>& bin) {
  std::vector<TensorBytes> result;
  for (const json& tensor : list) {
    result.push_back({slice(bin, tensor.at("offset"), tensor.at("nbytes")), size_of(tensor.at("dtype"))});
  }
  return result;
}

std::int64_t element(const std::uint8_t* p, std::size_t bytes) {
  if (bytes == 1) return static_cast<std::int8_t>(*p);
  if (bytes == 2) {
    std::int16_t value;
    std::memcpy(&value, p, 2);
    return value;
  }
  std::int32_t value;
  std::memcpy(&value, p, 4);
  return value;
}

void compare(const TensorBytes& expected, const std::uint8_t* got, int tolerance, std::size_t output,
             Outcome& outcome) {
  const std::size_t size = expected.element_bytes;
  for (std::size_t i = 0; i < expected.bytes.size() / size; ++i) {
    const std::int64_t want = element(expected.bytes.data() + i * size, size), have = element(got + i * size, size);
    if (std::abs(want - have) <= tolerance) continue;
    if (outcome.differing++ == 0) {
      outcome.first_difference = "output " + std::to_string(output) + " element " + std::to_string(i) + ": want " +
                                 std::to_string(want) + ", got " + std::to_string(have);
    }
  }
}

// Copies inputs to, or compares outputs with, their places in the scratch.
std::string each_binding(Bytes records, std::uint32_t count, const std::vector<TensorBytes>& tensors_in,
                         std::vector<std::uint8_t>& scratch, std::vector<std::size_t>& offsets) {
  if (count != tensors_in.size()) return "payload and case differ in their number of tensors";
  for (std::uint32_t i = 0; i < count; ++i) {
    Binding binding;
    if (const char* wrong = parse_binding(records, i, binding)) return wrong;
    const std::size_t offset = static_cast<std::size_t>(binding.offset);
    if (binding.bytes != tensors_in[i].bytes.size()) return "payload and case differ in a tensor's size";
    if (offset > scratch.size() || binding.bytes > scratch.size() - offset) return "a tensor lies outside the scratch";
    offsets.push_back(offset);
  }
  return "";
}

}  // namespace

std::string data_folder() { return std::string(WICK_SOURCE_DIR) + "/tests/data/ethos_u"; }

std::string corpus_folder() {
  const char* shared = std::getenv("WICK_SHARED");
  const std::string folder = std::string(shared != nullptr ? shared : WICK_SHARED) + "/corpus/ethos_u";
  return fs::is_directory(folder) ? folder : "";
}

std::vector<std::string> find_cases(const std::string& folder) {
  std::vector<std::string> result;
  if (folder.empty() || !fs::is_directory(folder)) return result;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    // NAME.dN.json
    if (path.size() > 8 && path.substr(path.size() - 5) == ".json" && path.compare(path.size() - 8, 2, ".d") == 0) {
      result.push_back(path);
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::uint8_t> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Case load_case(const std::string& path) {
  const std::vector<std::uint8_t> text = read_file(path);
  const json root = json::parse(text.begin(), text.end());
  const fs::path folder = fs::path(path).parent_path();
  Case result;
  result.path = path;
  const json& stream = root.at("bin_stream");
  result.payload = slice(read_file((folder / stream.at("file").get<std::string>()).string()),
                         stream.value("offset", 0u), stream.at("size"));
  const std::vector<std::uint8_t> bin = read_file((folder / root.at("bin").at("file").get<std::string>()).string());
  for (const json& sample : root.at("methods").at(0).at("samples")) {
    const json& expected = sample.at("expected");
    const std::string reference = root.value("reference", "tosa_reference_model");
    result.samples.push_back({tensors(sample.at("inputs"), bin),
                              tensors(expected.contains(reference) ? expected.at(reference) : *expected.begin(), bin)});
  }
  result.fast_scratch_size = root.at("payload").value("fast_scratch_size", 0u);
  result.tolerance = root.at("tolerance").value("atol", 0);
  result.past_shram = root.contains("known_issue") && root.value("accelerator", "") == "ethos-u55-32";
  result.zeroed_scratch = root.dump().find("zeroed_before_first_run") != std::string::npos;
  return result;
}

Outcome run_case(const Case& test_case, std::size_t sample_index, const RunSettings& settings) {
  Outcome outcome;
  const Sample& sample = test_case.samples.at(sample_index);
  Payload payload;
  CommandStream stream;
  const auto refuse = [&](const std::string& text) {
    outcome.error = text;
    return outcome;
  };
  if (const char* wrong = parse_payload({test_case.payload.data(), test_case.payload.size()}, payload)) {
    return refuse(wrong);
  }
  if (const char* wrong = parse_driver_payload(payload.command_data, stream)) return refuse(wrong);
  Config config;
  if (!config_from_word(stream.config_word, config)) return refuse("the payload is for an unknown NPU");

  constexpr std::uint8_t kJunk = 0xA5;
  std::vector<std::uint8_t> scratch(payload.scratch_size, test_case.zeroed_scratch ? std::uint8_t{0} : kJunk);
  std::vector<std::uint8_t> fast(static_cast<std::size_t>(test_case.fast_scratch_size), kJunk);
  std::vector<std::uint8_t> workspace(settings.workspace, kJunk);
  std::vector<std::size_t> inputs, outputs;
  std::string wrong = each_binding(payload.input_records, payload.input_count, sample.inputs, scratch, inputs);
  if (!wrong.empty()) return refuse("inputs: " + wrong);
  wrong = each_binding(payload.output_records, payload.output_count, sample.expected, scratch, outputs);
  if (!wrong.empty()) return refuse("outputs: " + wrong);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::copy(sample.inputs[i].bytes.begin(), sample.inputs[i].bytes.end(),
              scratch.begin() + static_cast<std::ptrdiff_t>(inputs[i]));
  }

  const Region regions[] = {read_only(payload.weight_data.data, payload.weight_data.size),
                            read_write(scratch.data(), scratch.size()), read_write(fast.data(), fast.size())};
  Options options;
  options.table_past_shram = test_case.past_shram;
  options.trace = settings.trace;
  options.trace_context = settings.trace_context;
  const auto start = std::chrono::steady_clock::now();
  outcome.result = run(config, stream.words, regions, 3, {workspace.data(), workspace.size()}, options);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    compare(sample.expected[i], scratch.data() + outputs[i], test_case.tolerance, i, outcome);
  }
  return outcome;
}

}  // namespace wick::npu::test
