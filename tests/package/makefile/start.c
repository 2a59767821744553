/* SPDX-License-Identifier: BSD-3-Clause
 * The project's own start-up on an547: vectors, FPU and Helium, data, and the UART. */
#include <stdint.h>

extern uint32_t stack_top, data_start, data_end, data_source, bss_start, bss_end;
int main(void);
void put(const char* text);
void finish(int status);
void reset(void);

void put(const char* text) {
  for (; *text != '\0'; ++text) {
    *(volatile uint32_t*)0x59303000 = (uint8_t)*text;
  }
}

/* Ends the emulator: semihosting's extended exit with a status. */
void finish(int status) {
  uint32_t block[2] = {0x20026, (uint32_t)status};
  register uint32_t operation __asm__("r0") = 0x20;
  register uint32_t* argument __asm__("r1") = block;
  __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(argument) : "memory");
  for (;;) {
  }
}

static void fault(void) {
  put("fault\n");
  finish(70);
}

void reset(void) {
  *(volatile uint32_t*)0xE000ED88 |= 0xF00000;  /* CPACR: FPU and Helium */
  *(volatile uint32_t*)0xE000ED14 |= 1U << 19;   /* CCR: low-overhead loops */
  __asm__ volatile("dsb\nisb");
  for (uint32_t *to = &data_start, *from = &data_source; to < &data_end;) {
    *to++ = *from++;
  }
  for (uint32_t* to = &bss_start; to < &bss_end;) {
    *to++ = 0;
  }
  *(volatile uint32_t*)0x59303010 = 16;
  *(volatile uint32_t*)0x59303008 = 1;
  finish(main());
}

__attribute__((section(".isr_vector"), used)) static void* const vectors[16] = {
    &stack_top, reset, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault, fault};
