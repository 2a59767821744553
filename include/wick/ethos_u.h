// SPDX-License-Identifier: BSD-3-Clause
// The NPU behind the Ethos-U delegate. The delegate itself needs no call; a board with an NPU makes this one, once:
//
//     wick::ethos_u::Settings npu;
//     npu.base = 0x58102000;   // address of the NPU's registers
//     npu.irq = 56;            // its vector: wick_ethos_u_interrupt; leave it out to poll
//     wick::ethos_u::init(npu);
#pragma once

#include <executorch/runtime/core/error.h>

#include <cstddef>
#include <cstdint>

namespace wick::ethos_u {

/// Read-only bytes, such as a block of a payload.
struct View {
  const uint8_t* data;
  size_t size;
};

/// One inference: a driver payload ("COP1" or "COP2") and the regions that its command stream addresses.
struct Inference {
  View command_data;
  View weights;      ///< region 0
  uint8_t* scratch;  ///< region 1, 16-aligned
  size_t scratch_size;
  uint8_t* fast_scratch;  ///< region 2 (Dedicated_Sram); null if the application defines none
  size_t fast_scratch_size;
  uint64_t cycles = 0;  ///< set by who runs it: NPU cycles, 0 if unknown
};

/// Which bus port serves which region (REGIONCFG): what the program was compiled for, Vela's --memory-mode.
enum class MemoryMode : uint8_t {
  kDefault,        ///< Shared_Sram on U55 and U85, Dedicated_Sram on U65
  kSramOnly,       ///< weights and scratch by the SRAM port
  kSharedSram,     ///< weights by the flash or DRAM port, scratch by the SRAM port
  kDedicatedSram,  ///< weights and scratch by the DRAM port, fast scratch by the SRAM port
};

constexpr int kPoll = -1;            ///< Settings::irq: no interrupt, STATUS is read until the NPU stops
constexpr int kIrqIsInstalled = -2;  ///< Settings::irq: the application enables the interrupt itself
constexpr uint64_t kForever = UINT64_MAX;
constexpr int kCommandStream = -1;  ///< the "region" of a command stream

/// How the driver reaches registers, memory and time. What is null does what suits a Cortex-M; `context` is handed to
/// all.
struct Port {
  void* context = nullptr;
  /// A register of the NPU, by its address as the processor sees it.
  uint32_t (*read32)(void* context, uintptr_t address) = nullptr;
  void (*write32)(void* context, uintptr_t address, uint32_t value) = nullptr;
  /// The address under which the NPU reaches memory of the processor. Default: ethosu_address_remap().
  uint64_t (*to_npu)(void* context, const void* pointer, size_t bytes, int region) = nullptr;
  /// Cache maintenance of one range: before the NPU reads it, after the NPU wrote it. Default: all regions at once by
  /// ethosu_flush_dcache() and ethosu_invalidate_dcache().
  void (*clean)(void* context, const void* pointer, size_t bytes) = nullptr;
  void (*invalidate)(void* context, void* pointer, size_t bytes) = nullptr;
  /// Sleeps until wake() was called, or any reason to look at the NPU again; false when `timeout` has passed, in the
  /// unit that the function defines. Default: ethosu_semaphore_take(), whose default sleeps by WFE and counts
  /// et_pal_current_ticks().
  bool (*wait)(void* context, uint64_t timeout) = nullptr;
  /// Called by the interrupt. Default: ethosu_semaphore_give().
  void (*wake)(void* context) = nullptr;
  /// One inference at a time; false: the NPU cannot be had. Default: ethosu_mutex_lock(), ethosu_mutex_unlock().
  bool (*lock)(void* context) = nullptr;
  void (*unlock)(void* context) = nullptr;
  /// Power and clock of the NPU, around each inference; its registers may be lost in between. Default: nothing to do.
  bool (*power)(void* context, bool on) = nullptr;
};

struct Settings {
  uintptr_t base = 0;
  int irq = kPoll;     ///< interrupt number (0: the first after the system exceptions), kPoll or kIrqIsInstalled
  bool secure = true;  ///< the NPU's bus accesses; a non-secure firmware cannot ask for secure ones
  bool privileged = true;
  MemoryMode memory_mode = MemoryMode::kDefault;
  uint64_t timeout = kForever;  ///< of one inference: ticks of et_pal_current_ticks(), or what Port::wait counts
  uint32_t bus[4] = {};         ///< AXI_LIMIT0..3 (U55, U65) or MEM_ATTR0..3 (U85); all zero: Arm's defaults
  Port port;
};

/// Makes an NPU known to the delegate: switches it on, resets it and checks that it answers. Error::InvalidArgument
/// without a base address, Error::NotFound if no Ethos-U answers there, Error::AccessFailed if the reset does not end
/// or the privilege or security is refused, Error::InvalidState while an inference runs.
executorch::runtime::Error init(const Settings& settings);

}  // namespace wick::ethos_u

extern "C" {
/// Runs an inference to its end. Weak: the default says that there is no NPU. wick::ethos_u_driver defines it by the
/// registers of the NPU, wick::ethos_u_model by the functional model, wick::ethos_u_arm by Arm's own driver.
executorch::runtime::Error wick_ethos_u_invoke(wick::ethos_u::Inference& inference);

/// Called by the functional model after each operation of the NPU, as a run on it can take seconds: for a watchdog, a
/// display. Weak: does nothing.
void wick_ethos_u_model_progress(void);

/// Interrupt handler of the NPU that init() made known.
void wick_ethos_u_interrupt(void);

/// Region 2 of programs that were compiled for Dedicated_Sram. Weak: null and 0.
extern unsigned char* ethosu_fast_scratch;
extern size_t ethosu_fast_scratch_size;

// Functions that SoC vendors already define for ExecuTorch and for Arm's driver. All are weak.

/// Around the execution of a delegate.
void EthosUBackend_execute_begin(void);
void EthosUBackend_execute_end(void);
/// Copies an input into the scratch or an output out of it, for example by a DMA.
void arm_ethos_io_memcpy(void* to, const void* from, size_t bytes);

struct ethosu_driver;
/// Around a run of the NPU; both arguments are null.
void ethosu_inference_begin(struct ethosu_driver* driver, void* user);
void ethosu_inference_end(struct ethosu_driver* driver, void* user);
/// The bus address of what the processor sees at `address`. `index`: the region, -1 for the command stream.
uint64_t ethosu_address_remap(uint64_t address, int index);
/// Cache maintenance by region; sizes in bytes. The defaults work by address where the core has a data cache that is
/// on.
void ethosu_flush_dcache(const uint64_t* base_addr, const size_t* base_addr_size, int num_base_addr);
void ethosu_invalidate_dcache(const uint64_t* base_addr, const size_t* base_addr_size, int num_base_addr);
/// 0: locked, unlocked, taken, given.
void* ethosu_mutex_create(void);
int ethosu_mutex_lock(void* mutex);
int ethosu_mutex_unlock(void* mutex);
void* ethosu_semaphore_create(void);
int ethosu_semaphore_take(void* semaphore, uint64_t timeout);
int ethosu_semaphore_give(void* semaphore);
}
