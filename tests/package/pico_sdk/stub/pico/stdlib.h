// SPDX-License-Identifier: BSD-3-Clause
// What integrations/pico_sdk takes of the Pico SDK's header of this name.
#pragma once

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t time_us_64() { return 42; }
[[noreturn]] static inline void panic(const char*, ...) { abort(); }
