// SPDX-License-Identifier: BSD-3-Clause
// What allocators over malloc() share: how many bytes to ask for, so that an aligned piece fits.
//
//     Result<size_t> bytes = utils::get_aligned_size(size, 64);

#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>
#include <executorch/runtime/platform/log.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace executorch::extension::utils {

/// Bytes that malloc() must give for `size` bytes at a multiple of `alignment`. InvalidArgument when that is more than
/// the address space holds.
inline runtime::Result<size_t> get_aligned_size(size_t size, size_t alignment) {
  const size_t slack = alignment > alignof(std::max_align_t) ? alignment - 1 : 0;
  if (slack != 0 && size >= SIZE_MAX - slack) {
    ET_LOG(Error, "%zu bytes aligned to %zu are more than the address space holds", size, alignment);
    return runtime::Error::InvalidArgument;
  }
  return size + slack;
}

}  // namespace executorch::extension::utils
