// SPDX-License-Identifier: BSD-3-Clause
// What a board offers to the program on it: console, exit, memory map, instruction counter and stack measure. The same
// functions exist on boards/host. A program that uses only the runtime does not need this header.
//
//     const uint64_t start = wick_board_ticks();
//     method->execute();
//     printf("%llu\n", wick_board_ticks_to_instructions(wick_board_ticks() - start));

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A piece of memory; bytes is 0 where the board has none.
typedef struct {
  void* base;
  size_t bytes;
} wick_board_memory_t;

/// Name of the board, as the folder in boards/.
const char* wick_board_name(void);

/// Writes to the console. A newline goes out as it is.
void wick_board_write(const char* text, size_t bytes);

/// Writes a NUL-terminated text.
void wick_board_puts(const char* text);

/// Ends the program with an exit status (semihosting on the emulated boards). Destructors are not run.
#ifdef __cplusplus
[[noreturn]]
#endif
void wick_board_exit(int status);

/// Where a model image lies that was not linked in: external flash, mapped into memory. On the host, the file that the
/// environment variable WICK_MODEL names.
wick_board_memory_t wick_board_model(void);

/// The board's large RAM, not used by the linker script unless a variable is put into section .ram_large.
wick_board_memory_t wick_board_ram_large(void);

/// Further RAM, at least as large as the model memory: that memory itself where it is RAM, DDR on the an547, whose flash
/// cannot be written. Nothing places anything there.
wick_board_memory_t wick_board_ram_more(void);

/// Ticks of the board's clock since start; on a 32-bit timer valid if asked at least once per wrap (170 s).
uint64_t wick_board_ticks(void);

/// Ticks as executed instructions, under QEMU with -icount shift=6 (an instruction takes 64 ns). 0 on the host.
uint64_t wick_board_ticks_to_instructions(uint64_t ticks);

/// Executed instructions since start: ticks, converted.
uint64_t wick_board_instructions(void);

/// Bytes of stack the linker script reserved. 0 on the host.
size_t wick_board_stack_size(void);

/// Paints the unused part of the stack afresh and returns the bytes in use at the call.
size_t wick_board_stack_paint(void);

/// Largest number of stack bytes in use since start or since the last paint.
size_t wick_board_stack_peak(void);

#ifdef __cplusplus
}
#endif
