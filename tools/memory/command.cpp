// SPDX-License-Identifier: BSD-3-Clause
// `wick memory`: how much RAM the methods of a program need on a 32-bit target, from memory_required().
#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <fmt/format.h>
#include <unistd.h>
#include <wick/memory_required.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "src/pte/schema.h"
#include "tools/commands.h"
#include "tools/common/bytes.h"
#include "tools/runner/bundle.h"
#include "tools/runner/data_files.h"
#include "tools/verify/host_port.h"

namespace wick::tools {
namespace {

using executorch::runtime::MethodMeta;
using executorch::runtime::Program;
using executorch::runtime::Result;
using nlohmann::json;

json method_needs(const Program& program, const char* name, std::vector<uint8_t>& workspace, Layout layout) {
  const Result<MethodMeta> meta = program.method_meta(name);
  const Result<MemoryRequired> need = memory_required(program, name, {workspace.data(), workspace.size()}, layout);
  if (!meta.ok() || !need.ok()) {
    throw ToolError(fmt::format("method {}: {}", name, executorch::runtime::to_string(need.error())));
  }
  json out = {{"name", name},
              {"arena", need->arena()},
              {"persistent", need->persistent()},
              {"transient", need->transient()},
              {"planned", need->planned},
              {"method", need->method},
              {"loading", need->load_scratch},
              {"running", need->delegate_scratch},
              {"delegates", need->delegates},
              {"planned_buffers", json::array()}};
  for (size_t i = 0; i < meta->num_memory_planned_buffers(); ++i) {
    out["planned_buffers"].push_back({{"memory_id", i + 1},
                                      {"bytes", meta->memory_planned_buffer_size(i).get()},
                                      {"state", holds_state(meta.get(), i)}});
  }
  return out;
}

std::string text_of(const json& method) {
  const auto bytes = [&](const char* key) { return method.at(key).get<size_t>(); };
  std::string text = fmt::format("method {}\n  {:>9}  arena of a wick::Model, and of exec::Options, of which\n",
                                 method.at("name").get<std::string>(), bytes("arena"));
  for (const json& buffer : method.at("planned_buffers")) {
    text += fmt::format("  {:>9}    planned buffer {}: {}\n", buffer.at("bytes").get<size_t>(),
                        buffer.at("memory_id").get<int>(),
                        buffer.at("state").get<bool>() ? "state and activations" : "activations");
  }
  text += fmt::format("  {:>9}    method pool\n  {:>9}    temporary pool while loading\n", bytes("method"),
                      bytes("loading"));
  if (bytes("running") > 0) {
    text += fmt::format("  {:>9}    the same memory while running: scratch of a delegate\n", bytes("running"));
  }
  text += fmt::format("  {:>9}  in the arena of a model that shares transient memory, and {} there\n",
                      bytes("persistent"), bytes("transient"));
  if (bytes("delegates") > 0) {
    text += fmt::format("  and what {} delegate(s) take, which only their backends know\n", bytes("delegates"));
  }
  return text;
}

void run(const std::string& path, bool as_json, bool native) {
  HostPort port(STDOUT_FILENO);
  runner::FileImage image{};
  if (!runner::read_whole(port, path.c_str(), image)) {
    throw ToolError(fmt::format("{} cannot be read", path));
  }
  runner::FileImage program_image = image;
  if (image.size >= pte::kMinProgram && pte::kind_of(image.data) == pte::Kind::kBundled &&
      !runner::unwrap_bundle(image, program_image)) {
    throw ToolError(fmt::format("{}: the program in the bundle cannot be found", path));
  }
  executorch::extension::BufferDataLoader loader(program_image.data, program_image.size);
  const Result<Program> program = Program::load(&loader);
  if (!program.ok()) {
    throw ToolError(fmt::format("{} is no program: try wick doctor", path));
  }
  // A word for each value and three for each operator: both take more in the file.
  std::vector<uint8_t> workspace(std::max<size_t>(4096, program_image.size * 2));
  json all = {{"pointer_bytes", native ? sizeof(void*) : 4}, {"methods", json::array()}};
  for (size_t i = 0; i < program->num_methods(); ++i) {
    all["methods"].push_back(method_needs(program.get(), program->get_method_name(i).get(), workspace,
                                          native ? Layout::kNative : Layout::k32Bit));
  }
  if (as_json) {
    fmt::print("{}\n", all.dump(2));
    return;
  }
  for (const json& method : all.at("methods")) {
    fmt::print("{}", text_of(method));
  }
  fmt::print("Bytes, on a target with pointers of {}. Scratch of kernels of your own comes on top (Model::usage() tells).\n",
             all.at("pointer_bytes").get<int>());
}

}  // namespace

void add_memory_command(CLI::App& app, int& status) {
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  auto native = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("memory", "Say how much RAM a program needs on a 32-bit target, to the byte");
  command->add_option("FILE", *path, "A program (.pte) or bundled program (.bpte)")->required();
  command->add_flag("--json", *as_json, "Print JSON");
  command->add_flag("--native", *native, "For this machine's pointers instead");
  command->callback([path, as_json, native, &status] {
    run(*path, *as_json, *native);
    status = 0;
  });
}

}  // namespace wick::tools
