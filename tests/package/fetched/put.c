/* SPDX-License-Identifier: BSD-3-Clause
 * A console for the Makefile project's main(), on a PC. */
#include <stdio.h>

void put(const char* text);

void put(const char* text) { fputs(text, stdout); }
