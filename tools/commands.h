// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `wick`. Each adds its options to the app and sets the exit status when it runs.
#pragma once

namespace CLI {
class App;
}

namespace wick::tools {

void add_verify_command(CLI::App& app, int& status);
void add_run_command(CLI::App& app, int& status);
void add_npu_command(CLI::App& app, int& status);
void add_inspect_command(CLI::App& app, int& status);
void add_memory_command(CLI::App& app, int& status);
void add_doctor_command(CLI::App& app, int& status);
void add_firmware_commands(CLI::App& app, int& status);

}  // namespace wick::tools
