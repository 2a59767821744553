// SPDX-License-Identifier: BSD-3-Clause
//
// What the example knows of its chip, Corstone-300: where the NPU is, its interrupt, and which memory it reaches.
#pragma once

#include <wick/ethos_u.h>

/// SRAM on the NPU's bus; the tightly coupled memories are the processor's alone.
#define EXAMPLE_NPU_MEMORY __attribute__((section(".ram_large")))

constexpr int kNpuInterrupt = 56;

inline wick::ethos_u::Settings npu_settings() {
  wick::ethos_u::Settings settings;
  settings.base = 0x58102000;  // the secure alias of 0x48102000
  settings.irq = kNpuInterrupt;
  settings.memory_mode = wick::ethos_u::MemoryMode::kSharedSram;  // as the program was compiled
  return settings;
}
