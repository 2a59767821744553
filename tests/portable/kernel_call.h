// SPDX-License-Identifier: BSD-3-Clause
// Helpers of the kernel tests: tensors that own guarded memory, and calls of boxed kernels with any arguments.
//
//     Held<float> a({2, 3}, {1, 2, 3, 4, 5, 6}), out({2, 3});
//     EXPECT_EQ(call(wick::kernels::aten_abs_out, a, out), Error::Ok);
//     EXPECT_EQ(out.logical(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
#pragma once

#include <executorch/runtime/core/evalue.h>
#include <executorch/runtime/core/exec_aten/exec_aten.h>
#include <executorch/runtime/core/exec_aten/util/scalar_type_util.h>
#include <executorch/runtime/core/span.h>
#include <executorch/runtime/kernel/kernel_runtime_context.h>
#include <executorch/runtime/platform/runtime.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

namespace wick::test {

using executorch::aten::DimOrderType;
using executorch::aten::Scalar;
using executorch::aten::ScalarType;
using executorch::aten::SizesType;
using executorch::aten::StridesType;
using executorch::aten::Tensor;
using executorch::aten::TensorImpl;
using executorch::aten::TensorShapeDynamism;
using executorch::runtime::Error;
using executorch::runtime::EValue;
using executorch::runtime::KernelRuntimeContext;
using executorch::runtime::Span;

constexpr unsigned char kGuard = 0xA5;
constexpr size_t kGuardBytes = 64;

/// A tensor of element type T with its memory, in a dim order, between guards. Values are given and read in logical
/// order. A maximum shape makes it dynamic.
template <typename T>
class Held {
 public:
  Held(std::vector<SizesType> sizes, std::vector<T> values = {}, std::vector<DimOrderType> order = {},
       TensorShapeDynamism dynamism = TensorShapeDynamism::STATIC)
      : sizes_(std::move(sizes)), order_(std::move(order)), strides_(sizes_.size()) {
    if (order_.empty()) {
      order_.resize(sizes_.size());
      std::iota(order_.begin(), order_.end(), DimOrderType{0});
    }
    capacity_ = 1;
    for (size_t i = sizes_.size(); i-- > 0;) {
      strides_[order_[i]] = static_cast<StridesType>(capacity_);
      capacity_ *= static_cast<size_t>(sizes_[order_[i]]);
    }
    memory_.assign(capacity_ * sizeof(T) + 2 * kGuardBytes, kGuard);
    impl_ = new (impl_room_)
        TensorImpl(executorch::runtime::CppTypeToScalarType<T>::value, static_cast<ssize_t>(sizes_.size()),
                   sizes_.data(), data(), order_.data(), strides_.data(), dynamism);
    for (size_t i = 0; i < values.size(); ++i) {
      const T value = values[i];  // a copy: vector<bool> has no elements to point to
      memcpy(data() + offset(i), &value, sizeof(T));
    }
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  T* data() { return reinterpret_cast<T*>(memory_.data() + kGuardBytes); }
  Tensor tensor() const { return Tensor(impl_); }
  EValue value() const { return EValue(tensor()); }

  /// The elements in logical order.
  std::vector<T> logical() {
    std::vector<T> result(static_cast<size_t>(impl_->numel()));
    for (size_t i = 0; i < result.size(); ++i) {
      result[i] = data()[offset(i)];
    }
    return result;
  }
  std::vector<SizesType> sizes() const { return {impl_->sizes().begin(), impl_->sizes().end()}; }
  /// True if nothing around the elements was written; and, if `all`, no element either.
  bool untouched(bool all = false) const {
    const size_t from = all ? 0 : kGuardBytes;
    for (size_t i = 0; i < memory_.size(); ++i) {
      const bool inside = i >= kGuardBytes && i < memory_.size() - kGuardBytes;
      if ((!inside || (all && from == 0)) && memory_[i] != kGuard) {
        return false;
      }
    }
    return true;
  }

 private:
  size_t offset(size_t logical) const {
    size_t at = 0;
    for (size_t d = sizes_.size(); d-- > 0;) {
      const size_t size = static_cast<size_t>(sizes_[d]);
      at += logical % size * static_cast<size_t>(strides_[d]);
      logical /= size;
    }
    return at;
  }

  std::vector<SizesType> sizes_;
  std::vector<DimOrderType> order_;
  std::vector<StridesType> strides_;
  size_t capacity_ = 0;
  std::vector<unsigned char> memory_;
  alignas(TensorImpl) unsigned char impl_room_[sizeof(TensorImpl)];
  TensorImpl* impl_;
};

/// A list argument.
class IntsArgument {
 public:
  explicit IntsArgument(std::vector<int64_t> items) : items_(std::move(items)) {
    items_.reserve(1);  // an empty list has memory too: null is refused
    pointers_.reserve(1);
    for (int64_t item : items_) {
      values_.emplace_back(item);
    }
    for (EValue& value : values_) {
      pointers_.push_back(&value);
    }
    list_ =
        executorch::runtime::BoxedEvalueList<int64_t>(pointers_.data(), items_.data(), static_cast<int>(items_.size()));
  }
  EValue value() { return EValue(&list_); }

 private:
  std::vector<int64_t> items_;
  std::vector<EValue> values_;
  std::vector<EValue*> pointers_;
  executorch::runtime::BoxedEvalueList<int64_t> list_;
};

struct NoneArgument {};
inline constexpr NoneArgument none{};

template <typename T>
EValue boxed(Held<T>& tensor) {
  return tensor.value();
}
inline EValue boxed(IntsArgument& list) { return list.value(); }
inline EValue boxed(IntsArgument&& list) { return list.value(); }
inline EValue boxed(NoneArgument) { return EValue(); }
inline EValue boxed(int value) { return EValue(int64_t{value}); }
inline EValue boxed(int64_t value) { return EValue(value); }
inline EValue boxed(double value) { return EValue(value); }
inline EValue boxed(bool value) { return EValue(value); }
inline EValue boxed(ScalarType value) { return EValue(static_cast<int64_t>(value)); }
inline EValue boxed(executorch::aten::ArrayRef<char>& value) { return EValue(&value); }

using Kernel = void (*)(KernelRuntimeContext&, Span<EValue*>);

/// Calls a boxed kernel; gives the context's verdict.
template <typename... Arguments>
Error call(Kernel kernel, Arguments&&... arguments) {
  executorch::runtime::runtime_init();
  EValue values[] = {boxed(std::forward<Arguments>(arguments))...};
  EValue* pointers[sizeof...(Arguments)];
  for (size_t i = 0; i < sizeof...(Arguments); ++i) {
    pointers[i] = &values[i];
  }
  KernelRuntimeContext context;
  kernel(context, Span<EValue*>(pointers, sizeof...(Arguments)));
  return context.failure_state();
}

}  // namespace wick::test

namespace wick::kernels {
#define WICK_OP(symbol, name)                                       \
  void symbol(::executorch::runtime::KernelRuntimeContext& context, \
              ::executorch::runtime::Span<::executorch::runtime::EValue*> arguments);
#include "src/kernels/portable/kernels.def"
#include "src/kernels/prim/kernels.def"
#undef WICK_OP
}  // namespace wick::kernels
