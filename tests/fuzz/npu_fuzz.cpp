// SPDX-License-Identifier: BSD-3-Clause
// libFuzzer target: delegate payloads and command streams of any content must end in a fault or a result, within their
// regions. An input is a payload; anything else is taken as {part, options, weight bytes, stream}.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "npu/disassembler.h"
#include "npu/machine.h"
#include "npu/payload.h"
#include "npu/register_file.h"

namespace {

using wick::npu::Bytes;
using wick::npu::Config;
using wick::npu::Options;
using wick::npu::Region;

constexpr std::size_t kMostScratch = 1 << 20;
constexpr std::size_t kFastScratch = 4096;
constexpr std::uint64_t kWork = 1 << 23;

void disassemble_all(const Config& config, Bytes stream) {
  char text[wick::npu::kDisassemblyLine];
  for (std::size_t at = 0; at < stream.size;) at = wick::npu::disassemble(config, stream, at, text, sizeof text);
}

void run_stream(const Config& config, Bytes stream, Bytes weights, std::size_t scratch_size, std::size_t workspace_size,
                bool past_shram) {
  // Exact allocations, so that the sanitizer sees one byte too many.
  std::vector<std::uint8_t> scratch(scratch_size, 0x5A), fast(kFastScratch, 0x5A), workspace(workspace_size);
  const Region regions[] = {wick::npu::read_only(weights.data, weights.size),
                            wick::npu::read_write(scratch.data(), scratch.size()),
                            wick::npu::read_write(fast.data(), fast.size())};
  Options options;
  options.work_limit = kWork;
  options.table_past_shram = past_shram;
  options.trace = [](void*, const wick::npu::OperationTrace&) {};
  const wick::npu::Result result =
      wick::npu::run(config, stream, regions, 3, {workspace.data(), workspace.size()}, options);
  (void)wick::npu::status_register(result);
}

void run_payload(Bytes bytes, const wick::npu::Payload& payload) {
  wick::npu::Binding binding;
  for (std::uint32_t i = 0; i < payload.input_count; ++i) {
    (void)wick::npu::parse_binding(payload.input_records, i, binding);
  }
  wick::npu::CommandStream stream;
  Config config;
  if (wick::npu::parse_driver_payload(payload.command_data, stream) != nullptr) return;
  if (!wick::npu::config_from_word(stream.config_word, config)) return;
  disassemble_all(config, stream.words);
  const std::size_t scratch = payload.scratch_size < kMostScratch ? payload.scratch_size : kMostScratch;
  run_stream(config, stream.words, payload.weight_data, scratch, 256 * 1024, (bytes.data[bytes.size - 1] & 1) != 0);
}

// The stream through the register file: QBASE at 0, one block of memory behind it.
void run_registers(const Config& config, Bytes stream, std::size_t workspace_size) {
  std::vector<std::uint8_t> memory(16384 + stream.size, 0x5A), workspace(workspace_size);
  if (stream.size != 0) std::memcpy(memory.data(), stream.data, stream.size);
  Options options;
  options.work_limit = kWork;
  const auto lookup = [](void* context, std::uint64_t address) {
    auto& bytes = *static_cast<std::vector<std::uint8_t>*>(context);
    if (address >= bytes.size()) return Region{};
    return wick::npu::read_write(bytes.data() + address, bytes.size() - address);
  };
  wick::npu::RegisterFile npu(config, {workspace.data(), workspace.size()}, lookup, &memory, options);
  npu.write(wick::npu::kRegisterQsize, static_cast<std::uint32_t>(stream.size));
  for (std::uint32_t i = 0; i < 8; ++i) {
    npu.write(wick::npu::kRegisterBasep0 + 8 * i, static_cast<std::uint32_t>(stream.size + 2048 * i));
  }
  npu.write(wick::npu::kRegisterCmd, 1);
  for (std::uint32_t offset = 0; offset < 0x400; offset += 4) (void)npu.read(offset);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  wick::npu::Payload payload;
  if (wick::npu::parse_payload({data, size}, payload) == nullptr) {
    run_payload({data, size}, payload);
    return 0;
  }
  constexpr std::uint32_t kParts[] = {0x1005,     0x1006,     0x1807,     0x3008,     0x10003008, 0x10006009,
                                      0x20000117, 0x20000118, 0x20001119, 0x2000251A, 0x2000261B};
  if (size < 4) return 0;
  Config config;
  wick::npu::config_from_word(kParts[data[0] % 11], config);
  const std::size_t workspace = (data[1] & 15) * std::size_t{6000};
  const std::size_t weights = data[2] * std::size_t{4} < size - 4 ? data[2] * std::size_t{4} : size - 4;
  const Bytes stream = {data + 4 + weights, (size - 4 - weights) / 4 * 4};
  disassemble_all(config, stream);
  if ((data[1] & 32) != 0) {
    run_registers(config, stream, workspace);
    return 0;
  }
  run_stream(config, stream, {data + 4, weights}, 65536, workspace, (data[1] & 16) != 0);
  return 0;
}
