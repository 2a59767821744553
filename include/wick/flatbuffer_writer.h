// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a FlatBuffer into one buffer, from its end towards its beginning: children first, the root last, so that
// offsets are known when they are written. Places are named by their distance from the end and stay valid when the
// buffer grows. At the buffer's front lies a stack of places that a vector will list later. Made for ETDumpGen.
#pragma once

#include <executorch/runtime/core/span.h>

#include <cstddef>
#include <cstdint>

namespace wick::internal {

class FlatbufferWriter {
 public:
  /// A string, vector or table that was written: bytes from its start to the buffer's end. 0 is none.
  using Place = uint32_t;

  /// A field of a table; the caller leaves out those that have their default value.
  struct Field {
    uint8_t id;     ///< below kMaxFields
    uint8_t width;  ///< bytes: 1, 4 or 8; kReference for a Place
    uint64_t value;
  };
  static constexpr uint8_t kReference = 0;
  static constexpr size_t kMaxFields = 8;

  FlatbufferWriter() = default;

  /// Starts anew in `buffer`.
  void begin(executorch::runtime::Span<uint8_t> buffer);

  /// Moves what is written to the end of a larger buffer, and the stack to its front.
  void move_to(executorch::runtime::Span<uint8_t> buffer);

  executorch::runtime::Span<uint8_t> buffer() const { return {front_, static_cast<size_t>(end_ - front_)}; }

  /// Bytes between the stack and what is written.
  size_t room() const { return static_cast<size_t>(end_ - front_) - written_ - stacked() * sizeof(Place); }

  /// Whoever writes has made sure that there is room() for it: the sizes below, and the alignment.
  static constexpr size_t string_room(size_t length) { return length + 16; }
  static constexpr size_t vector_room(size_t bytes) { return bytes + 16; }
  /// Of one table and its directory of fields.
  static constexpr size_t kTableRoom = 4 + kMaxFields * 8 + 8 + 4 + 2 * kMaxFields + 8;

  /// A text; one that was among the last few different ones is written once.
  Place string(const char* text);
  Place bytes(const void* data, size_t count);
  Place longs(const int32_t* values, size_t count);
  /// At most kMaxFields fields.
  Place table(const Field* fields, size_t count);

  void push(Place place);
  size_t stacked() const { return stacked_; }
  /// A vector of the `count` places on top of the stack, which are taken off it.
  Place vector_of_stacked(size_t count);
  /// Takes them off and writes nothing.
  void drop_stacked(size_t count) { stacked_ -= static_cast<uint32_t>(count); }

  /// Ends the buffer with this root. Returns all of it: its size as a 32-bit number, then the FlatBuffer.
  executorch::runtime::Span<uint8_t> finish(Place root, const char* identifier);

 private:
  static constexpr size_t kRemembered = 8;

  uint8_t* at(Place place) const { return end_ - place; }
  /// Makes room for `size` bytes so that the byte at `aligned_offset` of them lies on a multiple of `alignment`.
  uint8_t* take(size_t size, size_t alignment, size_t aligned_offset = 0);
  Place place_of(const uint8_t* p) const { return static_cast<Place>(end_ - p); }
  Place directory(const void* entries, size_t size);
  Place known(const Place* places, const void* data, size_t bytes, size_t skip) const;
  static void remember(Place* places, Place place);
  void write_reference(uint8_t* where, Place place) const;

  uint8_t* front_ = nullptr;
  uint8_t* end_ = nullptr;
  uint32_t written_ = 0;
  uint32_t stacked_ = 0;
  Place strings_[kRemembered] = {};
  Place directories_[kRemembered] = {};
};

}  // namespace wick::internal
