// SPDX-License-Identifier: BSD-3-Clause
//
// One copy of each tile in the image. Channels that need the careful rescaling are rare and go one by one.
#include "src/kernels/cortex_m/tiles.h"

namespace wick::cortex_m {

void dot_direct(const simd::Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n, int32_t offset,
                void* workspace, size_t bytes, int8_t* out, int32_t out_stride) {
  simd::isa::dot_direct(channels, rows, row_stride, n, offset, workspace, bytes, out, out_stride);
}

void dot_group(const simd::Channels& channels, const simd::isa::Packed* group, int32_t n, int8_t* out,
               int32_t out_stride) {
  simd::isa::dot_group(dot_direct, channels, group, n, out, out_stride);
}

}  // namespace wick::cortex_m
