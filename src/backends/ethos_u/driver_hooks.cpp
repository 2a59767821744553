// SPDX-License-Identifier: BSD-3-Clause
// Defaults of what a board or its vendor may define in their place, under the names of Arm's driver: caches, mutex,
// semaphore, addresses. They suit bare metal with one NPU.
#include <executorch/runtime/platform/clock.h>
#include <executorch/runtime/platform/compiler.h>
#include <wick/ethos_u.h>

#include <atomic>

#include "src/backends/ethos_u/cortex_m.h"

namespace {

// A binary semaphore: given by the interrupt, taken by the one inference that waits.
std::atomic<bool> given{false};

}  // namespace

extern "C" {

ET_WEAK void ethosu_inference_begin(struct ethosu_driver* /*driver*/, void* /*user*/) {}
ET_WEAK void ethosu_inference_end(struct ethosu_driver* /*driver*/, void* /*user*/) {}

ET_WEAK uint64_t ethosu_address_remap(uint64_t address, int /*index*/) { return address; }

ET_WEAK void ethosu_flush_dcache(const uint64_t* base_addr, const size_t* base_addr_size, int num_base_addr) {
  for (int i = 0; i < num_base_addr; ++i) {
    wick::ethos_u::clean_cache(static_cast<uintptr_t>(base_addr[i]), base_addr_size[i]);
  }
}

ET_WEAK void ethosu_invalidate_dcache(const uint64_t* base_addr, const size_t* base_addr_size, int num_base_addr) {
  // Region 0 is only read by the NPU.
  for (int i = 1; i < num_base_addr; ++i) {
    wick::ethos_u::invalidate_cache(static_cast<uintptr_t>(base_addr[i]), base_addr_size[i]);
  }
}

ET_WEAK void* ethosu_mutex_create(void) { return nullptr; }
ET_WEAK int ethosu_mutex_lock(void* /*mutex*/) { return 0; }
ET_WEAK int ethosu_mutex_unlock(void* /*mutex*/) { return 0; }

ET_WEAK void* ethosu_semaphore_create(void) { return &given; }

// Without a limit the core sleeps; with one it does not, since nothing else may wake it when the time has passed.
ET_WEAK int ethosu_semaphore_take(void* semaphore, uint64_t timeout) {
  auto& flag = *static_cast<std::atomic<bool>*>(semaphore);
  const auto start = executorch::runtime::pal_current_ticks();
  while (!flag.exchange(false)) {
    if (timeout == wick::ethos_u::kForever) {
      wick::ethos_u::wait_for_event();
    } else if (executorch::runtime::pal_current_ticks() - start > timeout) {
      return -1;
    }
  }
  return 0;
}

ET_WEAK int ethosu_semaphore_give(void* semaphore) {
  *static_cast<std::atomic<bool>*>(semaphore) = true;
  wick::ethos_u::send_event();
  return 0;
}

}  // extern "C"
