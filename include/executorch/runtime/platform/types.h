// SPDX-License-Identifier: BSD-3-Clause
// Types shared with the C functions that a board implements (see platform.h).
// A timestamp counts the board's own ticks; clock.h turns ticks into nanoseconds.
//
//     et_timestamp_t begin = executorch::runtime::pal_current_ticks();

#pragma once

#include <stdint.h>

extern "C" {

/// Time in ticks of the board's clock, never decreasing.
typedef uint64_t et_timestamp_t;

}  // extern "C"
