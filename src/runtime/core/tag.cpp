// SPDX-License-Identifier: BSD-3-Clause
// The name of a tag, or its number in builds without names, written into the caller's buffer.

#include <executorch/runtime/core/tag.h>

namespace executorch::runtime {

size_t tag_to_string(Tag tag, char* buffer, size_t buffer_size) {
#if ET_ENABLE_ENUM_STRINGS
  const char* name = tag_to_string(tag);
#else
  char digits[12];
  char* name = digits + sizeof(digits) - 1;
  *name = '\0';
  uint32_t rest = static_cast<uint32_t>(tag);
  do {
    *--name = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
#endif
  size_t length = 0;
  for (; name[length] != '\0'; ++length) {
    if (length + 1 < buffer_size) {
      buffer[length] = name[length];
    }
  }
  if (buffer_size > 0) {
    buffer[length < buffer_size ? length : buffer_size - 1] = '\0';
  }
  return length;
}

}  // namespace executorch::runtime
