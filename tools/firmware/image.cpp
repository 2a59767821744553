// SPDX-License-Identifier: BSD-3-Clause
// A small reader of ELF32: headers are checked against the file before they are followed.
#include "tools/firmware/image.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <sstream>

namespace wick::tools {
namespace {

constexpr uint32_t kNoBits = 8;
constexpr uint32_t kWrite = 1;
constexpr uint32_t kAlloc = 2;
constexpr uint32_t kExecute = 4;
constexpr uint32_t kLoad = 1;

class ElfReader {
 public:
  ElfReader(const std::string& path, const Bytes& file) : path_(path), file_(file) {
    static const uint8_t kMagic[] = {0x7F, 'E', 'L', 'F', 1, 1};
    if (file.size() < 52 || !std::equal(std::begin(kMagic), std::end(kMagic), file.begin())) {
      throw ToolError(path + ": not a 32-bit little-endian ELF image");
    }
  }

  std::vector<Section> sections() const {
    const uint32_t table = u32(32);
    const uint32_t width = u16(46);
    const uint32_t count = u16(48);
    const uint32_t names = u32(uint64_t{table} + uint64_t{u16(50)} * width + 16);
    std::vector<Section> list;
    for (uint32_t i = 1; i < count; ++i) {
      const uint64_t at = uint64_t{table} + uint64_t{i} * width;
      list.push_back(
          {text(uint64_t{names} + u32(at)), u32(at + 4), u32(at + 8), u32(at + 12), u32(at + 16), u32(at + 20)});
    }
    return list;
  }

  std::vector<Segment> segments() const {
    std::vector<Segment> list;
    for (uint32_t i = 0; i < u16(44); ++i) {
      const uint64_t at = uint64_t{u32(28)} + uint64_t{i} * u16(42);
      const uint32_t bytes = u32(at + 16);
      if (u32(at) == kLoad && bytes != 0) {
        list.push_back({u32(at + 12), part(u32(at + 4), bytes)});
      }
    }
    std::sort(list.begin(), list.end(),
              [](const Segment& a, const Segment& b) { return a.load_address < b.load_address; });
    return list;
  }

  Bytes part(uint64_t at, uint64_t bytes) const {
    check(at, bytes);
    const auto from = file_.begin() + static_cast<std::ptrdiff_t>(at);
    return {from, from + static_cast<std::ptrdiff_t>(bytes)};
  }

 private:
  void check(uint64_t at, uint64_t bytes) const {
    if (at + bytes > file_.size()) {
      throw ToolError(path_ + ": a truncated or corrupt ELF image");
    }
  }
  template <typename T>
  T read(uint64_t at) const {
    check(at, sizeof(T));
    T value;
    std::memcpy(&value, file_.data() + at, sizeof(value));
    return value;
  }
  uint32_t u32(uint64_t at) const { return read<uint32_t>(at); }
  uint16_t u16(uint64_t at) const { return read<uint16_t>(at); }
  std::string text(uint64_t at) const {
    check(at, 0);
    const auto from = file_.begin() + static_cast<std::ptrdiff_t>(at);
    return {from, std::find(from, file_.end(), uint8_t{0})};
  }

  std::string path_;
  const Bytes& file_;
};

std::string row(const char* what, uint64_t bytes, const std::string& note) {
  char line[120];
  std::snprintf(line, sizeof(line), "  %-28s%10llu%s\n", what, static_cast<unsigned long long>(bytes), note.c_str());
  return line;
}

std::string share(uint64_t bytes, uint64_t of) {
  return of == 0 ? "" : " of " + std::to_string(of) + " (" + std::to_string(bytes * 100 / of) + " %)";
}

}  // namespace

Image read_image(const std::string& path) {
  Image image;
  image.file = read_file(path);
  const ElfReader reader(path, image.file);
  image.sections = reader.sections();
  image.segments = reader.segments();
  return image;
}

Selection read_manifest(const Image& image) {
  Selection selection;
  for (const Section& section : image.sections) {
    if (section.name != ".wick.manifest" || uint64_t{section.offset} + section.bytes > image.file.size()) {
      continue;
    }
    const auto from = image.file.begin() + section.offset;
    std::istringstream lines(std::string(from, from + section.bytes));
    std::string name;
    uint32_t types = 0;
    while (lines >> name >> types) {
      selection[name] |= types;
    }
  }
  return selection;
}

std::string size_table(const Image& image, uint64_t flash, uint64_t ram) {
  uint64_t code = 0;
  uint64_t constants = 0;
  uint64_t data = 0;
  uint64_t zero = 0;
  uint64_t stack = 0;
  uint64_t heap = 0;
  for (const Section& section : image.sections) {
    if ((section.flags & kAlloc) == 0) {
      continue;
    }
    uint64_t& kind = section.name == ".stack"          ? stack
                     : section.name == ".heap"         ? heap
                     : section.type == kNoBits         ? zero
                     : (section.flags & kExecute) != 0 ? code
                     : (section.flags & kWrite) != 0   ? data
                                                       : constants;
    kind += section.bytes;
  }
  const uint64_t in_flash = code + constants + data;
  const uint64_t in_ram = data + zero + stack + heap;
  return row("code", code, "") + row("constants (and the model)", constants, "") + row("initialised data", data, "") +
         row("flash", in_flash, share(in_flash, flash)) + row("zeroed data (and arenas)", zero, "") +
         row("stack", stack, "") + row("heap", heap, "") + row("RAM", in_ram, share(in_ram, ram));
}

std::vector<std::string> missing_in(const Image& image, const Needs& needs) {
  const Selection built = read_manifest(image);
  if (built.empty()) {
    throw ToolError("the image carries no manifest of its kernels (section .wick.manifest)");
  }
  std::vector<std::string> missing;
  for (const auto& [name, types] : needs.operators) {
    const auto at = built.find(name);
    if (at == built.end()) {
      missing.push_back("operator " + name);
      continue;
    }
    const uint32_t lacks = types & ~at->second & ~(is_product(name) ? kMixedShapes : 0);
    if (lacks != 0) {
      missing.push_back("operator " + name + " for " + type_names(lacks));
    }
  }
  return missing;
}

}  // namespace wick::tools
