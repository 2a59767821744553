// SPDX-License-Identifier: BSD-3-Clause
// How a run of the model ends: which fault the NPU would report, at which command, with the STATUS register's bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick::npu {

enum class Fault : std::uint8_t {
  kNone,
  kCommand,      // STATUS.cmd_parse_error: unknown or malformed command, or a stream that ends without OP_STOP
  kBus,          // STATUS.bus_status: an access outside the given regions, or a write to a read-only one
  kWeights,      // STATUS.wd_fault: a malformed or exhausted weight stream
  kBranch,       // STATUS.branch_fault (U85)
  kUnsupported,  // legal for the NPU but not modelled; reported to a driver as cmd_parse_error
  kWorkspace,    // the caller's workspace is too small; Result::workspace says how much this operation wants
  kWork,         // Options::work_limit was reached (a stream that would run for hours)
};

// STATUS.faulting_channel: which of the NPU's bus channels made the illegal access.
enum class Channel : std::uint8_t {
  kCommandRead = 0,
  kIfmRead = 1,
  kWeightRead = 2,
  kScaleRead = 3,
  kMemRead = 4,
  kOfmWrite = 8,
  kMemWrite = 9,
};

struct Result {
  Fault fault = Fault::kNone;
  Channel channel = Channel::kCommandRead;
  std::uint16_t irq_history = 0;     // masks of OP_STOP and OP_IRQ, or-ed
  std::uint32_t command_offset = 0;  // byte offset in the stream of the last command executed or refused
  const char* message = "";          // what is wrong, in words; static text
  std::size_t workspace = 0;         // bytes used at the peak; after kWorkspace the bytes that would be enough to go on
  std::uint64_t cycles = 0;          // estimate, see trace.h
  bool ok() const { return fault == Fault::kNone; }
};

// The STATUS register that a driver would read after this result (irq_raised set, running clear).
std::uint32_t status_register(const Result& result);

// Short name of a fault, such as "bus_status".
const char* fault_name(Fault fault);

}  // namespace wick::npu
