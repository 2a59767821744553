// SPDX-License-Identifier: BSD-3-Clause
//
// Reading a .ptd through checked views. Exporter 0.6 stored a table of tensors in one segment; since 0.7 every key has
// a segment. Both call themselves FT01: the number of root fields tells them apart.
#include <executorch/extension/flat_tensor/flat_tensor_data_map.h>
#include <executorch/runtime/platform/log.h>

#include <cstring>

#include "src/pte/flatbuffer.h"

namespace executorch {
namespace extension {

namespace pte = ::wick::pte;
using executorch::runtime::DataLoader;
using executorch::runtime::Error;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::Result;
using executorch::runtime::Span;
using executorch::runtime::TensorLayout;

namespace {

/// Field numbers of the root, of an entry and of a layout in the two generations.
struct Generation {
  unsigned segments;
  unsigned entries;
  unsigned segment_index;  // of an entry
  unsigned layout;         // first of scalar_type, sizes, dim_order
};
constexpr Generation kFirst = {3, 2, 4, 1};
constexpr Generation kSecond = {1, 2, 1, 0};
constexpr unsigned kOffsetInSegment = 5;  // first generation
constexpr unsigned kLayoutTable = 2;      // second generation

const Generation& generation_of(const pte::Buffer& buffer, pte::Table root) {
  return root && buffer.directory_size(root) > 4 + 2 * 3 ? kFirst : kSecond;
}

Result<const TensorLayout> read_layout(pte::Buffer& buffer, const pte::Table& table, unsigned first) {
  const pte::Vector sizes = buffer.vector_field(table, first + 1, 4);
  const pte::Vector order = buffer.vector_field(table, first + 2, 1);
  if (buffer.bad() || !table || sizes.count != order.count) {
    return Error::InvalidExternalData;
  }
  return TensorLayout::create(
      Span<const int32_t>(reinterpret_cast<const int32_t*>(buffer.bytes(sizes.at)), sizes.count),
      Span<const uint8_t>(buffer.bytes(order.at), order.count),
      static_cast<executorch::aten::ScalarType>(buffer.u8_field(table, first)));
}

}  // namespace

Result<FlatTensorHeader> FlatTensorHeader::Parse(const void* data, size_t size) {
  if (size < kNumHeadBytes) {
    return Error::InvalidArgument;
  }
  struct {
    char magic[4];
    uint32_t length;
    uint64_t fields[4];
  } raw;
  std::memcpy(&raw, static_cast<const uint8_t*>(data) + kHeaderOffset, sizeof(raw));
  if (std::memcmp(raw.magic, kMagic, kMagicSize) != 0) {
    return Error::NotFound;
  }
  if (raw.length < kHeaderExpectedLength) {
    ET_LOG(Error, "the data file's header is %" PRIu32 " bytes long, %" PRIu32 " are needed", raw.length,
           kHeaderExpectedLength);
    return Error::InvalidExternalData;
  }
  return FlatTensorHeader{raw.fields[0], raw.fields[1], raw.fields[2], raw.fields[3]};
}

Result<FlatTensorDataMap> FlatTensorDataMap::load(DataLoader* loader) {
  const DataLoader::SegmentInfo info(DataLoader::SegmentInfo::Type::External);
  Result<FreeableBuffer> head = loader->load(0, FlatTensorHeader::kNumHeadBytes, info);
  if (!head.ok()) {
    return head.error();
  }
  Result<FlatTensorHeader> header = FlatTensorHeader::Parse(head->data(), head->size());
  Result<size_t> size = loader->size();
  if (!header.ok() || !size.ok()) {
    ET_LOG(Error, "this is no data file (.ptd): it has no FH01 header");
    return header.error() == Error::NotFound ? Error::InvalidExternalData : header.error();
  }
  const uint64_t all = size.get();
  if (header->flatbuffer_offset > all || header->flatbuffer_size > all - header->flatbuffer_offset ||
      header->segment_base_offset > all || header->segment_data_size > all - header->segment_base_offset) {
    ET_LOG(Error, "the data file is truncated or corrupt: its header asks for more than its %" ET_PRIsize_t " bytes",
           size.get());
    return Error::InvalidExternalData;
  }
  // The header was put into the FlatBuffer, behind its first eight bytes: offsets count from the file's start.
  Result<FreeableBuffer> data =
      loader->load(0, static_cast<size_t>(header->flatbuffer_offset + header->flatbuffer_size), info);
  if (!data.ok()) {
    return data.error();
  }
  if (reinterpret_cast<uintptr_t>(data->data()) % alignof(std::max_align_t) != 0) {
    ET_LOG(Error, "the data file at %p must lie on a multiple of 16 bytes", data->data());
    return Error::InvalidArgument;
  }
  pte::Buffer buffer(data->data(), data->size());
  const pte::Table root = buffer.root();
  if (buffer.bad() || std::memcmp(buffer.bytes(4), "FT01", 4) != 0 ||
      buffer.u32_field(root, 0) > kMaxSupportedSchemaVersion) {
    ET_LOG(Error, "the data file is corrupt or of a newer version than this runtime understands");
    return Error::InvalidExternalData;
  }
  return FlatTensorDataMap(header.get(), std::move(data.get()), loader);
}

Result<FlatTensorDataMap::Entry> FlatTensorDataMap::find(std::string_view key) const {
  pte::Buffer buffer(flat_tensor_data_.data(), flat_tensor_data_.size());
  const pte::Table root = buffer.root();
  const Generation& generation = generation_of(buffer, root);
  const pte::Vector entries = buffer.vector_field(root, generation.entries, 4);
  const pte::Vector segments = buffer.vector_field(root, generation.segments, 4);
  for (uint32_t i = 0; i < entries.count; ++i) {
    const pte::Table entry = buffer.table_item(entries, i);
    uint32_t length = 0;
    const char* name = buffer.string_field(entry, 0, &length);
    if (name == nullptr || length != key.size() || std::memcmp(name, key.data(), length) != 0) {
      continue;
    }
    const uint32_t index = buffer.u32_field(entry, generation.segment_index);
    if (index >= segments.count) {
      ET_LOG(Error, "corrupt data file: '%s' is in segment %" PRIu32 " of %" PRIu32, name, index, segments.count);
      return Error::InvalidExternalData;
    }
    const bool first = &generation == &kFirst;
    const pte::Table segment = buffer.table_item(segments, index);
    const uint64_t inner = first ? buffer.u64_field(entry, kOffsetInSegment) : 0;
    const uint64_t offset = buffer.u64_field(segment, 0);
    const uint64_t size = buffer.u64_field(segment, 1);
    const uint64_t available = header_.segment_data_size;
    if (buffer.bad() || offset > available || size > available - offset || inner > size) {
      ET_LOG(Error, "corrupt data file: '%s' reaches past the file's data", name);
      return Error::InvalidExternalData;
    }
    const uint32_t layout = first ? entry.at : buffer.table_field(entry, kLayoutTable).at;
    return Entry{static_cast<size_t>(header_.segment_base_offset + offset + inner), static_cast<size_t>(size - inner),
                 layout, first};
  }
  return Error::NotFound;
}

Result<const TensorLayout> FlatTensorDataMap::get_tensor_layout(std::string_view key) const {
  Result<Entry> entry = find(key);
  if (!entry.ok()) {
    return entry.error();
  }
  if (entry->layout == 0) {
    return Error::NotFound;  // named data that is no tensor
  }
  pte::Buffer buffer(flat_tensor_data_.data(), flat_tensor_data_.size());
  return read_layout(buffer, buffer.table_at(entry->layout), entry->first_generation ? kFirst.layout : kSecond.layout);
}

Result<FreeableBuffer> FlatTensorDataMap::get_data(std::string_view key) const {
  Result<Entry> entry = find(key);
  if (!entry.ok()) {
    return entry.error();
  }
  size_t size = entry->size;
  if (entry->first_generation) {  // one segment for all: the layout tells where a tensor ends
    Result<const TensorLayout> layout = get_tensor_layout(key);
    if (!layout.ok() || layout->nbytes() > size) {
      return Error::InvalidExternalData;
    }
    size = layout->nbytes();
  }
  return loader_->load(entry->offset, size, DataLoader::SegmentInfo(DataLoader::SegmentInfo::Type::Constant));
}

Error FlatTensorDataMap::load_data_into(std::string_view key, void* buffer, size_t size) const {
  Result<Entry> entry = find(key);
  if (!entry.ok()) {
    return entry.error();
  }
  if (size > entry->size) {
    ET_LOG(Error, "%" ET_PRIsize_t " bytes of '%.*s' were asked for, %" ET_PRIsize_t " are stored", size,
           static_cast<int>(key.size()), key.data(), entry->size);
    return Error::InvalidArgument;
  }
  return loader_->load_into(entry->offset, size, DataLoader::SegmentInfo(DataLoader::SegmentInfo::Type::Mutable),
                            buffer);
}

Result<uint32_t> FlatTensorDataMap::get_num_keys() const {
  pte::Buffer buffer(flat_tensor_data_.data(), flat_tensor_data_.size());
  const pte::Table root = buffer.root();
  return buffer.vector_field(root, generation_of(buffer, root).entries, 4).count;
}

Result<const char*> FlatTensorDataMap::get_key(uint32_t index) const {
  pte::Buffer buffer(flat_tensor_data_.data(), flat_tensor_data_.size());
  const pte::Table root = buffer.root();
  const pte::Vector entries = buffer.vector_field(root, generation_of(buffer, root).entries, 4);
  if (index >= entries.count) {
    return Error::InvalidArgument;
  }
  const char* name = buffer.string_field(buffer.table_item(entries, index), 0);
  if (name == nullptr) {
    return Error::InvalidExternalData;
  }
  return name;
}

}  // namespace extension
}  // namespace executorch
