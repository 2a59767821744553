// SPDX-License-Identifier: BSD-3-Clause
// A FlatBuffer, written back to front. See wick/flatbuffer_writer.h.

#include <wick/flatbuffer_writer.h>

#include <cstring>

namespace wick::internal {
namespace {

/// FlatBuffers are little-endian, whatever the machine.
void store(uint8_t* out, uint64_t value, size_t width) {
  for (size_t i = 0; i < width; ++i) {
    out[i] = static_cast<uint8_t>(value >> (8 * i));
  }
}

constexpr size_t kReferenceWidth = 4;

size_t width_of(const FlatbufferWriter::Field& field) {
  return field.width == FlatbufferWriter::kReference ? kReferenceWidth : field.width;
}

}  // namespace

void FlatbufferWriter::begin(executorch::runtime::Span<uint8_t> buffer) {
  front_ = buffer.data();
  end_ = buffer.data() + buffer.size();
  end_ -= reinterpret_cast<uintptr_t>(end_) % 8;
  written_ = 0;
  stacked_ = 0;
  std::memset(strings_, 0, sizeof(strings_));
  std::memset(directories_, 0, sizeof(directories_));
}

void FlatbufferWriter::move_to(executorch::runtime::Span<uint8_t> buffer) {
  uint8_t* end = buffer.data() + buffer.size();
  end -= reinterpret_cast<uintptr_t>(end) % 8;
  std::memcpy(buffer.data(), front_, stacked_ * sizeof(Place));
  std::memcpy(end - written_, end_ - written_, written_);
  front_ = buffer.data();
  end_ = end;
}

uint8_t* FlatbufferWriter::take(size_t size, size_t alignment, size_t aligned_offset) {
  uint32_t written = written_ + static_cast<uint32_t>(size);
  written += static_cast<uint32_t>((aligned_offset - written) & (alignment - 1));
  // Gaps are zero, as are the bytes after a text.
  std::memset(end_ - written, 0, written - written_);
  written_ = written;
  return end_ - written;
}

/// Offsets point from where they are stored towards the end.
void FlatbufferWriter::write_reference(uint8_t* where, Place place) const {
  store(where, place_of(where) - place, kReferenceWidth);
}

FlatbufferWriter::Place FlatbufferWriter::known(const Place* places, const void* data, size_t bytes,
                                                size_t skip) const {
  for (size_t i = 0; i < kRemembered; ++i) {
    if (places[i] != 0 && places[i] >= skip + bytes && std::memcmp(at(places[i]) + skip, data, bytes) == 0) {
      return places[i];
    }
  }
  return 0;
}

void FlatbufferWriter::remember(Place* places, Place place) {
  std::memmove(places + 1, places, (kRemembered - 1) * sizeof(Place));
  places[0] = place;
}

FlatbufferWriter::Place FlatbufferWriter::string(const char* text) {
  const size_t length = std::strlen(text);
  if (const Place same = known(strings_, text, length + 1, 4)) {
    return same;
  }
  const Place place = bytes(text, length + 1);
  store(at(place), length, 4);  // the NUL is there, but not counted
  remember(strings_, place);
  return place;
}

FlatbufferWriter::Place FlatbufferWriter::bytes(const void* data, size_t count) {
  uint8_t* out = take(4 + count, 4);
  store(out, count, 4);
  if (count != 0) {
    std::memcpy(out + 4, data, count);
  }
  return place_of(out);
}

FlatbufferWriter::Place FlatbufferWriter::longs(const int32_t* values, size_t count) {
  uint8_t* out = take(4 + 8 * count, 8, 4);
  store(out, count, 4);
  for (size_t i = 0; i < count; ++i) {
    store(out + 4 + 8 * i, static_cast<uint64_t>(static_cast<int64_t>(values[i])), 8);
  }
  return place_of(out);
}

/// Tables with the same fields share a directory ("vtable").
FlatbufferWriter::Place FlatbufferWriter::directory(const void* entries, size_t size) {
  if (const Place same = known(directories_, entries, size, 0)) {
    return same;
  }
  uint8_t* out = take(size, 4);
  std::memcpy(out, entries, size);
  remember(directories_, place_of(out));
  return place_of(out);
}

FlatbufferWriter::Place FlatbufferWriter::table(const Field* fields, size_t count) {
  // Widest first, behind the offset of the directory; an 8-byte field moves the table so that it is aligned.
  uint16_t offsets[kMaxFields] = {};
  size_t size = 4;
  size_t ids = 0;
  bool wide = false;
  for (size_t width = 8; width != 0; width /= 2) {
    for (size_t i = 0; i < count; ++i) {
      if (width_of(fields[i]) == width) {
        offsets[i] = static_cast<uint16_t>(size);
        size += width;
        wide |= width == 8;
        ids = fields[i].id + 1U > ids ? fields[i].id + 1U : ids;
      }
    }
  }
  uint8_t* out = take(size, wide ? 8 : 4, wide ? 4 : 0);
  const Place place = place_of(out);
  uint8_t entries[4 + 2 * kMaxFields] = {};
  store(entries, 4 + 2 * ids, 2);
  store(entries + 2, size, 2);
  for (size_t i = 0; i < count; ++i) {
    store(entries + 4 + 2 * fields[i].id, offsets[i], 2);
    if (fields[i].width == kReference) {
      write_reference(out + offsets[i], static_cast<Place>(fields[i].value));
    } else {
      store(out + offsets[i], fields[i].value, fields[i].width);
    }
  }
  const Place where = directory(entries, 4 + 2 * ids);
  store(at(place), where - place, 4);  // a signed distance, towards the front where it is positive
  return place;
}

void FlatbufferWriter::push(Place place) {
  std::memcpy(front_ + stacked_ * sizeof(Place), &place, sizeof(Place));
  ++stacked_;
}

FlatbufferWriter::Place FlatbufferWriter::vector_of_stacked(size_t count) {
  uint8_t* out = take(4 + kReferenceWidth * count, 4);
  store(out, count, 4);
  stacked_ -= static_cast<uint32_t>(count);
  for (size_t i = 0; i < count; ++i) {
    Place place = 0;
    std::memcpy(&place, front_ + (stacked_ + i) * sizeof(Place), sizeof(Place));
    write_reference(out + 4 + kReferenceWidth * i, place);
  }
  return place_of(out);
}

executorch::runtime::Span<uint8_t> FlatbufferWriter::finish(Place root, const char* identifier) {
  uint8_t* out = take(12, 8);  // size, offset of the root, identifier
  store(out, written_ - 4, 4);
  write_reference(out + 4, root);
  std::memcpy(out + 8, identifier, 4);
  return {out, written_};
}

}  // namespace wick::internal
