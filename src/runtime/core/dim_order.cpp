// SPDX-License-Identifier: BSD-3-Clause
// Dim orders compared with the dimensions of size 1 left out.

#include <wick/dim_order.h>

namespace wick {
namespace {

constexpr uint8_t kContiguous[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
constexpr uint8_t kChannelsLast4[] = {0, 2, 3, 1};
constexpr uint8_t kChannelsLast5[] = {0, 2, 3, 4, 1};

}  // namespace

bool same_memory_order(const int32_t* sizes, const uint8_t* a, const uint8_t* b, size_t dims) {
  if (dims > sizeof(kContiguous)) {
    return false;
  }
  a = a != nullptr ? a : kContiguous;
  b = b != nullptr ? b : kContiguous;
  for (size_t i = 0; i < dims; ++i) {
    if (a[i] >= dims || b[i] >= dims) {
      return false;
    }
    if (sizes[i] == 0) {
      return true;  // Without elements there is nothing to place.
    }
  }
  size_t j = 0;
  for (size_t i = 0; i < dims; ++i) {
    if (sizes[a[i]] == 1) {
      continue;
    }
    while (j < dims && sizes[b[j]] == 1) {
      ++j;
    }
    if (j == dims || a[i] != b[j]) {
      return false;
    }
    ++j;
  }
  return true;
}

bool is_contiguous_memory(const int32_t* sizes, const uint8_t* order, size_t dims) {
  return same_memory_order(sizes, order, nullptr, dims);
}

bool is_channels_last_memory(const int32_t* sizes, const uint8_t* order, size_t dims) {
  return (dims == 4 || dims == 5) && same_memory_order(sizes, order, dims == 4 ? kChannelsLast4 : kChannelsLast5, dims);
}

bool lay_out(const int32_t* sizes, const uint8_t* order, size_t rank, int32_t* strides, int32_t* numel) {
  if (rank > sizeof(kContiguous)) {
    return false;
  }
  uint32_t seen = 0;
  uint32_t stride = 1;
  bool empty = false;
  for (size_t i = rank; i-- > 0;) {
    const size_t dim = order != nullptr ? order[i] : i;
    if (dim >= rank || sizes[dim] < 0) {
      return false;
    }
    seen |= 1u << dim;
    strides[dim] = static_cast<int32_t>(stride);
    empty = empty || sizes[dim] == 0;
    const uint64_t next = uint64_t{stride} * (sizes[dim] == 0 ? 1 : static_cast<uint32_t>(sizes[dim]));
    stride = next > INT32_MAX ? UINT32_MAX : static_cast<uint32_t>(next);  // too large stays too large
  }
  *numel = empty ? 0 : static_cast<int32_t>(stride);
  return seen == (1u << rank) - 1 && *numel >= 0;
}

}  // namespace wick
