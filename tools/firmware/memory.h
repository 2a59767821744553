// SPDX-License-Identifier: BSD-3-Clause
// How much RAM the methods of a program take, to the byte.
#pragma once

#include <wick/memory_required.h>

#include <string>
#include <vector>

namespace wick::tools {

struct MethodMemory {
  std::string name;
  std::vector<uint64_t> planned;  // bytes of each planned buffer
  MemoryRequired device;          // on a 32-bit target
  MemoryRequired native;          // on this machine
};

/// The figures of all methods. Operators that wick lacks are counted as kernels that the application registers. Throws
/// ToolError, with the path, when the program or a method would not load.
std::vector<MethodMemory> read_memory(const std::string& path);

/// Transpositions of all methods that become views of constants.
uint64_t views_of(const std::vector<MethodMemory>& methods);

}  // namespace wick::tools
