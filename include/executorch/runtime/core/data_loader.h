// SPDX-License-Identifier: BSD-3-Clause
// DataLoader: where the bytes of a program or of its data file come from. Implementations are in extension/data_loader.
// In flash that can be read like memory, loading a part is a pointer into it.
//
//     Result<FreeableBuffer> header =
//         loader.load(0, 64, DataLoader::SegmentInfo(DataLoader::SegmentInfo::Type::Program));

#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/freeable_buffer.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/compiler.h>
#include <wick/virtual_delete.h>

#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

class DataLoader {
 public:
  WICK_DELETE_WITHOUT_HEAP

  /// What the bytes are for.
  struct SegmentInfo {
    enum class Type {
      /// The program itself.
      Program,
      /// Constant tensors.
      Constant,
      /// A delegate's data.
      Backend,
      /// First values of tensors that the program changes.
      Mutable,
      /// Named data of another file.
      External,
    };

    Type segment_type;
    /// Which segment of the file; 0 when that does not apply.
    size_t segment_index;
    /// The delegate's name for Backend, the data's name for External, else null.
    const char* descriptor;

    SegmentInfo() = default;
    explicit SegmentInfo(Type type, size_t index = 0, const char* description = nullptr)
        : segment_type(type), segment_index(index), descriptor(description) {}
  };

  virtual ~DataLoader() = default;

  /// `size` bytes from `offset` on.
  ET_NODISCARD virtual Result<FreeableBuffer> load(size_t offset, size_t size,
                                                   const SegmentInfo& segment_info) const = 0;

  /// Copies them into the caller's buffer instead. NotImplemented by loaders that cannot.
  /// (Inline, like every virtual function here: a class derived with RTTI then links to a library without.)
  ET_NODISCARD virtual Error load_into(size_t /*offset*/, size_t /*size*/, const SegmentInfo& /*segment_info*/,
                                       void* /*buffer*/) const {
    return no_load_into();
  }

  /// Bytes of the whole source.
  ET_NODISCARD virtual Result<size_t> size() const = 0;

  /// wick: how many bytes of the source lie in RAM because load() copied them there. 0 when what load() gives are pointers
  /// into memory that holds the source anyway, and from loaders that do not keep count.
  virtual size_t bytes_in_ram() const { return 0; }

 private:
  static Error no_load_into();
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::DataLoader;
}  // namespace torch::executor
