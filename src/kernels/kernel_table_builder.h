// SPDX-License-Identifier: BSD-3-Clause
// Makes a kernel table at compile time: sorted by operator name, as the look-up of the runtime expects it.

#pragma once

#include <wick/kernel_table.h>

#include <cstddef>

namespace wick::internal {

template <size_t kCount>
struct SortedKernels {
  KernelEntry entries[kCount];
};

constexpr bool name_precedes(const char* a, const char* b) {
  while (*a == *b && *a != '\0') {
    ++a;
    ++b;
  }
  return static_cast<unsigned char>(*a) < static_cast<unsigned char>(*b);
}

/// Merges the sorted runs [from, middle) and [middle, end) of `source` into `target`.
constexpr void merge_runs(const KernelEntry* source, KernelEntry* target, size_t from, size_t middle, size_t end) {
  size_t left = from;
  size_t right = middle;
  for (size_t to = from; to < end; ++to) {
    const bool take_left = left < middle && (right >= end || !name_precedes(source[right].name, source[left].name));
    target[to] = take_left ? source[left++] : source[right++];
  }
}

/// Merge sort from the bottom up: few comparisons, because compilers limit the steps of a constant expression.
template <size_t kCount>
constexpr SortedKernels<kCount> sort_kernels(const KernelEntry (&unsorted)[kCount]) {
  SortedKernels<kCount> sorted{};
  SortedKernels<kCount> room{};
  for (size_t i = 0; i < kCount; ++i) {
    sorted.entries[i] = unsorted[i];
  }
  for (size_t width = 1; width < kCount; width *= 2) {
    for (size_t from = 0; from < kCount; from += 2 * width) {
      const size_t middle = from + width < kCount ? from + width : kCount;
      const size_t end = from + 2 * width < kCount ? from + 2 * width : kCount;
      merge_runs(sorted.entries, room.entries, from, middle, end);
    }
    sorted = room;
  }
  return sorted;
}

/// True if no name occurs twice in a sorted list.
template <size_t kCount>
constexpr bool all_different(const SortedKernels<kCount>& sorted) {
  for (size_t i = 1; i < kCount; ++i) {
    if (!name_precedes(sorted.entries[i - 1].name, sorted.entries[i].name)) {
      return false;
    }
  }
  return true;
}

}  // namespace wick::internal
