// SPDX-License-Identifier: BSD-3-Clause
// One record per operation of a command stream: shapes, multiply-accumulates, bytes moved and an estimate of cycles.
// The estimate is block-level arithmetic on these counts (docs/npu.md), not a simulation of the hardware's timing.
//   wick::npu::Options options;
//   options.trace = [](void*, const wick::npu::OperationTrace& op) { print(op.name, op.macs); };
#pragma once

#include <cstdint>

namespace wick::npu {

struct Shape {
  std::int32_t height = 0;
  std::int32_t width = 0;
  std::int32_t depth = 0;
};

struct OperationTrace {
  std::uint32_t command_offset = 0;  // byte offset of the OP_ command in the stream
  const char* name = "";             // "CONV", "POOL AVERAGE", "ELEMENTWISE ADD", "DMA", ...
  Shape ifm, ifm2, ofm;              // elements; all zero where the operation has no such operand
  Shape ofm_block;                   // the block that the compiler chose
  std::int32_t kernel_height = 0, kernel_width = 0;
  std::int32_t stride_y = 0, stride_x = 0;
  std::uint8_t ifm_bits = 0, ofm_bits = 0;
  std::uint64_t macs = 0;
  std::uint64_t ifm_bytes = 0;     // read, both operands, each element once per OFM depth block
  std::uint64_t ofm_bytes = 0;     // written
  std::uint64_t weight_bytes = 0;  // compressed weights and scale records read
  std::uint64_t dma_bytes = 0;
  std::uint64_t cycles = 0;  // estimate: the larger of compute and memory time
};

using TraceFunction = void (*)(void* context, const OperationTrace& operation);

}  // namespace wick::npu
