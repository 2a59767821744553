// SPDX-License-Identifier: BSD-3-Clause
// Parsing a case's JSON; every shape the format allows is read here and nowhere else.
#include "tools/verify/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>

namespace wick::tools {
namespace {

using nlohmann::json;
using runner::ValueKind;
namespace fs = std::filesystem;

double number(const json& value) {
  // JSON has no numbers for these.
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    if (text == "nan") return NAN;
    if (text == "inf") return INFINITY;
    if (text == "-inf") return -INFINITY;
    throw ToolError(fmt::format("'{}' is not a number", text));
  }
  return value.get<double>();
}

Value parse_tensor(const json& from, uint64_t bin_size) {
  Value value;
  value.kind = ValueKind::kTensor;
  const std::string dtype = from.at("dtype").get<std::string>();
  const auto type = dtype_from_name(dtype);
  if (!type) {
    throw ToolError(fmt::format("unknown dtype '{}'", dtype));
  }
  value.dtype = *type;
  value.sizes = from.at("sizes").get<std::vector<int32_t>>();
  value.dim_order = from.at("dim_order").get<std::vector<uint8_t>>();
  value.offset = from.at("offset").get<uint64_t>();
  value.nbytes = from.at("nbytes").get<uint64_t>();
  std::vector<bool> seen(value.sizes.size());
  for (const uint8_t dim : value.dim_order) {
    if (dim >= seen.size() || seen[dim]) {
      throw ToolError("dim_order is not a permutation of the dimensions");
    }
    seen[dim] = true;
  }
  uint64_t bytes = dtype_size(value.dtype);
  for (const int32_t size : value.sizes) {
    bytes *= static_cast<uint64_t>(size);
  }
  if (value.dim_order.size() != value.sizes.size() || bytes != value.nbytes) {
    throw ToolError(fmt::format("a {} tensor of {} dimensions holds {} bytes, not {}", dtype, value.sizes.size(), bytes,
                                value.nbytes));
  }
  if (value.offset > bin_size || value.nbytes > bin_size - value.offset) {
    throw ToolError(
        fmt::format("tensor data at {}+{} lie outside the bin file of {} bytes", value.offset, value.nbytes, bin_size));
  }
  return value;
}

Value parse_value(const json& from, uint64_t bin_size) {
  const std::string kind = from.at("kind").get<std::string>();
  if (kind == "tensor") {
    return parse_tensor(from, bin_size);
  }
  Value value;
  if (kind == "int") {
    value.kind = ValueKind::kInt;
    value.integer = from.at("value").get<int64_t>();
  } else if (kind == "double" || kind == "float") {
    value.kind = ValueKind::kDouble;
    value.real = number(from.at("value"));
  } else if (kind == "bool") {
    value.kind = ValueKind::kBool;
    value.boolean = from.at("value").get<bool>();
  } else if (kind != "none") {
    throw ToolError(fmt::format("values of kind '{}' are not known", kind));
  }
  return value;
}

std::vector<Value> parse_values(const json& from, uint64_t bin_size) {
  std::vector<Value> values;
  for (const json& value : from) {
    values.push_back(parse_value(value, bin_size));
  }
  return values;
}

CaseMethod parse_method(const json& from, uint64_t bin_size) {
  CaseMethod method;
  method.name = from.at("name").get<std::string>();
  method.operators = from.value("operators", std::vector<std::string>());
  method.planned_buffers = from.value("non_const_buffer_sizes", std::vector<int64_t>());
  for (const json& delegate : from.value("delegates", json::array())) {
    method.delegates.push_back(delegate.is_string() ? delegate.get<std::string>()
                                                    : delegate.at("id").get<std::string>());
  }
  for (const json& sample : from.value("samples", json::array())) {
    Sample parsed;
    parsed.inputs = parse_values(sample.at("inputs"), bin_size);
    for (const auto& [source, values] : sample.at("expected").items()) {
      parsed.expected[source] = parse_values(values, bin_size);
    }
    method.samples.push_back(std::move(parsed));
  }
  return method;
}

/// A file named by the case, next to its JSON, of the size it says.
fs::path named_file(const Case& test, const json& root, const char* key) {
  const json& entry = root.at(key);
  const fs::path path = test.json.parent_path() / entry.at("file").get<std::string>();
  std::error_code error;
  const auto size = fs::file_size(path, error);
  if (error) {
    throw ToolError(fmt::format("'{}' names {}, which cannot be read", key, path.filename().string()));
  }
  if (entry.contains("size") && entry["size"].get<uint64_t>() != size) {
    throw ToolError(fmt::format("{} has {} bytes, the case says {}", path.filename().string(), size,
                                entry["size"].get<uint64_t>()));
  }
  return path;
}

size_t method_index(const Case& test, const std::string& name) {
  for (size_t i = 0; i < test.methods.size(); ++i) {
    if (test.methods[i].name == name) {
      return i;
    }
  }
  throw ToolError(fmt::format("the sequence names method '{}', which the case does not have", name));
}

void parse_sequence(const json& root, Case& test) {
  for (const json& step : root.value("sequence", json::array())) {
    const size_t method = method_index(test, step.at(0).get<std::string>());
    const size_t sample = step.at(1).get<size_t>();
    if (sample >= test.methods[method].samples.size()) {
      throw ToolError(fmt::format("the sequence names sample {} of method '{}', which has {}", sample,
                                  test.methods[method].name, test.methods[method].samples.size()));
    }
    test.sequence.emplace_back(method, sample);
  }
}

/// "sizes and dtype only for output 0" → {0}; without numbers, all outputs.
std::set<size_t> parse_compare(const std::string& text) {
  if (text.find("sizes and dtype only") == std::string::npos) {
    throw ToolError(fmt::format("the comparison rule '{}' is not known", text));
  }
  std::set<size_t> outputs;
  static const std::regex digits("[0-9]+");
  for (std::sregex_iterator at(text.begin(), text.end(), digits), end; at != end; ++at) {
    outputs.insert(std::stoul(at->str()));
  }
  if (outputs.empty()) {
    outputs.insert(Case::kAllOutputs);
  }
  return outputs;
}

void parse_rules(const json& root, Case& test) {
  const json tolerance = root.value("tolerance", json::object());
  test.tolerance.atol = tolerance.value("atol", 0.0);
  test.tolerance.rtol = tolerance.value("rtol", 0.0);
  if (root.contains("reference") && root["reference"].is_string()) {
    test.reference = root["reference"].get<std::string>();
  }
  test.accept = root.value("accept", std::vector<std::string>());
  const std::string expect = root.value("expect", std::string());
  if (expect == "error") {
    test.expect = Expect::kError;
  } else if (expect == "no_crash") {
    test.expect = Expect::kNoCrash;
  } else if (!expect.empty()) {
    throw ToolError(fmt::format("the expectation '{}' is not known", expect));
  }
  // The stored answers are not the program's: the exporter left out what it would need to give them.
  if (root.value("expected_from_detail", std::string()).find("edge program does not run") != std::string::npos) {
    test.expect = Expect::kRefusal;
  }
  test.load_only = root.value("load_only", false);
  test.stateful = root.value("stateful", false);
  if (root.contains("compare")) {
    test.shape_only = parse_compare(root["compare"].get<std::string>());
  }
  parse_sequence(root, test);
}

/// True when the key stands anywhere in the JSON.
bool holds_key(const json& root, const std::string& key) {
  if (root.is_object() && root.contains(key)) {
    return true;
  }
  return root.is_structured() &&
         std::any_of(root.begin(), root.end(), [&](const json& part) { return holds_key(part, key); });
}

DelegatePayload parse_payload(const json& root) {
  DelegatePayload payload;
  payload.offset = root.at("bin_stream").value("offset", uint64_t{0});
  payload.size = root.at("bin_stream").at("size").get<uint64_t>();
  const json figures = root.value("payload", json::object());
  payload.scratch_size = figures.value("scratch_size", uint64_t{0});
  payload.fast_scratch_size = figures.value("fast_scratch_size", uint64_t{0});
  payload.zeroed_scratch = holds_key(root, "zeroed_before_first_run");
  // The compiler puts the activation table of one graph one past the SHRAM of this part; the corpus marks it.
  payload.table_past_shram = root.contains("known_issue") && root.value("accelerator", "") == "ethos-u55-32";
  return payload;
}

void parse_into(const json& root, Case& test) {
  test.kind = root.value("kind", std::string());
  test.note = root.value("note", std::string());
  if (!root.contains("methods") || !root["methods"].is_array() || root["methods"].empty()) {
    throw ToolError("there is no 'methods'");
  }
  test.bin = named_file(test, root, "bin");
  if (root.contains("pte")) {
    test.program = named_file(test, root, "pte");
  } else if (root.contains("bin_stream")) {
    test.program = test.json.parent_path() / root["bin_stream"].at("file").get<std::string>();
    test.payload = parse_payload(root);
    if (fs::file_size(test.program) < test.payload->offset + test.payload->size) {
      throw ToolError(fmt::format("{} ends before the payload does", test.program.filename().string()));
    }
  } else if (test.kind.empty()) {
    throw ToolError("there is no 'pte'");
  }
  if (root.contains("bpte")) {
    test.bundle = named_file(test, root, "bpte");
  }
  for (const std::string& file : root.value("ptd", std::vector<std::string>())) {
    test.data_files.push_back(test.json.parent_path() / file);
    if (!fs::exists(test.data_files.back())) {
      throw ToolError(fmt::format("'ptd' names {}, which does not exist", file));
    }
  }
  const uint64_t bin_size = fs::file_size(test.bin);
  for (const json& method : root["methods"]) {
    test.methods.push_back(parse_method(method, bin_size));
  }
  parse_rules(root, test);
}

}  // namespace

bool is_case(const json& root) {
  if (!root.is_object() || !root.contains("format")) {
    return false;
  }
  const std::string kind = root.value("kind", std::string());
  if (kind.rfind("mlw", 0) == 0) {
    return false;
  }
  return root.contains("methods") || root.contains("pte");
}

Case parse_case(const fs::path& path, const json& root) {
  Case test;
  test.json = path;
  try {
    parse_into(root, test);
  } catch (const ToolError& error) {
    throw ToolError(fmt::format("malformed case: {}", error.what()));
  } catch (const json::exception& error) {
    throw ToolError(fmt::format("malformed case: {}", error.what()));
  } catch (const fs::filesystem_error& error) {
    throw ToolError(fmt::format("malformed case: {}", error.what()));
  }
  return test;
}

std::vector<std::string> counting_sources(const Case& test, const Sample& sample) {
  std::vector<std::string> sources;
  const auto add = [&](const std::string& name) {
    if (sample.expected.count(name) > 0) {
      sources.push_back(name);
    }
  };
  if (!test.accept.empty()) {
    for (const std::string& name : test.accept) {
      add(name);
    }
    return sources;
  }
  add(test.reference);
  if (sources.empty() && !test.reference.empty()) {
    add("et_runtime");
  }
  return sources;
}

}  // namespace wick::tools
