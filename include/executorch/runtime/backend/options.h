// SPDX-License-Identifier: BSD-3-Clause
// Options for a backend: keys with a bool, an int or a text, in an array of fixed capacity.
//
//     BackendOptions<2> options;
//     options.set_option("num_threads", 4);
//     Error error = executorch::runtime::set_option("MyBackend", options.view());

#pragma once

#include <executorch/runtime/core/error.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/platform/assert.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <variant>

namespace executorch::runtime {

/// Bytes of a key and of a text value, with the final NUL.
static constexpr size_t kMaxOptionKeyLength = 64;
static constexpr size_t kMaxOptionValueLength = 256;

/// The value of an option; a text is stored as a copy.
using OptionValue = std::variant<bool, int, std::array<char, kMaxOptionValueLength>>;

struct BackendOption {
  char key[kMaxOptionKeyLength]{};
  OptionValue value;
};

namespace internal {

/// The option with this key among `count`, or null.
template <typename Option>
Option* find_option(Option* options, size_t count, const char* key) {
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(options[i].key, key) == 0) return &options[i];
  }
  return nullptr;
}

/// Reads an option as bool, int or const char* (a pointer into the option). False if it has another type.
template <typename T>
bool read_option(const BackendOption& option, T& out) {
  if constexpr (std::is_same_v<T, const char*>) {
    const auto* text = std::get_if<std::array<char, kMaxOptionValueLength>>(&option.value);
    if (text != nullptr) out = text->data();
    return text != nullptr;
  } else {
    const T* value = std::get_if<T>(&option.value);
    if (value != nullptr) out = *value;
    return value != nullptr;
  }
}

}  // namespace internal

/// Up to MaxCapacity options. The set_option() functions add an option or change the one with the same key; when the
/// array is full they return Error::InvalidArgument.
template <size_t MaxCapacity>
class BackendOptions {
 public:
  BackendOptions() = default;

  /// The options, to pass on or to change.
  Span<BackendOption> view() { return Span<BackendOption>(options_, size_); }

  template <size_t N>
  Error set_option(const char (&key)[N], bool value) noexcept {
    static_assert(N <= kMaxOptionKeyLength, "Option key is too long");
    return set_value(key, value);
  }

  template <size_t N>
  Error set_option(const char (&key)[N], int value) noexcept {
    static_assert(N <= kMaxOptionKeyLength, "Option key is too long");
    return set_value(key, value);
  }

  /// Stores a copy of the text, cut to kMaxOptionValueLength - 1 characters. It must not be null.
  template <size_t N>
  Error set_option(const char (&key)[N], const char* value) noexcept {
    static_assert(N <= kMaxOptionKeyLength, "Option key is too long");
    ET_CHECK_MSG(value != nullptr, "The text of backend option '%s' is null", key);
    std::array<char, kMaxOptionValueLength> text{};
    for (size_t i = 0; i + 1 < text.size() && value[i] != '\0'; ++i) text[i] = value[i];
    return set_value(key, text);
  }

  /// Reads an option as bool, int or const char*. Error::NotFound if there is none, Error::InvalidArgument if it has
  /// another type.
  template <typename T, size_t KeyLen>
  Error get_option(const char (&key)[KeyLen], T& out) const {
    static_assert(KeyLen <= kMaxOptionKeyLength, "Option key is too long");
    const BackendOption* option = internal::find_option(options_, size_, key);
    if (option == nullptr) return Error::NotFound;
    return internal::read_option(*option, out) ? Error::Ok : Error::InvalidArgument;
  }

 private:
  template <typename T>
  Error set_value(const char* key, const T& value) {
    BackendOption* option = internal::find_option(options_, size_, key);
    if (option == nullptr) {
      if (size_ == MaxCapacity) return Error::InvalidArgument;
      option = &options_[size_++];
      *option = BackendOption{};
      for (size_t i = 0; i + 1 < kMaxOptionKeyLength && key[i] != '\0'; ++i) option->key[i] = key[i];
    }
    option->value = value;
    return Error::Ok;
  }

  BackendOption options_[MaxCapacity]{};
  size_t size_ = 0;
};

}  // namespace executorch::runtime
