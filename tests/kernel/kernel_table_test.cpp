// SPDX-License-Identifier: BSD-3-Clause
// Search in a sorted table, by full name and by name and overload.

#include <executorch/runtime/kernel/operator_registry.h>
#include <gtest/gtest.h>
#include <wick/kernel_table.h>

#include <cstring>
#include <string>
#include <type_traits>

namespace {

using executorch::runtime::EValue;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::OpFunction;
using executorch::runtime::Span;
using wick::compare_operator_name;
using wick::find_kernel;
using wick::KernelEntry;
using wick::KernelTable;

static_assert(std::is_same_v<wick::KernelFunction, OpFunction>, "a table holds what a method calls");

void function(KernelRuntimeContext&, Span<EValue*>) {}

const KernelEntry entries[] = {
    {"aten::add.Scalar_out", function},
    {"aten::add.out", function},
    {"aten::add_.out", function},
    {"aten::addmm.out", function},
    {"aten::sub", function},
    {"aten::sub.out", function},
    {"b::x", function},
    {"\xC3\xA9::umlaut.o", function},
};
constexpr size_t kEntries = sizeof(entries) / sizeof(entries[0]);
const KernelTable table = {entries, kEntries};

TEST(KernelTable, EveryEntryIsFoundByItsFullName) {
  for (const KernelEntry& entry : entries) EXPECT_EQ(find_kernel(table, entry.name), &entry) << entry.name;
}

TEST(KernelTable, EveryEntryIsFoundByNameAndOverload) {
  for (const KernelEntry& entry : entries) {
    const std::string full = entry.name;
    const size_t dot = full.find('.');
    const std::string name = full.substr(0, dot);
    const std::string overload = dot == std::string::npos ? "" : full.substr(dot + 1);
    EXPECT_EQ(find_kernel(table, name.c_str(), overload.c_str()), &entry) << entry.name;
  }
}

TEST(KernelTable, OtherNamesAreNotFound) {
  for (const char* name :
       {"", "aten::add", "aten::add.", "aten::add.outt", "aten::add.ou", "a", "z::z", "aten::sub."}) {
    EXPECT_EQ(find_kernel(table, name), nullptr) << name;
  }
  EXPECT_EQ(find_kernel(table, "aten::add", "out2"), nullptr);
  EXPECT_EQ(find_kernel(table, "aten::addmm", ""), nullptr);
  EXPECT_EQ(find_kernel(table, "", "out"), nullptr);
  EXPECT_EQ(find_kernel(table, "aten::sub", nullptr), &entries[4]);
  EXPECT_EQ(find_kernel(table, "aten::add", nullptr), nullptr);
}

TEST(KernelTable, PrefixesOfEveryTableSizeAreSearched) {
  for (size_t size = 0; size <= kEntries; ++size) {
    const KernelTable part = {entries, size};
    for (size_t i = 0; i < kEntries; ++i) {
      EXPECT_EQ(find_kernel(part, entries[i].name), i < size ? &entries[i] : nullptr) << size << " " << i;
    }
  }
  EXPECT_EQ(find_kernel(KernelTable{nullptr, 0}, "aten::add.out"), nullptr);
}

int sign(int value) { return value < 0 ? -1 : value > 0 ? 1 : 0; }

TEST(KernelTable, NamesAreOrderedAsByStrcmp) {
  const char* const parts[] = {"", "a", "a.", "a.b", "a.b.c", "ab", "a_", "a\xFF", "A", "b"};
  for (const char* entry : parts) {
    for (const char* name : parts) {
      for (const char* overload : parts) {
        const std::string full = *overload == '\0' ? name : std::string(name) + "." + overload;
        EXPECT_EQ(sign(compare_operator_name(entry, name, overload)), sign(std::strcmp(entry, full.c_str())))
            << entry << " with " << full;
      }
    }
  }
}

}  // namespace
