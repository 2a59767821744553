// SPDX-License-Identifier: BSD-3-Clause
// Ranges of integers for the range-based `for`.
// A range that would run backwards is empty.
//
//     for (const auto i : c10::irange(tensor.dim())) { total *= tensor.size(i); }

#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace c10 {

template <typename Integer>
struct integer_range {
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Integer;
    using difference_type = std::ptrdiff_t;
    using pointer = const Integer*;
    using reference = Integer;

    explicit constexpr iterator(Integer value) : value_(value) {}
    constexpr Integer operator*() const { return value_; }
    constexpr const Integer* operator->() const { return &value_; }
    constexpr iterator& operator++() {
      ++value_;
      return *this;
    }
    constexpr iterator operator++(int) {
      const iterator before = *this;
      ++value_;
      return before;
    }
    constexpr bool operator==(const iterator& other) const { return value_ == other.value_; }
    constexpr bool operator!=(const iterator& other) const { return value_ != other.value_; }

   private:
    Integer value_;
  };

  constexpr integer_range(Integer first, Integer last) : begin_(first), end_(last < first ? first : last) {}
  constexpr iterator begin() const { return begin_; }
  constexpr iterator end() const { return end_; }

 private:
  iterator begin_;
  iterator end_;
};

/// first, first + 1, ... last - 1, in the type of `last`.
template <typename First, typename Last,
          std::enable_if_t<std::is_integral_v<First> && std::is_integral_v<Last>, int> = 0>
constexpr integer_range<Last> irange(First first, Last last) {
  return {static_cast<Last>(first), last};
}

/// 0, 1, ... last - 1.
template <typename Last, std::enable_if_t<std::is_integral_v<Last>, int> = 0>
constexpr integer_range<Last> irange(Last last) {
  return {Last(), last};
}

}  // namespace c10
