// SPDX-License-Identifier: BSD-3-Clause
// ArrayRef<T>: a read-only view of consecutive elements that somebody else owns.
// It is a pointer and a length, passed by value; Span is its writable sibling.
//
//     int64_t sum(IntArrayRef values) { int64_t s = 0; for (int64_t v : values) s += v; return s; }

#pragma once

#include <c10/util/irange.h>
#include <c10/util/safe_numerics.h>
#include <executorch/runtime/platform/assert.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace executorch::runtime {

template <typename T>
class ArrayRef final {
 public:
  using iterator = const T*;
  using const_iterator = const T*;
  using size_type = size_t;
  using value_type = T;

  /* implicit */ constexpr ArrayRef() : data_(nullptr), size_(0) {}
  /// One element.
  /* implicit */ constexpr ArrayRef(const T& element) : data_(&element), size_(1) {}
  ArrayRef(const T* data, size_t size) : data_(data), size_(size) { ET_DCHECK(data_ != nullptr || size_ == 0); }
  ArrayRef(const T* begin, const T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  template <size_t N>
  /* implicit */ constexpr ArrayRef(const std::array<T, N>& array) : data_(array.data()), size_(N) {}
  template <size_t N>
  /* implicit */ constexpr ArrayRef(const T (&array)[N]) : data_(array), size_(N) {}

  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + size_; }
  constexpr const_iterator cbegin() const { return begin(); }
  constexpr const_iterator cend() const { return end(); }

  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }

  /// First and last element; abort when there is none.
  const T& front() const {
    ET_CHECK(!empty());
    return data_[0];
  }
  const T& back() const {
    ET_CHECK(!empty());
    return data_[size_ - 1];
  }

  /// True when both hold the same number of equal elements.
  bool equals(ArrayRef other) const {
    if (size_ != other.size_) {
      return false;
    }
    for (size_t i = 0; i < size_; ++i) {
      if (data_[i] != other.data_[i]) {
        return false;
      }
    }
    return true;
  }

  /// The `count` elements from `first` on. Aborts when there are fewer.
  ArrayRef<T> slice(size_t first, size_t count) const {
    ET_CHECK(first <= size_ && count <= size_ - first);
    return ArrayRef<T>(data_ + first, count);
  }
  /// All elements from `first` on.
  ArrayRef<T> slice(size_t first) const {
    ET_CHECK(first <= size_);
    return ArrayRef<T>(data_ + first, size_ - first);
  }

  /// An element; at() aborts when there is none at that index.
  constexpr const T& operator[](size_t index) const { return data_[index]; }
  const T& at(size_t index) const {
    ET_CHECK(index < size_);
    return data_[index];
  }

 private:
  const T* data_;
  size_type size_;
};

// makeArrayRef(): an ArrayRef whose element type is deduced.
template <typename T>
ArrayRef<T> makeArrayRef(const T& element) {
  return element;
}
template <typename T>
ArrayRef<T> makeArrayRef(const T* data, size_t size) {
  return ArrayRef<T>(data, size);
}
template <typename T>
ArrayRef<T> makeArrayRef(const T* begin, const T* end) {
  return ArrayRef<T>(begin, end);
}
template <typename T, std::size_t N>
ArrayRef<T> makeArrayRef(const std::array<T, N>& array) {
  return array;
}
template <typename T>
ArrayRef<T> makeArrayRef(const ArrayRef<T>& array) {
  return array;
}
template <typename T>
ArrayRef<T>& makeArrayRef(ArrayRef<T>& array) {
  return array;
}
template <typename T, size_t N>
ArrayRef<T> makeArrayRef(const T (&array)[N]) {
  return ArrayRef<T>(array);
}

template <typename T>
bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
template <typename T>
bool operator!=(ArrayRef<T> a, ArrayRef<T> b) {
  return !a.equals(b);
}

using IntArrayRef = ArrayRef<int64_t>;

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated names.
using ::executorch::runtime::ArrayRef;
using ::executorch::runtime::IntArrayRef;
using ::executorch::runtime::makeArrayRef;
}  // namespace torch::executor
