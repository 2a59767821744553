// SPDX-License-Identifier: BSD-3-Clause
// The NPU of this image: what init() makes known, the delegate runs on and the interrupt belongs to; and the port's
// defaults.
#include "src/backends/ethos_u/cortex_m.h"
#include "src/backends/ethos_u/driver.h"

namespace wick::ethos_u {
namespace {

Driver npu;
void* mutex = nullptr;
void* semaphore = nullptr;

uint32_t read32(void* /*context*/, uintptr_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

void write32(void* /*context*/, uintptr_t address, uint32_t value) {
  *reinterpret_cast<volatile uint32_t*>(address) = value;
}

uint64_t to_npu(void* /*context*/, const void* pointer, size_t /*bytes*/, int region) {
  return ethosu_address_remap(reinterpret_cast<uintptr_t>(pointer), region);
}

bool wait(void* /*context*/, uint64_t timeout) { return ethosu_semaphore_take(semaphore, timeout) == 0; }
void wake(void* /*context*/) { ethosu_semaphore_give(semaphore); }
bool lock(void* /*context*/) { return ethosu_mutex_lock(mutex) == 0; }
void unlock(void* /*context*/) { ethosu_mutex_unlock(mutex); }
bool power(void* /*context*/, bool /*on*/) { return true; }

}  // namespace

Port with_defaults(Port port) {
  if (port.read32 == nullptr) port.read32 = read32;
  if (port.write32 == nullptr) port.write32 = write32;
  if (port.to_npu == nullptr) port.to_npu = to_npu;
  if (port.wait == nullptr) port.wait = wait;
  if (port.wake == nullptr) port.wake = wake;
  if (port.lock == nullptr) port.lock = lock;
  if (port.unlock == nullptr) port.unlock = unlock;
  if (port.power == nullptr) port.power = power;
  return port;
}

executorch::runtime::Error init(const Settings& settings) {
  if (semaphore == nullptr) semaphore = ethosu_semaphore_create();
  if (mutex == nullptr) mutex = ethosu_mutex_create();
  const auto error = npu.init(settings);
  if (error == executorch::runtime::Error::Ok && settings.irq >= 0) {
    enable_interrupt(static_cast<unsigned>(settings.irq));
  }
  return error;
}

}  // namespace wick::ethos_u

extern "C" {

executorch::runtime::Error wick_ethos_u_invoke(wick::ethos_u::Inference& inference) {
  return wick::ethos_u::npu.run(inference);
}

void wick_ethos_u_interrupt(void) { wick::ethos_u::npu.interrupt(); }

}  // extern "C"
