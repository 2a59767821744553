// SPDX-License-Identifier: BSD-3-Clause
// From reset to main() on a Cortex-M: vector table, stack limit, FPU and Helium, .data, .bss, .init_array. The symbols
// come from sections.ld. Interrupt vectors are a program's own: a const array in section .vectors.irq follows the
// table.

#include <wick/board.h>

#include "boards/common/cortex_m.h"

extern "C" {
extern uint32_t __wick_data_source[];
extern uint32_t __wick_data_start[];
extern uint32_t __wick_data_end[];
extern uint32_t __wick_bss_start[];
extern uint32_t __wick_bss_end[];
extern void (*const __preinit_array_start[])();
extern void (*const __init_array_end[])();

void wick_board_start();
void Reset_Handler();
void wick_fault_entry();

// main()'s argv; argc is 0.
extern char* const wick_no_arguments[1];
char* const wick_no_arguments[1] = {nullptr};

// Destructors of static objects would run after main(), which on a device never comes: they are not registered.
void* __dso_handle = nullptr;
int __aeabi_atexit(void*, void (*)(void*), void*) { return 0; }
int __cxa_atexit(void (*)(void*), void*, void*) { return 0; }
}

// The system vectors. 0 is the stack, 1 the reset; all other exceptions go to the fault report, which names them.
asm(R"(
  .syntax unified
  .section .vectors, "a", %progbits
)"
#if defined(__ARM_ARCH_6M__)
    "  .balign 256\n"
#else
    "  .balign 512\n"
#endif
    R"(
  .global __wick_vectors
__wick_vectors:
  .word __wick_stack_top
  .word Reset_Handler
  .rept 14
  .word wick_fault_entry
  .endr

  .section .text.Reset_Handler, "ax", %progbits
  .global Reset_Handler
  .type Reset_Handler, %function
  .thumb_func
Reset_Handler:
  cpsid i
)"
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
    R"(
  ldr r0, =__wick_stack_limit
  msr msplim, r0
)"
#endif
    R"(
  ldr r0, =__wick_stack_top
  mov sp, r0
  ldr r0, =0xE000ED08
  ldr r1, =__wick_vectors
  str r1, [r0]
)"
#if defined(__ARM_FP) || defined(__ARM_FEATURE_MVE)
    R"(
  ldr r0, =0xE000ED88
  ldr r1, [r0]
  orr r1, r1, #0x00F00000
  str r1, [r0]
  dsb
  isb
)"
#endif
    R"(
  cpsie i
  bl wick_board_start
  movs r0, #0
  ldr r1, =wick_no_arguments
  bl main
  bl wick_board_exit
  b .
  .ltorg
  .size Reset_Handler, . - Reset_Handler
)");

namespace {

void copy_words(uint32_t* to, uint32_t* end, const uint32_t* from) {
  while (to < end) {
    *to++ = *from++;
  }
}

// Volatile: the compiler would call memset() instead, which an image may not need otherwise.
void clear_words(volatile uint32_t* to, const uint32_t* end) {
  while (to < end) {
    *to++ = 0;
  }
}

}  // namespace

void wick_board_start() {
  wick::boards::paint_stack();
  copy_words(__wick_data_start, __wick_data_end, __wick_data_source);
  clear_words(__wick_bss_start, __wick_bss_end);
  wick::boards::enable_fault_handlers();
  wick::boards::init_devices();
  for (void (*const* constructor)() = __preinit_array_start; constructor != __init_array_end; ++constructor) {
    (*constructor)();
  }
}
