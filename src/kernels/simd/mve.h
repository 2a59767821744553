// SPDX-License-Identifier: BSD-3-Clause
//
// The tiles of the int8 kernels for Helium (M-profile vector extension, integer). Same results as generic.h.
#pragma once

#include "src/kernels/simd/generic.h"

namespace wick::simd::mve {

using namespace generic;

}  // namespace wick::simd::mve
