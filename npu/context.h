// SPDX-License-Identifier: BSD-3-Clause
// State of one run: registers, tables, regions, the workspace as a stack, and the first fault. Lives in the workspace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "npu/machine.h"
#include "operation.h"

namespace wick::npu {

constexpr std::size_t kTableBytes = 2048;

// A stack over the caller's workspace. What an operation takes is given back at its end.
class Arena {
 public:
  Arena(std::uint8_t* data, std::size_t size);
  template <typename T>
  T* take(std::size_t count) {
    return static_cast<T*>(take_bytes(count, sizeof(T)));
  }
  std::size_t available() const { return size_ - used_; }
  std::size_t used() const { return used_; }
  std::size_t peak() const { return peak_; }
  std::size_t mark() const { return used_; }
  void release(std::size_t mark) { used_ = mark; }
  // Bytes that the largest refused request would have needed in all.
  std::size_t wanted() const { return wanted_; }

 private:
  void* take_bytes(std::size_t count, std::size_t element);
  std::uint8_t* data_;
  std::size_t size_, used_ = 0, peak_ = 0, wanted_ = 0;
};

// An intermediate of an operator chain (U85), dense in (h, w, c) of the operation that made it.
struct ChainBuffer {
  std::uint8_t* data = nullptr;
  Shape shape;
  std::uint8_t bytes = 0;
  bool is_signed = true;
};

struct Context {
  Context(const Config& config_in, Workspace workspace, const Options& options_in)
      : config(config_in), options(options_in), arena(workspace.data, workspace.size) {}

  const Config config;
  const Options options;
  Arena arena;
  Region regions[kRegions] = {};
  Result result;
  std::uint64_t work = 0;

  std::uint16_t narrow[144] = {};  // registers of kind 0, index code - 256
  std::uint64_t wide[168] = {};    // registers of kind 1: payload, parameter in bits 47:32
  alignas(8) std::uint8_t table[kTableBytes] = {};

  ChainBuffer chains[8] = {};
  bool chain_open = false;
  std::int64_t* accumulators = nullptr;  // kept by an operation with output disabled (U85)
  Shape accumulator_shape;

  std::uint16_t get(std::uint32_t code) const { return narrow[code - 256]; }
  std::uint32_t payload(std::uint32_t code) const { return static_cast<std::uint32_t>(wide[code]); }
  std::uint32_t parameter(std::uint32_t code) const { return static_cast<std::uint32_t>(wide[code] >> 32); }
  // An address or length of the product's width, unsigned.
  std::uint64_t address(std::uint32_t code) const;
  // A stride of the product's width, sign-extended.
  std::int64_t stride(std::uint32_t code) const;

  // Records the first fault; always returns false, so that callers can `return fail(...)`.
  bool fail(Fault fault, const char* message, Channel channel = Channel::kCommandRead);
  bool out_of_workspace();
  // Adds to the work of this run; fails when the limit is passed.
  bool spend(std::uint64_t amount);
};

// `count` times `each`, capped instead of wrapped.
constexpr std::uint64_t saturating_multiply(std::uint64_t count, std::uint64_t each) {
  return each != 0 && count > UINT64_MAX / each ? UINT64_MAX : count * each;
}

bool decode_operation(Context& context, std::uint32_t code, std::uint32_t parameter, Operation& operation);
bool decode_u85(Context& context, std::uint32_t code, std::uint32_t parameter, Operation& operation);
bool execute_operation(Context& context, Operation& operation);
bool execute_dma(Context& context);

// Cycle estimates (docs/npu.md) from counts; they change no result.
std::uint64_t estimate_dma(const Config& config, std::uint64_t bytes);
void describe(const Context& context, const Operation& operation, OperationTrace& trace);

bool execute_conv(Context& context, const Operation& operation);
bool execute_depthwise(Context& context, const Operation& operation);
bool execute_pool(Context& context, const Operation& operation);
bool execute_reduce_sum(Context& context, const Operation& operation);
bool execute_elementwise(Context& context, const Operation& operation);
bool execute_resize(Context& context, const Operation& operation);

}  // namespace wick::npu
