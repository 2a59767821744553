// SPDX-License-Identifier: BSD-3-Clause
//
// Chooses the instruction set, by the compiler's own macros. Kernels write `simd::isa::dot_rows(...)`; each of
// generic.h, thumb2.h, dsp.h and mve.h offers the same tiles with the same results.
#pragma once

#include "src/kernels/simd/generic.h"

#if defined(__ARM_FEATURE_MVE) && (__ARM_FEATURE_MVE & 1)
#include "src/kernels/simd/mve.h"
namespace wick::simd {
namespace isa = mve;
}
#elif defined(__ARM_FEATURE_DSP) && defined(__ARM_FEATURE_SIMD32)
#include "src/kernels/simd/dsp.h"
namespace wick::simd {
namespace isa = dsp;
}
#elif defined(__GNUC__) && defined(__ARM_ARCH_ISA_THUMB) && __ARM_ARCH_ISA_THUMB == 2 && !defined(__ARM_ARCH_ISA_ARM)
#include "src/kernels/simd/thumb2.h"
namespace wick::simd {
namespace isa = thumb2;
}
#else
namespace wick::simd {
namespace isa = generic;
}
#endif
