// SPDX-License-Identifier: BSD-3-Clause
// A kernel's source is the one whose text names its symbol; sources that name none are shared by their room.
#include "tools/firmware/sources.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace wick::tools {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  const Bytes bytes = read_file(path);
  return {bytes.begin(), bytes.end()};
}

/// All files of an extension below a folder, sorted.
std::vector<fs::path> files_below(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) {
    throw ToolError(folder.string() + ": not there; --root must name wick's source folder");
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The operators of a kernels.def: WICK_OP(symbol, "name").
void read_definitions(const std::string& text, std::map<std::string, std::string>& symbols) {
  const std::string macro = "WICK_OP(";
  for (size_t at = text.find(macro); at != std::string::npos; at = text.find(macro, at + 1)) {
    const size_t symbol = at + macro.size();
    const size_t comma = text.find(',', symbol);
    const size_t open = text.find('"', symbol);
    const size_t close = open == std::string::npos ? open : text.find('"', open + 1);
    if (comma < open && close != std::string::npos) {
      symbols[text.substr(open + 1, close - open - 1)] = text.substr(symbol, comma - symbol);
    }
  }
}

std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

}  // namespace

KernelSources find_kernels(const fs::path& root, const Selection& selection) {
  std::map<std::string, std::string> known;
  for (const fs::path& file : files_below(root / "src/kernels", ".def")) {
    read_definitions(text_of(file), known);
  }
  KernelSources found;
  std::set<std::string> wanted;
  for (const auto& [name, types] : selection) {
    const auto at = known.find(name);
    if (at == known.end()) {
      found.missing.push_back(name);
      continue;
    }
    found.symbols.insert(*at);
    wanted.insert(at->second);
  }
  std::set<fs::path> rooms = {root / "src/kernels/simd"};
  std::vector<fs::path> shared;
  for (const fs::path& file : files_below(root / "src/kernels", ".cpp")) {
    if (file.parent_path() == root / "src/kernels") {
      continue;  // the table of all kernels
    }
    const std::set<std::string> words = words_of(text_of(file));
    bool has_kernels = false;
    bool needed = false;
    for (const auto& [name, symbol] : known) {
      const bool here = words.count(symbol) != 0;
      has_kernels |= here;
      needed |= here && wanted.count(symbol) != 0;
    }
    if (needed) {
      found.files.push_back(file);
      rooms.insert(file.parent_path());
    } else if (!has_kernels) {
      shared.push_back(file);
    }
  }
  for (const fs::path& file : shared) {
    if (rooms.count(file.parent_path()) != 0) {
      found.files.push_back(file);
    }
  }
  std::sort(found.files.begin(), found.files.end());
  return found;
}

std::vector<fs::path> runtime_sources(const fs::path& root, bool ethos_u) {
  std::vector<fs::path> files;
  for (const char* folder : {"src/pte", "src/runtime", "src/facade", "src/backends/ethos_u"}) {
    if (ethos_u || std::string(folder) != "src/backends/ethos_u") {
      const auto more = files_below(root / folder, ".cpp");
      files.insert(files.end(), more.begin(), more.end());
    }
  }
  return files;
}

}  // namespace wick::tools
