// SPDX-License-Identifier: BSD-3-Clause
// The steps of a load, each with the runtime's own messages: what the file is, its size, its tables, every method.
#include "tools/doctor/doctor.h"

#include <executorch/extension/data_loader/buffer_data_loader.h>
#include <executorch/runtime/executor/program.h>
#include <executorch/runtime/platform/platform.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <wick/pte_size.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "src/pte/schema.h"
#include "tools/commands.h"
#include "tools/inspect/inspect.h"
#include "tools/runner/bundle.h"
#include "tools/runner/data_files.h"
#include "tools/runner/data_maps.h"
#include "tools/verify/host_port.h"

namespace wick::tools {
namespace {

using executorch::extension::BufferDataLoader;
using executorch::runtime::Error;
using executorch::runtime::HierarchicalAllocator;
using executorch::runtime::MemoryManager;
using executorch::runtime::Program;

std::vector<std::string> messages;  // of the runtime, since the last step

void collect(et_timestamp_t, et_pal_log_level_t level, const char*, const char*, size_t, const char* message, size_t) {
  if (level == et_pal_log_level_t::kError || level == et_pal_log_level_t::kFatal) {
    messages.emplace_back(message);
  }
}

/// What to do when the runtime's messages alone do not tell.
const char* remedy(Error error) {
  switch (error) {
    case Error::InvalidProgram:
      return "copy the file again, or export the model again; compare its size with the exporter's";
    case Error::OperatorMissing:
      return "link a kernel table that has the operator: wick_add_model(MODEL file) makes one, wick::kernels_all has "
             "all";
    case Error::NotFound:
      return "link the backend that is named (wick::ethos_u), or give the data file (.ptd) that is named with --data";
    case Error::DelegateInvalidCompatibility:
    case Error::DelegateInvalidHandle:
      return "compile the model for the NPU that is there, with a supported version of Vela";
    case Error::NotSupported:
      return "export the model without this feature";
    default:
      return "see the message, and docs/errors.md";
  }
}

class Doctor {
 public:
  Doctor(const std::string& path, const std::vector<std::string>& data) : path_(path), data_(data) {
    static const bool once =
        executorch::runtime::register_pal(executorch::runtime::PalImpl::create(&collect, __FILE__));
    (void)once;
    messages.clear();
  }

  Diagnosis examine() {
    runner::FileImage file{};
    if (!runner::read_whole(port_, path_.c_str(), file)) {
      bad("the file cannot be read", "check its path");
      return result_;
    }
    if (file.size < pte::kMinProgram) {
      bad(fmt::format("{} bytes are too few for a program", file.size), remedy(Error::InvalidProgram));
      return result_;
    }
    switch (pte::kind_of(file.data)) {
      case pte::Kind::kFlatTensor:
        examine_data_file(file);
        break;
      case pte::Kind::kBundled: {
        runner::FileImage program{};
        if (!runner::unwrap_bundle(file, program)) {
          bad("a bundled program (.bpte), but the program inside cannot be found", remedy(Error::InvalidProgram));
          break;
        }
        good(fmt::format("a bundled program (.bpte) of {} bytes; the program inside follows", file.size));
        examine_program(program);
        break;
      }
      default:
        examine_program(file);
    }
    return result_;
  }

 private:
  void good(const std::string& text) { result_.text += "ok   " + text + "\n"; }

  void bad(const std::string& text, const char* what_to_do) {
    result_.healthy = false;
    result_.text += "BAD  " + text + "\n";
    for (const std::string& message : messages) {
      result_.text += "     runtime: " + message + "\n";
    }
    messages.clear();
    result_.text += fmt::format("     remedy: {}\n", what_to_do);
  }

  void bad(const std::string& text, Error error) {
    bad(fmt::format("{}: error 0x{:x} ({})", text, static_cast<uint32_t>(error), executorch::runtime::to_string(error)),
        remedy(error));
  }

  void examine_data_file(const runner::FileImage& file) {
    const auto map = runner::load_data_file(port_, file);
    if (!map.ok()) {
      bad("a data file (.ptd) that cannot be read", map.error());
      return;
    }
    const auto keys = map.get()->get_num_keys();
    good(fmt::format("a data file (.ptd) of {} bytes with {} keys", file.size, keys.ok() ? keys.get() : 0));
  }

  void examine_program(const runner::FileImage& file) {
    BufferDataLoader loader(file.data, file.size);
    auto program = Program::load(&loader);
    if (!program.ok()) {
      bad(fmt::format("{} bytes, which do not load as a program", file.size), program.error());
      return;
    }
    const auto real = wick::pte_size(file.data, file.size);
    if (!real.ok()) {
      bad("the size of the program cannot be found", real.error());
    } else if (real.get() < file.size) {
      good(fmt::format("a program of {} bytes, followed by {} bytes that are not part of it", real.get(),
                       file.size - real.get()));
    } else {
      good(fmt::format("a program of {} bytes", file.size));
    }
    try {
      const nlohmann::json inspection = inspect_program(file.data, file.size);
      good("its tables are in order; exporter " + inspection.at("generation").get<std::string>());
      const auto missing = inspection.at("missing").get<std::vector<std::string>>();
      if (!missing.empty()) {
        bad(fmt::format("this build of wick does not have: {}", fmt::join(missing, ", ")),
            "replace the operator in the model, or write the kernel and register it");
      }
    } catch (const ToolError& error) {
      bad(error.what(), remedy(Error::InvalidProgram));
    }
    examine_methods(*program);
  }

  void examine_methods(const Program& program) {
    std::vector<executorch::runtime::NamedDataMap*> maps;
    for (const std::string& path : data_) {
      runner::FileImage file{};
      const bool read = runner::read_whole(port_, path.c_str(), file);
      const auto map = read ? runner::load_data_file(port_, file) : Error::AccessFailed;
      if (!map.ok()) {
        bad(path, map.error());
        continue;
      }
      maps.push_back(map.get());
    }
    const runner::DataMaps data(maps.data(), static_cast<uint32_t>(maps.size()));
    if (program.num_methods() == 0) {
      bad("the program has no methods", remedy(Error::InvalidProgram));
    }
    for (size_t i = 0; i < program.num_methods(); ++i) {
      const auto name = program.get_method_name(i);
      if (!name.ok()) {
        bad(fmt::format("method {} has no name", i), name.error());
        continue;
      }
      examine_method(program, *name, maps.empty() ? nullptr : &data);
    }
  }

  void examine_method(const Program& program, const char* name, const executorch::runtime::NamedDataMap* data) {
    const auto meta = program.method_meta(name);
    runner::PlannedMemory planned(port_);
    if (!meta.ok() || !planned.want(*meta) || !planned.allocate()) {
      bad(fmt::format("method {}: its planned buffers cannot be had", name),
          meta.ok() ? Error::MemoryAllocationFailed : meta.error());
      return;
    }
    HierarchicalAllocator hierarchy(planned.spans());
    MemoryManager manager(&port_.method_pool(), &hierarchy, &port_.temp_pool());
    const auto method = program.load_method(name, &manager, nullptr, data);
    if (!method.ok()) {
      bad(fmt::format("method {} does not load", name), method.error());
      return;
    }
    good(fmt::format("method {} loads; it plans {} bytes of RAM", name, planned.bytes()));
  }

  std::string path_;
  std::vector<std::string> data_;
  HostPort port_{STDOUT_FILENO};
  Diagnosis result_;
};

}  // namespace

Diagnosis diagnose(const std::string& path, const std::vector<std::string>& data) {
  return Doctor(path, data).examine();
}

void add_doctor_command(CLI::App& app, int& status) {
  auto path = std::make_shared<std::string>();
  auto data = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("doctor", "Say what is wrong with a file (.pte, .bpte, .ptd), and what to do");
  command->add_option("FILE", *path, "The file")->required();
  command->add_option("--data,-d", *data, "Data file (.ptd) of the program (repeat)");
  command->callback([path, data, &status] {
    const Diagnosis diagnosis = diagnose(*path, *data);
    fmt::print("{}", diagnosis.text);
    status = diagnosis.healthy ? 0 : 1;
  });
}

}  // namespace wick::tools
