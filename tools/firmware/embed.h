// SPDX-License-Identifier: BSD-3-Clause
// `wick embed`: what a firmware build needs of a program, as sources: the model, its kernel table, the sizes of its
// memory, and the list of wick's sources to compile.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wick::tools {

struct EmbedOptions {
  std::vector<std::string> models;   // .pte files; the first is exec_model
  std::vector<std::string> kernels;  // operators with all types, beside those of the models
  std::filesystem::path root;        // wick's source folder
  std::filesystem::path output;      // folder of the files written
  std::string section;               // of the model's bytes; empty: .rodata.exec_model
  std::optional<uint64_t> address;   // the model is not linked but lies in flash there
  uint64_t capacity = 0;             // bytes of that flash; 0: the model's size
  bool as_array = false;             // the model as a C array instead of .incbin
  bool without_model = false;        // kernel table only: a program comes later
};

/// Writes model.cpp (or model.c), exec_model.h, kernel_table.cpp, selected_ops.h, sources.txt and wick.mk into the
/// output folder, leaving alone what is up to date. Returns warnings: operators that wick has no kernel for. Throws
/// ToolError.
std::vector<std::string> embed(const EmbedOptions& options);

}  // namespace wick::tools
