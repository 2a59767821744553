// SPDX-License-Identifier: BSD-3-Clause
// Block copies between regions and into the on-chip table memory.
#include <cstring>

#include "command.h"
#include "context.h"

namespace wick::npu {
namespace {

// Rows of `length` bytes: up to `rows` per plane and `planes` planes, with byte strides on both sides.
struct Copy {
  std::uint64_t source = 0, destination = 0, length = 0;
  std::uint64_t rows = 1, planes = 1;
  std::int64_t source_row = 0, source_plane = 0;
  std::int64_t destination_row = 0, destination_plane = 0;
};

constexpr std::uint32_t kInternal = 1u << 8;

bool span_in_bounds(std::uint64_t address, std::int64_t row, std::uint64_t rows, std::int64_t plane,
                    std::uint64_t planes, std::uint64_t length, std::uint64_t size) {
  const std::int64_t dr = static_cast<std::int64_t>(rows - 1) * row;
  const std::int64_t dp = static_cast<std::int64_t>(planes - 1) * plane;
  const std::int64_t base = static_cast<std::int64_t>(address);
  const std::int64_t low = base + (dr < 0 ? dr : 0) + (dp < 0 ? dp : 0);
  const std::int64_t high = base + (dr > 0 ? dr : 0) + (dp > 0 ? dp : 0);
  return low >= 0 && static_cast<std::uint64_t>(high) <= size && length <= size - static_cast<std::uint64_t>(high);
}

Copy decode_copy(const Context& context) {
  Copy copy;
  copy.source = context.address(wide::kDma0Src);
  copy.destination = context.address(wide::kDma0Dst);
  copy.length = context.address(wide::kDma0Len);
  if (context.config.product == Product::kU55) return copy;
  const std::uint32_t mode = context.get(reg::kDma0SrcRegion) >> 9 & 3;
  if (mode >= 1) copy.rows = context.get(reg::kDma0Size0) + (context.get(reg::kDma0Size0) == 0 ? 1u : 0u);
  if (mode >= 2) copy.planes = context.get(reg::kDma0Size1) + (context.get(reg::kDma0Size1) == 0 ? 1u : 0u);
  const std::int64_t length = static_cast<std::int64_t>(copy.length), rows = static_cast<std::int64_t>(copy.rows);
  if (context.config.product == Product::kU65) {
    // Skips follow the data on the destination side; the source is contiguous.
    copy.source_row = length;
    copy.source_plane = length * rows;
    copy.destination_row = length + context.stride(wide::kDma0Skip0);
    copy.destination_plane = copy.destination_row * rows + context.stride(wide::kDma0Skip1);
  } else {
    copy.source_row = context.stride(wide::kDma0Skip0);
    copy.source_plane = context.stride(wide::kDma0Skip1);
    copy.destination_row = context.stride(wide::kDma0DstStride0);
    copy.destination_plane = context.stride(wide::kDma0DstStride1);
  }
  return copy;
}

// Turns an on-chip address into an offset in the table memory.
bool to_table(Context& context, Copy& copy) {
  if (context.config.product != Product::kU85) {
    const std::uint64_t size = context.config.shram_banks * std::uint64_t{1024};
    const std::uint64_t base = size - kTableBytes;
    if (copy.destination >= size) {
      if (!context.options.table_past_shram) {
        return context.fail(Fault::kBus,
                            "DMA to an address past the SHRAM (a known Vela 5.1 defect on U55-32 and U55-64; "
                            "Options::table_past_shram accepts it)",
                            Channel::kMemWrite);
      }
      copy.destination -= size;
    } else if (copy.destination < base) {
      return context.fail(Fault::kUnsupported, "DMA to SHRAM outside the table banks");
    } else {
      copy.destination -= base;
    }
  }
  return true;
}

}  // namespace

bool execute_dma(Context& context) {
  const std::uint32_t from = context.get(reg::kDma0SrcRegion), to = context.get(reg::kDma0DstRegion);
  Copy copy = decode_copy(context);
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 40;
  if (copy.length == 0 || copy.length > kLongest) return context.fail(Fault::kCommand, "DMA length is zero or absurd");
  if ((from & kInternal) != 0) return context.fail(Fault::kUnsupported, "DMA from on-chip memory");
  if ((from >> 9 & 3) == 3 || context.get(reg::kDma0IdxRegion) != 0) {
    return context.fail(Fault::kUnsupported, "gather and scatter DMA");
  }
  const Region& source = context.regions[from & 7];
  if (source.read == nullptr || !span_in_bounds(copy.source, copy.source_row, copy.rows, copy.source_plane, copy.planes,
                                                copy.length, source.size)) {
    return context.fail(Fault::kBus, "the DMA source leaves its region", Channel::kMemRead);
  }
  std::uint8_t* memory = context.regions[to & 7].write;
  std::uint64_t size = context.regions[to & 7].size;
  if ((to & kInternal) != 0) {
    if (!to_table(context, copy)) return false;
    memory = context.table;
    size = kTableBytes;
  }
  if (memory == nullptr || !span_in_bounds(copy.destination, copy.destination_row, copy.rows, copy.destination_plane,
                                           copy.planes, copy.length, size)) {
    return context.fail(Fault::kBus, "the DMA destination leaves its region or the region is read-only",
                        Channel::kMemWrite);
  }
  const std::uint64_t bytes = saturating_multiply(copy.length, copy.rows * copy.planes);
  if (!context.spend(bytes + copy.rows * copy.planes)) return false;
  if (context.options.trace != nullptr) {
    OperationTrace trace;
    trace.command_offset = context.result.command_offset;
    trace.name = "DMA";
    trace.dma_bytes = bytes;
    trace.cycles = estimate_dma(context.config, bytes);
    context.options.trace(context.options.trace_context, trace);
  }
  context.result.cycles += estimate_dma(context.config, bytes);
  if (!context.options.execute) return true;
  for (std::uint64_t plane = 0; plane < copy.planes; ++plane) {
    for (std::uint64_t row = 0; row < copy.rows; ++row) {
      const std::int64_t r = static_cast<std::int64_t>(row), p = static_cast<std::int64_t>(plane);
      const std::int64_t in = static_cast<std::int64_t>(copy.source) + p * copy.source_plane + r * copy.source_row;
      const std::int64_t out =
          static_cast<std::int64_t>(copy.destination) + p * copy.destination_plane + r * copy.destination_row;
      std::memmove(memory + out, source.read + in, static_cast<std::size_t>(copy.length));
    }
  }
  return true;
}

}  // namespace wick::npu
