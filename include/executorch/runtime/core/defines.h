// SPDX-License-Identifier: BSD-3-Clause
// Switches of the core headers that a build may set.
// ET_ENABLE_ENUM_STRINGS=0 leaves the names of enumerators out of the image; numbers are printed instead.
//
//     target_compile_definitions(firmware PRIVATE ET_ENABLE_ENUM_STRINGS=0)

#pragma once

#ifndef ET_ENABLE_ENUM_STRINGS
#define ET_ENABLE_ENUM_STRINGS 1
#endif
