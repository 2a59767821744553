// SPDX-License-Identifier: BSD-3-Clause
// Span<T>: a view of consecutive elements that somebody else owns, through which they can be written.
// It is a pointer and a length, passed by value; ArrayRef is its read-only sibling.
//
//     uint8_t pool[1024];
//     Span<uint8_t> buffers[] = {{pool, sizeof(pool)}};

#pragma once

#include <executorch/runtime/platform/assert.h>

#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

template <typename T>
class Span final {
 public:
  using value_type = T;
  using iterator = T*;
  using size_type = size_t;

  /* implicit */ constexpr Span() noexcept : data_(nullptr), size_(0) {}
  Span(T* data, size_t size) : data_(data), size_(size) { ET_DCHECK(data_ != nullptr || size_ == 0); }
  Span(T* begin, T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  template <size_t N>
  /* implicit */ constexpr Span(T (&array)[N]) : data_(array), size_(N) {}
  /// One element.
  /* implicit */ constexpr Span(T& element) : data_(&element), size_(1) {}

  iterator begin() const noexcept { return data_; }
  iterator end() const noexcept { return data_ + size_; }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T* data() const noexcept { return data_; }
  constexpr size_t size() const noexcept { return size_; }

  /// An element; the index is not checked.
  T& operator[](size_t index) const { return data_[index]; }

 private:
  T* data_;
  size_type size_;
};

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::Span;
}  // namespace torch::executor
