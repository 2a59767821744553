// SPDX-License-Identifier: BSD-3-Clause
// `wick npu disasm` and `wick npu run`: what an Ethos-U delegate does, command by command and operation by operation.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <memory>
#include <vector>

#include "npu/disassembler.h"
#include "npu/machine.h"
#include "npu/payload.h"
#include "tools/commands.h"
#include "tools/common/bytes.h"

namespace wick::tools {
namespace {

struct NpuSettings {
  std::string file;
  size_t delegate = 0;
  std::vector<std::string> inputs;
  std::string output;
  size_t workspace = npu::kWorkspaceFast;
  size_t fast_scratch = 384 * 1024;
  bool trace = false, dry = false, past_shram = false;
};

/// A delegate's payload, or a bare driver payload, with all that a run needs.
struct Delegate {
  npu::Payload payload;
  npu::CommandStream stream;
  npu::Config config;
};

/// Ranges of the payloads in a file: the file itself, or those embedded in a program.
std::vector<npu::Bytes> find_payloads(const Bytes& file) {
  constexpr char kBegin[16] = "vela_bin_stream", kEnd[16] = "vela_end_stream";
  constexpr size_t kHeader = 32, kAlignment = 16;
  std::vector<npu::Bytes> found;
  for (size_t begin = 0; begin + kHeader <= file.size(); begin += kAlignment) {
    if (std::memcmp(file.data() + begin, kBegin, sizeof kBegin) != 0) continue;
    for (size_t end = begin; end + kHeader <= file.size(); end += kAlignment) {
      if (std::memcmp(file.data() + end, kEnd, sizeof kEnd) != 0) continue;
      found.push_back({file.data() + begin, end + kHeader - begin});
      begin = end;
      break;
    }
  }
  return found;
}

Delegate open_delegate(const NpuSettings& settings, const Bytes& file) {
  Delegate delegate;
  npu::Bytes command_data = {file.data(), file.size()};
  const std::vector<npu::Bytes> payloads = find_payloads(file);
  if (!payloads.empty()) {
    if (settings.delegate >= payloads.size()) {
      throw ToolError(fmt::format("{}: has {} Ethos-U delegates, there is no number {}", settings.file, payloads.size(),
                                  settings.delegate));
    }
    const char* wrong = npu::parse_payload(payloads[settings.delegate], delegate.payload);
    if (wrong != nullptr) throw ToolError(fmt::format("{}: {}", settings.file, wrong));
    if (delegate.payload.command_data_external) {
      throw ToolError(fmt::format("{}: the command stream is in a data file (.ptd)", settings.file));
    }
    command_data = delegate.payload.command_data;
  } else if (file.size() < 4 || std::memcmp(file.data(), "COP", 3) != 0) {
    throw ToolError(
        fmt::format("{}: holds no Ethos-U delegate: neither a vela_bin_stream nor a COP payload", settings.file));
  }
  const char* wrong = npu::parse_driver_payload(command_data, delegate.stream);
  if (wrong != nullptr) throw ToolError(fmt::format("{}: {}", settings.file, wrong));
  if (!npu::config_from_word(delegate.stream.config_word, delegate.config)) {
    throw ToolError(
        fmt::format("{}: compiled for an unknown NPU (CONFIG 0x{:08x})", settings.file, delegate.stream.config_word));
  }
  return delegate;
}

void disassemble(const NpuSettings& settings) {
  const Bytes file = read_file(settings.file);
  const Delegate delegate = open_delegate(settings, file);
  fmt::print("; {} for {}, {} bytes\n", settings.file, npu::config_name(delegate.config), delegate.stream.words.size);
  char text[npu::kDisassemblyLine];
  for (size_t at = 0; at < delegate.stream.words.size;) {
    at = npu::disassemble(delegate.config, delegate.stream.words, at, text, sizeof text);
    fmt::print("{}\n", text);
  }
}

std::string shape_text(const npu::Shape& shape) {
  return shape.depth == 0 ? "-" : fmt::format("{}x{}x{}", shape.height, shape.width, shape.depth);
}

void print_operation(void*, const npu::OperationTrace& op) {
  fmt::print("0x{:06x} {:22} {:>13} {:>13} -> {:>13} {:>6} {:>12} {:>9} {:>9} {:>9} {:>9}\n", op.command_offset,
             op.name, shape_text(op.ifm), shape_text(op.ifm2), shape_text(op.ofm),
             op.kernel_height == 0 ? "-" : fmt::format("{}x{}", op.kernel_height, op.kernel_width), op.macs,
             op.ifm_bytes + op.dma_bytes, op.weight_bytes, op.ofm_bytes, op.cycles);
}

npu::Binding binding_of(const NpuSettings& settings, npu::Bytes records, uint32_t index, size_t scratch) {
  npu::Binding binding;
  const char* wrong = npu::parse_binding(records, index, binding);
  if (wrong != nullptr) throw ToolError(fmt::format("{}: {}", settings.file, wrong));
  const auto offset = static_cast<size_t>(binding.offset);
  if (offset > scratch || binding.bytes > scratch - offset) {
    throw ToolError(fmt::format("{}: an input or output lies outside the scratch", settings.file));
  }
  return binding;
}

void set_inputs(const NpuSettings& settings, const npu::Payload& payload, std::vector<uint8_t>& scratch) {
  if (!settings.inputs.empty() && settings.inputs.size() != payload.input_count) {
    throw ToolError(fmt::format("{}: has {} inputs, {} files were given", settings.file, payload.input_count,
                                settings.inputs.size()));
  }
  for (uint32_t i = 0; i < payload.input_count; ++i) {
    const npu::Binding binding = binding_of(settings, payload.input_records, i, scratch.size());
    Bytes data(static_cast<size_t>(binding.bytes));
    if (!settings.inputs.empty()) data = read_file(settings.inputs[i]);
    if (data.size() != binding.bytes) {
      throw ToolError(fmt::format("{}: input {} takes {} bytes, the file has {}", settings.inputs[i], i, binding.bytes,
                                  data.size()));
    }
    std::copy(data.begin(), data.end(), scratch.begin() + binding.offset);
  }
}

void get_outputs(const NpuSettings& settings, const npu::Payload& payload, const std::vector<uint8_t>& scratch) {
  for (uint32_t i = 0; i < payload.output_count; ++i) {
    const npu::Binding binding = binding_of(settings, payload.output_records, i, scratch.size());
    const auto* data = reinterpret_cast<const char*>(scratch.data()) + binding.offset;
    const std::string name = fmt::format("{}.{}.bin", settings.output, i);
    if (!settings.output.empty()) write_file(name, std::string_view(data, static_cast<size_t>(binding.bytes)));
    fmt::print("output {}: {} bytes{}\n", i, binding.bytes, settings.output.empty() ? "" : " in " + name);
  }
}

int run_npu(const NpuSettings& settings) {
  const Bytes file = read_file(settings.file);
  const Delegate delegate = open_delegate(settings, file);
  const npu::Payload& payload = delegate.payload;
  if (payload.weight_data_external) {
    throw ToolError(fmt::format("{}: the weights are in a data file (.ptd)", settings.file));
  }
  std::vector<uint8_t> scratch(payload.scratch_size), fast(settings.fast_scratch), workspace(settings.workspace);
  set_inputs(settings, payload, scratch);
  const npu::Region regions[] = {npu::read_only(payload.weight_data.data, payload.weight_data.size),
                                 npu::read_write(scratch.data(), scratch.size()),
                                 npu::read_write(fast.data(), fast.size())};
  npu::Options options;
  options.execute = !settings.dry;
  options.table_past_shram = settings.past_shram;
  if (settings.trace || settings.dry) {
    options.trace = print_operation;
    fmt::print("{:8} {:22} {:>13} {:>13}    {:>13} {:>6} {:>12} {:>9} {:>9} {:>9} {:>9}\n", "command", "operation",
               "ifm", "ifm2", "ofm", "kernel", "MACs", "read", "weights", "written", "cycles");
  }
  const npu::Result result =
      npu::run(delegate.config, delegate.stream.words, regions, 3, {workspace.data(), workspace.size()}, options);
  if (!result.ok()) {
    fmt::print(stderr, "{}: {} at command byte 0x{:06x}: {}\n", settings.file, npu::fault_name(result.fault),
               result.command_offset, result.message);
    return 1;
  }
  if (!settings.dry) get_outputs(settings, payload, scratch);
  fmt::print("{}: {} bytes of scratch, {} cycles estimated, {} bytes of workspace used\n",
             npu::config_name(delegate.config), payload.scratch_size, result.cycles, result.workspace);
  return 0;
}

}  // namespace

void add_npu_command(CLI::App& app, int& status) {
  CLI::App* npu = app.add_subcommand("npu", "Ethos-U delegates: their command streams, on the NPU model");
  npu->require_subcommand(1);
  auto settings = std::make_shared<NpuSettings>();
  CLI::App* disasm = npu->add_subcommand("disasm", "Print a delegate's command stream");
  CLI::App* run = npu->add_subcommand("run", "Run a delegate alone");
  for (CLI::App* command : {disasm, run}) {
    command->add_option("file", settings->file, "Program (.pte), delegate payload or COP driver payload")->required();
    command->add_option("--delegate", settings->delegate, "Which delegate of the program, from 0");
  }
  run->add_option("--input", settings->inputs, "Raw bytes of each input in order (default: zeros)");
  run->add_option("--output", settings->output, "Write each output's raw bytes to PREFIX.<number>.bin");
  run->add_option("--workspace", settings->workspace, "Bytes of memory for the model");
  run->add_option("--fast-scratch", settings->fast_scratch, "Bytes of region 2 (Dedicated_Sram memory modes)");
  run->add_flag("--trace", settings->trace, "Print every operation: shapes, MACs, bytes, estimated cycles");
  run->add_flag("--estimate", settings->dry, "Only print the operations, compute nothing");
  run->add_flag("--table-past-shram", settings->past_shram,
                "Accept the table address of Vela 5.1 on U55-32 and U55-64");
  disasm->callback([settings] { disassemble(*settings); });
  run->callback([settings, &status] { status = run_npu(*settings); });
}

}  // namespace wick::tools
