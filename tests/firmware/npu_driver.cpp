// SPDX-License-Identifier: BSD-3-Clause
// The register driver on a board as a product would use it: its interrupt goes through the NVIC, and the core sleeps by
// WFE until it comes. The NPU's registers are those of the functional model, which pends the interrupt when a stream
// has ended.

#include <npu/register_file.h>
#include <wick/ethos_u.h>

#include "npu_case.h"

extern "C" void wick_fault_entry();

namespace {

constexpr int kIrq = 56;
constexpr uintptr_t kBase = 0x48102000;

wick::npu::RegisterFile* registers = nullptr;
unsigned interrupts = 0;

void handler() {
  ++interrupts;
  wick_ethos_u_interrupt();
}

struct Vectors {
  void (*handlers[kIrq + 1])();
};

constexpr Vectors make_vectors() {
  Vectors vectors = {};
  for (auto& entry : vectors.handlers) entry = wick_fault_entry;
  vectors.handlers[kIrq] = handler;
  return vectors;
}

uint32_t read32(void*, uintptr_t address) { return registers->read(static_cast<uint32_t>(address - kBase)); }

void write32(void*, uintptr_t address, uint32_t value) {
  const bool before = registers->interrupt();
  registers->write(static_cast<uint32_t>(address - kBase), value);
  if (!before && registers->interrupt()) {
    constexpr uintptr_t kSetPending = 0xE000E200;
    reinterpret_cast<volatile uint32_t*>(kSetPending)[kIrq / 32] = 1U << kIrq % 32;
  }
}

// Here bus and processor addresses are the same.
wick::npu::Region lookup(void* context, uint64_t address) {
  const auto& test = *static_cast<const NpuCase*>(context);
  const auto at = [address](const void* data) { return reinterpret_cast<uintptr_t>(data) == address; };
  if (at(test.stream.words.data)) return wick::npu::read_only(test.stream.words.data, test.stream.words.size);
  if (at(test.scratch)) return wick::npu::read_write(test.scratch, test.payload.scratch_size);
  if (at(test.payload.weight_data.data)) {
    return wick::npu::read_only(test.payload.weight_data.data, test.payload.weight_data.size);
  }
  return {};
}

}  // namespace

extern "C" {
extern const Vectors npu_driver_vectors;
__attribute__((section(".vectors.irq"), used)) const Vectors npu_driver_vectors = make_vectors();
}

int main() {
  using executorch::runtime::Error;
  NpuCase test;
  if (const char* wrong = test.begin()) return fail(wrong);
  wick::npu::RegisterFile npu(test.config, {test.workspace, test.workspace_size}, lookup, &test);
  registers = &npu;
  wick::ethos_u::Settings settings;
  settings.base = kBase;
  settings.irq = kIrq;
  settings.port.read32 = read32;
  settings.port.write32 = write32;
  if (wick::ethos_u::init(settings) != Error::Ok) return fail("init");
  wick::ethos_u::Inference inference = {{test.payload.command_data.data, test.payload.command_data.size},
                                        {test.payload.weight_data.data, test.payload.weight_data.size},
                                        test.scratch,
                                        test.payload.scratch_size,
                                        nullptr,
                                        0};
  if (wick_ethos_u_invoke(inference) != Error::Ok) return fail("invoke");
  if (interrupts != 1) return fail("not one interrupt");
  if (const char* wrong = test.end()) return fail(wrong);
  print_number("cycles ", inference.cycles);
  wick_board_puts("PASS\n");
  return 0;
}
