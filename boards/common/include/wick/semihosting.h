// SPDX-License-Identifier: BSD-3-Clause
// Files and command line of the debugger's or emulator's host, by Arm semihosting. Only for programs that run under
// one: without it every call faults. Meant for test runners; products do not need it.

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace wick::semihosting {

/// One raw semihosting call (Arm's "Semihosting for AArch32 and AArch64" lists operations and blocks).
int call(int operation, const void* block);

/// Opens a file of the host in fopen's mode "r", "rb", "w", "wb", "a" or "ab"; -1 on failure.
int open(const char* path, const char* mode);

/// Closes a file; false on failure.
bool close(int file);

/// Reads up to `bytes` bytes; returns how many came, less at the end of the file.
size_t read(int file, void* buffer, size_t bytes);

/// Writes; returns how many bytes were written.
size_t write(int file, const void* buffer, size_t bytes);

/// Moves to a byte position from the start; false on failure.
bool seek(int file, size_t position);

/// Length of a file in bytes, or -1.
int64_t length(int file);

/// The words after the program's name on the emulator's command line (QEMU: -semihosting-config arg=...),
/// NUL-terminated; false if there is none or it does not fit.
bool command_line(char* buffer, size_t bytes);

/// Ends the emulation with an exit status.
[[noreturn]] void exit(int status);

}  // namespace wick::semihosting
