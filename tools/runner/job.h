// SPDX-License-Identifier: BSD-3-Clause
// The two byte streams between `wick verify` and whatever executes cases (a child process on the host, the runner
// firmware on a board): a job goes in, records come out. Both are little-endian and unaligned, so that a job written
// on a 64-bit host is read on a 32-bit target.
//
//   job     magic, count, then `count` times {bytes, case}
//   case    index, flags, max_instructions, f64 atol, f64 rtol (for a bundle's own verification), program path,
//           bin path, ptd paths, sessions
//   session bytes, methods (all loaded before the first call, sharing planned buffers by id), calls in order
//   call    method, test set (of a bundled program), inputs {kind, value}; a tensor is {scalar type, dims, sizes,
//           dim order, offset in the bin file, bytes}
//   record  kind, bytes, payload (see RecordKind)
//
// Integers are u32 unless said otherwise; strings and lists are a u32 count followed by the elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wick::runner {

constexpr uint32_t kJobMagic = 0x314A4B57;  // "WKJ1"

/// Bits of a case's flags.
enum CaseFlag : uint32_t {
  /// Load every method and execute it on zero inputs; errors are answers, not failures. Sessions are ignored.
  kSweep = 1,
  /// The file is a bundled program (.bpte): inputs come from its test sets, and its own verification runs as well.
  kBundled = 2,
  /// The file holds the payload of an Ethos-U delegate, which is run on the NPU model (sessions as in delegate.h).
  kDelegate = 4,
};

/// Kinds of input and output values.
enum class ValueKind : uint32_t { kNone = 0, kInt = 1, kDouble = 2, kBool = 3, kTensor = 4, kOther = 5 };

/// What was being done when a case failed.
enum class Stage : uint32_t { kRead = 0, kMemory, kProgram, kData, kMethod, kInput, kExecute, kOutput, kBundle };

enum class RecordKind : uint32_t {
  /// index
  kCaseBegin = 1,
  /// session, call, output, ValueKind, then i64 | f64 | u32 (bool) | {scalar type, dims, sizes, dim order, data}
  kOutput = 2,
  /// session, call: the call's outputs are complete.
  kCallDone = 3,
  /// Stage, session, call, item (input or output index), Error code. Ends the session.
  kFailed = 4,
  /// session, call, Error code of verify_method_outputs, f64 largest absolute error, f64 mean absolute error
  kBundle = 5,
  /// index, bytes of the method pool used, largest number of bytes of the temp pool used, bytes of planned memory
  kCaseEnd = 6,
  /// (nothing) The case is long, but goes on.
  kProgress = 7,
};

/// Reads the little-endian stream; after the first read past the end everything is zero and ok() is false.
class Reader {
 public:
  Reader(const void* data, size_t size) : next_(static_cast<const uint8_t*>(data)), left_(size) {}

  bool ok() const { return ok_; }
  size_t left() const { return left_; }

  /// The next `n` bytes, or null.
  const uint8_t* take(size_t n) {
    if (n > left_) {
      ok_ = false;
      left_ = 0;
      return nullptr;
    }
    const uint8_t* at = next_;
    next_ += n;
    left_ -= n;
    return at;
  }
  uint32_t u32() { return read<uint32_t>(); }
  int64_t i64() { return read<int64_t>(); }
  double f64() { return read<double>(); }
  /// A string as {pointer, length}; it is written with a terminating zero that is not counted.
  const char* string(size_t& length) {
    length = u32();
    const uint8_t* at = left_ > length ? take(length + 1) : take(left_ + 1);
    return at == nullptr ? "" : reinterpret_cast<const char*>(at);
  }
  const char* c_string() {
    size_t length = 0;
    return string(length);
  }

 private:
  template <typename T>
  T read() {
    T value{};
    if (const uint8_t* at = take(sizeof(T))) {
      std::memcpy(&value, at, sizeof(T));
    }
    return value;
  }

  const uint8_t* next_;
  size_t left_;
  bool ok_ = true;
};

}  // namespace wick::runner
