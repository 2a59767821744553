// SPDX-License-Identifier: BSD-3-Clause
// Driver of one Ethos-U by its registers, through a Port. It keeps nothing in the NPU: every inference switches on,
// resets and sets all registers, so that a chip may take the NPU's power away in between.
#pragma once

#include <wick/ethos_u.h>

#include <atomic>

#include "src/backends/ethos_u/command_data.h"

namespace wick::ethos_u {

/// The port with the defaults for a Cortex-M where it has none; clean and invalidate stay null, which means all at once.
Port with_defaults(Port port);

class Driver {
 public:
  executorch::runtime::Error init(const Settings& settings);

  /// Runs an inference to its end. Error::InvalidState without init(), or while another one runs;
  /// DelegateInvalidCompatibility for a program of another NPU; AccessFailed if the NPU does not answer in time;
  /// InvalidProgram if it reports a fault.
  executorch::runtime::Error run(Inference& inference);

  /// To be called by the NPU's interrupt.
  void interrupt();

 private:
  using Error = executorch::runtime::Error;

  uint32_t read(uint32_t offset) const {
    return settings_.port.read32(settings_.port.context, settings_.base + offset);
  }
  void write(uint32_t offset, uint32_t value) const {
    settings_.port.write32(settings_.port.context, settings_.base + offset, value);
  }
  void write_address(uint32_t offset, uint64_t address) const;

  Error start();
  Error reset() const;
  Error check(const CommandData& data) const;
  void set_bus() const;
  uint32_t region_config() const;
  Error set_regions(const CommandData& data, const Inference& inference) const;
  Error run_locked(const CommandData& data, Inference& inference);
  Error wait_for_end();
  Error judge() const;

  Settings settings_;
  bool known_ = false;
  uint32_t config_ = 0;  // CONFIG of the NPU
  std::atomic<bool> busy_{false};
  std::atomic<bool> done_{false};
  uint32_t status_ = 0;  // as the NPU stopped
  uint32_t stopped_at_ = 0;
};

}  // namespace wick::ethos_u
