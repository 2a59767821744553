// SPDX-License-Identifier: BSD-3-Clause
// FreeableBuffer: bytes together with the function that gives them back, called once at the end.
// A buffer in flash has no such function. Instead of a pointer it may hold a 64-bit address of another kind.
//
//     FreeableBuffer whole(flash, size, /*free_fn=*/nullptr);
//     Result<FreeableBuffer> segment = loader.load(offset, size, info);

#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/result.h>
#include <executorch/runtime/platform/assert.h>

#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

class FreeableBuffer final {
 public:
  using FreeFn = void (*)(void* context, void* data, size_t size);
  using FreeUInt64Fn = void (*)(void* context, uint64_t data_uint64, size_t size);

  /// Empty.
  FreeableBuffer() : FreeableBuffer(nullptr, 0, nullptr) {}

  /// `free_fn`, which may be null, is called with `free_fn_context`, `data` and `size`.
  FreeableBuffer(const void* data, size_t size, FreeFn free_fn, void* free_fn_context = nullptr)
      : free_pointer_(free_fn), context_(free_fn_context), size_(size), is_pointer_(true) {
    data_.pointer = data;
  }
  explicit FreeableBuffer(const uint64_t data_uint64, size_t size, FreeUInt64Fn free_fn,
                          void* free_fn_context = nullptr)
      : free_uint64_(free_fn), context_(free_fn_context), size_(size), is_pointer_(false) {
    data_.uint64 = data_uint64;
  }

  FreeableBuffer(FreeableBuffer&& other) noexcept;

  ~FreeableBuffer() { Free(); }

  FreeableBuffer(const FreeableBuffer&) = delete;
  FreeableBuffer& operator=(const FreeableBuffer&) = delete;
  FreeableBuffer& operator=(FreeableBuffer&&) = delete;

  /// Gives the bytes back now; afterwards the buffer is empty, and further calls do nothing.
  void Free();

  /// Size in bytes.
  size_t size() const { return size_; }

  /// The bytes. Aborts when the buffer holds a 64-bit address; data_safe() returns InvalidType.
  ET_INLINE const void* data() const {
    ET_CHECK_MSG(is_pointer_, "the buffer holds a 64-bit address: call data_uint64_type()");
    return data_.pointer;
  }
  Result<const void*> data_safe() const {
    ET_CHECK_OR_RETURN_ERROR(is_pointer_, InvalidType, "the buffer holds a 64-bit address: call data_uint64_type()");
    return data_.pointer;
  }

  /// The 64-bit address, or InvalidType when the buffer holds a pointer.
  Result<uint64_t> data_uint64_type() const {
    ET_CHECK_OR_RETURN_ERROR(!is_pointer_, InvalidType, "the buffer holds a pointer: call data()");
    return data_.uint64;
  }

 private:
  void forget() {
    data_.uint64 = 0;
    data_.pointer = nullptr;
    size_ = 0;
  }

  union {
    const void* pointer;
    uint64_t uint64;
  } data_;
  union {
    FreeFn free_pointer_;
    FreeUInt64Fn free_uint64_;
  };
  void* context_;
  size_t size_;
  bool is_pointer_;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::FreeableBuffer;
}  // namespace torch::executor
