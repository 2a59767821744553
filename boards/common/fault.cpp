// SPDX-License-Identifier: BSD-3-Clause
// What happens when the core faults: registers and a plain explanation on the console, then exit status 70. With
// logging off (WICK_LOG=OFF) nothing is printed; the registers stay in wick_fault_record for a debugger.
//
// If the stack has run out, the report continues on a fresh one at the top, over what lay there.

#include <wick/board.h>

#include "boards/common/cortex_m.h"

#ifndef ET_LOG_ENABLED
#define ET_LOG_ENABLED 1
#endif

extern "C" {
/// Registers at the last fault; r4 to r11, then what wick_fault_report filled in.
struct wick_fault_record_t {
  uint32_t r4_to_r11[8];
  uint32_t frame[8];  // r0 r1 r2 r3 r12 lr pc xpsr, if frame_valid
  uint32_t sp;
  uint32_t exc_return;
  uint32_t exception;
  uint32_t cfsr;
  uint32_t hfsr;
  uint32_t mmfar;
  uint32_t bfar;
  uint32_t frame_valid;
};
wick_fault_record_t wick_fault_record;

extern uint32_t __wick_stack_limit[];
extern uint32_t __wick_stack_top[];
void wick_fault_report(const uint32_t* frame, uint32_t exc_return);
}

// Saves r4 to r11, finds the stacked frame (MSP or PSP) and moves to the top of the stack when less than 1 KB is left.
// Written for Armv6-M, the least of them.
asm(R"(
  .syntax unified
  .section .text.wick_fault_entry, "ax", %progbits
  .global wick_fault_entry
  .type wick_fault_entry, %function
  .thumb_func
wick_fault_entry:
  ldr r2, =wick_fault_record
  stmia r2!, {r4-r7}
  mov r4, r8
  mov r5, r9
  mov r6, r10
  mov r7, r11
  stmia r2!, {r4-r7}
  mov r1, lr
  mrs r0, msp
  movs r3, #4
  tst r1, r3
  beq 1f
  mrs r0, psp
1:
)"
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
    R"(
  movs r3, #0
  msr msplim, r3
)"
#endif
    R"(
  mrs r2, msp
  ldr r3, =__wick_stack_limit + 1024
  cmp r2, r3
  bhs 2f
  ldr r2, =__wick_stack_top
  msr msp, r2
2:
  bl wick_fault_report
  b .
  .ltorg
  .size wick_fault_entry, . - wick_fault_entry
)");

namespace {

using wick::boards::reg;

constexpr uintptr_t kIcsr = 0xE000ED04;
constexpr int kFaultStatus = 70;

#if __ARM_ARCH >= 7
constexpr uintptr_t kShcsr = 0xE000ED24;
constexpr uintptr_t kCfsr = 0xE000ED28;
constexpr uintptr_t kHfsr = 0xE000ED2C;
constexpr uintptr_t kMmfar = 0xE000ED34;
constexpr uintptr_t kBfar = 0xE000ED38;
#endif

#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_6M__)
#define WICK_STACK_GUARD_BY_MPU 1

constexpr uintptr_t kMpuType = 0xE000ED90;
constexpr uintptr_t kMpuCtrl = 0xE000ED94;
constexpr uintptr_t kMpuRegion = 0xE000ED98;
constexpr uintptr_t kMpuBase = 0xE000ED9C;
constexpr uintptr_t kMpuAttributes = 0xE000EDA0;
constexpr uint32_t kGuardBytes = 0x10000;

// These cores have no stack limit register. The highest MPU region forbids the 64 KB below the stack, which lies at the
// bottom of RAM; everything else keeps the default map.
void guard_stack() {
  const uint32_t regions = (reg(kMpuType) >> 8) & 0xFFU;
  const auto limit = reinterpret_cast<uintptr_t>(__wick_stack_limit);
  if (regions == 0 || limit % kGuardBytes != 0) {
    return;
  }
  constexpr uint32_t kSize64K = 15U << 1;
  constexpr uint32_t kNoExecute = 1U << 28;
  constexpr uint32_t kEnable = 1;
  constexpr uint32_t kDefaultMap = 1U << 2;
  reg(kMpuRegion) = regions - 1U;
  reg(kMpuBase) = limit - kGuardBytes;
  reg(kMpuAttributes) = kNoExecute | kSize64K | kEnable;
  reg(kMpuCtrl) = kDefaultMap | kEnable;
}
#endif

#if ET_LOG_ENABLED

void put_hex(const char* name, uint32_t value) {
  char digits[11] = "0x00000000";
  for (int position = 9; position > 1; --position) {
    digits[position] = "0123456789abcdef"[value & 15U];
    value >>= 4;
  }
  wick_board_puts(name);
  wick_board_write(digits, 10);
}

void put_decimal(uint32_t value) {
  char digits[10];
  size_t from = sizeof(digits);
  do {
    digits[--from] = static_cast<char>('0' + value % 10U);
    value /= 10U;
  } while (value != 0);
  wick_board_write(digits + from, sizeof(digits) - from);
}

struct Cause {
  uint32_t mask;
  const char* text;
};

// Bits of CFSR, the most telling first.
constexpr Cause kCauses[] = {
    {1U << 20, "stack overflow: the stack pointer passed its limit; give the firmware more STACK"},
    {1U << 4 | 1U << 12, "no room to save the registers of the exception: most likely a stack overflow"},
    {1U << 25, "division by zero"},
    {1U << 24, "unaligned access"},
    {1U << 19, "floating point or Helium instruction with the unit disabled"},
    {1U << 18, "return from an exception with a damaged stack or link register"},
    {1U << 17, "call of an address without the Thumb bit: a damaged function pointer or vector"},
    {1U << 16, "undefined instruction: code for another core, or a jump into data"},
    {1U << 15, "the bus refused a read or write; nothing answers at that address"},
    {1U << 10, "the bus refused a write that had been buffered; pc is past it"},
    {1U << 9, "the bus refused a read or write; nothing answers at that address"},
    {1U << 8, "the bus refused to fetch an instruction: a jump to an address without memory"},
    {1U << 1, "a read or write that the memory protection forbids"},
    {1U << 0, "a jump to memory that may not be executed: a damaged function pointer"},
};

const char* exception_name(uint32_t exception) {
  switch (exception) {
    case 2:
      return "non-maskable interrupt";
    case 3:
      return "hard fault";
    case 4:
      return "memory management fault";
    case 5:
      return "bus fault";
    case 6:
      return "usage fault";
    case 7:
      return "secure fault";
    default:
      return "exception without a handler";
  }
}

void put_explanation(const wick_fault_record_t& record) {
  const bool stack_is_out = record.sp < reinterpret_cast<uintptr_t>(__wick_stack_limit) + 16U;
  if (stack_is_out) {
    wick_board_puts("  stack overflow: the stack pointer is at or below its limit; give the firmware more STACK\n");
    return;
  }
  for (const Cause& cause : kCauses) {
    if ((record.cfsr & cause.mask) != 0) {
      wick_board_puts("  ");
      wick_board_puts(cause.text);
      wick_board_puts("\n");
      return;
    }
  }
}

void put_report(const wick_fault_record_t& record) {
  wick_board_puts("\nFAULT: ");
  wick_board_puts(exception_name(record.exception));
  wick_board_puts(" (exception ");
  put_decimal(record.exception);
  wick_board_puts("); the program stops with status 70\n");
  put_explanation(record);
  if ((record.cfsr & (1U << 15)) != 0) {
    put_hex("  address ", record.bfar);
    wick_board_puts("\n");
  } else if ((record.cfsr & (1U << 7)) != 0) {
    put_hex("  address ", record.mmfar);
    wick_board_puts("\n");
  }
  if (record.frame_valid != 0) {
    put_hex("  pc ", record.frame[6]);
    put_hex("  lr ", record.frame[5]);
    put_hex("  xpsr ", record.frame[7]);
    put_hex("\n  r0 ", record.frame[0]);
    put_hex("  r1 ", record.frame[1]);
    put_hex("  r2 ", record.frame[2]);
    put_hex("  r3 ", record.frame[3]);
    put_hex("  r12 ", record.frame[4]);
  } else {
    wick_board_puts("  pc and r0 to r3 were not saved");
  }
  put_hex("\n  r4 ", record.r4_to_r11[0]);
  put_hex("  r5 ", record.r4_to_r11[1]);
  put_hex("  r6 ", record.r4_to_r11[2]);
  put_hex("  r7 ", record.r4_to_r11[3]);
  put_hex("  sp ", record.sp);
  put_hex("\n  CFSR ", record.cfsr);
  put_hex("  HFSR ", record.hfsr);
  put_hex("  MMFAR ", record.mmfar);
  put_hex("  BFAR ", record.bfar);
  put_hex("  EXC_RETURN ", record.exc_return);
  wick_board_puts("\n  which line: arm-none-eabi-addr2line -fe FIRMWARE.elf followed by the values of pc and lr\n");
}

#else

void put_report(const wick_fault_record_t&) {}

#endif  // ET_LOG_ENABLED

}  // namespace

void wick::boards::enable_fault_handlers() {
#if __ARM_ARCH >= 7
  reg(kShcsr) = reg(kShcsr) | 7U << 16;  // memory, bus and usage faults
#endif
#if defined(WICK_STACK_GUARD_BY_MPU)
  guard_stack();
#endif
}

void wick_fault_report(const uint32_t* frame, uint32_t exc_return) {
  wick_fault_record_t& record = wick_fault_record;
  const auto address = reinterpret_cast<uintptr_t>(frame);
  record.sp = address;
  record.exc_return = exc_return;
  record.exception = reg(kIcsr) & 0x1FFU;
#if __ARM_ARCH >= 7
  record.cfsr = reg(kCfsr);
  record.hfsr = reg(kHfsr);
  record.mmfar = reg(kMmfar);
  record.bfar = reg(kBfar);
#endif
  // MSTKERR and STKERR: the frame was not written; otherwise it must lie in the stack to be read.
  constexpr uint32_t kFrameLost = 1U << 4 | 1U << 12 | 1U << 20;
  const bool lost = (record.cfsr & kFrameLost) != 0 && address <= reinterpret_cast<uintptr_t>(__wick_stack_limit) + 8U;
  record.frame_valid = !lost && address % 4U == 0 && address >= reinterpret_cast<uintptr_t>(__wick_stack_limit) &&
                               address + 32U <= reinterpret_cast<uintptr_t>(__wick_stack_top)
                           ? 1U
                           : 0U;
  if (record.frame_valid != 0) {
    for (unsigned word = 0; word < 8; ++word) {
      record.frame[word] = frame[word];
    }
  }
  put_report(record);
  wick_board_exit(kFaultStatus);
}
