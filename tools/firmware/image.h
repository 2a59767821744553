// SPDX-License-Identifier: BSD-3-Clause
// Linked firmware images (32-bit little-endian ELF): sections, and the manifest of kernels in them.
#pragma once

#include <string>
#include <vector>

#include "tools/common/bytes.h"
#include "tools/firmware/needs.h"

namespace wick::tools {

struct Section {
  std::string name;
  uint32_t type;
  uint32_t flags;
  uint32_t address;
  uint32_t offset;
  uint32_t bytes;
};

struct Segment {
  uint32_t load_address;
  Bytes data;
};

struct Image {
  std::vector<Section> sections;
  std::vector<Segment> segments;  // what is written to memory, by load address
  Bytes file;
};

/// Throws ToolError when it is no such file.
Image read_image(const std::string& path);

/// The operators and types that a firmware was built with; empty if it carries no manifest.
Selection read_manifest(const Image& image);

/// A table of what the image takes: code, constants, models, data in flash; data, stack and heap in RAM. `flash` and
/// `ram` are what the board has, in bytes (0: not known).
std::string size_table(const Image& image, uint64_t flash, uint64_t ram);

/// What of a program a firmware lacks, one line each; empty if it can load it.
std::vector<std::string> missing_in(const Image& image, const Needs& needs);

}  // namespace wick::tools
