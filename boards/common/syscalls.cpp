// SPDX-License-Identifier: BSD-3-Clause
// What the C library asks of a system, for programs that use printf, abort or assert. Output goes to the console; there
// are no files, and memory for malloc only where the firmware was given a heap (WICK_HEAP).

#include <errno.h>
#include <sys/stat.h>
#include <wick/board.h>

extern "C" {
extern char __wick_heap_start[];
extern char __wick_heap_end[];

int _write(int, const char* text, int bytes) {
  wick_board_write(text, static_cast<size_t>(bytes));
  return bytes;
}

void* _sbrk(ptrdiff_t bytes) {
  static char* top = __wick_heap_start;
  if (bytes > __wick_heap_end - top || bytes < __wick_heap_start - top) {
    errno = ENOMEM;
    return reinterpret_cast<void*>(-1);
  }
  char* const before = top;
  top += bytes;
  return before;
}

void _exit(int status) { wick_board_exit(status); }

int _kill(int, int) {
  wick_board_exit(134);  // abort(): what a shell reports for SIGABRT
}

int _getpid() { return 1; }
int _read(int, char*, int) { return 0; }
int _close(int) { return -1; }
int _lseek(int, int, int) { return 0; }
int _isatty(int) { return 1; }

int _fstat(int, struct stat* status) {
  status->st_mode = S_IFCHR;
  return 0;
}

}  // extern "C"
