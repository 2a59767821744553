// SPDX-License-Identifier: BSD-3-Clause
// The host program `wick`: one subcommand per job, each in its own file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "tools/commands.h"

int main(int argc, char** argv) {
  CLI::App app("wick: ExecuTorch programs on microcontrollers");
  app.require_subcommand(1);
  int status = 0;
  wick::tools::add_verify_command(app, status);
  wick::tools::add_run_command(app, status);
  wick::tools::add_npu_command(app, status);
  wick::tools::add_inspect_command(app, status);
  wick::tools::add_memory_command(app, status);
  wick::tools::add_doctor_command(app, status);
  wick::tools::add_firmware_commands(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // Help is not a mistake; everything else is wrong usage, which is told from a failed verification.
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "wick: {}\n", error.what());
    return 2;
  }
  return status;
}
