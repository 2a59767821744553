// SPDX-License-Identifier: BSD-3-Clause
// Command streams as text, one command a line:
//   std::size_t at = 0;
//   char text[wick::npu::kDisassemblyLine];
//   while (at < stream.size) { at = wick::npu::disassemble(config, stream, at, text, sizeof text); puts(text); }
#pragma once

#include <cstddef>

#include "npu/machine.h"

namespace wick::npu {

constexpr std::size_t kDisassemblyLine = 128;

// Writes the command at byte `offset` into `text`, cut off at `size` and terminated. Returns the offset of the next
// command; words that are no command are shown as such and skipped. At the end of the stream the text is empty.
std::size_t disassemble(const Config& config, Bytes stream, std::size_t offset, char* text, std::size_t size);

}  // namespace wick::npu
