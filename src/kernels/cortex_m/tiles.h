// SPDX-License-Identifier: BSD-3-Clause
//
// The tiles that several operators call, compiled once: dot products of all channels of a chunk with rows of int8
// values. See src/kernels/simd for what they do.
#pragma once

#include "src/kernels/simd/simd.h"

namespace wick::cortex_m {

/// n rows of int8 values, row_stride apart, times all channels; row r goes to out + r * out_stride. `offset` is added
/// to the values unless the instruction set folds it (isa::kFoldsOffset). The workspace may be null.
void dot_direct(const simd::Channels& channels, const int8_t* rows, int32_t row_stride, int32_t n, int32_t offset,
                void* workspace, size_t bytes, int8_t* out, int32_t out_stride);

/// The same for the n rows of a packed group.
void dot_group(const simd::Channels& channels, const simd::isa::Packed* group, int32_t n, int8_t* out,
               int32_t out_stride);

}  // namespace wick::cortex_m
