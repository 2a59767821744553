// SPDX-License-Identifier: BSD-3-Clause
// The in-process front end: runs a command stream on up to eight memory regions and returns when it has stopped.
//   wick::npu::Region regions[3] = {wick::npu::read_only(weights, weight_bytes), wick::npu::read_write(scratch,
//   scratch_bytes)}; wick::npu::Result r = wick::npu::run(config, {stream, stream_bytes}, regions, 3, {workspace,
//   sizeof workspace}); if (!r.ok()) printf("%s at byte %u: %s\n", wick::npu::fault_name(r.fault), r.command_offset,
//   r.message);
#pragma once

#include <cstddef>
#include <cstdint>

#include "npu/config.h"
#include "npu/status.h"
#include "npu/trace.h"

namespace wick::npu {

struct Bytes {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
};

// A memory region as the base table names it. Addresses in the stream are byte offsets into it, and none may leave it.
struct Region {
  const std::uint8_t* read = nullptr;
  std::uint8_t* write = nullptr;  // null: read-only, a write is a bus fault
  std::uint64_t size = 0;
};

inline Region read_only(const void* data, std::uint64_t size) {
  return {static_cast<const std::uint8_t*>(data), nullptr, size};
}
inline Region read_write(void* data, std::uint64_t size) {
  return {static_cast<const std::uint8_t*>(data), static_cast<std::uint8_t*>(data), size};
}

constexpr std::size_t kRegions = 8;

// Memory that the model works in: decoded weights, accumulators, on-chip tables. Its contents mean nothing between
// runs.
struct Workspace {
  std::uint8_t* data = nullptr;
  std::size_t size = 0;
};

// Enough for every stream without large kernels or chained operands; more is used to decode weights less often.
constexpr std::size_t kWorkspaceSmall = 96 * 1024;
// Enough to decode every weight stream once, for every network of the test corpus.
constexpr std::size_t kWorkspaceFast = 1024 * 1024;

struct Options {
  bool execute = true;  // false: decode, check and trace every operation but compute and write nothing
  // Vela 5.1.0 puts the table of a fused activation one past the SHRAM of U55-32 and U55-64. Off: such a DMA is a
  // fault. On: that address is taken as the table's (docs/npu.md).
  bool table_past_shram = false;
  std::uint64_t work_limit = std::uint64_t{1} << 36;  // multiply-accumulates plus elements before Fault::kWork
  TraceFunction trace = nullptr;
  void* trace_context = nullptr;
};

// Runs `stream` (32-bit little-endian words, 4-aligned size) to its OP_STOP or to the first fault.
Result run(const Config& config, Bytes stream, const Region* regions, std::size_t region_count, Workspace workspace,
           const Options& options = {});

}  // namespace wick::npu
