// SPDX-License-Identifier: BSD-3-Clause
//
// Reading operands: the one place that knows how a loaded method stores constants.
#include <executorch/runtime/platform/log.h>
#include <wick/kernel.h>
#include <wick/operand.h>

#include <cstring>
#include <new>

#include "src/runtime/kernel/question.h"

namespace wick {
namespace {

/// Strides and dim order of every compact vector.
int32_t unit_stride[1] = {1};
uint8_t only_dim[1] = {0};

// Nearest double, halves to even. The compiler's own conversion brings in double addition where there is no FPU for it.
double nearest_double(int64_t value) {
#if defined(__ARM_FP) && (__ARM_FP & 8)
  const auto high = static_cast<int32_t>(value >> 32);
  return static_cast<double>(high) * 4294967296.0 + static_cast<double>(static_cast<uint32_t>(value));
#else
  const uint64_t sign = static_cast<uint64_t>(value) & (uint64_t{1} << 63);
  uint64_t magnitude = sign != 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  uint64_t bits = 0;
  if (magnitude != 0) {
    uint64_t exponent = 1023 + 63;
    for (; magnitude >> 63 == 0; magnitude <<= 1) {
      --exponent;
    }
    const uint64_t dropped = magnitude & 0x7FF;
    bits = (magnitude >> 11) + ((exponent - 1) << 52);  // the hidden bit counts as one of the exponent
    bits += dropped > 0x400 || (dropped == 0x400 && (bits & 1) != 0) ? 1 : 0;
    bits |= sign;
  }
  double result;
  std::memcpy(&result, &bits, sizeof(result));
  return result;
#endif
}

void mismatch(KernelRuntimeContext& ctx, const char* wanted) {
  (void)wanted;
  ET_LOG(Error, "an argument is not %s, as this kernel expects: was the program made for another operator version?",
         wanted);
  ctx.fail(Error::InvalidType);
}

}  // namespace

TensorArgument::TensorArgument()
    : impl_(ScalarType::Byte, uint8_t{0}, ssize_t{1}, nullptr, nullptr, nullptr, nullptr,
            executorch::aten::TensorShapeDynamism::STATIC, uint8_t{0}) {}

const Record* Operand::record(Record::Kind kind) const {
  if (tag() != kRecord) {
    return nullptr;
  }
  const Record* found = reinterpret_cast<const Record*>(bits_ & ~uintptr_t{kTagMask});
  return found->kind == kind ? found : nullptr;
}

bool Operand::is_none() const { return is(kNone) || (tag() == kEValue && evalue()->isNone()); }

bool Operand::is_tensor() const {
  return tag() == kTensor || record(Record::kVector) != nullptr || (tag() == kEValue && evalue()->isTensor());
}

bool Operand::is_int() const {
  return is(kInt) || record(Record::kInt) != nullptr || (tag() == kEValue && evalue()->isInt());
}

bool Operand::is_double() const {
  return record(Record::kDouble) != nullptr || (tag() == kEValue && evalue()->isDouble());
}

bool Operand::is_bool() const { return is(kBool) || (tag() == kEValue && evalue()->isBool()); }

int64_t Operand::to_int(KernelRuntimeContext& ctx) const {
  if (is(kInt)) {
    return immediate_int();
  }
  int64_t value = 0;
  if (const Record* wide = record(Record::kInt)) {
    std::memcpy(&value, reinterpret_cast<const WideRecord*>(wide)->words, sizeof(value));
  } else if (tag() == kEValue && evalue()->isInt()) {
    value = evalue()->toInt();
  } else {
    mismatch(ctx, "an integer");
  }
  return value;
}

double Operand::to_double(KernelRuntimeContext& ctx) const {
  double value = 0;
  if (const Record* wide = record(Record::kDouble)) {
    std::memcpy(&value, reinterpret_cast<const WideRecord*>(wide)->words, sizeof(value));
  } else if (tag() == kEValue && evalue()->isDouble()) {
    value = evalue()->toDouble();
  } else {
    value = nearest_double(to_int(ctx));
  }
  return value;
}

bool Operand::to_bool(KernelRuntimeContext& ctx) const {
  if (is(kBool)) {
    return bits_ >> kPayloadShift != 0;
  }
  if (tag() == kEValue && evalue()->isBool()) {
    return evalue()->toBool();
  }
  mismatch(ctx, "a bool");
  return false;
}

executorch::aten::Scalar Operand::to_scalar(KernelRuntimeContext& ctx) const {
  using executorch::aten::Scalar;
  if (tag() == kEValue && evalue()->isScalar()) {
    return evalue()->toScalar();
  }
  if (is(kBool)) {
    return Scalar(bits_ >> kPayloadShift != 0);
  }
  if (const Record* wide = record(Record::kDouble)) {
    double value;
    std::memcpy(&value, reinterpret_cast<const WideRecord*>(wide)->words, sizeof(value));
    return Scalar(value);
  }
  return Scalar(to_int(ctx));
}

void Operand::to_tensor(KernelRuntimeContext& ctx, TensorArgument& room) const {
  if (tag() == kTensor) {
    room.tensor_ = Tensor(reinterpret_cast<TensorImpl*>(bits_ & ~uintptr_t{kTagMask}));
  } else if (const Record* found = record(Record::kVector)) {
    auto* vector = reinterpret_cast<const VectorRecord*>(found);
    new (&room.impl_)
        TensorImpl(static_cast<ScalarType>(found->detail), 1, vector->size, const_cast<int32_t*>(&vector->size),
                   vector->data, only_dim, unit_stride, executorch::aten::TensorShapeDynamism::STATIC, 0);
  } else if (tag() == kEValue && evalue()->isTensor()) {
    room.tensor_ = evalue()->toTensor();
  } else {
    mismatch(ctx, "a tensor");
  }
}

size_t Operand::list_size() const {
  if (is(kShortList)) {
    return bits_ >> kPayloadShift & 7;
  }
  if (const Record* list = record(Record::kIntList)) {
    return list->count;
  }
  return tag() == kEValue && evalue()->isIntList() ? evalue()->toIntList().size() : 0;
}

int64_t Operand::list_item(KernelRuntimeContext& ctx, size_t i) const {
  if (is(kShortList)) {
    return short_item(static_cast<unsigned>(i));
  }
  if (const Record* list = record(Record::kIntList)) {
    return Operand(reinterpret_cast<const IntListRecord*>(list)->items()[i]).to_int(ctx);
  }
  if (tag() == kEValue && evalue()->isIntList()) {
    return evalue()->toIntList()[i];
  }
  mismatch(ctx, "a list of integers");
  return 0;
}

ArrayRef<bool> Operand::to_bool_list(KernelRuntimeContext& ctx) const {
  if (const Record* list = record(Record::kBoolList)) {
    auto* flat = reinterpret_cast<const ListRecord*>(list);
    return {static_cast<const bool*>(flat->data), flat->count};
  }
  if (tag() == kEValue && evalue()->isBoolList()) {
    return evalue()->toBoolList();
  }
  mismatch(ctx, "a list of bools");
  return {};
}

ArrayRef<double> Operand::to_double_list(KernelRuntimeContext& ctx) const {
  if (const Record* list = record(Record::kDoubleList)) {
    auto* flat = reinterpret_cast<const ListRecord*>(list);
    return {static_cast<const double*>(flat->data), flat->count};
  }
  if (tag() == kEValue && evalue()->isDoubleList()) {
    return evalue()->toDoubleList();
  }
  mismatch(ctx, "a list of numbers");
  return {};
}

ArrayRef<char> Operand::to_string(KernelRuntimeContext& ctx) const {
  if (const Record* list = record(Record::kString)) {
    return reinterpret_cast<const StringRecord*>(list)->text;
  }
  if (tag() == kEValue && evalue()->isString()) {
    std::string_view text = evalue()->toString();
    return {text.data(), text.size()};
  }
  mismatch(ctx, "a string");
  return {};
}

ArrayRef<Tensor> Operand::to_tensor_list(KernelRuntimeContext& ctx) const {
  if (const Record* list = record(Record::kTensorList)) {
    auto* items = reinterpret_cast<const ListRecord*>(list);
    const uintptr_t* operands = reinterpret_cast<const uintptr_t*>(items + 1);
    Tensor* tensors = static_cast<Tensor*>(const_cast<void*>(items->data));
    for (uint32_t i = 0; i < items->count; ++i) {
      TensorArgument room;
      Operand(operands[i]).to_tensor(ctx, room);
      new (&tensors[i]) Tensor(room.get());
    }
    return {tensors, items->count};
  }
  if (tag() == kEValue && evalue()->isTensorList()) {
    return evalue()->toTensorList();
  }
  mismatch(ctx, "a list of tensors");
  return {};
}

ArrayRef<std::optional<Tensor>> Operand::to_optional_tensor_list(KernelRuntimeContext& ctx) const {
  if (const Record* list = record(Record::kOptionalTensorList)) {
    auto* items = reinterpret_cast<const ListRecord*>(list);
    const uintptr_t* operands = reinterpret_cast<const uintptr_t*>(items + 1);
    auto* tensors = static_cast<std::optional<Tensor>*>(const_cast<void*>(items->data));
    for (uint32_t i = 0; i < items->count; ++i) {
      new (&tensors[i]) std::optional<Tensor>();
      if (!Operand(operands[i]).is_none()) {
        TensorArgument room;
        Operand(operands[i]).to_tensor(ctx, room);
        tensors[i] = room.get();
      }
    }
    return {tensors, items->count};
  }
  if (tag() == kEValue && evalue()->isListOptionalTensor()) {
    return evalue()->toListOptionalTensor();
  }
  mismatch(ctx, "a list of optional tensors");
  return {};
}

namespace internal {

bool accept_arguments(KernelRuntimeContext& ctx, EValue** args, size_t count, size_t parameters) {
  if (count != parameters && count != parameters + 1) {
    ctx.fail(Error::InvalidProgram);
    return false;
  }
  return args != question_arguments() || parameters == 0;
}

IntArrayRef copy_int_list(KernelRuntimeContext& ctx, Operand operand, int64_t (&items)[16]) {
  const size_t count = operand.list_size();
  if (count > 16) {
    ET_LOG(Error, "a list of %d integers is longer than any tensor has dimensions", static_cast<int>(count));
    ctx.fail(Error::InvalidArgument);
    return {};
  }
  for (size_t i = 0; i < count; ++i) {
    items[i] = operand.list_item(ctx, i);
  }
  return {items, count};
}

}  // namespace internal
}  // namespace wick
