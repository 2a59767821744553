// SPDX-License-Identifier: BSD-3-Clause
// What the driver's defaults need of a Cortex-M: barriers, waiting for an event, interrupt enable, cache by address.
// Elsewhere these do nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace wick::ethos_u {

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

inline volatile uint32_t& system_register(uintptr_t address) { return *reinterpret_cast<volatile uint32_t*>(address); }

inline void memory_barrier() { __asm__ volatile("dsb" ::: "memory"); }
inline void wait_for_event() { __asm__ volatile("wfe" ::: "memory"); }
inline void send_event() { __asm__ volatile("dsb\n\tsev" ::: "memory"); }

inline void enable_interrupt(unsigned number) {
  constexpr uintptr_t kNvicIser = 0xE000E100;
  system_register(kNvicIser + 4 * (number / 32)) = 1U << number % 32;
}

/// By address over whole lines, if there is a data cache and it is on. `operation`: a cache operation register.
inline void cache_by_address(uintptr_t operation, uintptr_t address, size_t bytes) {
  constexpr uintptr_t kCcr = 0xE000ED14;
  constexpr uint32_t kDataCacheOn = 1U << 16;
  constexpr size_t kLine = 32;  // the only one of Cortex-M7, M55 and M85
  if (bytes == 0 || (system_register(kCcr) & kDataCacheOn) == 0) return;
  memory_barrier();
  for (uintptr_t line = address & ~(kLine - 1); line < address + bytes; line += kLine) {
    system_register(operation) = static_cast<uint32_t>(line);
  }
  memory_barrier();
}
inline void clean_cache(uintptr_t address, size_t bytes) { cache_by_address(0xE000EF68, address, bytes); }
inline void invalidate_cache(uintptr_t address, size_t bytes) { cache_by_address(0xE000EF5C, address, bytes); }

#else

inline void memory_barrier() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void wait_for_event() {}
inline void send_event() {}
inline void enable_interrupt(unsigned /*number*/) {}
inline void clean_cache(uintptr_t /*address*/, size_t /*bytes*/) {}
inline void invalidate_cache(uintptr_t /*address*/, size_t /*bytes*/) {}

#endif

}  // namespace wick::ethos_u
