// SPDX-License-Identifier: BSD-3-Clause
// Writes the files of `wick embed`. Each is written only if its text changed, so that builds stay up to date.
#include "tools/firmware/embed.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "tools/firmware/memory.h"
#include "tools/firmware/needs.h"
#include "tools/firmware/sources.h"

namespace wick::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNotice = "// Written by wick embed.\n";

struct Model {
  fs::path path;
  std::string symbol;  // kws.float.pte: kws_float
  Needs needs;
  std::vector<MethodMemory> methods;
};

std::string symbol_of(const fs::path& path) {
  std::string symbol = path.stem().string();
  for (char& c : symbol) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return std::isdigit(static_cast<unsigned char>(symbol.front())) != 0 ? "model_" + symbol : symbol;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

void write_if_changed(const fs::path& path, const std::string& text) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) {
    const Bytes before = read_file(path);
    if (std::equal(before.begin(), before.end(), text.begin(), text.end())) {
      return;
    }
  }
  write_file(path, text);
}

/// The names under which a model is known: its own, and exec_model for the first.
std::vector<std::string> names_of(const Model& model, bool first) {
  std::vector<std::string> names = {model.symbol};
  if (first) {
    names.insert(names.begin(), "exec_model");
  }
  return names;
}

/// The model's bytes by the assembler, aligned to 16 as programs want it, or its address in flash.
std::string assembler_source(const EmbedOptions& options, const Model& model, bool first) {
  std::ostringstream text;
  text << "asm(\n";
  for (const std::string& name : names_of(model, first)) {
    text << "    \".global " << name << "_start\\n\"\n";
    if (options.address) {
      text << "    \".set " << name << "_start, 0x" << std::hex << *options.address << std::dec << "\\n\"\n";
    }
  }
  if (!options.address) {
    const std::string section = options.section.empty() ? ".rodata." + model.symbol : options.section;
    text << "    \".pushsection " << section << ", \\\"a\\\"\\n\"\n    \".balign 16\\n\"\n";
    for (const std::string& name : names_of(model, first)) {
      text << "    \"" << name << "_start:\\n\"\n";
    }
    text << "    \".incbin \\\"" << model.path.string() << "\\\"\\n\"\n    \".popsection\\n\"\n";
  }
  text << ");\n";
  return text.str();
}

std::string array_source(const EmbedOptions& options, const Model& model) {
  const Bytes bytes = read_file(model.path);
  std::string text = "#ifdef __GNUC__\n__attribute__((aligned(16)";
  text += options.section.empty() ? "" : ", section(\"" + options.section + "\")";
  text += "))\n#elif defined(__ICCARM__)\n#pragma data_alignment = 16\n#endif\nconst uint8_t exec_model_start[] = {";
  for (size_t i = 0; i < bytes.size(); ++i) {
    text += (i % 24 == 0 ? "\n" : "") + std::to_string(bytes[i]) + ",";
  }
  return text + "\n};\n";
}

uint64_t capacity_of(const EmbedOptions& options, const Model& model) {
  return options.address && options.capacity != 0 ? options.capacity : model.needs.bytes;
}

void write_model(const EmbedOptions& options, const std::vector<Model>& models) {
  if (options.as_array) {
    write_if_changed(options.output / "model.c", std::string(kNotice) + "#include \"exec_model.h\"\n\n" +
                                                     array_source(options, models.front()) +
                                                     "const size_t exec_model_size = sizeof(exec_model_start);\n");
    return;
  }
  std::string text = std::string(kNotice) + "#include \"exec_model.h\"\n\n";
  for (size_t i = 0; i < models.size(); ++i) {
    text += assembler_source(options, models[i], i == 0);
    for (const std::string& name : names_of(models[i], i == 0)) {
      text += "const size_t " + name + "_size = " + std::to_string(capacity_of(options, models[i])) + ";\n";
    }
  }
  write_if_changed(options.output / "model.cpp", text);
}

/// The largest of the figures of all methods.
uint64_t largest(const Model& model, const MemoryRequired MethodMemory::*layout,
                 uint64_t (*figure)(const MemoryRequired&)) {
  uint64_t most = 0;
  for (const MethodMemory& method : model.methods) {
    most = std::max(most, figure(method.*layout));
  }
  return most;
}

void add_memory(std::ostringstream& text, const std::string& prefix, const Model& model,
                const MemoryRequired MethodMemory::*layout) {
  const auto add = [&](const char* name, uint64_t (*figure)(const MemoryRequired&)) {
    text << "#define " << prefix << name << " " << largest(model, layout, figure) << "u\n";
  };
  add("_METHOD_BYTES", [](const MemoryRequired& need) -> uint64_t { return need.method; });
  add("_TEMP_BYTES", [](const MemoryRequired& need) -> uint64_t { return need.temp(); });
  add("_ARENA_BYTES", [](const MemoryRequired& need) -> uint64_t { return need.arena(); });
}

void add_constants(std::ostringstream& text, const std::string& prefix, const Model& model) {
  const auto figure = [&](uint64_t (*of)(const MemoryRequired&)) { return largest(model, &MethodMemory::device, of); };
  text << "#define " << prefix << "_BYTES " << model.needs.bytes << "u /* of the program */\n"
       << "#define " << prefix << "_PLANNED_BUFFERS "
       << figure([](const MemoryRequired& need) -> uint64_t { return need.planned_count; }) << "u\n"
       << "#define " << prefix << "_PLANNED_BYTES "
       << figure([](const MemoryRequired& need) -> uint64_t { return need.planned; })
       << "u /* all buffers, each a multiple of 16 */\n"
       << "#define " << prefix << "_DELEGATES "
       << figure([](const MemoryRequired& need) -> uint64_t { return need.delegates; })
       << "u /* of unknown backends: what these take comes on top of METHOD, TEMP and ARENA */\n#if UINTPTR_MAX == "
          "0xFFFFFFFFu\n";
  add_memory(text, prefix, model, &MethodMemory::device);
  text << "#else /* " << 8 * sizeof(void*) << " bits */\n";
  add_memory(text, prefix, model, &MethodMemory::native);
  text << "#endif\n";
}

void write_header(const EmbedOptions& options, const std::vector<Model>& models) {
  std::ostringstream text;
  text << "/* Written by wick embed: where the model lies, and the RAM that it takes (the largest of its methods), to "
          "the\n"
          " * byte: METHOD_BYTES and TEMP_BYTES for the pools of load_method(), or ARENA_BYTES for a wick::Model or\n"
          " * wick_model_t; each from a multiple of 16. */\n"
       << "#ifndef WICK_EXEC_MODEL_H\n#define WICK_EXEC_MODEL_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
       << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (size_t i = 0; i < models.size() && !options.without_model; ++i) {
    for (const std::string& name : names_of(models[i], i == 0)) {
      text << "extern const uint8_t " << name << "_start[];\nextern const size_t " << name << "_size;\n";
    }
  }
  text << "#ifdef __cplusplus\n}\n#endif\n";
  for (size_t i = 0; i < models.size(); ++i) {
    text << "\n/* " << models[i].path.filename().string() << ":";
    for (const MethodMemory& method : models[i].methods) {
      text << " method " << method.name << " plans";
      for (const uint64_t bytes : method.planned) {
        text << " " << bytes;
      }
      text << (method.planned.empty() ? " nothing." : " bytes.");
    }
    text << " */\n";
    for (const std::string& name : names_of(models[i], i == 0)) {
      add_constants(text, upper(name), models[i]);
    }
  }
  text << "\n#endif\n";
  write_if_changed(options.output / "exec_model.h", text.str());
}

/// The table, and in a section that takes no flash the manifest that `wick check` reads from the linked image.
std::string table_source(const KernelSources& kernels, const Selection& selection) {
  std::ostringstream text;
  text << kNotice << "#include <executorch/runtime/core/exec_aten/exec_aten.h>\n\n"
       << "#include \"src/kernels/kernel_table_builder.h\"\n\n";
  if (kernels.symbols.empty()) {
    text << "extern const wick::KernelTable wick_kernel_table;\n"
         << "const wick::KernelTable wick_kernel_table = {nullptr, 0};\n";
    return text.str();
  }
  text << "namespace wick::kernels {\n";
  for (const auto& [name, symbol] : kernels.symbols) {
    text << "void " << symbol << "(::executorch::runtime::KernelRuntimeContext&,\n"
         << "    ::executorch::runtime::Span<::executorch::runtime::EValue*>);\n";
  }
  text << "}  // namespace wick::kernels\n\nnamespace {\nconstexpr wick::KernelEntry kUnsorted[] = {\n";
  for (const auto& [name, symbol] : kernels.symbols) {
    text << "    {\"" << name << "\", &wick::kernels::" << symbol << "},\n";
  }
  text << "};\nconstexpr auto kSorted = wick::internal::sort_kernels(kUnsorted);\n}  // namespace\n\n"
       << "extern const wick::KernelTable wick_kernel_table;\n"
       << "const wick::KernelTable wick_kernel_table = {kSorted.entries, " << kernels.symbols.size() << "};\n";
  text << "\n#if defined(__GNUC__) && defined(__ELF__)\nasm(\n    \".pushsection .wick.manifest\\n\"\n";
  for (const auto& [name, symbol] : kernels.symbols) {
    text << "    \".ascii \\\"" << name << " " << selection.at(name) << "\\\\n\\\"\\n\"\n";
  }
  text << "    \".popsection\\n\");\n#endif\n";
  return text.str();
}

void write_kernels(const EmbedOptions& options, const KernelSources& kernels, const Selection& selection) {
  write_if_changed(options.output / "kernel_table.cpp", table_source(kernels, selection));
  std::ostringstream text;
  for (const auto& [name, symbol] : kernels.symbols) {
    text << "{\"" << name << "\", 0x" << std::hex << selection.at(name) << std::dec << "U},\n";
  }
  write_if_changed(options.output / "selected_ops.h", text.str());
}

void write_source_lists(const EmbedOptions& options, const KernelSources& kernels, bool ethos_u) {
  std::vector<fs::path> files = runtime_sources(options.root, ethos_u);
  files.insert(files.end(), kernels.files.begin(), kernels.files.end());
  std::string list;
  std::string make =
      "# Written by wick embed. Compile WICK_SOURCES with WICK_CPPFLAGS and WICK_CXXFLAGS, beside the\n"
      "# flags of the CPU, and link with -Wl,--gc-sections.\n";
  make += "WICK_CPPFLAGS := -I" + options.output.string() + " -I" + (options.root / "include").string() + " -I" +
          options.root.string() + " '-DWICK_SELECTED_OPS=\"" + (options.output / "selected_ops.h").string() + "\"'\n";
  make +=
      "WICK_CXXFLAGS := -std=c++17 -fno-exceptions -fno-rtti -fno-threadsafe-statics -Wno-psabi -ffunction-sections "
      "-fdata-sections\nWICK_SOURCES :=";
  if (!options.without_model) {
    make += " \\\n  " + (options.output / (options.as_array ? "model.c" : "model.cpp")).string();
  }
  make += " \\\n  " + (options.output / "kernel_table.cpp").string();
  for (const fs::path& file : files) {
    list += file.string() + "\n";
    make += " \\\n  " + file.string();
  }
  write_if_changed(options.output / "sources.txt", list);
  write_if_changed(options.output / "wick.mk", make + "\n");
}

std::vector<Model> read_models(const EmbedOptions& options) {
  std::vector<Model> models;
  for (const std::string& path : options.models) {
    Model model{fs::absolute(path).lexically_normal(), symbol_of(path), read_needs(path), read_memory(path)};
    narrow_by_views(model.needs, views_of(model.methods));
    models.push_back(model);
  }
  if (models.size() > 1 && (options.address || options.as_array)) {
    throw ToolError("several models can only be linked in (no --address, no --array)");
  }
  if (options.address && *options.address % 16 != 0) {
    throw ToolError("--address must be a multiple of 16");
  }
  if (options.address && options.capacity != 0 && options.capacity < models.front().needs.bytes) {
    throw ToolError(options.models.front() + ": " + std::to_string(models.front().needs.bytes) +
                    " bytes do not fit the flash of " + std::to_string(options.capacity));
  }
  return models;
}

}  // namespace

std::vector<std::string> embed(const EmbedOptions& given) {
  EmbedOptions options = given;
  options.output = fs::absolute(options.output).lexically_normal();
  options.root = fs::absolute(options.root).lexically_normal();
  const std::vector<Model> models = read_models(options);
  Selection selection;
  std::set<std::string> backends;
  for (const Model& model : models) {
    add_selection(selection, model.needs.operators);
    backends.insert(model.needs.backends.begin(), model.needs.backends.end());
  }
  for (const std::string& name : options.kernels) {
    selection[name] = kAllTypes;
  }
  const KernelSources kernels = find_kernels(options.root, selection);
  const bool ethos_u = backends.erase("EthosUBackend") != 0;

  fs::create_directories(options.output);
  if (!options.without_model) {
    write_model(options, models);
  }
  write_header(options, models);
  write_kernels(options, kernels, selection);
  write_source_lists(options, kernels, ethos_u);

  std::vector<std::string> warnings;
  for (const std::string& name : kernels.missing) {
    warnings.push_back("wick has no kernel for " + name +
                       ": register one (register_kernels), else the method does not load");
  }
  for (const std::string& name : backends) {
    warnings.push_back("wick has no backend " + name +
                       ": register one (register_backend), else the method does not load");
  }
  return warnings;
}

}  // namespace wick::tools
