// SPDX-License-Identifier: BSD-3-Clause
//
// The tiles of the int8 kernels for the DSP extension (Armv7E-M, Armv8-M with DSP). Same results as generic.h.
#pragma once

#include "src/kernels/simd/generic.h"

namespace wick::simd::dsp {

using namespace generic;

}  // namespace wick::simd::dsp
