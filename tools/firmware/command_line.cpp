// SPDX-License-Identifier: BSD-3-Clause
// Words to options, and what the commands print.
#include "tools/firmware/command_line.h"

#include <cstdio>
#include <map>

#include "tools/firmware/embed.h"
#include "tools/firmware/image.h"
#include "tools/firmware/memory.h"
#include "tools/firmware/uf2.h"

#ifndef WICK_SOURCE_FOLDER
#define WICK_SOURCE_FOLDER "."
#endif

namespace wick::tools {

const char* const kFirmwareUsage =
    "embed FILE.pte… -o DIR   sources for a firmware: model, kernel table, sizes, list of wick's sources\n"
    "    --section NAME         linker section of the model (default .rodata.MODEL)\n"
    "    --address N            the model is not linked but lies in flash at N; --capacity BYTES of that flash\n"
    "    --array                the model as a C array\n"
    "    --kernels OP,OP        further operators, for all types\n"
    "    --no-model             the kernel table only\n"
    "    --root DIR             wick's source folder\n"
    "check APP.elf FILE.pte     can this firmware load the program? says what it lacks\n"
    "size APP.elf               flash and RAM; --flash BYTES --ram BYTES that there are\n"
    "uf2 APP.elf                APP.uf2 for a Raspberry Pi Pico's USB drive\n"
    "    --family NAME          rp2040 or rp2350-arm-s\n"
    "    --add FILE@ADDRESS     a further file, such as a model in flash of its own\n";

namespace {

/// Options with a value, options without, and what is left.
struct Arguments {
  std::map<std::string, std::string> values;
  std::vector<std::string> files;

  bool has(const std::string& name) const { return values.count(name) != 0; }
  std::string text(const std::string& name) const { return has(name) ? values.at(name) : ""; }
  uint64_t number(const std::string& name) const {
    if (!has(name)) {
      return 0;
    }
    size_t used = 0;
    uint64_t value = 0;
    try {
      value = std::stoull(values.at(name), &used, 0);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used == 0 || used != values.at(name).size()) {
      throw ToolError(name + ": '" + values.at(name) + "' is not a number");
    }
    return value;
  }
};

/// `known`: options and whether they take a value.
Arguments parse(const std::vector<std::string>& words, const std::map<std::string, bool>& known) {
  Arguments arguments;
  for (size_t i = 1; i < words.size(); ++i) {
    const auto option = known.find(words[i]);
    if (option != known.end() && option->second) {
      if (i + 1 == words.size()) {
        throw ToolError(words[i] + " wants a value");
      }
      arguments.values[words[i]] = words[i + 1];
      ++i;
    } else if (option != known.end()) {
      arguments.values[words[i]] = "";
    } else if (words[i].rfind('-', 0) == 0) {
      throw ToolError("unknown option " + words[i] + "\n" + kFirmwareUsage);
    } else {
      arguments.files.push_back(words[i]);
    }
  }
  return arguments;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  size_t from = 0;
  while (from < text.size()) {
    const size_t comma = std::min(text.find(',', from), text.size());
    if (comma > from) {
      parts.push_back(text.substr(from, comma - from));
    }
    from = comma + 1;
  }
  return parts;
}

int run_embed(const std::vector<std::string>& words) {
  const Arguments arguments = parse(words, {{"-o", true},
                                            {"--section", true},
                                            {"--address", true},
                                            {"--capacity", true},
                                            {"--kernels", true},
                                            {"--root", true},
                                            {"--array", false},
                                            {"--no-model", false}});
  EmbedOptions options;
  options.models = arguments.files;
  options.kernels = split(arguments.text("--kernels"));
  options.root = arguments.has("--root") ? arguments.text("--root") : WICK_SOURCE_FOLDER;
  options.output = arguments.text("-o");
  options.section = arguments.text("--section");
  options.capacity = arguments.number("--capacity");
  options.as_array = arguments.has("--array");
  options.without_model = arguments.has("--no-model");
  if (arguments.has("--address")) {
    options.address = arguments.number("--address");
  }
  if (options.output.empty() || (options.models.empty() && !options.without_model)) {
    throw ToolError("embed wants programs and -o DIR\n" + std::string(kFirmwareUsage));
  }
  for (const std::string& warning : embed(options)) {
    std::fprintf(stderr, "wick embed: %s\n", warning.c_str());
  }
  return 0;
}

int run_check(const std::vector<std::string>& words) {
  const Arguments arguments = parse(words, {});
  if (arguments.files.size() != 2) {
    throw ToolError("check wants a firmware (.elf) and a program (.pte)");
  }
  Needs needs = read_needs(arguments.files[1]);
  narrow_by_views(needs, views_of(read_memory(arguments.files[1])));
  const auto missing = missing_in(read_image(arguments.files[0]), needs);
  for (const std::string& line : missing) {
    std::printf("missing in %s: %s\n", arguments.files[0].c_str(), line.c_str());
  }
  if (missing.empty()) {
    std::printf("%s has the kernels of %s\n", arguments.files[0].c_str(), arguments.files[1].c_str());
  }
  return missing.empty() ? 0 : 1;
}

int run_size(const std::vector<std::string>& words) {
  const Arguments arguments = parse(words, {{"--flash", true}, {"--ram", true}});
  if (arguments.files.size() != 1) {
    throw ToolError("size wants a firmware (.elf)");
  }
  const Image image = read_image(arguments.files[0]);
  std::printf("%s", size_table(image, arguments.number("--flash"), arguments.number("--ram")).c_str());
  return 0;
}

int run_uf2(const std::vector<std::string>& words) {
  const Arguments arguments = parse(words, {{"--family", true}, {"--add", true}, {"-o", true}});
  if (arguments.files.size() != 1 || !arguments.has("--family")) {
    throw ToolError("uf2 wants a firmware (.elf) and --family");
  }
  const Image image = read_image(arguments.files[0]);
  std::vector<Segment> parts = image.segments;
  const std::string add = arguments.text("--add");
  if (!add.empty()) {
    const size_t at = add.rfind('@');
    if (at == std::string::npos) {
      throw ToolError("--add wants FILE@ADDRESS");
    }
    Arguments address;
    address.values["--add"] = add.substr(at + 1);
    parts.push_back({static_cast<uint32_t>(address.number("--add")), read_file(add.substr(0, at))});
  }
  std::string output = arguments.text("-o");
  if (output.empty()) {
    output = arguments.files[0].substr(0, arguments.files[0].rfind('.')) + ".uf2";
  }
  const Bytes file = make_uf2(parts, arguments.text("--family"));
  write_file(output, {reinterpret_cast<const char*>(file.data()), file.size()});
  std::printf("%s: %zu bytes to flash\n", output.c_str(), file.size() / 2);
  return 0;
}

}  // namespace

int run_firmware_command(const std::vector<std::string>& words) {
  const std::string command = words.empty() ? "" : words.front();
  if (command == "embed") {
    return run_embed(words);
  }
  if (command == "check") {
    return run_check(words);
  }
  if (command == "size") {
    return run_size(words);
  }
  if (command == "uf2") {
    return run_uf2(words);
  }
  throw ToolError("usage:\n" + std::string(kFirmwareUsage));
}

}  // namespace wick::tools
