// SPDX-License-Identifier: BSD-3-Clause
//
// How a loaded method stores the arguments of a call: one machine word each, compiled once by load_method.
// Kernels do not look inside; <wick/kernel.h> unpacks operands into C++ parameters. An EValue* is a valid operand.
//
//   wick::Operand operand(args[2]);            // args: Span<EValue*>, as every boxed kernel receives
//   int64_t axis = operand.to_int(ctx);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>

namespace wick {

using executorch::aten::ScalarType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::runtime::ArrayRef;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::KernelRuntimeContext;

/// A constant or a compact value in the method pool that an operand points to. The first byte tells the kind.
struct Record {
  enum Kind : uint8_t { kVector, kInt, kDouble, kIntList, kBoolList, kDoubleList, kString, kTensorList, kOptionalTensorList };
  Kind kind;
  uint8_t detail;  ///< kVector: ScalarType
  uint16_t count;  ///< kIntList: number of items, an operand each, behind the record
};

/// A tensor of one dimension whose size never changes: the bulk of a quantised model's constants.
struct VectorRecord {
  Record header;
  int32_t size;
  void* data;
};

/// A 64-bit integer or a double, kept as two words so that records need no 8-byte alignment.
struct WideRecord {
  Record header;
  uint32_t words[2];
};

/// A list of integers: constants are immediate operands, items that are computed at run time refer to their EValue.
struct alignas(uintptr_t) IntListRecord {
  Record header;
  uintptr_t* items() { return reinterpret_cast<uintptr_t*>(this + 1); }
  const uintptr_t* items() const { return reinterpret_cast<const uintptr_t*>(this + 1); }
#if UINTPTR_MAX > UINT32_MAX
  uint32_t padding;
#endif
};

/// A text, which lies in the program.
struct StringRecord {
  Record header;
#if UINTPTR_MAX > UINT32_MAX
  uint32_t padding;
#endif
  ArrayRef<char> text;
};

/// Items that lie elsewhere: bools and doubles in the program (flash), tensors behind their operands.
struct ListRecord {
  Record header;
  const void* data;
  uint32_t count;
};

/// Room for a tensor that is unpacked on the caller's stack.
class TensorArgument {
 public:
  TensorArgument();
  const Tensor& get() const { return tensor_; }
  Tensor& get() { return tensor_; }

 private:
  friend class Operand;
  TensorImpl impl_;
  Tensor tensor_{&impl_};
};

/// One argument of a call. Low two bits: 0 EValue*, 1 TensorImpl*, 2 Record*, 3 immediate (see the constants below).
/// Accessors never fail hard: a wrong type sets Error::InvalidType on the context and returns a harmless value.
class Operand {
 public:
  enum Tag : uintptr_t { kEValue = 0, kTensor = 1, kRecord = 2, kImmediate = 3, kTagMask = 3 };
  /// Immediates: bits 2-3 the type, the rest the payload.
  enum Immediate : uintptr_t { kInt = 0 << 2, kShortList = 1 << 2, kBool = 2 << 2, kNone = 3 << 2, kTypeMask = 3 << 2 };
  static constexpr unsigned kPayloadShift = 4;
  static constexpr int64_t kMaxInt = (int64_t{1} << 27) - 1;  ///< immediates hold 28 signed bits on every target
  static constexpr unsigned kMaxShortList = 4;                ///< items of six signed bits each, after a 3-bit count

  explicit Operand(EValue* value) : bits_(reinterpret_cast<uintptr_t>(value)) {}
  static Operand of_tensor(TensorImpl* impl) { return Operand(reinterpret_cast<uintptr_t>(impl) | kTensor); }
  static Operand of_record(const void* record) { return Operand(reinterpret_cast<uintptr_t>(record) | kRecord); }
  static Operand of_immediate(Immediate type, uint32_t payload) {
    return Operand((static_cast<uintptr_t>(payload) << kPayloadShift) | type | kImmediate);
  }
  static Operand from_bits(uintptr_t bits) { return Operand(bits); }
  static Operand of_int(int32_t value) { return of_immediate(kInt, static_cast<uint32_t>(value) & 0x0FFFFFFFu); }

  uintptr_t bits() const { return bits_; }
  Tag tag() const { return static_cast<Tag>(bits_ & kTagMask); }
  bool is(Immediate type) const {
    return (bits_ & (static_cast<uintptr_t>(kTypeMask) | kTagMask)) == (static_cast<uintptr_t>(type) | kImmediate);
  }
  /// The number of an immediate of type kInt.
  int64_t immediate_int() const { return static_cast<int32_t>(static_cast<uint32_t>(bits_)) >> kPayloadShift; }
  /// True for an immediate list of `count` items; and item i of such a list.
  bool is_short_list(unsigned count) const {
    return (bits_ & 0x7F) == of_immediate(kShortList, count).bits();
  }
  int32_t short_item(unsigned i) const {
    return static_cast<int32_t>(static_cast<uint32_t>(bits_) << (19 - 6 * i)) >> 26;
  }
  EValue* evalue() const { return tag() == kEValue ? reinterpret_cast<EValue*>(bits_) : nullptr; }

  bool is_none() const;
  bool is_tensor() const;
  /// True for a number held as Int (immediate, record or EValue); likewise for the others.
  bool is_int() const;
  bool is_double() const;
  bool is_bool() const;

  int64_t to_int(KernelRuntimeContext& ctx) const;
  /// Doubles, and integers converted to double.
  double to_double(KernelRuntimeContext& ctx) const;
  bool to_bool(KernelRuntimeContext& ctx) const;
  executorch::aten::Scalar to_scalar(KernelRuntimeContext& ctx) const;
  /// The tensor; a compact vector is unpacked into `room`. Writes to room.get() on success.
  void to_tensor(KernelRuntimeContext& ctx, TensorArgument& room) const;
  /// Number of items of an integer list, or 0.
  size_t list_size() const;
  /// Item i < list_size() of an integer list.
  int64_t list_item(KernelRuntimeContext& ctx, size_t i) const;
  ArrayRef<bool> to_bool_list(KernelRuntimeContext& ctx) const;
  ArrayRef<double> to_double_list(KernelRuntimeContext& ctx) const;
  ArrayRef<char> to_string(KernelRuntimeContext& ctx) const;
  ArrayRef<Tensor> to_tensor_list(KernelRuntimeContext& ctx) const;
  ArrayRef<std::optional<Tensor>> to_optional_tensor_list(KernelRuntimeContext& ctx) const;

 private:
  explicit Operand(uintptr_t bits) : bits_(bits) {}
  const Record* record(Record::Kind kind) const;
  uintptr_t bits_;
};

}  // namespace wick
