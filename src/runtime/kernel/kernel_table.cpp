// SPDX-License-Identifier: BSD-3-Clause
// Search in a sorted table of kernels. See wick/kernel_table.h.

#include <wick/kernel_table.h>

namespace wick {
int compare_operator_name(const char* entry, const char* name, const char* overload) {
  for (;;) {
    while (*entry == *name && *name != 0) {
      ++entry;
      ++name;
    }
    const int difference = static_cast<unsigned char>(*entry) - static_cast<unsigned char>(*name);
    if (*name != 0 || overload == nullptr || *overload == 0) {
      return difference;
    }
    if (*entry != '.') {
      return static_cast<unsigned char>(*entry) - '.';
    }
    ++entry;
    name = overload;  // go on with what follows the dot
    overload = nullptr;
  }
}

const KernelEntry* find_kernel(const KernelTable& table, const char* name, const char* overload) {
  const KernelEntry* low = table.entries;
  size_t count = table.size;
  while (count > 0) {
    const KernelEntry* middle = low + count / 2;
    const int difference = compare_operator_name(middle->name, name, overload);
    if (difference == 0) {
      return middle;
    }
    if (difference < 0) {
      low = middle + 1;
      --count;
    }
    count /= 2;
  }
  return nullptr;
}

const KernelEntry* find_kernel(const KernelTable& table, const char* name) { return find_kernel(table, name, nullptr); }

}  // namespace wick
