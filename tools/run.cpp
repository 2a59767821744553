// SPDX-License-Identifier: BSD-3-Clause
// Loads, sets inputs from files or zeros, executes and prints.
#include "tools/run.h"

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "tools/commands.h"
#include "tools/common/bytes.h"
#include "tools/common/dtype.h"
#include "tools/runner/bundle.h"
#include "tools/runner/data_files.h"
#include "tools/runner/data_maps.h"
#include "tools/runner/tensors.h"
#include "tools/verify/host_port.h"

namespace wick::tools {
namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::MemoryManager;
using executorch::runtime::Method;
using executorch::runtime::MethodMeta;
using executorch::runtime::Program;
using executorch::runtime::Tag;

template <typename T>
T checked(executorch::runtime::Result<T> result, const std::string& what) {
  if (!result.ok()) {
    throw ToolError(fmt::format("{}: error 0x{:x} ({})", what, static_cast<uint32_t>(result.error()),
                                executorch::runtime::to_string(result.error())));
  }
  return std::move(*result);
}

void check(Error error, const std::string& what) {
  if (error != Error::Ok) {
    throw ToolError(fmt::format("{}: error 0x{:x} ({})", what, static_cast<uint32_t>(error),
                                executorch::runtime::to_string(error)));
  }
}

/// A file in port memory, which is aligned as programs need it.
runner::FileImage load_image(HostPort& port, const std::string& path) {
  runner::FileImage image{};
  if (!runner::read_whole(port, path.c_str(), image)) {
    throw ToolError(fmt::format("{}: cannot be read", path));
  }
  return image;
}

std::string choose_method(const Program& program, const std::string& wanted) {
  std::vector<std::string> names;
  for (size_t i = 0; i < program.num_methods(); ++i) {
    names.emplace_back(checked(program.get_method_name(i), "method name"));
  }
  if (names.empty()) {
    throw ToolError("the program has no methods");
  }
  const std::string name = !wanted.empty() ? wanted : "forward";
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return name;
  }
  if (wanted.empty()) {
    return names.front();
  }
  throw ToolError(fmt::format("there is no method '{}'; the program has: {}", wanted, fmt::join(names, ", ")));
}

/// A tensor input from a file, or of zeros.
EValue tensor_input(HostPort& port, const MethodMeta& meta, size_t index, const std::string& file) {
  const auto info = checked(meta.input_tensor_meta(index), fmt::format("input {}", index));
  auto* data = static_cast<uint8_t*>(port.allocate(info.nbytes()));
  auto* impl = data == nullptr ? nullptr
                               : runner::make_tensor(port, info.scalar_type(), info.sizes().size(), info.sizes().data(),
                                                     info.dim_order().data(), data);
  if (impl == nullptr) {
    throw ToolError(fmt::format("input {}: {} bytes do not fit in memory", index, info.nbytes()));
  }
  if (!file.empty()) {
    const Bytes bytes = read_file(file);
    if (bytes.size() != info.nbytes()) {
      throw ToolError(fmt::format("input {}: {} has {} bytes, the method takes {} ({} [{}])", index, file, bytes.size(),
                                  info.nbytes(), dtype_name(info.scalar_type()), fmt::join(info.sizes(), ", ")));
    }
    std::copy(bytes.begin(), bytes.end(), data);
  }
  fmt::print("input {}: {} [{}] {}\n", index, dtype_name(info.scalar_type()), fmt::join(info.sizes(), ", "),
             file.empty() ? "zeros" : file);
  return EValue(executorch::aten::Tensor(impl));
}

void set_inputs(HostPort& port, Method& method, const std::vector<std::string>& files) {
  const MethodMeta meta = method.method_meta();
  size_t next_file = 0;
  for (size_t i = 0; i < method.inputs_size(); ++i) {
    const Tag tag = checked(meta.input_tag(i), fmt::format("input {}", i));
    EValue value;
    if (tag == Tag::Tensor) {
      value = tensor_input(port, meta, i, next_file < files.size() ? files[next_file] : std::string());
      ++next_file;
    } else {
      value = runner::input_slot(method, i);
      fmt::print("input {}: a scalar, as in the program\n", i);
    }
    check(method.set_input(value, i), fmt::format("input {}", i));
  }
  if (next_file < files.size()) {
    throw ToolError(fmt::format("{} input files given, the method takes {} tensors", files.size(), next_file));
  }
}

void print_output(size_t index, const EValue& value, size_t most) {
  if (value.isInt()) {
    fmt::print("output {}: {}\n", index, value.toInt());
  } else if (value.isDouble()) {
    fmt::print("output {}: {}\n", index, value.toDouble());
  } else if (value.isBool()) {
    fmt::print("output {}: {}\n", index, value.toBool());
  } else if (value.isTensor()) {
    const auto tensor = value.toTensor();
    const size_t width = dtype_size(tensor.scalar_type());
    const auto count = static_cast<size_t>(tensor.numel());
    const auto* data = static_cast<const uint8_t*>(tensor.const_data_ptr());
    fmt::print("output {}: {} [{}]\n ", index, dtype_name(tensor.scalar_type()), fmt::join(tensor.sizes(), ", "));
    for (size_t i = 0; data != nullptr && width != 0 && i < std::min(count, most); ++i) {
      fmt::print(" {}", element_text(tensor.scalar_type(), read_element(tensor.scalar_type(), data + i * width)));
    }
    fmt::print("{}\n", count > most ? fmt::format(" … ({} elements)", count) : std::string());
  } else {
    fmt::print("output {}: none\n", index);
  }
}

}  // namespace

int run_program(const RunOptions& options) {
  HostPort port(STDOUT_FILENO);
  runner::FileImage image = load_image(port, options.program);
  const runner::FileImage whole = image;
  if (runner::is_bundle(whole) && !runner::unwrap_bundle(whole, image)) {
    throw ToolError(fmt::format("{}: the bundle holds no program", options.program));
  }
  BufferDataLoader loader(image.data, image.size);
  Program program = checked(Program::load(&loader), options.program);
  std::vector<executorch::runtime::NamedDataMap*> maps;
  for (const std::string& file : options.data) {
    maps.push_back(checked(runner::load_data_file(port, load_image(port, file)), file));
  }
  const runner::DataMaps data(maps.data(), static_cast<uint32_t>(maps.size()));

  const std::string name = choose_method(program, options.method);
  runner::PlannedMemory planned(port);
  if (!planned.want(checked(program.method_meta(name.c_str()), name)) || !planned.allocate()) {
    throw ToolError(fmt::format("method {}: its planned buffers do not fit in memory", name));
  }
  HierarchicalAllocator hierarchy(planned.spans());
  MemoryManager manager(&port.method_pool(), &hierarchy, &port.temp_pool());
  Method method = checked(program.load_method(name.c_str(), &manager, nullptr, maps.empty() ? nullptr : &data),
                          fmt::format("method {}", name));
  fmt::print("method {}\n", name);
  set_inputs(port, method, options.inputs);
  if (!runner::provide_outputs(method, port)) {
    throw ToolError("the outputs do not fit in memory");
  }
  check(method.execute(), fmt::format("method {}", name));
  for (size_t i = 0; i < method.outputs_size(); ++i) {
    print_output(i, method.get_output(i), options.most_elements);
  }
  return 0;
}

void add_run_command(CLI::App& app, int& status) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Execute a method of a program and print its outputs");
  command->add_option("FILE", options->program, "The program (.pte, or the one inside a .bpte)")->required();
  command->add_option("--method,-m", options->method, "Method to execute (default: forward, else the first)");
  command->add_option("--input,-i", options->inputs,
                      "Raw data of the next tensor input (repeat in order; those left out are zeros)");
  command->add_option("--data,-d", options->data, "Data file (.ptd) of the program (repeat)");
  command->add_option("--elements,-n", options->most_elements, "Elements printed per output")->capture_default_str();
  command->callback([options, &status] { status = run_program(*options); });
}

}  // namespace wick::tools
