// SPDX-License-Identifier: BSD-3-Clause
// Programs from storage that is not mapped into memory. See wick/copying_data_loader.h.

#include <executorch/runtime/platform/log.h>
#include <wick/copying_data_loader.h>

namespace wick {

using executorch::runtime::Error;
using executorch::runtime::FreeableBuffer;
using executorch::runtime::Result;

static_assert(static_cast<size_t>(executorch::runtime::DataLoader::SegmentInfo::Type::Program) == 0 &&
                  static_cast<size_t>(executorch::runtime::DataLoader::SegmentInfo::Type::External) == 4,
              "arenas are indexed by the kind of segment");

CopyingDataLoader::Arena* CopyingDataLoader::arena_for(SegmentInfo::Type type) const {
  const size_t index = static_cast<size_t>(type);
  return index < sizeof(arenas_) / sizeof(arenas_[0]) && arenas_[index].memory.data() != nullptr ? &arenas_[index]
                                                                                                 : &arenas_[0];
}

Result<FreeableBuffer> CopyingDataLoader::load(size_t offset, size_t size, const SegmentInfo& segment_info) const {
  Arena* arena = arena_for(segment_info.segment_type);
  const uintptr_t next = reinterpret_cast<uintptr_t>(arena->memory.data()) + arena->used;
  const size_t padding = static_cast<size_t>(0 - next) % kAlignment;
  const size_t free_bytes = arena->memory.size() - arena->used;
  if (offset <= size_ && size <= size_ - offset && (size > free_bytes || padding > free_bytes - size)) {
    ET_LOG(
        Error,
        "%zu bytes at offset %zu (kind %d, segment %zu) need %zu bytes of RAM, %zu of the arena's %zu are free: give "
        "it %zu more, or this kind an arena of its own",
        size, offset, static_cast<int>(segment_info.segment_type), segment_info.segment_index, size + padding,
        free_bytes, arena->memory.size(), size + padding - free_bytes);
    return Error::MemoryAllocationFailed;
  }
  uint8_t* part = arena->memory.data() + arena->used + padding;
  const Error error = load_into(offset, size, segment_info, part);
  if (error != Error::Ok) {
    return error;
  }
  arena->used += padding + size;
  arena->held += size;
  ++arena->parts;
  return FreeableBuffer(part, size, release, arena);
}

Error CopyingDataLoader::load_into(size_t offset, size_t size, const SegmentInfo&, void* buffer) const {
  if (offset > size_ || size > size_ - offset) {
    ET_LOG(Error, "%zu bytes at offset %zu were asked for, %zu are there", size, offset, size_);
    return Error::InvalidArgument;
  }
  if (buffer == nullptr) {
    ET_LOG(Error, "no memory to read %zu bytes into", size);
    return Error::InvalidArgument;
  }
  const Error error = size == 0 ? Error::Ok : read_(context_, offset, size, buffer);
  if (error != Error::Ok) {
    ET_LOG(Error, "reading %zu bytes at offset %zu failed: 0x%x", size, offset, static_cast<unsigned>(error));
  }
  return error;
}

void CopyingDataLoader::release(void* context, void* data, size_t size) {
  Arena* arena = static_cast<Arena*>(context);
  arena->held -= size;
  --arena->parts;
  if (arena->parts == 0) {
    arena->used = 0;
  } else if (static_cast<uint8_t*>(data) + size == arena->memory.data() + arena->used) {
    arena->used -= size;
  }
}

size_t CopyingDataLoader::bytes_in_ram() const {
  size_t bytes = 0;
  for (const Arena& arena : arenas_) {
    bytes += arena.held;
  }
  return bytes;
}

}  // namespace wick
