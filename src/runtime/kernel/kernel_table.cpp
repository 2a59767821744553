// SPDX-License-Identifier: BSD-3-Clause
// Search in a sorted table of kernels. See wick/kernel_table.h.

#include <wick/kernel_table.h>

namespace wick {
namespace {

/// Compares a part of `entry` with `text` and steps over it. An entry that ends early is smaller.
int compare_part(const char*& entry, std::string_view text) {
  for (const char c : text) {
    const int difference = static_cast<unsigned char>(*entry) - static_cast<unsigned char>(c);
    if (difference != 0) return difference;
    if (c == '\0') return 1;  // text with a NUL inside names nothing; the entry ends here
    ++entry;
  }
  return 0;
}

}  // namespace

int compare_operator_name(const char* entry, std::string_view name, std::string_view overload) {
  int difference = compare_part(entry, name);
  if (difference == 0 && !overload.empty()) {
    difference = compare_part(entry, ".");
    if (difference == 0) difference = compare_part(entry, overload);
  }
  return difference != 0 ? difference : static_cast<unsigned char>(*entry);
}

const KernelEntry* find_kernel(const KernelTable& table, std::string_view name, std::string_view overload) {
  size_t low = 0;
  size_t high = table.size;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int difference = compare_operator_name(table.entries[middle].name, name, overload);
    if (difference == 0) return &table.entries[middle];
    if (difference < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return nullptr;
}

const KernelEntry* find_kernel(const KernelTable& table, const char* name) { return find_kernel(table, name, {}); }

}  // namespace wick
