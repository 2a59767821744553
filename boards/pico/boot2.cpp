// SPDX-License-Identifier: BSD-3-Clause
// The second stage of the RP2040's boot: the first 256 bytes of flash. The boot ROM copies them to RAM, compares their
// CRC and runs them; they set the flash controller (SSI) to plain 03h reads mapped at 0x10000000, which every QSPI
// flash knows, and start the program by the vector table behind them.
//
// The CRC (polynomial 0x04C11DB7, from 0xFFFFFFFF, no reflection) is of the first 252 bytes. `wick uf2` checks it.

#include "boards/common/cortex_m.h"

asm(R"(
  .syntax unified
  .cpu cortex-m0plus
  .thumb
  .section .boot2, "ax", %progbits
  .balign 256
wick_boot2:
  ldr r3, =0x18000000
  movs r0, #0
  str r0, [r3, #0x08]
  movs r0, #4
  str r0, [r3, #0x14]
  ldr r0, =0x001F0300
  str r0, [r3, #0x00]
  movs r0, #0
  str r0, [r3, #0x04]
  ldr r0, =0x03000218
  ldr r1, =0x180000F4
  str r0, [r1]
  movs r0, #1
  str r0, [r3, #0x08]
  ldr r0, =0x10000100
  ldr r1, =0xE000ED08
  str r0, [r1]
  ldmia r0!, {r1, r2}
  msr msp, r1
  bx r2
  .ltorg
  .org wick_boot2 + 252
  .word 0xC0278CA8
)");
