// SPDX-License-Identifier: BSD-3-Clause
// The search for a kernel and the keys of specialised kernels. See kernel_lookup.h and operator_registry.h.

#include "src/runtime/kernel/kernel_lookup.h"

#include <wick/kernel_table.h>

namespace wick {
namespace {

using executorch::runtime::Error;
using executorch::runtime::Kernel;
using executorch::runtime::OpFunction;
using executorch::runtime::Result;
using executorch::runtime::Span;
using executorch::runtime::TensorMeta;

/// Stores the characters of a key; put() is false when there is no room for one.
class KeyWriter {
 public:
  KeyWriter(char* buffer, size_t size) : next_(buffer), room_(size) {}

  bool put(char c) {
    if (room_ == 0) return false;
    --room_;
    *next_++ = c;
    return true;
  }

 private:
  char* next_;
  size_t room_;
};

/// Compares the characters of a key with a text; put() is false when the key gets too long.
class KeyMatcher {
 public:
  explicit KeyMatcher(const char* text) : next_(text) {}

  bool put(char c) {
    if (matches_ && *next_++ != c) matches_ = false;
    return ++length_ < executorch::runtime::internal::kKernelKeyBufSize;
  }

  bool matched_all() const { return matches_ && *next_ == '\0'; }

 private:
  const char* next_;
  size_t length_ = 0;
  bool matches_ = true;
};

template <typename Sink>
bool put_number(Sink& sink, int number) {
  if (number < 0 || number > 99) return false;
  if (number >= 10 && !sink.put(static_cast<char>('0' + number / 10))) return false;
  return sink.put(static_cast<char>('0' + number % 10));
}

/// Gives the key of `tensors` to the sink. False if it cannot be written or does not fit.
template <typename Sink>
bool put_key(Sink& sink, Span<const TensorMeta> tensors) {
  if (tensors.empty()) return true;
  if (!sink.put('v') || !sink.put('1')) return false;
  char separator = '/';
  for (const TensorMeta& tensor : tensors) {
    if (!sink.put(separator) || !put_number(sink, static_cast<int>(tensor.dtype_)) || !sink.put(';')) return false;
    for (size_t i = 0; i < tensor.dim_order_.size(); ++i) {
      if (i > 0 && !sink.put(',')) return false;
      if (!put_number(sink, tensor.dim_order_[i])) return false;
    }
    separator = '|';
  }
  return true;
}

}  // namespace

Result<OpFunction> find_in_list(const char* name, const char* overload, Span<const TensorMeta> tensors,
                                Span<const Kernel> kernels) {
  OpFunction fallback = nullptr;
  for (const Kernel& kernel : kernels) {
    if (compare_operator_name(kernel.name_, name, overload) != 0) continue;
    if (kernel.kernel_key_.is_fallback()) {
      fallback = kernel.op_;
      continue;
    }
    KeyMatcher matcher(kernel.kernel_key_.data());
    if (!put_key(matcher, tensors)) return Error::InvalidArgument;
    if (matcher.matched_all()) return kernel.op_;
  }
  return fallback;
}

Result<OpFunction> find_kernel_function(const char* name, const char* overload,
                                        Span<const TensorMeta> tensors) {
  Result<OpFunction> found = find_in_list(name, overload, tensors, executorch::runtime::get_registered_kernels());
  if (!found.ok() || *found != nullptr) return found;
  const KernelEntry* entry = find_kernel(wick_kernel_table, name, overload);
  return entry != nullptr ? entry->function : OpFunction{nullptr};
}

bool is_valid_key(Span<const TensorMeta> tensors) {
  KeyMatcher matcher("");
  return put_key(matcher, tensors);
}

}  // namespace wick

namespace executorch::runtime::internal {

Error make_kernel_key_string(Span<const TensorMeta> key, char* buf, size_t buf_size) {
  if (key.empty()) {
    if (buf_size > 0) *buf = '\0';
    return Error::Ok;
  }
  wick::KeyWriter writer(buf, buf_size);
  return wick::put_key(writer, key) && writer.put('\0') ? Error::Ok : Error::InvalidArgument;
}

}  // namespace executorch::runtime::internal
