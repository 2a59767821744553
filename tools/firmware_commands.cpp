// SPDX-License-Identifier: BSD-3-Clause
// The commands of tools/firmware as subcommands of `wick`: their words are handed on as they are.
#include <CLI/CLI.hpp>

#include "tools/commands.h"
#include "tools/firmware/command_line.h"

namespace wick::tools {

void add_firmware_commands(CLI::App& app, int& status) {
  const std::pair<const char*, const char*> commands[] = {
      {"embed", "Write what a firmware build needs of programs: model, kernel table, sizes, sources"},
      {"check", "Say whether a firmware (.elf) has the kernels of a program"},
      {"size", "Flash and RAM of a firmware (.elf)"},
      {"uf2", "Make a firmware (.elf) a file for a Raspberry Pi Pico's USB drive"}};
  for (const auto& [name, description] : commands) {
    CLI::App* command = app.add_subcommand(name, description);
    command->prefix_command();
    command->set_help_flag();
    command->footer(kFirmwareUsage);
    command->callback([command, name = std::string(name), &status] {
      std::vector<std::string> words = command->remaining();
      words.insert(words.begin(), name);
      status = run_firmware_command(words);
    });
  }
}

}  // namespace wick::tools
