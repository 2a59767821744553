// SPDX-License-Identifier: BSD-3-Clause
//
// Quick reading of what most tables of a program look like (quick_operands.cpp): tables of one kind nearly all share a
// field directory (vtable). It is checked once, and then two comparisons tell that a table which has it is inside the
// file with all its fields. Only in a runtime compiled for speed; at -Os everything is read the general way.
#pragma once

#include <executorch/runtime/platform/compiler.h>

#include <cstdint>

#include "src/pte/flatbuffer.h"

namespace wick {

#ifdef __OPTIMIZE_SIZE__

constexpr bool kQuickOperands = false;
class QuickFile;
struct QuickState {};

#else

constexpr bool kQuickOperands = true;

/// A field directory, and where it puts those fields that are looked at, from a table's place on; 0: absent.
template <unsigned kFields>
struct KnownDirectory {
  pte::Position at = 0;
  uint32_t places = 0;  ///< tables with it begin at a multiple of 4 below 4 * places. 0: nothing is known yet
  uint16_t offsets[kFields];
};

/// The directories of the tables before.
struct QuickState {
  static constexpr unsigned kTensors = 4;
  static constexpr unsigned kAllocations = 3;
  KnownDirectory<2> op;
  KnownDirectory<2> instruction;
  KnownDirectory<2> call;
  KnownDirectory<2> value;
  KnownDirectory<1> integer;
  KnownDirectory<1> zero;  ///< of integers without a field
  KnownDirectory<1> list;
  KnownDirectory<5> tensors[kTensors];
  KnownDirectory<3> allocations[kAllocations];
  unsigned last_tensor = 0;
};

/// Reads at positions of the file that were checked, by the functions that say so.
class QuickFile {
 public:
  using Position = pte::Position;

  explicit QuickFile(const pte::Buffer& buffer) : bytes_(buffer.bytes(0)), size_(buffer.size()) {}

  template <typename T>
  ET_INLINE T at(Position position) const {
    return *reinterpret_cast<const T*>(bytes_ + position);
  }
  const uint8_t* bytes(Position position) const { return bytes_ + position; }
  /// The position that the reference at a checked one leads to, which may be anywhere.
  ET_INLINE Position follow(Position position) const { return position + at<uint32_t>(position); }

  /// Checks that a table with this directory is there.
  template <unsigned kFields>
  ET_INLINE bool has(Position table, const KnownDirectory<kFields>& directory) const {
    return (table >> 2 | table << 30) < directory.places && table - at<uint32_t>(table) == directory.at;
  }
  /// Checks that a vector is there: the number of items, and so many.
  ET_INLINE bool has_vector(Position vector, uint32_t item_bytes) const {
    return (vector >> 2 | vector << 30) < size_ >> 2 && at<uint32_t>(vector) <= (size_ - 4 - vector) / item_bytes;
  }
  /// The NUL-terminated text there; null if not all of it is inside.
  const char* text(Position vector) const;

  /// What a field of a usual table is. Those from kMaybeByte on are looked at.
  enum Field : uint8_t { kEnd, kAbsent, kMaybeByte, kMaybeWord, kMaybeTwoWords, kByte, kWord };
  /// Checks a table and its directory, and keeps the directory. False if it is not as described by `fields`, up to
  /// kEnd.
  template <unsigned kFields>
  ET_INLINE bool learn(Position table, const Field* fields, KnownDirectory<kFields>* directory) const {
    return learn(bytes_, size_, table, fields, &directory->at, directory->offsets);
  }

 private:
  static bool learn(const uint8_t* file, uint32_t size, Position table, const Field* fields, Position* at_and_places,
                    uint16_t* offsets);

  const uint8_t* bytes_;
  uint32_t size_;
};

#endif

}  // namespace wick
