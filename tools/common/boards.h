// SPDX-License-Identifier: BSD-3-Clause
// The boards that the tool knows: what boards/<name>/board.json says of each, built into the program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wick::tools {

struct BoardRegion {
  std::string name;
  uint64_t origin;
  uint64_t bytes;
};

struct Board {
  std::string name;
  std::string title;
  std::string cpu;
  std::string qemu;  // QEMU's machine; empty where there is none
  std::vector<BoardRegion> memory;

  /// Bytes of a region; 0 when the board has none of that name.
  uint64_t bytes_of(const std::string& region) const;
};

const std::vector<Board>& all_boards();

/// Throws ToolError that lists the boards when there is none of that name.
const Board& find_board(const std::string& name);

}  // namespace wick::tools
