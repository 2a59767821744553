// SPDX-License-Identifier: BSD-3-Clause
// The command line of `wick verify`.
#include <CLI/CLI.hpp>
#include <memory>

#include "tools/commands.h"
#include "tools/verify/verify.h"

namespace wick::tools {

void add_verify_command(CLI::App& app, int& status) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand("verify", "Run conformance cases and compare their answers");
  command->add_option("PATH", options->paths, "Folders, case JSONs, programs, or a manifest.json of malformed files")
      ->required();
  command->add_option("--filter", options->filter,
                      "Only cases in whose path, relative to PATH, this ECMAScript regular expression is found");
  command->add_option("--json", options->json, "Write the report as JSON to this file");
  command->add_option("--jobs,-j", options->jobs, "Cases executed at a time (default: one per processor)");
  command->add_option("--timeout", options->timeout,
                      "Seconds without progress after which a case counts as hanging (default: 60; on a board 10 of "
                      "the emulator's processor time)");
  command->add_option("--on", options->board, "Run on this board in QEMU instead of on this machine");
  command->add_option("--runner", options->runner,
                      "The board's runner firmware (default: runner/ beside this program)");
  command->callback([options, &status] { status = verify(*options); });
}

}  // namespace wick::tools
