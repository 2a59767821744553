// SPDX-License-Identifier: BSD-3-Clause
//
// Bounds-checked reading of a FlatBuffer that nobody vouches for. There is no unchecked way in: positions are byte
// offsets from the buffer's start, every read is checked for bounds and alignment, and a violation is remembered
// (bad()) while the read yields zero. Parsers read on and ask once, at the end. Nothing is copied, nothing recursive.
#pragma once

#include <executorch/runtime/platform/compiler.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wick::pte {

/// Byte offset in the buffer; 0 means "absent" (offset 0 holds the root offset, never a field).
using Position = uint32_t;

/// A vector of the buffer, already checked: `count` items of the width asked for, from `at` on.
struct Vector {
  Position at = 0;
  uint32_t count = 0;
};

/// A table whose place and field directory were checked when it was reached. One word, so that it travels in a
/// register.
struct Table {
  Position at = 0;
  explicit operator bool() const { return at != 0; }
};

/// Whether two NUL-terminated texts are equal. (An image needs no strcmp for it.)
bool same_text(const char* a, const char* b);

class Buffer {
 public:
  Buffer() = default;
  /// `data` must be 8-byte aligned; it is read in place and must outlive the reader. At most 2 GiB are looked at.
  Buffer(const void* data, size_t size)
      : data_(static_cast<const uint8_t*>(data)),
        size_(size < 0x7FFFFFFFu ? static_cast<uint32_t>(size) : 0x7FFFFFFFu) {}

  bool bad() const { return bad_; }
  void set_bad() { bad_ = true; }
  uint32_t size() const { return size_; }
  const uint8_t* bytes(Position at) const { return data_ + at; }

  uint32_t u32(Position at);
  uint16_t u16(Position at) { return fits<2>(at) ? load<uint16_t>(at) : static_cast<uint16_t>(fault()); }

  /// The root table.
  Table root() { return table_behind(0); }

  /// Where the field directory (vtable) of a table that is there begins, and its bytes.
  Position directory(Table table) const { return table.at - load<uint32_t>(table.at); }
  uint32_t directory_size(Table table) const { return load<uint16_t>(directory(table)); }

  /// Position of field `id` of a table, or 0 if absent.
  Position field(Table table, unsigned id) const;
  // What lies at the position of a field; 0 or empty for position 0.
  uint8_t u8_at(Position at);
  Table referred(Position at) { return at == 0 ? Table{} : table_behind(at); }

  /// The number in field `id`; 0 if absent.
  uint32_t u32_field(Table table, unsigned id);
  uint8_t u8_field(Table table, unsigned id) { return u8_at(field(table, id)); }
  uint64_t u64_field(Table table, unsigned id);
  /// A 64-bit number of bytes; one that the target cannot address is a fault.
  size_t size_field(Table table, unsigned id) { return to_size(u64_field(table, id)); }

  /// The table, vector or string that field `id` refers to; absent ones are empty (at == 0).
  Table table_field(Table table, unsigned id) { return referred(field(table, id)); }
  Vector vector_field(Table table, unsigned id, unsigned item_bytes) {
    return vector_field(table, id | item_bytes << 8);  // one argument less, in many calls
  }
  /// A NUL-terminated string, or null if absent. Its length goes to *length if that is not null.
  const char* string_field(Table table, unsigned id, uint32_t* length = nullptr);

  /// Item i < count of a vector of tables (item width 4).
  Table table_item(const Vector& vector, uint32_t i) { return table_behind(vector.at + 4 * i); }
  /// The table that a reference leads to.
  Table table_behind(Position at);
  int32_t i32_item(const Vector& vector, uint32_t i) const { return load<int32_t>(vector.at + 4 * i); }
  size_t size_item(const Vector& vector, uint32_t i) { return to_size(u64_item(vector, i)); }
  uint64_t u64_item(const Vector& vector, uint32_t i) const { return load<uint64_t>(vector.at + 8 * i); }

  /// Checks the place and the directory of the table at a position; an empty table if either is broken.
  Table table_at(Position at);

 private:
  Vector vector_field(Table table, unsigned id_and_width);
  /// Aligned and inside, in one comparison: rotating right by log2(width) moves misaligned bits to the top.
  template <unsigned kWidth>
  ET_INLINE bool fits(Position at) const {
    constexpr unsigned kShift = kWidth == 2 ? 1 : kWidth == 4 ? 2 : 3;
    return ((at >> kShift) | (at << (32 - kShift))) < size_ >> kShift;
  }
  template <typename T>
  T load(Position at) const {
    return *reinterpret_cast<const T*>(data_ + at);
  }
  Position follow(Position at);
  size_t to_size(uint64_t number) { return number > SIZE_MAX ? fault() : static_cast<size_t>(number); }
  uint32_t fault() {
    bad_ = true;
    return 0;
  }

  const uint8_t* data_ = nullptr;
  uint32_t size_ = 0;
  bool bad_ = false;
};

}  // namespace wick::pte
