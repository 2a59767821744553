// SPDX-License-Identifier: BSD-3-Clause
// Tag: what kind of value an EValue holds.
// With ET_ENABLE_ENUM_STRINGS=0 the tag's number stands for its name.
//
//     char name[kTagNameBufferSize];
//     tag_to_string(value.tag, name, sizeof(name));

#pragma once

#include <executorch/runtime/core/defines.h>
#include <executorch/runtime/platform/compiler.h>

#include <cstddef>
#include <cstdint>

// X11 headers define None.
#if defined(__linux__)
#undef None
#endif

namespace executorch::runtime {

/// Calls a macro with the name of every tag, in the order of their numbers.
#define EXECUTORCH_FORALL_TAGS(_) \
  _(None)                         \
  _(Tensor)                       \
  _(String)                       \
  _(Double)                       \
  _(Int)                          \
  _(Bool)                         \
  _(ListBool)                     \
  _(ListDouble)                   \
  _(ListInt)                      \
  _(ListTensor)                   \
  _(ListScalar)                   \
  _(ListOptionalTensor)

enum class Tag : uint32_t {
#define WICK_ENUMERATOR(name) name,
  EXECUTORCH_FORALL_TAGS(WICK_ENUMERATOR)
#undef WICK_ENUMERATOR
};

#if ET_ENABLE_ENUM_STRINGS
/// The name of a tag, "Unknown" for other numbers.
inline const char* tag_to_string(Tag tag) {
  switch (tag) {
#define WICK_CASE(name) \
  case Tag::name:       \
    return #name;
    EXECUTORCH_FORALL_TAGS(WICK_CASE)
#undef WICK_CASE
    default:
      return "Unknown";
  }
}
#endif

/// Writes the name of a tag into a buffer, always terminated, cut short if need be.
/// Returns the length of the whole name, as snprintf does.
size_t tag_to_string(Tag tag, char* buffer, size_t buffer_size);

/// A buffer of this size holds the name of every tag.
constexpr size_t kTagNameBufferSize = 19;

}  // namespace executorch::runtime

namespace torch::executor {
// Deprecated name.
using ::executorch::runtime::Tag;
}  // namespace torch::executor
