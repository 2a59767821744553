// SPDX-License-Identifier: BSD-3-Clause
// The parts of the family and the names of faults.
#include "npu/config.h"

#include <cstring>

#include "npu/status.h"

namespace wick::npu {
namespace {

struct Part {
  const char* name;
  Config config;
};

constexpr std::uint32_t kIdU55 = 0x10104201, kIdU65 = 0x10066001, kIdU85 = 0x20007001;

// {product, cores, weight decoders, MACs, SHRAM banks per core, CONFIG, ID}
constexpr Part kParts[] = {
    {"ethos-u55-32", {Product::kU55, 1, 1, 32, 16, 0x00001005, kIdU55}},
    {"ethos-u55-64", {Product::kU55, 1, 1, 64, 16, 0x00001006, kIdU55}},
    {"ethos-u55-128", {Product::kU55, 1, 1, 128, 24, 0x00001807, kIdU55}},
    {"ethos-u55-256", {Product::kU55, 1, 1, 256, 48, 0x00003008, kIdU55}},
    {"ethos-u65-256", {Product::kU65, 1, 1, 256, 48, 0x10003008, kIdU65}},
    {"ethos-u65-512", {Product::kU65, 2, 2, 512, 48, 0x10006009, kIdU65}},
    {"ethos-u85-128", {Product::kU85, 1, 1, 128, 0, 0x20000117, kIdU85}},
    {"ethos-u85-256", {Product::kU85, 1, 1, 256, 0, 0x20000118, kIdU85}},
    {"ethos-u85-512", {Product::kU85, 1, 2, 512, 0, 0x20001119, kIdU85}},
    {"ethos-u85-1024", {Product::kU85, 1, 4, 1024, 0, 0x2000251A, kIdU85}},
    {"ethos-u85-2048", {Product::kU85, 1, 4, 2048, 0, 0x2000261B, kIdU85}},
};

}  // namespace

bool config_from_word(std::uint32_t word, Config& config) {
  // Product and MACs decide; the SHRAM and port fields are the integrator's and change no result.
  constexpr std::uint32_t kDeciding = 0xF000000Fu;
  for (const Part& part : kParts) {
    if (((part.config.config_word ^ word) & kDeciding) == 0) {
      config = part.config;
      config.config_word = word;
      return true;
    }
  }
  return false;
}

bool config_from_name(const char* name, Config& config) {
  for (const Part& part : kParts) {
    if (std::strcmp(part.name, name) == 0) {
      config = part.config;
      return true;
    }
  }
  return false;
}

const char* config_name(const Config& config) {
  for (const Part& part : kParts) {
    if (part.config.product == config.product && part.config.macs == config.macs) return part.name;
  }
  return "unknown";
}

std::uint32_t status_register(const Result& result) {
  constexpr std::uint32_t kIrqRaised = 1u << 1, kBusStatus = 1u << 2, kParseError = 1u << 4, kEndReached = 1u << 5,
                          kWeightFault = 1u << 7, kBranchFault = 1u << 9;
  const std::uint32_t status = kIrqRaised | (static_cast<std::uint32_t>(result.irq_history) << 16);
  switch (result.fault) {
    case Fault::kNone:
      return status | kEndReached;
    case Fault::kBus:
      return status | kBusStatus | (static_cast<std::uint32_t>(result.channel) << 12);
    case Fault::kWeights:
      return status | kWeightFault;
    case Fault::kBranch:
      return status | kBranchFault;
    default:
      return status | kParseError;
  }
}

const char* fault_name(Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return "none";
    case Fault::kCommand:
      return "cmd_parse_error";
    case Fault::kBus:
      return "bus_status";
    case Fault::kWeights:
      return "wd_fault";
    case Fault::kBranch:
      return "branch_fault";
    case Fault::kUnsupported:
      return "not modelled";
    case Fault::kWorkspace:
      return "workspace too small";
    case Fault::kWork:
      return "work limit reached";
  }
  return "unknown";
}

}  // namespace wick::npu
