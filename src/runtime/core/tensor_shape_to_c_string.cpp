// SPDX-License-Identifier: BSD-3-Clause
// Shapes as text. Written without printf, which would drag the C library's formatter into the image.

#include <executorch/runtime/core/exec_aten/util/tensor_shape_to_c_string.h>

namespace executorch::runtime {
namespace {

using Text = std::array<char, kTensorShapeStringSizeLimit>;

char* append(char* out, const char* text) {
  while (*text != '\0') {
    *out++ = *text++;
  }
  return out;
}

char* append_size(char* out, uint32_t value) {
  char digits[11];
  char* first = digits + sizeof(digits) - 1;
  *first = '\0';
  do {
    *--first = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return append(out, first);
}

template <typename T>
Text to_text(Span<const T> shape) {
  Text text{};
  char* out = text.data();
  if (shape.size() > kTensorDimensionLimit) {
    append(out, "(ERR: tensor ndim exceeds limit)");
    return text;
  }
  *out++ = '(';
  const char* separator = "";
  for (const T size : shape) {
    out = append(out, separator);
    separator = ", ";
    const bool printable = size >= 0 && static_cast<uint64_t>(size) <= internal::kMaximumPrintableTensorShapeElement;
    out = printable ? append_size(out, static_cast<uint32_t>(size)) : append(out, "ERR");
  }
  *out = ')';
  return text;
}

}  // namespace

Text tensor_shape_to_c_string(Span<const std::int32_t> shape) { return to_text(shape); }
Text tensor_shape_to_c_string(Span<const std::int64_t> shape) { return to_text(shape); }

}  // namespace executorch::runtime
