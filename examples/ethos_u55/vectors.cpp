// SPDX-License-Identifier: BSD-3-Clause
//
// The interrupt vectors behind the board's system exceptions: the NPU's, and for all others the board's fault report.
#include "examples/ethos_u55/npu.h"

extern "C" void wick_fault_entry();

namespace {

using Handler = void (*)();

struct Vectors {
  Handler handlers[kNpuInterrupt + 1];
};

constexpr Vectors make_vectors() {
  Vectors vectors = {};
  for (Handler& handler : vectors.handlers) {
    handler = wick_fault_entry;
  }
  vectors.handlers[kNpuInterrupt] = wick_ethos_u_interrupt;
  return vectors;
}

}  // namespace

extern "C" {
extern const Vectors example_vectors;
__attribute__((section(".vectors.irq"), used)) const Vectors example_vectors = make_vectors();
}
