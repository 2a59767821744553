// SPDX-License-Identifier: BSD-3-Clause
// Register file on top of run().
#include "npu/register_file.h"

namespace wick::npu {
namespace {

constexpr std::uint32_t kRun = 1u << 0, kClearIrq = 1u << 1, kPowerBits = 3u << 2, kClearHistoryShift = 16;
constexpr std::uint32_t kEndReached = 1u << 5;
constexpr std::uint32_t kFaults = 1u << 2 | 1u << 4 | 1u << 7 | 1u << 8 | 1u << 9;
constexpr std::uint32_t kHistoryShift = 16;
constexpr std::uint32_t kStored = 0xC0;
constexpr std::uint32_t kPmcr = 0x180, kPmccntrLow = 0x1A0, kPmccntrHigh = 0x1A4;
constexpr std::uint32_t kPmcrCounters = 4u << 11;  // four event counters

}  // namespace

RegisterFile::RegisterFile(const Config& config, Workspace workspace, BusLookup lookup, void* lookup_context,
                           const Options& options)
    : config_(config), workspace_(workspace), lookup_(lookup), lookup_context_(lookup_context), options_(options) {
  reset(0);
}

void RegisterFile::reset(std::uint32_t request) {
  for (std::uint32_t& word : words_) word = 0;
  status_ = 0;
  command_ = kPowerBits;
  protection_ = request & 3;
  result_ = Result();
  cycle_counter_ = 0;
  pmu_control_ = kPmcrCounters;
}

std::uint32_t RegisterFile::read(std::uint32_t offset) const {
  switch (offset) {
    case kRegisterId:
      return config_.id_word;
    case kRegisterStatus:
      return status_;
    case kRegisterCmd:
      return command_;
    case kRegisterQread:
      return stored(kRegisterQread);
    case kRegisterProt:
      return protection_;
    case kRegisterConfig:
      return config_.config_word;
    case kPmcr:
      return pmu_control_;
    case kPmccntrLow:
      return static_cast<std::uint32_t>(cycle_counter_);
    case kPmccntrHigh:
      return static_cast<std::uint32_t>(cycle_counter_ >> 32) & 0xFFFF;
    default:
      return offset < kStored ? stored(offset) : 0;
  }
}

void RegisterFile::write(std::uint32_t offset, std::uint32_t value) {
  switch (offset) {
    case kRegisterId:
    case kRegisterStatus:
    case kRegisterQread:
    case kRegisterProt:
    case kRegisterConfig:
      return;  // read-only
    case kRegisterCmd:
      return command(value);
    case kRegisterReset:
      return reset(value);
    case kRegisterQbase:
    case kRegisterQbaseHigh:
    case kRegisterQsize:
      status_ &= ~kEndReached;
      break;
    case kPmcr:
      if ((value & 4) != 0) cycle_counter_ = 0;
      pmu_control_ = kPmcrCounters | (value & 0x3FF & ~6u);
      return;
    case kPmccntrLow:
      cycle_counter_ = (cycle_counter_ & ~std::uint64_t{0xFFFFFFFF}) | value;
      return;
    case kPmccntrHigh:
      cycle_counter_ = (cycle_counter_ & 0xFFFFFFFF) | static_cast<std::uint64_t>(value & 0xFFFF) << 32;
      return;
    default:
      break;
  }
  if (offset < kStored) words_[offset / 4] = value;
}

void RegisterFile::command(std::uint32_t value) {
  command_ = value & kPowerBits;
  if ((value & kClearIrq) != 0) status_ &= ~kIrqRaised;
  status_ &= ~(value >> kClearHistoryShift << kHistoryShift);
  // A fault stays until reset, and so does the refusal to run.
  if ((value & kRun) != 0 && (status_ & kFaults) == 0) run_stream();
}

void RegisterFile::run_stream() {
  const auto address_at = [&](std::uint32_t offset) {
    return stored(offset) | static_cast<std::uint64_t>(config_.product == Product::kU55 ? 0 : stored(offset + 4) & 0xFF)
                                << 32;
  };
  const Region commands = lookup_(lookup_context_, address_at(kRegisterQbase));
  const std::uint32_t bytes = stored(kRegisterQsize);
  Region regions[kRegions];
  for (std::uint32_t i = 0; i < kRegions; ++i) {
    regions[i] = lookup_(lookup_context_, address_at(kRegisterBasep0 + 8 * i));
  }
  if (commands.read == nullptr || bytes > commands.size) {
    result_ = Result();
    result_.fault = Fault::kBus;
    result_.channel = Channel::kCommandRead;
    result_.message = "QBASE and QSIZE name no memory";
  } else {
    result_ = run(config_, {commands.read, bytes}, regions, kRegions, workspace_, options_);
  }
  const std::uint32_t history = status_ & 0xFFFF0000u;
  status_ = (status_ & ~0xFFFFu) | history | status_register(result_);
  words_[kRegisterQread / 4] = result_.ok() ? bytes : result_.command_offset;
  if ((pmu_control_ & 1) != 0) cycle_counter_ = (cycle_counter_ + result_.cycles) & 0xFFFFFFFFFFFF;
}

}  // namespace wick::npu
