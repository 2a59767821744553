// SPDX-License-Identifier: BSD-3-Clause
//
// A DataLoader over storage that cannot be read like memory (SPI flash without XIP, an SD card, a radio): it calls a
// function that reads, into RAM that the caller gives. Constants may go to another memory than the program's tables.
//
//   Error read_flash(void* context, size_t offset, size_t size, void* out);  // the caller's
//   alignas(16) uint8_t arena[128 * 1024];
//   wick::CopyingDataLoader loader(read_flash, &flash, model_size, {arena, sizeof(arena)});
//   Result<Program> program = Program::load(&loader);
#pragma once

#include <executorch/runtime/core/data_loader.h>
#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/compiler.h>

#include <cstddef>
#include <cstdint>

namespace wick {

class CopyingDataLoader final : public executorch::runtime::DataLoader {
 public:
  /// Reads `size` bytes at `offset` of the storage into `out`. Anything but Ok ends the loading with that error.
  using ReadFn = executorch::runtime::Error (*)(void* context, size_t offset, size_t size, void* out);

  /// Every part that is loaded starts at a multiple of this in its arena.
  static constexpr size_t kAlignment = 16;

  /// `size` is that of the .pte or .ptd, in bytes; of a program with an extended header (exporters since 1.0) also that
  /// of the region it lies in. The arena holds what is loaded; it, the context and this loader must outlive the
  /// program.
  CopyingDataLoader(ReadFn read, void* context, size_t size, executorch::runtime::Span<uint8_t> arena)
      : read_(read), context_(context), size_(size) {
    for (Arena& place : arenas_) {
      place = {};
    }
    arenas_[0].memory = arena;
  }
  CopyingDataLoader(const CopyingDataLoader&) = delete;
  CopyingDataLoader& operator=(const CopyingDataLoader&) = delete;

  /// Puts the parts of one kind (Constant: weights, Backend: delegates' payloads, ...) into a memory of their own.
  /// Before the first load.
  void set_arena(SegmentInfo::Type type, executorch::runtime::Span<uint8_t> arena) {
    arenas_[static_cast<size_t>(type)].memory = arena;
  }

  /// Errors: InvalidArgument (outside the storage), MemoryAllocationFailed (the message says how much is needed and
  /// free), those of the function that reads.
  ET_NODISCARD executorch::runtime::Result<executorch::runtime::FreeableBuffer> load(
      size_t offset, size_t size, const SegmentInfo& segment_info) const override;

  /// Reads into the caller's buffer; the arena is not used.
  ET_NODISCARD executorch::runtime::Error load_into(size_t offset, size_t size, const SegmentInfo& segment_info,
                                                    void* buffer) const override;

  ET_NODISCARD executorch::runtime::Result<size_t> size() const override { return size_; }

  size_t bytes_in_ram() const override;

 private:
  /// Parts lie one after the other. The last one's memory is free again with it, that of others when all are gone.
  struct Arena {
    executorch::runtime::Span<uint8_t> memory;
    size_t used;   ///< bytes up to the end of the last part, padding included
    size_t held;   ///< bytes of the parts that are in use
    size_t parts;  ///< how many are
  };

  Arena* arena_for(SegmentInfo::Type type) const;
  static void release(void* arena, void* data, size_t size);

  ReadFn read_;
  void* context_;
  size_t size_;
  mutable Arena arenas_[5];  ///< by SegmentInfo::Type; those without memory use the first
};

}  // namespace wick
