// SPDX-License-Identifier: BSD-3-Clause
// The command line of `wick inspect`, its text, and what it says of files that are no programs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "src/pte/schema.h"
#include "tools/commands.h"
#include "tools/inspect/inspect.h"
#include "tools/runner/bundle.h"
#include "tools/runner/data_files.h"
#include "tools/verify/host_port.h"

namespace wick::tools {
namespace {

using nlohmann::json;

std::string value_text(const json& value) {
  if (value.at("kind") != "tensor") {
    return value.at("kind").get<std::string>();
  }
  const auto order = value.at("dim_order").get<std::vector<int>>();
  const bool plain = std::is_sorted(order.begin(), order.end());
  return fmt::format(
      "{} [{}]{}{}{}", value.at("dtype").get<std::string>(), fmt::join(value.at("sizes").get<std::vector<int>>(), ", "),
      plain ? "" : fmt::format(" dim order [{}]", fmt::join(order, ", ")),
      value.at("dynamic").get<bool>() ? ", dynamic" : "", value.at("planned").get<bool>() ? "" : ", not planned");
}

std::string method_text(const json& method) {
  std::string text = fmt::format("method {}\n", method.at("name").get<std::string>());
  for (const char* list : {"inputs", "outputs"}) {
    for (size_t i = 0; i < method.at(list).size(); ++i) {
      text += fmt::format("  {} {}: {}\n", std::string(list, std::string(list).size() - 1), i,
                          value_text(method.at(list)[i]));
    }
  }
  text += fmt::format("  planned buffers: [{}] bytes; {} values\n",
                      fmt::join(method.at("planned_buffers").get<std::vector<uint64_t>>(), ", "),
                      method.at("values").get<size_t>());
  for (const json& one : method.at("operators")) {
    text += fmt::format("  {:5} x {}{}\n", one.at("calls").get<unsigned>(), one.at("name").get<std::string>(),
                        one.at("built").get<bool>() ? "" : "   (not in this build)");
  }
  for (const json& one : method.at("delegates")) {
    text += fmt::format("  {:5} x delegate {}, {} bytes{}\n", one.at("calls").get<unsigned>(),
                        one.at("id").get<std::string>(), one.at("bytes").get<uint64_t>(),
                        one.at("built").get<bool>() ? "" : "   (not in this build)");
  }
  return text;
}

json inspect_data_file(HostPort& port, const runner::FileImage& image) {
  const auto map = runner::load_data_file(port, image);
  if (!map.ok()) {
    throw ToolError("the data file (.ptd) cannot be read");
  }
  json keys = json::array();
  const auto count = map.get()->get_num_keys();
  for (uint32_t i = 0; count.ok() && i < count.get(); ++i) {
    const auto key = map.get()->get_key(i);
    keys.push_back(key.ok() ? key.get() : "?");
  }
  return {{"kind", "data file"}, {"bytes", image.size}, {"keys", keys}};
}

}  // namespace

json inspect_file(const std::string& path) {
  HostPort port(STDOUT_FILENO);
  runner::FileImage image{};
  if (!runner::read_whole(port, path.c_str(), image)) {
    throw ToolError("cannot be read");
  }
  if (image.size < pte::kMinProgram) {
    throw ToolError(fmt::format("{} bytes are too few for a program", image.size));
  }
  switch (pte::kind_of(image.data)) {
    case pte::Kind::kFlatTensor:
      return inspect_data_file(port, image);
    case pte::Kind::kBundled: {
      runner::FileImage program{};
      if (!runner::unwrap_bundle(image, program)) {
        throw ToolError("a bundled program (.bpte), but the program inside cannot be found");
      }
      json out = inspect_program(program.data, program.size);
      out["bundle_bytes"] = image.size;
      return out;
    }
    case pte::Kind::kErased:
      throw ToolError("erased memory (all bits equal), not a program");
    case pte::Kind::kOtherVersion:
      throw ToolError("a program of a format version that wick does not read");
    case pte::Kind::kUnknown:
      throw ToolError("not an ExecuTorch program: the identifier ET12 is missing at byte 4");
    case pte::Kind::kProgram:
      break;
  }
  return inspect_program(image.data, image.size);
}

std::string inspection_text(const json& inspection) {
  if (inspection.at("kind") == "data file") {
    return fmt::format("data file of {} bytes with {} keys\n  {}\n", inspection.at("bytes").get<size_t>(),
                       inspection.at("keys").size(),
                       fmt::join(inspection.at("keys").get<std::vector<std::string>>(), "\n  "));
  }
  std::string text = fmt::format("program of {} bytes, exporter {}\n", inspection.at("bytes").get<size_t>(),
                                 inspection.at("generation").get<std::string>());
  const json& constants = inspection.at("constants");
  text += fmt::format("constants: {} ({})\n", constants.at("count").get<unsigned>(),
                      constants.at("where").get<std::string>());
  for (const json& segment : inspection.at("segments")) {
    text += fmt::format("segment: {} bytes at {}\n", segment.at("bytes").get<uint64_t>(),
                        segment.at("offset").get<uint64_t>());
  }
  for (const json& named : inspection.at("named_data")) {
    text += fmt::format("named data: {} in segment {}\n", named.at("key").get<std::string>(),
                        named.at("segment").get<unsigned>());
  }
  for (const json& method : inspection.at("methods")) {
    text += method_text(method);
  }
  const auto missing = inspection.at("missing").get<std::vector<std::string>>();
  if (!missing.empty()) {
    text += fmt::format("not in this build: {}\n", fmt::join(missing, ", "));
  }
  return text;
}

void add_inspect_command(CLI::App& app, int& status) {
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("inspect", "Say what is in a program (.pte, .bpte) or data file (.ptd)");
  command->add_option("FILE", *path, "The file")->required();
  command->add_flag("--json", *as_json, "Print JSON");
  command->callback([path, as_json, &status] {
    try {
      const json inspection = inspect_file(*path);
      fmt::print("{}", *as_json ? inspection.dump(1) + "\n" : inspection_text(inspection));
      status = 0;
    } catch (const ToolError& error) {
      throw ToolError(fmt::format("{}: {}", *path, error.what()));
    }
  });
}

}  // namespace wick::tools
