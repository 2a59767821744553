// SPDX-License-Identifier: BSD-3-Clause
//
// The size of a tensor from numbers that nobody vouches for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wick {

/// Bytes per element of a scalar type's number, 0 for types that no runtime tensor can have.
unsigned element_size(uint8_t scalar_type);

/// Elements and bytes of a tensor. False for negative sizes, overflow of 31 bits, or an unknown type.
bool tensor_size(const int32_t* sizes, size_t rank, int8_t scalar_type, size_t* numel, size_t* nbytes);

}  // namespace wick
