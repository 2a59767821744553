// SPDX-License-Identifier: BSD-3-Clause
//
// Quantised average and maximum pooling of int8 [N, H, W, C] tensors.
#pragma once

#include <cstdint>

#include "src/kernels/cortex_m/conv.h"

namespace wick::cortex_m {

struct Pool {
  int32_t batch;
  Image in, out;  ///< with equal channels; the input dense [N, H, W, C]
  Axis y, x;
  const int8_t* input;
  int8_t* output;
  int32_t min, max;  ///< limits of the output
};

/// Mean of the pixels inside the image, rounded half away from zero as CMSIS-NN does (the Python model computes in
/// float and rounds half to even around the zero point: results may differ by one).
void average_pool(const Pool& pool);

/// Maximum of the pixels inside the image.
void max_pool(const Pool& pool);

}  // namespace wick::cortex_m
