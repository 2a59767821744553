// SPDX-License-Identifier: BSD-3-Clause
//
// The out-of-line part of the FlatBuffer reader: references, field directories, vectors, strings.
#include "src/pte/flatbuffer.h"

namespace wick::pte {

bool same_text(const char* a, const char* b) {
  while (*a == *b && *a != 0) {
    ++a;
    ++b;
  }
  return *a == *b;
}

uint32_t Buffer::u32(Position at) { return fits<4>(at) ? load<uint32_t>(at) : fault(); }

Position Buffer::field(Table table, unsigned id) const {
  if (!table) {
    return 0;
  }
  const uint8_t* entries = data_ + directory(table);
  const uint32_t entry = 4 + 2 * id;
  uint32_t offset = 0;
  if (entry < *reinterpret_cast<const uint16_t*>(entries)) {
    offset = *reinterpret_cast<const uint16_t*>(entries + entry);
  }
  return offset == 0 ? 0 : table.at + offset;
}

uint32_t Buffer::u32_field(Table table, unsigned id) {
  const Position at = field(table, id);
  return at == 0 ? 0 : u32(at);
}

uint8_t Buffer::u8_at(Position at) {
  return at < size_ ? (at == 0 ? uint8_t{0} : data_[at]) : static_cast<uint8_t>(fault());
}

uint64_t Buffer::u64_field(Table table, unsigned id) {
  const Position at = field(table, id);
  if (at == 0) {
    return 0;
  }
  return fits<8>(at) ? load<uint64_t>(at) : fault();
}

Position Buffer::follow(Position at) {
  uint32_t offset = u32(at);
  // at < size_ <= 2^31 - 1, so the sum cannot wrap once the offset is bounded.
  if (offset == 0 || offset > size_ - at) {
    return fault();
  }
  return at + offset;
}

Table Buffer::table_at(Position at) {
  if (at != 0 && fits<4>(at)) {
    const Position directory = at - load<uint32_t>(at);  // the offset is signed: the directory may lie on either side
    if (fits<2>(directory)) {
      const uint32_t bytes = load<uint16_t>(directory);
      if (bytes <= size_ - directory && (bytes & 1) == 0) {
        return {at};
      }
    }
  }
  fault();
  return {};
}

Table Buffer::table_behind(Position at) {
  const uint32_t offset = fits<4>(at) ? load<uint32_t>(at) : 0;
  return table_at(offset == 0 ? 0 : at + offset);  // if that wraps, it is still a place that is checked
}

Vector Buffer::vector_field(Table table, unsigned id_and_width) {
  const unsigned item_bytes = id_and_width >> 8;
  Position at = field(table, id_and_width & 0xFF);
  if (at == 0) {
    return {};
  }
  Position start = follow(at);
  uint32_t count = u32(start);
  uint32_t first = start + 4;
  // flatc does not align the items of an empty vector.
  const bool misaligned = count != 0 && (first & (item_bytes - 1)) != 0;
  if (start == 0 || bad_ || misaligned || count > (size_ - first) / item_bytes) {
    fault();
    return {};
  }
  return {first, count};
}

const char* Buffer::string_field(Table table, unsigned id, uint32_t* length) {
  Vector characters = vector_field(table, id, 1);
  if (length != nullptr) {
    *length = characters.count;
  }
  if (characters.at == 0) {
    return nullptr;
  }
  Position end = characters.at + characters.count;
  if (end >= size_ || data_[end] != 0) {
    fault();
    return nullptr;
  }
  return reinterpret_cast<const char*>(data_ + characters.at);
}

}  // namespace wick::pte
