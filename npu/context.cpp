// SPDX-License-Identifier: BSD-3-Clause
// Workspace, registers and fault of a run.
#include "context.h"

#include <algorithm>

#include "command.h"

namespace wick::npu {
namespace {
constexpr std::size_t kAlignment = 16;

// Legal codes per product and kind, as bits, made from kCommands by the compiler.
struct CodeSet {
  std::uint32_t bits[2][13] = {};  // codes 0..415
};

constexpr CodeSet make_codes(std::uint8_t product_bit) {
  CodeSet set;
  for (const CommandInfo& info : kCommands) {
    if ((info.products & product_bit) != 0) set.bits[info.kind][info.code / 32] |= std::uint32_t{1} << (info.code % 32);
  }
  return set;
}

constexpr CodeSet kCodes[3] = {make_codes(1), make_codes(2), make_codes(4)};
}  // namespace

bool command_exists(std::uint32_t kind, std::uint32_t code, Product product) {
  if (kind > 1 || code >= 416) return false;
  return (kCodes[static_cast<int>(product)].bits[kind][code / 32] >> (code % 32) & 1) != 0;
}

Arena::Arena(std::uint8_t* data, std::size_t size) : data_(data), size_(size) {
  const std::size_t skip = (kAlignment - reinterpret_cast<std::uintptr_t>(data) % kAlignment) % kAlignment;
  if (data == nullptr || skip > size) {
    size_ = 0;
  } else {
    data_ += skip;
    size_ -= skip;
  }
}

void* Arena::take_bytes(std::size_t count, std::size_t element) {
  constexpr std::size_t kMost = SIZE_MAX / 2;
  const std::size_t wish = element != 0 && count > kMost / element ? kMost : count * element;
  const std::size_t bytes = (wish + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes > size_ - used_) {
    wanted_ = std::max(wanted_, bytes > kMost ? bytes : used_ + bytes);
    return nullptr;
  }
  void* result = data_ + used_;
  used_ += bytes;
  peak_ = std::max(peak_, used_);
  return result;
}

std::uint64_t Context::address(std::uint32_t code) const {
  return config.product == Product::kU55 ? wide[code] & 0xFFFFFFFFu : wide[code] & 0xFFFFFFFFFFu;
}

std::int64_t Context::stride(std::uint32_t code) const {
  const int drop = config.product == Product::kU55 ? 32 : 24;
  return static_cast<std::int64_t>(wide[code] << drop) >> drop;
}

bool Context::fail(Fault fault, const char* message, Channel channel) {
  if (result.ok()) {
    result.fault = fault;
    result.message = message;
    result.channel = channel;
  }
  return false;
}

bool Context::out_of_workspace() {
  return fail(Fault::kWorkspace,
              "the workspace is too small for this operation; give at least Result::workspace bytes");
}

bool Context::spend(std::uint64_t amount) {
  work += std::min(amount, UINT64_MAX - work);
  return work <= options.work_limit || fail(Fault::kWork, "the work limit is reached; raise Options::work_limit");
}

}  // namespace wick::npu
